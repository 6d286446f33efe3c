package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 in the middle of a replay, then the same command again: nothing twice, nothing missing. */
class CrashIT {
    private static final Path PERF =
            FarnodeProcess.root().resolve("producer/src/test/resources/captures/real/perf.csv.gz");
    private static final Duration START = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void shouldAddNothingTwiceBesideABrokerThatStays() throws Exception {
        Program program = new Program(directory);
        try (FarnodeProcess broker = program.start("broker")) {
            broker.awaitLine("Kafka broker at", START);
            try (FarnodeProcess streams = program.start("streams", "--http-port", "0")) {
                streams.awaitLine("streams run on", START);
                killInTheMiddle(program);

                program.run(replay("disturbed", "max"));
                program.run(replay("undisturbed", "max"));

                Map<String, String> disturbed = program.awaitFinished("disturbed");
                Map<String, String> undisturbed = program.awaitFinished("undisturbed");
                assertThat(Long.parseLong(disturbed.get("duplicate"))).isPositive();
                assertThat(disturbed).containsEntry("missing", "0").containsEntry("late", "0");
                assertThat(disturbed.get("samples")).isEqualTo(undisturbed.get("samples"));
                assertThat(windows(program, "disturbed")).isNotEmpty().isEqualTo(windows(program, "undisturbed"));

                streams.terminate();
                assertThat(streams.exitCode(START)).isEqualTo(143);
            }
            broker.terminate();
            assertThat(broker.exitCode(START)).isEqualTo(143);
        }
    }

    @Test
    void shouldAddNothingTwiceWhenBrokerAndStreamsDieWithIt() throws Exception {
        Program program = new Program(directory);
        killInTheMiddle(program);

        List<String> said = program.run(replay("disturbed", "max"));
        program.run(replay("undisturbed", "max"));

        assertThat(said)
                .anyMatch(line -> line.matches("windows: \\d+ closed, .*late 0, duplicate [1-9]\\d*, missing 0"));
        assertThat(windows(program, "disturbed")).isNotEmpty().isEqualTo(windows(program, "undisturbed"));
    }

    @Test
    void shouldEndInOrderOnSigtermAndBeCompletedByTheSameCommand() throws Exception {
        Program program = new Program(directory);
        try (FarnodeProcess replay = program.start(replay("stopped", "60"))) {
            awaitBegin(program, replay, "stopped");
            long before = System.nanoTime();
            replay.terminate();
            assertThat(replay.exitCode(START)).isEqualTo(143);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            assertThat(replay.err()).containsExactly("farnode: broken off; the same command completes the run");
        }
        assertThat(program.csv("runs"))
                .singleElement()
                .satisfies(run -> assertThat(run).containsEntry("state", "running"));
        assertThat(program.run(replay("stopped", "max")))
                .anyMatch(line -> line.matches("windows: \\d+ closed, .*late 0, duplicate [1-9]\\d*, missing 0"));
    }

    /** Eleven minutes at sixty times the speed take eleven seconds; killed after some windows have been closed. */
    private static void killInTheMiddle(Program program) {
        try (FarnodeProcess replay = program.start(replay("disturbed", "60"))) {
            awaitBegin(program, replay, "disturbed");
            assertThat(replay.isAlive()).as("killed too late: %s", replay.out()).isTrue();
            replay.kill();
            assertThat(replay.exitCode(START)).isEqualTo(137);
        }
    }

    private static void awaitBegin(Program program, FarnodeProcess replay, String run) {
        long end = System.nanoTime() + START.toNanos();
        boolean begun = false;
        while (!begun && replay.isAlive() && System.nanoTime() < end) {
            try (FarnodeProcess runs = program.start("runs", "--output", "csv")) {
                begun = runs.exitCode(START) == 0
                        && runs.out().stream().anyMatch(line -> line.startsWith(run + ",running,"));
            }
        }
    }

    private static String[] replay(String run, String speed) {
        return new String[] {"replay", PERF.toString(), "--zone", "UTC", "--run", run, "--speed", speed};
    }

    /** A run's windows, once a reader sees all that the catalogue counts: partitions of a transaction open one by one. */
    private static List<Map<String, String>> windows(Program program, String run) throws InterruptedException {
        long counted = Long.parseLong(program.awaitFinished(run).get("windows"));
        long end = System.nanoTime() + START.toNanos();
        List<Map<String, String>> windows = read(program, run);
        while (windows.stream().map(row -> row.get("start")).distinct().count() < counted && System.nanoTime() < end) {
            windows = read(program, run);
        }
        return windows;
    }

    private static List<Map<String, String>> read(Program program, String run) {
        return program.csv("windows", run, "--all").stream()
                .map(row -> {
                    Map<String, String> copy = new HashMap<>(row);
                    copy.remove("run");
                    return copy;
                })
                .toList();
    }
}
