package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.ClusterException;
import io.farnode.cli.terminal.Table;
import io.farnode.contract.Keys;
import io.farnode.results.Outcome;
import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.streams.app.Results;
import io.farnode.streams.topology.RunSummaries;
import io.farnode.streams.topology.WindowSettings;
import io.farnode.streams.verdict.Comparison;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two finished runs. */
@Command(
        name = "compare",
        description = {
            "Compare two finished runs, signal by signal.",
            "",
            "Exit code 0: no regression; 1: a regression, or an error; 2: nothing could be judged, or wrong usage."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
    private static final Set<Outcome> JUDGED = Set.of(Outcome.IMPROVED, Outcome.REGRESSED, Outcome.EQUIVALENT);

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "BASELINE", description = "The run compared against.")
    private String baseline;

    @Parameters(index = "1", paramLabel = "CANDIDATE", description = "The run under test.")
    private String candidate;

    @Option(
            names = "--level",
            paramLabel = "P",
            defaultValue = "0.05",
            description = "Probability of a false difference that is accepted (default: 0.05).")
    private double level;

    @Option(
            names = "--margin",
            paramLabel = "PART",
            defaultValue = "0.01",
            description = "Relative change that counts as none (default: 0.01).")
    private double margin;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: table).")
    private Table.Format format;

    @Mixin
    private ClusterOptions clusterOptions;

    CompareCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        UsageException.checked(() -> Keys.runId(baseline));
        UsageException.checked(() -> Keys.runId(candidate));
        if (baseline.equals(candidate)) {
            throw new UsageException("run " + baseline + " cannot be compared with itself; name two runs");
        }
        Comparison.Options options = UsageException.checked(() -> new Comparison.Options(level, margin));
        Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.READ);
        Workbench.prepareTopics(cluster);
        Results results = Workbench.results(cluster);
        List<RunInfo> runs = results.runs();
        RunSummary before = summary(results, runs, baseline);
        RunSummary after = summary(results, runs, candidate);
        List<Verdict> verdicts =
                Comparison.compare(baseline + ".." + candidate, List.of(before), List.of(after), options);
        if (format == Table.Format.TABLE) {
            tell(surroundings.out(), verdicts);
        } else {
            ResultTables.verdictsForPrograms(verdicts).print(surroundings.out(), format);
        }
        return code(verdicts);
    }

    /** Tells people what has been found: all of it as a table, then what matters in sentences. */
    static void tell(PrintWriter out, List<Verdict> verdicts) {
        ResultTables.verdicts(verdicts).print(out, Table.Format.TABLE);
        out.println();
        verdicts.forEach(v -> out.println(v.getSentence()));
        out.flush();
    }

    static int code(List<Verdict> verdicts) {
        if (verdicts.stream().anyMatch(v -> v.getOutcome() == Outcome.REGRESSED)) {
            return 1;
        }
        return verdicts.stream().anyMatch(v -> JUDGED.contains(v.getOutcome())) ? 0 : 2;
    }

    private static RunSummary summary(Results results, List<RunInfo> runs, String runId) {
        RunInfo run = runs.stream()
                .filter(r -> r.getRunId().equals(runId))
                .findAny()
                .orElseThrow(() -> new ClusterException("no run " + runId + "; farnode runs lists the runs"));
        if (run.getState() != RunState.FINISHED) {
            throw new ClusterException("run " + runId + " is "
                    + run.getState().name().toLowerCase(Locale.ROOT) + "; only finished runs can be compared");
        }
        RunSummary summary = RunSummaries.of(run, results.windows(runId), WindowSettings.DEFAULT.completeness());
        if (summary.getSignals().isEmpty()) {
            throw new ClusterException("run " + runId + " has no complete windows with signals to compare");
        }
        return summary;
    }

    /** CPUs are left out: a hundred of them would water down every test made together with them. */
}
