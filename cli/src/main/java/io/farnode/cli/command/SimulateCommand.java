package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.terminal.ProgressBar;
import io.farnode.producer.machine.workload.RunLabels;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.producer.replay.Pacer;
import io.farnode.telemetry.RunFinished;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Publishes a run of the simulated machine. */
@Command(
        name = "simulate",
        description = {
            "Simulate a NUMA machine under a policy and publish it as a run.",
            "",
            "SCENARIO is the name of a bundled one (such as lpi-balance-small) or a file of your own; a file may begin"
                    + " with \"base = lpi-balance\" and say only what differs. Same scenario, policy and seed: same bytes."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class SimulateCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private ScenarioOptions scenarioOptions;

    @Mixin
    private RunOptions runOptions;

    @Option(
            names = "--speed",
            paramLabel = "N|max",
            defaultValue = "max",
            description = "Simulated seconds a second, at most (default: max).")
    private String speed;

    @Mixin
    private StreamsOptions streamsOptions;

    @Mixin
    private ClusterOptions clusterOptions;

    SimulateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        double pace = Pacer.parseSpeed(speed);
        Scenario scenario = scenarioOptions.scenario();
        RunLabels labels = new RunLabels(
                runOptions.run == null ? "" : runOptions.run,
                runOptions.experiment,
                runOptions.arm,
                runOptions.repeat,
                runOptions.labels);
        try (SimulatedRun run = SimulatedRun.of(scenario, labels)) {
            Workbench bench = Workbench.open(surroundings, clusterOptions, Cluster.Use.PUBLISH, streamsOptions, -1);
            bench.tellResult(publish(bench, run, scenario.duration(), pace));
            return 0;
        }
    }

    private RunFinished publish(Workbench bench, SimulatedRun run, Duration whole, double pace)
            throws IOException, InterruptedException {
        long start = run.started().getStartNanos();
        Pacer pacer = Pacer.atSpeed(pace, () -> {});
        pacer.await(start);
        try (ProgressBar bar = new ProgressBar(
                surroundings.err(),
                surroundings.terminal().err(),
                surroundings.terminal().columns())) {
            return bench.publish(
                    run,
                    sample -> {
                        pacer.await(sample.getEndNanos());
                        double done = sample.getEndNanos() - start;
                        bar.update(
                                done / whole.toNanos(),
                                String.format(
                                        Locale.ROOT, "%.1f s of %.1f s simulated", done / 1e9, whole.toNanos() / 1e9));
                    },
                    null);
        }
    }
}
