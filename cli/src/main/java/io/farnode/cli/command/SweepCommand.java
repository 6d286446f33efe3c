package io.farnode.cli.command;

import io.farnode.cli.plot.LinePlot;
import io.farnode.cli.terminal.ProgressBar;
import io.farnode.cli.terminal.Table;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows how the gain of a policy hangs on a parameter. */
@Command(
        name = "sweep",
        description = {
            "Show how the gain of the candidate over the baseline hangs on a parameter of the scenario.",
            "",
            "Every point is simulated under both policies, in memory and on all cores; nothing is published. A policy"
                    + " given with --policy takes the candidate's place."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class SweepCommand implements Callable<Integer> {
    private static final int MOST_REPEATS = 1000;

    private final Surroundings surroundings;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ScenarioOptions scenarioOptions;

    @Option(
            names = "--param",
            required = true,
            paramLabel = "NAME=A..B:STEP",
            description =
                    "The parameter and its values: device-time=80us..120us:10us, depth=1..32:x2 (each twice the one"
                            + " before), or ceiling=inf,1200000.")
    private String parameter;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "Runs of each policy at each point, seed after seed (default: the scenario's, else 1).")
    private Integer repeats;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: table).")
    private Table.Format format;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the gain by value into a file too.")
    private Path plot;

    SweepCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        ParameterRange range;
        try {
            range = ParameterRange.parse(parameter);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        Scenario scenario = scenarioOptions.scenario();
        int each = repeats == null ? scenario.repeats() : repeats;
        if (each < 1 || each > MOST_REPEATS) {
            throw new ParameterException(spec.commandLine(), "--repeats " + each + " is not within 1.." + MOST_REPEATS);
        }
        if (range.name().equals("policy") || range.name().equals("seed") && each > 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--param " + range.name() + ": " + range.name() + " is set for each run already");
        }
        // everything that can be wrong is said before the first run
        List<Scenario> points = new ArrayList<>();
        for (String value : range.values()) {
            points.add(ScenarioOptions.changed(scenario, Map.of(range.name(), value)));
        }
        if (plot != null) {
            requireWritable();
        }
        String unit = unit(points.get(0));
        List<Point> gains = simulate(points, each);
        tell(range, gains, unit, each);
        if (plot != null) {
            draw(scenario, range, gains);
        }
        String last = lastLine(range, gains, each);
        // tables for programs stay whole
        PrintWriter out = format == Table.Format.TABLE ? surroundings.out() : surroundings.err();
        out.println(last);
        out.flush();
        return 0;
    }

    private void requireWritable() throws IOException {
        Path directory = plot.toAbsolutePath().getParent();
        if (Files.isDirectory(plot) || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new IOException("cannot write --plot " + plot + "; name a file in a directory that can be written");
        }
    }

    private static String unit(Scenario scenario) {
        try (SimulatedRun run = SimulatedRun.of(scenario)) {
            return run.started().getThroughputUnit();
        }
    }

    private List<Point> simulate(List<Scenario> points, int each) throws Exception {
        String candidate = scenarioOptions.policy();
        int runs = 2 * each * points.size();
        double[][] baseline = new double[points.size()][each];
        double[][] other = new double[points.size()][each];
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(runs, Runtime.getRuntime().availableProcessors()));
        try (ProgressBar bar = new ProgressBar(
                surroundings.err(),
                surroundings.terminal().err(),
                surroundings.terminal().columns())) {
            CompletionService<Void> simulating = new ExecutorCompletionService<>(threads);
            for (int point = 0; point < points.size(); point++) {
                for (int repeat = 0; repeat < each; repeat++) {
                    Scenario one = points.get(point).withSeed(points.get(point).seed() + repeat);
                    int at = point;
                    int number = repeat;
                    simulating.submit(() -> {
                        baseline[at][number] = throughput(one.withPolicy(one.baseline()));
                        return null;
                    });
                    simulating.submit(() -> {
                        other[at][number] = throughput(one.withPolicy(candidate == null ? one.candidate() : candidate));
                        return null;
                    });
                }
            }
            for (int done = 1; done <= runs; done++) {
                simulating.take().get();
                bar.update((double) done / runs, done + " of " + runs + " runs");
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
        List<Point> gains = new ArrayList<>();
        for (int point = 0; point < points.size(); point++) {
            gains.add(new Point(baseline[point], other[point]));
        }
        return gains;
    }

    /** Operations a second of simulated time. */
    private static double throughput(Scenario scenario) throws IOException, InterruptedException {
        long operations = 0;
        try (SimulatedRun run = SimulatedRun.of(scenario)) {
            for (Sample sample = run.next(); sample != null; sample = run.next()) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedException();
                }
                if (sample.getTool() == Tool.WORKLOAD) {
                    for (Column column : sample.getColumns()) {
                        operations += column.getMetric().equals("operations")
                                ? column.getValues().get(0)
                                : 0;
                    }
                }
            }
        }
        return operations * 1e9 / scenario.duration().toNanos();
    }

    private void tell(ParameterRange range, List<Point> gains, String unit, int each) {
        List<String> columns =
                new ArrayList<>(List.of(range.name(), "baseline " + unit + "/s", "candidate " + unit + "/s", "gain %"));
        if (each > 1) {
            columns.addAll(List.of("lowest %", "highest %"));
        }
        Table table = new Table(columns.toArray(String[]::new));
        for (int i = 0; i < gains.size(); i++) {
            Point point = gains.get(i);
            List<Object> row = new ArrayList<>(
                    Arrays.asList(range.values().get(i), point.baseline(), point.candidate(), finite(point.gain())));
            if (each > 1) {
                row.add(finite(point.low()));
                row.add(finite(point.high()));
            }
            table.row(row.toArray());
        }
        table.print(surroundings.out(), format);
    }

    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private void draw(Scenario scenario, ParameterRange range, List<Point> gains) throws IOException {
        String candidate = scenarioOptions.policy() == null ? scenario.candidate() : scenarioOptions.policy();
        LinePlot picture = new LinePlot(
                scenario.name() + ": " + candidate + " against " + scenario.baseline(), range.name(), "gain in %");
        double[] places = range.places();
        boolean any = false;
        for (int i = 0; i < places.length; i++) {
            Point point = gains.get(i);
            if (Double.isFinite(point.gain())) {
                any = true;
                picture.point(places[i], range.values().get(i), point.gain(), point.low(), point.high());
            }
        }
        if (!any) {
            throw new IOException("nothing to plot: the baseline finished no operation at any value");
        }
        Files.writeString(plot, picture.svg());
    }

    private static String lastLine(ParameterRange range, List<Point> gains, int each) {
        int best = -1;
        int worst = -1;
        for (int i = 0; i < gains.size(); i++) {
            if (Double.isFinite(gains.get(i).gain())) {
                best = best < 0 || gains.get(i).gain() > gains.get(best).gain() ? i : best;
                worst = worst < 0 || gains.get(i).gain() < gains.get(worst).gain() ? i : worst;
            }
        }
        StringBuilder line = new StringBuilder(
                "param=" + range.name() + " points=" + gains.size() + " runs=" + 2 * each * gains.size());
        if (best >= 0) {
            line.append(String.format(
                    Locale.ROOT,
                    " gain_min=%.2f gain_min_at=%s gain_max=%.2f gain_max_at=%s",
                    gains.get(worst).gain(),
                    range.values().get(worst),
                    gains.get(best).gain(),
                    range.values().get(best)));
        }
        return line.toString();
    }

    /** Operations a second at one value, run by run with the same seeds. */
    private static final class Point {
        private final double[] baseline;
        private final double[] candidate;

        Point(double[] baseline, double[] candidate) {
            this.baseline = baseline;
            this.candidate = candidate;
        }

        double baseline() {
            return Arrays.stream(baseline).average().orElseThrow();
        }

        double candidate() {
            return Arrays.stream(candidate).average().orElseThrow();
        }

        /** Per cent; not a number if the baseline did nothing. */
        double gain() {
            return 100 * (candidate() / baseline() - 1);
        }

        double low() {
            return gains().length == 0
                    ? Double.NaN
                    : Arrays.stream(gains()).min().orElseThrow();
        }

        double high() {
            return gains().length == 0
                    ? Double.NaN
                    : Arrays.stream(gains()).max().orElseThrow();
        }

        private double[] gains() {
            double[] gains = new double[baseline.length];
            for (int i = 0; i < gains.length; i++) {
                gains[i] = 100 * (candidate[i] / baseline[i] - 1);
            }
            return Arrays.stream(gains).filter(Double::isFinite).toArray();
        }
    }
}
