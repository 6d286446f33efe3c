package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.terminal.ProgressBar;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.workload.RunLabels;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.producer.replay.Pacer;
import io.farnode.telemetry.RunFinished;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes a run of the simulated machine. */
@Command(
        name = "simulate",
        description = {
            "Simulate a NUMA machine under a policy and publish it as a run.",
            "",
            "SCENARIO is the name of a bundled one (lpi-balance, lpi-balance-small) or a file of your own; a file may begin"
                    + " with \"base = lpi-balance\" and say only what differs. Same scenario, policy and seed: same bytes."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class SimulateCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "SCENARIO", description = "Name or file.")
    private String name;

    @Mixin
    private RunOptions runOptions;

    @Option(names = "--policy", paramLabel = "NAME", description = "Policy (default: the scenario's candidate).")
    private String policy;

    @Option(names = "--seed", paramLabel = "N", description = "Seed (default: the scenario's).")
    private Long seed;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = StreamsOptions.Length.class,
            description = "Simulated time: 60s, 5m (default: the scenario's).")
    private Duration duration;

    @Option(names = "--noise", paramLabel = "on|off", description = "Whether costs wander (default: the scenario's).")
    private String noise;

    @Option(
            names = "--threaded",
            negatable = true,
            description = "Threaded interrupts of the drives (default: the scenario's).")
    private Boolean threaded;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any parameter of the scenario; may be given often.")
    private Map<String, String> parameters = new LinkedHashMap<>();

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
        clusterOptions.check();
        streamsOptions.check();
        runOptions.check();
        double pace = UsageException.checked(() -> Pacer.parseSpeed(speed));
        Scenario named = scenario(name);
        Scenario scenario = UsageException.checked(() -> wanted(named));
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

    /** The scenario with what the options say otherwise. */
    private Scenario wanted(Scenario named) {
        Scenario scenario = named;
        if (policy != null) {
            scenario = scenario.withPolicy(policy);
        }
        if (seed != null) {
            scenario = scenario.withSeed(seed);
        }
        if (duration != null) {
            scenario = scenario.withDuration(duration);
        }
        if (noise != null) {
            scenario = scenario.with("noise", noise);
        }
        if (threaded != null) {
            scenario = scenario.with("threaded", threaded ? "on" : "off");
        }
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            scenario = scenario.with(parameter.getKey(), parameter.getValue());
        }
        return scenario;
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
            bench.clearFirst(bar::clear);
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

    /**
     * Finds a scenario.
     *
     * @param name name of a bundled one, or a file
     * @return the scenario
     * @throws IOException if the file cannot be read
     * @throws UsageException if there is no scenario of that name
     * @throws DataException if there is no such file, or its text is no scenario
     */
    static Scenario scenario(String name) throws IOException {
        if (Scenario.names().contains(name)) {
            return Scenario.named(name);
        }
        if (!name.contains("/") && !name.contains(".")) {
            return UsageException.checked(() -> Scenario.named(name)); // says which there are
        }
        try (Reader text = Files.newBufferedReader(Path.of(name))) {
            return Scenario.read(name, text);
        } catch (NoSuchFileException e) {
            throw new DataException(
                    name + ": no such file; bundled scenarios are " + String.join(", ", Scenario.names()));
        } catch (MalformedInputException e) {
            throw new DataException(name + ": not UTF-8 text");
        }
    }
}
