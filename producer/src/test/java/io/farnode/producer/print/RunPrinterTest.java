package io.farnode.producer.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.SampleBuilder;
import io.farnode.producer.capture.ByteSource;
import io.farnode.producer.capture.CaptureFormat;
import io.farnode.producer.capture.CaptureOptions;
import io.farnode.producer.capture.CaptureReader;
import io.farnode.producer.capture.LineSource;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a simulated run prints is read back as what it tells. */
class RunPrinterTest {
    @Test
    void shouldPrintVmstatAsWideRowsWithTimes(@TempDir Path directory) throws IOException {
        print(small().withDuration(Duration.ofSeconds(2)), EnumSet.of(ToolText.VMSTAT), directory);
        List<String> lines = Files.readAllLines(directory.resolve("vmstat.txt"));
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).isEqualTo("vmstat -y -w -t -n 1");
        assertThat(lines.get(2))
                .matches(" +r +b +swpd +free +buff +cache +si +so +bi +bo +in +cs +us +sy +id +wa +st +UTC");
        assertThat(lines.get(4)).matches("( *\\d+ ){17}2026-01-01 00:00:02").hasSameSizeAs(lines.get(1));
    }

    @Test
    void shouldPrintPerfAsVersionSixDoes(@TempDir Path directory) throws IOException {
        print(small().withDuration(Duration.ofSeconds(1)), EnumSet.of(ToolText.PERF_CSV), directory);
        List<String> lines = Files.readAllLines(directory.resolve("perf.csv"));
        assertThat(lines.get(0)).isEqualTo("# started on Thu Jan  1 00:00:00 2026");
        assertThat(lines.get(1)).isEmpty();
        assertThat(lines.get(3)).matches("     1\\.000000000,CPU1,\\d+,,irq:irq_handler_entry,1000000000,100\\.00,,");
        assertThat(Files.readAllLines(directory.resolve("uncore-node.csv")).get(2))
                .matches("     1\\.000000000,N0,1,\\d+,,hisi_sccl1_hha0/rx_ops_num/,1000000000,100\\.00,,");
        assertThat(Files.readAllLines(directory.resolve("uncore-system.csv")).get(2))
                .matches("     1\\.000000000,\\d+,,hisi_sccl1_hha0/rx_ops_num/,1000000000,100\\.00,,");
    }

    @Test
    void shouldPrintSnapshotsOfInterruptsThatAddUpToWhatPerfCounts(@TempDir Path directory) throws IOException {
        Scenario scenario = small().withDuration(Duration.ofSeconds(2));
        List<Sample> told = print(scenario, EnumSet.of(ToolText.INTERRUPTS), directory);
        List<String> lines = Files.readAllLines(directory.resolve("interrupts.txt"));
        assertThat(lines.stream().filter(line -> line.startsWith("timestamp: ")))
                .containsExactly(
                        "timestamp: 1767225600.000000000",
                        "timestamp: 1767225601.000000000",
                        "timestamp: 1767225602.000000000");
        List<String> last = lines.subList(lines.lastIndexOf("timestamp: 1767225602.000000000"), lines.size());
        assertThat(last.get(1)).matches(" +CPU0 +CPU1 .* CPU15 *");
        long printed = 0;
        for (String row : last.subList(2, 4)) {
            String[] cells = row.substring(row.indexOf(':') + 1).strip().split("\\s+");
            for (int cpu = 0; cpu < 16; cpu++) {
                printed += Long.parseLong(cells[cpu]);
            }
        }
        long counted = told.stream()
                .filter(sample -> sample.getSource().equals("perf"))
                .flatMap(sample -> sample.getColumns().stream())
                .filter(column -> column.getRawName().equals("irq:irq_handler_entry"))
                .flatMap(column -> column.getValues().stream())
                .mapToLong(Long::longValue)
                .sum();
        assertThat(printed).isPositive().isEqualTo(counted);
    }

    @Property(tries = 12)
    void shouldBeReadBackAsTold(
            @ForAll("scenarios") String name,
            @ForAll @IntRange(max = 1000) int seed,
            @ForAll @IntRange(min = 1, max = 2) int seconds)
            throws IOException {
        Scenario scenario = Scenario.named(name)
                .with(Map.of("interval", seconds + "s", "duration", 2 * seconds + "s", "seed", Integer.toString(seed)));
        Path directory = Files.createTempDirectory("printed");
        try {
            List<Sample> told = print(scenario, EnumSet.of(ToolText.VMSTAT, ToolText.PERF_CSV), directory);
            assertThat(read(directory, CaptureFormat.VMSTAT, "vmstat.txt")).isEqualTo(cells(told, "vmstat"));
            assertThat(read(directory, CaptureFormat.PERF_CSV, "perf.csv")).isEqualTo(cells(told, "perf"));
            for (String source : List.of("uncore", "nodes")) {
                if (told.stream().anyMatch(sample -> sample.getSource().equals(source))) {
                    Map<String, Long> both = read(directory, CaptureFormat.PERF_CSV, source + "-node.csv");
                    both.putAll(read(directory, CaptureFormat.PERF_CSV, source + "-system.csv"));
                    assertThat(both).isEqualTo(cells(told, source));
                }
            }
        } finally {
            for (Path file : files(directory)) {
                Files.delete(file);
            }
            Files.delete(directory);
        }
    }

    @Property(tries = 5)
    void shouldBeReadBackAtShortIntervalsAndWithAPartialLastOne(@ForAll @IntRange(min = 10, max = 300) int millis)
            throws IOException {
        Scenario scenario = small().with(Map.of("interval", millis + "ms", "duration", "510ms"));
        Path directory = Files.createTempDirectory("printed");
        try {
            List<Sample> told = print(scenario, EnumSet.of(ToolText.PERF_CSV), directory);
            assertThat(read(directory, CaptureFormat.PERF_CSV, "perf.csv")).isEqualTo(cells(told, "perf"));
        } finally {
            for (Path file : files(directory)) {
                Files.delete(file);
            }
            Files.delete(directory);
        }
    }

    @Provide
    Arbitrary<String> scenarios() {
        return Arbitraries.of("lpi-balance-small", "its-tables-small", "spinlock-small", "page-pool", "dma-placement");
    }

    @Test
    void shouldRefuseWhatVmstatCannotPrint(@TempDir Path directory) {
        assertThatThrownBy(() ->
                        print(small().withInterval(Duration.ofMillis(100)), EnumSet.of(ToolText.VMSTAT), directory))
                .isInstanceOf(DataException.class)
                .hasMessage("interval = 100ms: vmstat prints whole intervals of whole seconds; set another interval, or"
                        + " print perf-csv");
        assertThatThrownBy(() ->
                        print(small().withDuration(Duration.ofMillis(2500)), EnumSet.of(ToolText.VMSTAT), directory))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("duration = 2500ms: ");
    }

    @Test
    void shouldNotWriteOverAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("vmstat.txt"), "mine");
        assertThatThrownBy(() ->
                        print(small().withDuration(Duration.ofSeconds(1)), EnumSet.of(ToolText.VMSTAT), directory))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " exists already; name another directory, or move it away");
        assertThat(file).hasContent("mine");
    }

    private static Scenario small() {
        return Scenario.named("lpi-balance-small");
    }

    private static List<Sample> print(Scenario scenario, Set<ToolText> texts, Path directory) throws IOException {
        List<Sample> told = new ArrayList<>();
        try (SimulatedRun run = SimulatedRun.of(scenario);
                RunPrinter printer = RunPrinter.open(scenario, run, texts, directory)) {
            for (Sample sample = run.next(); sample != null; sample = run.next()) {
                printer.print(sample);
                told.add(sample);
            }
            assertThat(printer.files()).allSatisfy(file -> assertThat(file).exists());
        }
        return told;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static Map<String, Long> read(Path directory, CaptureFormat expected, String file) throws IOException {
        CaptureOptions options = CaptureOptions.parse(directory.resolve(file).toString(), Map.of("zone", "UTC"));
        LineSource lines = new LineSource(ByteSource.of(Files.newInputStream(directory.resolve(file))));
        CaptureFormat format = CaptureFormat.of(lines, options);
        assertThat(format).isEqualTo(expected);
        List<Sample> samples = new ArrayList<>();
        try (CaptureReader reader = format.open(lines, options)) {
            for (Sample sample = reader.next(); sample != null; sample = reader.next()) {
                samples.add(sample);
            }
            assertThat(reader.account().errors()).isEmpty();
            assertThat(reader.timeAssumed()).isFalse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cells(samples, "");
    }

    /** Every value with its span, scope, metric, label, unit, kind and place after the point. */
    private static Map<String, Long> cells(List<Sample> samples, String source) {
        Map<String, Long> cells = new TreeMap<>();
        for (Sample sample : samples) {
            if (!sample.getSource().equals(source)) {
                continue;
            }
            for (Column column : sample.getColumns()) {
                for (int i = 0; i < sample.getScopes().size(); i++) {
                    if (column.getStates().remaining() == 0
                            || column.getStates().get(i) == SampleBuilder.VALUE) {
                        String key = String.join(
                                " ",
                                sample.getStartNanos() + ".." + sample.getEndNanos(),
                                sample.getScopes().get(i),
                                column.getMetric(),
                                column.getRawName(),
                                column.getUnit(),
                                column.getKind().name(),
                                column.getDimension(),
                                Integer.toString(column.getScale()));
                        assertThat(cells.put(key, column.getValues().get(i))).isNull();
                    }
                }
            }
        }
        return new LinkedHashMap<>(cells);
    }
}
