package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.contract.SchemaCatalog;
import io.farnode.results.Outcome;
import io.farnode.results.RunInfo;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.telemetry.ValueKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareCommandTest {
    private static final long SECOND = 1_000_000_000L;

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
        // trust for the generated classes is given when this class is loaded
        assertThat(SchemaCatalog.current()).isNotEmpty();
        RunInfo run = RunInfo.newBuilder()
                .setRunId("r")
                .setStartNanos(10 * SECOND)
                .setStarted(null)
                .build();
        RunSummary summary = CompareCommand.summarise(
                run,
                List.of(
                        window(10, true, 1, 2, 3),
                        window(11, false, 4, 5, 6),
                        window(13, true, 7, 8, 9),
                        wholeRun(),
                        window(9, true, 0, 0, 0)));
        assertThat(summary.getSizeNanos()).isEqualTo(SECOND);
        assertThat(summary.getSignals())
                .extracting(s -> s.getScope() + " " + s.getWindows() + " " + s.getValues() + " " + s.getLeftOut())
                .containsExactly("node0 [0, 3] [2.0, 8.0] 1", "system [0, 3] [1.0, 7.0] 1");
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
