package io.farnode.cli.command;

import io.farnode.cli.terminal.ProgressBar;
import io.farnode.producer.machine.workload.RunLabels;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.producer.replay.Pacer;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.streams.topology.FarnodeTopology;
import io.farnode.streams.verdict.Comparison;
import io.farnode.telemetry.RunFinished;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All arms of a scenario, repeated with one seed after the other, as one experiment. Runs are named
 * {@code EXPERIMENT-ARM-REPEAT} and depend on the scenario alone, so that the same experiment again adds nothing.
 */
final class SimulatedExperiment {
    private final Surroundings surroundings;
    private final Scenario scenario;
    private final String name;
    private final Map<String, String> labels;
    private final double pace;

    SimulatedExperiment(
            Surroundings surroundings, Scenario scenario, String name, Map<String, String> labels, double pace) {
        this.surroundings = surroundings;
        this.scenario = scenario;
        this.name = name;
        this.labels = labels;
        this.pace = pace;
    }

    /**
     * Publishes all runs, as many at once as there are processors, and tells the verdict if it is computed here.
     *
     * @return the exit code, as that of {@code farnode compare}
     */
    int run(Workbench bench) throws Exception {
        List<RunFinished> finished = publish(bench);
        PrintWriter out = surroundings.out();
        long samples = finished.stream().mapToLong(RunFinished::getSamples).sum();
        out.println("experiment " + name + ": " + finished.size() + " runs (" + String.join(", ", scenario.arms())
                + "; " + scenario.repeats() + " of each, seeds from " + scenario.seed() + "), " + samples + " samples");
        if (!bench.computesResults()) {
            out.println("published to " + bench.cluster().bootstrapServers()
                    + "; a farnode streams there computes the verdict");
            out.flush();
            return 0;
        }
        out.flush();
        bench.awaitProcessed();
        return tell(Workbench.results(bench.cluster()).summaries(name));
    }

    private List<RunFinished> publish(Workbench bench) throws Exception {
        int runs = scenario.arms().size() * scenario.repeats();
        double whole = (double) scenario.duration().toNanos() * runs;
        AtomicLong simulated = new AtomicLong();
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(runs, Runtime.getRuntime().availableProcessors()));
        try (ProgressBar bar = new ProgressBar(
                surroundings.err(),
                surroundings.terminal().err(),
                surroundings.terminal().columns())) {
            CompletionService<RunFinished> publishing = new ExecutorCompletionService<>(threads);
            for (int repeat = 1; repeat <= scenario.repeats(); repeat++) {
                for (String arm : scenario.arms()) {
                    int number = repeat;
                    publishing.submit(() -> publish(bench, arm, number, nanos -> {
                        double done = simulated.addAndGet(nanos);
                        synchronized (bar) {
                            bar.update(
                                    done / whole,
                                    String.format(
                                            Locale.ROOT,
                                            "%.1f s of %.1f s simulated in %d runs",
                                            done / 1e9,
                                            whole / 1e9,
                                            runs));
                        }
                    }));
                }
            }
            List<RunFinished> finished = new ArrayList<>();
            while (finished.size() < runs) {
                finished.add(publishing.take().get());
            }
            return finished;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private RunFinished publish(Workbench bench, String arm, int repeat, Progress progress)
            throws IOException, InterruptedException {
        Scenario one = scenario.inArm(arm).withSeed(scenario.seed() + repeat - 1);
        try (SimulatedRun run =
                SimulatedRun.of(one, new RunLabels(name + "-" + arm + "-" + repeat, name, arm, repeat, labels))) {
            Pacer pacer = Pacer.atSpeed(pace, () -> {});
            long[] told = {run.started().getStartNanos()};
            pacer.await(told[0]);
            return bench.publish(
                    run,
                    sample -> {
                        pacer.await(sample.getEndNanos());
                        progress.simulated(sample.getEndNanos() - told[0]);
                        told[0] = sample.getEndNanos();
                    },
                    null);
        }
    }

    /** Says what the streams application says of the experiment, each arm against the baseline. */
    private int tell(List<RunSummary> summaries) {
        Map<String, List<RunSummary>> arms = new TreeMap<>();
        for (RunSummary summary : summaries) {
            arms.computeIfAbsent(summary.getStarted().getArm(), arm -> new ArrayList<>())
                    .add(summary);
        }
        int code = 0;
        for (String arm : scenario.arms()) {
            if (arm.equals(FarnodeTopology.BASELINE)) {
                continue;
            }
            List<RunSummary> baseline = arms.getOrDefault(FarnodeTopology.BASELINE, List.of());
            List<RunSummary> candidate = arms.getOrDefault(arm, List.of());
            surroundings.out().println();
            surroundings
                    .out()
                    .println(arm + " (" + scenario.inArm(arm).policy() + ") against baseline (" + scenario.baseline()
                            + "):");
            List<Verdict> verdicts = baseline.isEmpty() || candidate.isEmpty()
                    ? List.of()
                    : Comparison.compare(FarnodeTopology.comparisonName(name, arm), baseline, candidate);
            CompareCommand.tell(surroundings.out(), verdicts);
            int own = CompareCommand.code(verdicts);
            code = code == 1 || own == 1 ? 1 : Math.max(code, own);
        }
        return code;
    }

    /** Is told how far a run has come. */
    @FunctionalInterface
    private interface Progress {
        void simulated(long nanos);
    }
}
