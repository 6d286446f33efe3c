package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.terminal.ProgressBar;
import io.farnode.contract.Keys;
import io.farnode.producer.machine.workload.RunLabels;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.producer.print.RunPrinter;
import io.farnode.producer.print.ToolText;
import io.farnode.producer.replay.Pacer;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Publishes a run of the simulated machine, or an experiment of several, or prints a run into files. */
@Command(
        name = "simulate",
        description = {
            "Simulate a NUMA machine under a policy and publish it as a run.",
            "",
            "SCENARIO is the name of a bundled one (such as lpi-balance-small) or a file of your own; a file may begin"
                    + " with \"base = lpi-balance\" and say only what differs. Same scenario, policy and seed: same bytes.",
            "",
            "With --pair, or when the file says \"repeats = N\" or \"arms = baseline candidate\", all arms run N times,"
                    + " with seeds from the scenario's on, as one experiment, and the verdict is printed. Its exit code"
                    + " then is that of farnode compare: 1 for a regression, 2 when nothing could be judged."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class SimulateCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ScenarioOptions scenarioOptions;

    @Mixin
    private RunOptions runOptions;

    @Option(names = "--pair", description = "Run baseline and candidate as one experiment.")
    private boolean pair;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "Runs of each arm, with --pair (default: the scenario's, else 1).")
    private Integer repeats;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            split = ",",
            description = "Print the run into files instead of publishing it, as the text of vmstat, perf-csv (perf"
                    + " stat) or interrupts (/proc/interrupts); with --out.")
    private List<String> formats = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "Where the files go; made if it is not there.")
    private Path out;

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
        Set<ToolText> texts = EnumSet.noneOf(ToolText.class);
        formats.forEach(name -> texts.add(UsageException.checked(() -> ToolText.named(name))));
        if (texts.isEmpty() != (out == null)) {
            throw wrongUsage(out == null ? "--format needs --out DIR" : "--out needs --format");
        }
        if (repeats != null && !pair) {
            throw wrongUsage("--repeats needs --pair");
        }
        if (pair && scenarioOptions.policy() != null) {
            throw wrongUsage(
                    "--pair runs the scenario's baseline and candidate: leave --policy out, or --set candidate=");
        }
        Scenario scenario = scenarioOptions.scenario();
        // a policy named by hand asks for that run alone
        boolean experiment = pair || scenario.isExperiment() && scenarioOptions.policy() == null;
        if (experiment && texts.isEmpty()) {
            return experiment(repeats == null ? scenario : scenario.with("repeats", repeats.toString()), pace);
        }
        if (pair) {
            throw wrongUsage("--format prints one run: leave --pair out");
        }
        RunLabels labels = new RunLabels(
                runOptions.run == null ? "" : runOptions.run,
                runOptions.experiment,
                runOptions.arm,
                runOptions.repeat,
                runOptions.labels);
        try (SimulatedRun run = SimulatedRun.of(scenario, labels)) {
            if (!texts.isEmpty()) {
                return print(scenario, run, texts);
            }
            Workbench bench = Workbench.open(surroundings, clusterOptions, Cluster.Use.PUBLISH, streamsOptions, -1);
            bench.tellResult(publish(bench, run, scenario.duration(), pace));
            return 0;
        }
    }

    private ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private int experiment(Scenario scenario, double pace) throws Exception {
        if (runOptions.run != null || !runOptions.arm.isEmpty() || runOptions.repeat != 1) {
            throw wrongUsage("an experiment names its runs itself, as EXPERIMENT-ARM-REPEAT: leave --run, --arm and"
                    + " --repeat out; --experiment names it");
        }
        String name = runOptions.experiment.isEmpty() ? experimentName(scenario) : runOptions.experiment;
        Keys.runId(name);
        SimulatedExperiment experiment = new SimulatedExperiment(surroundings, scenario, name, runOptions.labels, pace);
        return experiment.run(Workbench.open(surroundings, clusterOptions, Cluster.Use.PUBLISH, streamsOptions, -1));
    }

    /** The same scenario gives the same name, so that the same command adds nothing twice. */
    private static String experimentName(Scenario scenario) {
        String file = Path.of(scenario.name()).getFileName().toString().replaceFirst("\\.scenario$", "");
        return (file + "-" + scenario.seed()).replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^[._-]", "x");
    }

    private int print(Scenario scenario, SimulatedRun run, Set<ToolText> texts) throws IOException {
        long start = run.started().getStartNanos();
        RunPrinter printer = RunPrinter.open(scenario, run, texts, out);
        surroundings.lifecycle().add(Lifecycle.Stage.FILES, printer);
        try (printer;
                ProgressBar bar = bar()) {
            for (Sample sample = run.next(); sample != null; sample = run.next()) {
                printer.print(sample);
                show(bar, sample.getEndNanos() - start, scenario.duration());
            }
        }
        PrintWriter tell = surroundings.out();
        printer.files().forEach(file -> tell.println("wrote " + file));
        List<String> readable = printer.files().stream()
                .map(Path::toString)
                .filter(file -> !file.endsWith("interrupts.txt"))
                .toList();
        if (!readable.isEmpty()) {
            tell.println("see: farnode replay " + readable.stream().collect(Collectors.joining(" "))
                    + " --zone UTC --run " + run.started().getRunId());
        }
        tell.flush();
        return 0;
    }

    private RunFinished publish(Workbench bench, SimulatedRun run, Duration whole, double pace)
            throws IOException, InterruptedException {
        long start = run.started().getStartNanos();
        Pacer pacer = Pacer.atSpeed(pace, () -> {});
        pacer.await(start);
        try (ProgressBar bar = bar()) {
            bench.clearFirst(bar::clear);
            return bench.publish(
                    run,
                    sample -> {
                        pacer.await(sample.getEndNanos());
                        show(bar, sample.getEndNanos() - start, whole);
                    },
                    null);
        }
    }

    private ProgressBar bar() {
        return new ProgressBar(
                surroundings.err(),
                surroundings.terminal().err(),
                surroundings.terminal().columns());
    }

    private static void show(ProgressBar bar, double doneNanos, Duration whole) {
        bar.update(
                doneNanos / whole.toNanos(),
                String.format(Locale.ROOT, "%.1f s of %.1f s simulated", doneNanos / 1e9, whole.toNanos() / 1e9));
    }
}
