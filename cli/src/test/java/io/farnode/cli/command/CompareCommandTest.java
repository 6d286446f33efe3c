package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.terminal.Table;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Signal;
import io.farnode.results.Arm;
import io.farnode.results.Outcome;
import io.farnode.results.RunInfo;
import io.farnode.results.RunSummary;
import io.farnode.results.SignalSeries;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.topology.RunSummaries;
import io.farnode.streams.verdict.Comparison;
import io.farnode.telemetry.Machine;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.ValueKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareCommandTest {
    private static final long SECOND = 1_000_000_000L;

    static {
        // trust for the generated classes is given when this class is loaded
        assertThat(SchemaCatalog.current()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "IMPROVED EQUIVALENT, 0",
        "IMPROVED REGRESSED, 1",
        "INCONCLUSIVE REGRESSED, 1",
        "EQUIVALENT INCONCLUSIVE, 0",
        "INCONCLUSIVE NOT_ENOUGH_DATA, 2",
        "CHANGED, 2",
        "'', 2"
    })
    void shouldTellTheOutcomeByItsExitCode(String outcomes, int code) {
        List<Verdict> verdicts = Stream.of(outcomes.split(" "))
                .filter(outcome -> !outcome.isEmpty())
                .map(outcome -> {
                    Verdict verdict = new Verdict();
                    verdict.setOutcome(Outcome.valueOf(outcome));
                    return verdict;
                })
                .toList();
        assertThat(CompareCommand.code(verdicts)).isEqualTo(code);
    }

    @Test
    void shouldBoilDownCompleteWindowsOfSystemAndNodes() {
        RunInfo run = RunInfo.newBuilder()
                .setRunId("r")
                .setStartNanos(10 * SECOND)
                .setStarted(null)
                .build();
        RunSummary summary = RunSummaries.of(
                run,
                List.of(
                        window(10, true, 1, 2, 3),
                        window(11, false, 4, 5, 6),
                        window(13, true, 7, 8, 9),
                        wholeRun(),
                        window(9, true, 0, 0, 0)),
                0.9);
        assertThat(summary.getSizeNanos()).isEqualTo(SECOND);
        assertThat(summary.getSignals())
                .extracting(s -> s.getScope() + " " + s.getWindows() + " " + s.getValues() + " " + s.getLeftOut())
                .containsExactly("node0 [0, 3] [2.0, 8.0] 1", "system [0, 3] [1.0, 7.0] 1");
    }

    @Test
    void shouldShowNoNumberWhereThereIsNone() {
        RunSummary before = summary("before", new double[] {1, 2, 3, 4}, new double[] {7, 9, 8}, null);
        RunSummary after = summary("after", new double[] {4, 3, 2, 1}, null, new double[] {0.5, 0.25, 0.5});
        List<Verdict> verdicts = Comparison.compare("e", List.of(before), List.of(after));

        assertThat(ResultTables.verdicts(verdicts).lines())
                .containsExactly(
                        "signal                scope   unit   baseline  candidate  change  interval  n_eff  outcome",
                        "interrupts.device     system  1/s           8          -  -       -         3/0    not-enough-data",
                        "interrupts.imbalance  system  ratio         -     0.4167  -       -         0/3    not-enough-data",
                        "throughput            system  IO/s        2.5        2.5  +0.0%   -         0/0    inconclusive");

        StringWriter csv = new StringWriter();
        ResultTables.verdictsForPrograms(verdicts).print(new PrintWriter(csv), Table.Format.CSV);
        List<String> lines = csv.toString().lines().toList();
        List<String> names = List.of(lines.get(0).split(","));
        List<String> missing = List.of(lines.get(1).split(",", names.size()));
        assertThat(missing.get(names.indexOf("baseline_mean"))).isEqualTo("8.0");
        for (String name : List.of("candidate_mean", "difference", "relative", "relative_low", "p", "p_adjusted")) {
            assertThat(missing.get(names.indexOf(name))).as(name).isEmpty();
        }
        List<String> untested = List.of(lines.get(3).split(",", names.size()));
        assertThat(untested.get(names.indexOf("difference"))).isEqualTo("0.0");
        for (String name : List.of("difference_low", "difference_high", "relative_low", "relative_high", "p")) {
            assertThat(untested.get(names.indexOf(name))).as(name).isEmpty();
        }
    }

    @Test
    void shouldShowTheIntervalOfWhatWasTested() {
        Verdict verdict = new Verdict();
        verdict.setSignal("throughput");
        verdict.setUnit("IO/s");
        verdict.setScope("system");
        verdict.setMethod("welch-effective-n");
        verdict.setTested(1);
        verdict.setBaseline(arm(100, 20));
        verdict.setCandidate(arm(110, 20));
        verdict.setRelative(0.1);
        verdict.setRelativeLow(0.08);
        verdict.setRelativeHigh(0.12);
        verdict.setOutcome(Outcome.IMPROVED);
        assertThat(ResultTables.verdicts(List.of(verdict)).lines())
                .containsExactly(
                        "signal      scope   unit  baseline  candidate  change  interval         n_eff  outcome",
                        "throughput  system  IO/s       100        110  +10.0%  +8.0% .. +12.0%  20/20  improved");
        verdict.setBaseline(arm(0, 20));
        assertThat(ResultTables.verdicts(List.of(verdict)).lines().get(1))
                .isEqualTo("throughput  system  IO/s         0        110  -       -         20/20  improved");
    }

    @Test
    void shouldRefuseToCompareARunWithItself() {
        CommandLineRun run = CommandLineRun.of("compare", "x", "x");
        assertThat(run.err())
                .containsExactly(
                        "farnode: run x cannot be compared with itself; name two runs (farnode compare --help)");
        assertThat(run.code()).isEqualTo(2);
    }

    private static Arm arm(double mean, int windows) {
        Arm arm = new Arm();
        arm.setName("a");
        arm.setRuns(List.of("r"));
        arm.setMean(mean);
        arm.setWindows(windows);
        arm.setEffectiveSamples(windows);
        return arm;
    }

    private static RunSummary summary(String run, double[] throughput, double[] device, double[] imbalance) {
        List<SignalSeries> signals = new ArrayList<>();
        add(signals, Signal.THROUGHPUT, "IO/s", throughput);
        add(signals, Signal.INTERRUPTS_DEVICE, "1/s", device);
        add(signals, Signal.INTERRUPT_IMBALANCE, "ratio", imbalance);
        RunStarted started = RunStarted.newBuilder()
                .setRunId(run)
                .setMachine(Machine.newBuilder().build())
                .setStartNanos(0)
                .setSources(List.of())
                .build();
        return new RunSummary(run, started, SECOND, signals);
    }

    private static void add(List<SignalSeries> signals, Signal signal, String unit, double[] values) {
        if (values != null) {
            signals.add(new SignalSeries(
                    signal.signalName(),
                    unit,
                    "system",
                    signal.better(),
                    IntStream.range(0, values.length).boxed().toList(),
                    DoubleStream.of(values).boxed().toList(),
                    0));
        }
    }

    private static WindowResult wholeRun() {
        WindowResult whole = window(10, true, 99, 99, 99);
        whole.setSizeNanos(0);
        return whole;
    }

    private static WindowResult window(long start, boolean complete, double system, double node, double cpu) {
        return new WindowResult(
                "r",
                start * SECOND,
                (start + 1) * SECOND,
                SECOND,
                complete ? 1.0 : 0.5,
                complete,
                1L,
                List.of("system", "node0", "cpu0"),
                List.of(
                        new WindowSeries(
                                "throughput",
                                "IO/s",
                                ValueKind.DELTA,
                                0,
                                List.of(),
                                List.of(system, node, cpu),
                                List.of(),
                                List.of()),
                        new WindowSeries(
                                "event:x",
                                "1/s",
                                ValueKind.DELTA,
                                0,
                                List.of(0),
                                List.of(1.0),
                                List.of(1L),
                                List.of())));
    }
}
