package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A capture of 2018 replayed into the one partition in which a newer run is going on: windows of Kafka Streams' own kind
 * would drop the older one as late, all of it.
 */
class OldBehindNewIT {
    private static final int ROWS = 61;
    private static final Duration START = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingOfAnOldRunBehindANewerOneInTheSamePartition() throws Exception {
        Path fresh = capture("new.txt", 1_000);
        Path old = capture("old.txt", 5_000);
        Program program = new Program(directory.resolve("data"));
        program.run("topics", "create", "--partitions", "1");
        try (FarnodeProcess broker = program.start("broker")) {
            broker.awaitLine("Kafka broker at", START);
            try (FarnodeProcess streams = program.start("streams", "--http-port", "0")) {
                streams.awaitLine("streams run on", START);
                // half a minute of the newer run is in the partition when the old one comes, half a minute follows it
                try (FarnodeProcess newer = program.start(replay(fresh, "newer", "2026-11-01T00:00:00Z", "6"))) {
                    awaitWindows(program, "newer");
                    program.run(replay(old, "older", "2018-06-01T00:00:00Z", "max"));
                    assertThat(newer.isAlive())
                            .as("the newer run ended too early")
                            .isTrue();
                    assertThat(newer.exitCode(START)).isZero();
                }
                program.run(replay(old, "oldest", "2009-06-01T00:00:00Z", "max"));

                check(program, "newer", 1_000);
                check(program, "older", 5_000);
                check(program, "oldest", 5_000);
                streams.terminate();
                streams.exitCode(START);
            }
            broker.terminate();
            broker.exitCode(START);
        }
    }

    private static void check(Program program, String run, int base) throws InterruptedException {
        assertThat(program.awaitFinished(run))
                .containsEntry("samples", Integer.toString(ROWS))
                .containsEntry("windows", Integer.toString(ROWS - 1))
                .containsEntry("incomplete", "0")
                .containsEntry("late", "0")
                .containsEntry("missing", "0");
        List<Map<String, String>> windows = program.csv("windows", run, "--signal", "interrupts");
        List<Double> seen = windows.stream()
                .filter(row -> !row.get("size_seconds").equals("0.0"))
                .map(row -> Double.valueOf(row.get("value")))
                .toList();
        assertThat(seen).hasSize(ROWS - 1);
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(base + i + 1);
        }
    }

    /** Interrupts of row i are base + i; the first row is the average since boot. */
    private Path capture(String name, int base) throws IOException {
        StringBuilder text = new StringBuilder(" r  b   swpd   free   in   cs us sy id wa\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(" 1  0      0 100000 ").append(base + i).append("  900 10  5 85  0\n");
        }
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return file;
    }

    private static String[] replay(Path file, String run, String start, String speed) {
        return new String[] {
            "replay", file.toString(), "--run", run, "--start", start, "--interval", "1s", "--speed", speed
        };
    }

    private static void awaitWindows(Program program, String run) throws InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (program.csv("runs").stream()
                .noneMatch(row -> row.get("run").equals(run) && Integer.parseInt(row.get("windows")) > 3)) {
            assertThat(System.nanoTime()).as("no window of %s", run).isLessThan(end);
            Thread.sleep(200);
        }
    }
}
