package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.producer.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments and printed runs on a real broker. */
class SimulatedExperimentIT {
    @TempDir
    private Path directory;

    @Test
    void shouldRunAnExperimentFromAFileAndAddNothingTheSecondTime() throws IOException {
        Files.writeString(directory.resolve("my.machine"), Machine.text("small-2node"));
        Path file = Files.writeString(directory.resolve("mine.scenario"), """
                base     = lpi-balance-small
                machine  = my.machine
                duration = 5s
                seed     = 40
                repeats  = 3
                arms     = baseline candidate all-local
                """);
        CommandLineRun run = farnode("simulate", file.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "experiment mine-40: 9 runs (baseline, candidate, all-local; 3 of each, seeds from 40), 180"
                                + " samples",
                        "candidate (least-loaded) against baseline (first-cpu):",
                        "all-local (all-local) against baseline (first-cpu):")
                .anyMatch(
                        line -> line.startsWith("throughput rose from ") && line.endsWith("3 and 3 runs): improved."));
        assertThat(run.code()).isZero();

        List<String> runs = farnode("runs", "--output", "csv").out();
        assertThat(runs.stream().map(line -> line.split(",")[0]))
                .contains("mine-40-baseline-1", "mine-40-candidate-3", "mine-40-all-local-2")
                .hasSize(10);
        assertThat(farnode("simulate", file.toString()).out()).isEqualTo(run.out());
    }

    @Test
    void shouldReplayWhatAPrintedRunSaysAsTheSameWindows() {
        Path out = directory.resolve("printed");
        String[] simulate = {"simulate", "lpi-balance-small", "--duration", "12s", "--policy", "first-cpu"};
        CommandLineRun printed =
                CommandLineRun.of(with(simulate, "--format", "vmstat,perf-csv", "--out", out.toString()));
        assertThat(printed.code()).as("%s", printed.err()).isZero();
        assertThat(printed.out()).hasSize(5).last().asString().startsWith("see: farnode replay ");
        assertThat(farnode(with(simulate, "--run", "told")).code()).isZero();
        CommandLineRun replay = farnode(
                "replay",
                out.resolve("vmstat.txt").toString(),
                out.resolve("perf.csv").toString(),
                out.resolve("uncore-node.csv").toString(),
                out.resolve("uncore-system.csv").toString(),
                "--zone",
                "UTC",
                "--run",
                "read");
        assertThat(replay.code()).as("%s", replay.err()).isZero();
        for (String signal : List.of("interrupts", "context.switches", "interrupts.device")) {
            assertThat(windows("read", signal)).hasSizeGreaterThan(1).isEqualTo(windows("told", signal));
        }
    }

    private List<String> windows(String run, String signal) {
        return farnode("windows", run, "--signal", signal, "--scope", "system", "--output", "csv").out().stream()
                .map(line -> line.replace(run, "run"))
                .toList();
    }

    private static String[] with(String[] args, String... more) {
        String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return all;
    }

    private CommandLineRun farnode(String... args) {
        return CommandLineRun.of(
                with(args, "--data-dir", directory.resolve("data").toString()));
    }
}
