package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.farnode.cli.FarnodeProcess;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eleven minutes of vmstat and perf of a real machine, at full speed: window sums are what awk adds up. */
class RealCaptureIT {
    private static final Path CAPTURE = FarnodeProcess.root().resolve("producer/src/test/resources/captures/real");

    @TempDir
    private Path directory;

    @Test
    void shouldAddUpToWhatAwkAddsUp() {
        Program program = new Program(directory);
        program.run(
                "replay",
                CAPTURE.resolve("vmstat.txt.gz").toString(),
                CAPTURE.resolve("perf.csv.gz").toString(),
                "--zone",
                "UTC",
                "--run",
                "real");
        List<Map<String, String>> windows = program.csv("windows", "real", "--all");
        Map<String, BigDecimal> sums = Program.sums(windows);

        int compared = 0;
        for (String line : awk("perf.csv.gz")) {
            String[] fields = line.split(" ");
            String scope = fields[1].toLowerCase(java.util.Locale.ROOT).replace("cpu", "cpu");
            if (fields[0].equals("perf")) {
                assertThat(sums.get(scope + " event:" + fields[2]))
                        .as(line)
                        .isNotNull()
                        .isEqualByComparingTo(new BigDecimal(fields[3]));
                compared++;
            } else {
                // not supported on that machine: absent, never a zero
                assertThat(sums).as(line).doesNotContainKey(scope + " event:" + fields[2]);
            }
        }
        assertThat(compared).isEqualTo(12);

        for (String line : awk("vmstat.txt.gz")) {
            String[] fields = line.split(" ");
            String signal = fields[1].equals("in") ? "interrupts" : "context.switches";
            if (!signal.equals("interrupts")) {
                continue; // perf counts context switches too; which of them feeds the signal is not the matter here
            }
            double sum = windows.stream()
                    .filter(w -> w.get("name").equals(signal) && w.get("scope").equals("system"))
                    .filter(w -> !w.get("size_seconds").equals("0.0"))
                    .mapToDouble(w -> Double.parseDouble(w.get("value")))
                    .sum();
            assertThat(sum).as(line).isCloseTo(Double.parseDouble(fields[2]), within(1e-6));
        }
    }

    private static List<String> awk(String file) {
        try (FarnodeProcess awk =
                FarnodeProcess.run(Map.of(), Path.of("sh"), CAPTURE, "-c", "gzip -dc " + file + " | awk -f sums.awk")) {
            assertThat(awk.exitCode(Duration.ofMinutes(1))).isZero();
            return new ArrayList<>(awk.out());
        }
    }
}
