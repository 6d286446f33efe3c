package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.ResultFeed;
import io.farnode.cli.terminal.ScreenArea;
import io.farnode.contract.Scope;
import io.farnode.contract.Topics;
import io.farnode.producer.Run;
import io.farnode.producer.machine.workload.RunLabels;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.producer.replay.Pacer;
import io.farnode.results.Better;
import io.farnode.results.Outcome;
import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.streams.topology.FarnodeTopology;
import io.farnode.telemetry.RunStarted;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.avro.specific.SpecificRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a policy before and after, side by side, through a real broker. */
@Command(
        name = "demo",
        description = {
            "Show a kernel policy before and after, side by side.",
            "",
            "Starts a Kafka broker, creates the topics, runs the streams application, simulates the machine under both"
                    + " policies at once and ends with the verdict. Stays up for a look at /metrics until Ctrl-C."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    /** How long results may take after everything has been published. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long REDRAW_NANOS = 200_000_000L;

    private final Surroundings surroundings;

    @Option(names = "--exit", description = "End after the verdict.")
    private boolean exit;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            defaultValue = "lpi-balance-small",
            description = "Scenario to show (default: lpi-balance-small).")
    private String scenarioName;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = StreamsOptions.Length.class,
            description = "Simulated time (default: 60s).")
    private Duration duration;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "7", description = "Seed (default: 7).")
    private long seed;

    @Option(
            names = "--speed",
            paramLabel = "N|max",
            defaultValue = "3",
            description = "Simulated seconds a second (default: 3).")
    private String speed;

    @Mixin
    private StreamsOptions streamsOptions;

    @Mixin
    private ClusterOptions clusterOptions;

    DemoCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        clusterOptions.check();
        streamsOptions.check();
        double pace = UsageException.checked(() -> Pacer.parseSpeed(speed));
        Scenario named = SimulateCommand.scenario(scenarioName);
        Scenario scenario = UsageException.checked(() -> named.withSeed(seed).withDuration(duration));
        PrintWriter out = surroundings.out();
        out.println(scenario.name() + ": " + scenario.summary());
        out.println("baseline " + scenario.baseline() + ", candidate " + scenario.candidate() + "; "
                + scenario.machine().name() + ", " + duration.toSeconds() + " s, seed " + seed);
        out.flush();
        clusterOptions.preferEphemeral();
        Workbench bench = Workbench.open(
                surroundings,
                clusterOptions,
                exit ? Cluster.Use.PUBLISH : Cluster.Use.SERVE,
                streamsOptions,
                StreamsOptions.preferredPort());
        out.println("Kafka broker at " + bench.cluster().bootstrapServers());
        bench.metricsUrl().ifPresent(url -> out.println("metrics at " + url));
        out.flush();

        String experiment = scenario.name() + "-" + seed + "-" + duration.toSeconds() + "s";
        Side baseline =
                side(bench, scenario.withPolicy(scenario.baseline()), experiment, FarnodeTopology.BASELINE, pace);
        Side candidate =
                side(bench, scenario.withPolicy(scenario.candidate()), experiment, FarnodeTopology.CANDIDATE, pace);
        List<Verdict> verdicts = watch(bench, experiment, baseline, candidate);
        tell(verdicts);
        if (exit) {
            return 0;
        }
        bench.metricsUrl().ifPresent(url -> out.println("metrics stay at " + url));
        out.println("Ctrl-C ends");
        out.flush();
        return surroundings.lifecycle().awaitStop();
    }

    private static Side side(Workbench bench, Scenario scenario, String experiment, String arm, double pace) {
        String runId = experiment + "-" + arm;
        FutureTask<Void> task = new FutureTask<>(() -> {
            try (Run run = SimulatedRun.of(scenario, new RunLabels(runId, experiment, arm, 1, Map.of()))) {
                RunStarted started = run.started();
                Pacer pacer = Pacer.atSpeed(pace, () -> {});
                pacer.await(started.getStartNanos());
                bench.publish(run, sample -> pacer.await(sample.getEndNanos()), null);
            }
            return null;
        });
        new Thread(task, "publish-" + arm).start();
        return new Side(runId, task);
    }

    private List<Verdict> watch(Workbench bench, String experiment, Side baseline, Side candidate) throws Exception {
        DemoBoard board = new DemoBoard(baseline.runId, candidate.runId);
        ScreenArea area = new ScreenArea(
                surroundings.out(),
                surroundings.terminal().out(),
                surroundings.terminal().columns());
        Set<String> open = new HashSet<>(Set.of(baseline.runId, candidate.runId));
        Map<String, Verdict> verdicts = new TreeMap<>();
        int plain = 0;
        long drawn = 0;
        long deadline = 0;
        try (ResultFeed feed = new ResultFeed(bench.cluster(), Topics.WINDOWS, Topics.RUNS, Topics.VERDICTS)) {
            // verdicts come together but perhaps in several polls: go on until nothing more comes
            boolean quiet = false;
            while (!open.isEmpty() || verdicts.isEmpty() || !quiet) {
                List<SpecificRecord> records = feed.poll(POLL);
                quiet = records.isEmpty();
                for (SpecificRecord record : records) {
                    if (record instanceof WindowResult window) {
                        board.take(window);
                    } else if (record instanceof RunInfo run && run.getState() == RunState.FINISHED) {
                        open.remove(run.getRunId());
                    } else if (record instanceof Verdict verdict
                            && verdict.getExperiment().equals(experiment)) {
                        verdicts.put(verdict.getSignal() + "|" + verdict.getScope(), verdict);
                    }
                }
                long now = System.nanoTime();
                if (area.isTerminal()) {
                    if (board.windows() > 0 && now - drawn > REDRAW_NANOS) {
                        drawn = now;
                        area.draw(lines(board));
                    }
                } else {
                    for (String line = board.line(plain); line != null; line = board.line(plain)) {
                        surroundings.out().println(line);
                        plain++;
                    }
                    surroundings.out().flush();
                }
                if (baseline.isDone() && candidate.isDone()) {
                    deadline = deadline == 0 ? now + PATIENCE.toNanos() : deadline;
                    if (now > deadline) {
                        throw new IllegalStateException("no verdict within " + PATIENCE.toSeconds()
                                + " s after everything was published; runs without an end: " + open);
                    }
                }
                bench.requireHealth();
            }
        }
        if (area.isTerminal()) {
            area.draw(lines(board));
            area.keep();
        }
        return new ArrayList<>(verdicts.values());
    }

    private List<String> lines(DemoBoard board) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(board.windows() + " windows");
        lines.addAll(board.lines());
        return lines;
    }

    /** The whole machine's signals, judged ones first; nodes and details are for farnode compare. */
    private void tell(List<Verdict> verdicts) {
        PrintWriter out = surroundings.out();
        out.println();
        out.println("verdict:");
        verdicts.stream()
                .filter(v -> v.getScope().equals(Scope.SYSTEM.text()) && v.getOutcome() != Outcome.NOT_ENOUGH_DATA)
                .sorted(Comparator.comparing((Verdict v) -> v.getBetter() == Better.NEUTRAL)
                        .thenComparing(Verdict::getOutcome)
                        .thenComparing(Verdict::getSignal))
                .forEach(v -> out.printf("  %-12s  %s%n", v.getOutcome(), v.getSentence()));
        out.flush();
    }

    /** One of the two runs, on a thread of its own. */
    private record Side(String runId, FutureTask<Void> task) {
        /** Whether it has been published; fails if that failed. */
        boolean isDone() throws Exception {
            if (!task.isDone()) {
                return false;
            }
            try {
                task.get();
                return true;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
