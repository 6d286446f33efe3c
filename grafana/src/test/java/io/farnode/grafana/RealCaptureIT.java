package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.farnode.cli.FarnodeProcess;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eleven minutes of vmstat and perf of a real machine, at full speed: window sums are what awk adds up. */
class RealCaptureIT {
    private static final Path CAPTURE = FarnodeProcess.root().resolve("producer/src/test/resources/captures/real");

    @TempDir
    private Path directory;

    @Test
    void shouldAddUpWhatPerfCountedAsAwkDoes() {
        Program program = new Program(directory);
        program.run("replay", CAPTURE.resolve("perf.csv.gz").toString(), "--zone", "UTC", "--run", "perf");
        Map<String, BigDecimal> sums = Program.sums(program.csv("windows", "perf", "--all"));

        int compared = 0;
        for (String line : awk("perf.csv.gz")) {
            String[] fields = line.split(" ");
            String event = fields[2].equals("context-switches") ? "context.switches" : fields[2];
            String key = fields[1].toLowerCase(Locale.ROOT) + " event:" + event;
            if (fields[0].equals("perf")) {
                assertThat(sums.get(key)).as(line).isNotNull().isEqualByComparingTo(new BigDecimal(fields[3]));
                compared++;
            } else {
                // not supported on that machine: absent, never a zero
                assertThat(sums).as(line).doesNotContainKey(key);
            }
        }
        assertThat(compared).isEqualTo(12);
    }

    @Test
    void shouldAddUpWhatVmstatPrintedAsAwkDoes() {
        Program program = new Program(directory);
        program.run("replay", CAPTURE.resolve("vmstat.txt.gz").toString(), "--run", "vmstat");
        List<Map<String, String>> windows = program.csv("windows", "vmstat");

        Map<String, String> signals = Map.of("in", "interrupts", "cs", "context.switches");
        int compared = 0;
        for (String line : awk("vmstat.txt.gz")) {
            String[] fields = line.split(" ");
            // windows of a second over rows of a second: a rate is as many events
            List<Double> values = windows.stream()
                    .filter(w -> w.get("name").equals(signals.get(fields[1])))
                    .filter(w -> !w.get("size_seconds").equals("0.0"))
                    .map(w -> Double.valueOf(w.get("value")))
                    .toList();
            assertThat(values).as(line).hasSize(Integer.parseInt(fields[3]));
            assertThat(values.stream().mapToDouble(v -> v).sum())
                    .as(line)
                    .isCloseTo(Double.parseDouble(fields[2]), within(1e-6));
            compared++;
        }
        assertThat(compared).isEqualTo(2);
    }

    private static List<String> awk(String file) {
        try (FarnodeProcess awk =
                FarnodeProcess.run(Map.of(), Path.of("sh"), CAPTURE, "-c", "gzip -dc " + file + " | awk -f sums.awk")) {
            assertThat(awk.exitCode(Duration.ofMinutes(1))).isZero();
            return new ArrayList<>(awk.out());
        }
    }
}
