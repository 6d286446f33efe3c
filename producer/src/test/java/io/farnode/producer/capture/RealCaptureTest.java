package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.ValueKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The capture of a real machine, summed up by the readers and by awk. */
class RealCaptureTest {
    @TempDir
    Path directory;

    @Test
    void shouldSumUpPerfAsAwkDoes() throws Exception {
        byte[] text = unpacked("real/perf.csv.gz");
        Readings read = Readings.of(text, CaptureOptions.parse("perf.csv", Map.of("zone", "UTC")));

        Map<String, BigDecimal> sums = new TreeMap<>();
        Map<String, Integer> rows = new TreeMap<>();
        Map<String, Integer> none = new TreeMap<>();
        for (int i = 0; i < read.samples().size(); i++) {
            for (Column column : read.sample(i).getColumns()) {
                if (column.getKind() == ValueKind.DERIVED) {
                    continue;
                }
                for (String scope : read.sample(i).getScopes()) {
                    String key = scope.replace("cpu", "CPU") + " " + column.getRawName();
                    BigDecimal value = read.value(i, column.getRawName(), scope);
                    if (value == null) {
                        assertThat(read.state(i, column.getRawName(), scope)).isEqualTo(SampleBuilder.NOT_SUPPORTED);
                        none.merge(key, 1, Integer::sum);
                    } else {
                        sums.merge(key, value, BigDecimal::add);
                        rows.merge(key, 1, Integer::sum);
                    }
                }
            }
        }
        TreeSet<String> found = new TreeSet<>();
        sums.forEach((key, sum) -> found.add("perf " + key + " " + sum.toPlainString() + " " + rows.get(key)));
        none.forEach((key, count) -> found.add("none " + key + " " + count));
        assertThat(found).hasSize(14).isEqualTo(awk(text));
        assertThat(read.samples()).hasSize(694);
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(9716);
        assertThat(read.account().count(LineAccount.Kind.COMMENT)).isEqualTo(2);
        assertThat(read.account().lines()).isEqualTo(9718);
        assertThat(read.start(0)).isEqualTo("2026-11-30T20:08:10Z");
        assertThat(read.end(693)).isEqualTo("2026-11-30T20:19:45.004008664Z");
        assertThat(read.flags(693)).containsExactly(Flag.PARTIAL_SPAN);
        for (int i = 1; i < read.samples().size(); i++) {
            assertThat(read.flags(i - 1)).isEmpty();
            assertThat(read.start(i)).isEqualTo(read.end(i - 1));
        }
    }

    @Test
    void shouldAverageVmstatAsAwkDoes() throws Exception {
        byte[] text = unpacked("real/vmstat.txt.gz");
        Readings read = Readings.of(text, CaptureOptions.parse("vmstat.txt"));

        TreeSet<String> found = new TreeSet<>();
        for (String name : new String[] {"in", "cs"}) {
            BigDecimal sum = BigDecimal.ZERO;
            int rows = 0;
            for (int i = 0; i < read.samples().size(); i++) {
                if (!read.flags(i, name).contains(Flag.SINCE_BOOT)) {
                    sum = sum.add(read.value(i, name, "system"));
                    rows++;
                }
            }
            found.add("vmstat " + name + " " + sum.toPlainString() + " " + rows);
        }
        assertThat(found).isEqualTo(awk(text));
        assertThat(read.samples()).hasSize(700);
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(700);
        assertThat(read.account().count(LineAccount.Kind.HEADER)).isEqualTo(68);
        assertThat(read.account().lines()).isEqualTo(768);
        assertThat(read.end(0)).isEqualTo("2026-11-30T20:08:10Z");
        assertThat(read.end(699)).isEqualTo("2026-11-30T20:19:49Z");
        assertThat(read.reader().timeAssumed()).isFalse();
        assertThat(read.reader().accuracyNanos()).isEqualTo(1_000_000_000L);
        assertThat(read.flags(0, "free")).doesNotContain(Flag.STALE_SUSPECT);
        assertThat(read.flags(699, "free")).contains(Flag.STALE_SUSPECT);
        assertThat(read.flags(699, "swpd")).doesNotContain(Flag.STALE_SUSPECT);
    }

    @Test
    void shouldCoverEverySecondOfASlowVmstat() throws Exception {
        Readings read = Readings.ofResource("real/vmstat-wide-timestamp.txt", Map.of());
        assertThat(read.samples()).hasSize(64);
        assertThat(read.account().errors()).isEmpty();
        TreeMap<Long, Integer> spans = new TreeMap<>();
        for (int i = 1; i < 64; i++) {
            assertThat(read.start(i)).isEqualTo(read.end(i - 1));
            assertThat(read.flags(i)).isEmpty();
            spans.merge(read.end(i).getEpochSecond() - read.start(i).getEpochSecond(), 1, Integer::sum);
        }
        assertThat(spans).isEqualTo(Map.of(2L, 54, 3L, 6, 4L, 1, 5L, 2));
    }

    @Test
    void shouldReadAgainToTheSameSamples() throws Exception {
        byte[] text = unpacked("real/perf.csv.gz");
        CaptureOptions options = CaptureOptions.parse("perf.csv", Map.of("zone", "UTC"));
        Sample first = Readings.of(text, options).sample(300);
        assertThat(Readings.of(text, options).sample(300)).isEqualTo(first);
    }

    private TreeSet<String> awk(byte[] text) throws Exception {
        Path script = directory.resolve("sums.awk");
        Files.write(script, Readings.resource("real/sums.awk"));
        Path input = directory.resolve("input");
        Files.write(input, text);
        Process awk;
        try {
            awk = new ProcessBuilder("awk", "-f", script.toString(), input.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(Boolean.getBoolean("farnode.ci"), "awk is not installed; the sums are not compared");
            throw e;
        }
        String output = new String(awk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(awk.waitFor()).as(output).isZero();
        return new TreeSet<>(output.lines().toList());
    }

    private static byte[] unpacked(String name) throws IOException {
        try (InputStream stream = new GZIPInputStream(new ByteArrayInputStream(Readings.resource(name)))) {
            return stream.readAllBytes();
        }
    }
}
