package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.telemetry.ValueKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoBoardTest {
    private final DemoBoard board = new DemoBoard("before", "after");

    @Test
    void shouldSetBothRunsSideBySide() {
        board.take(window("before", 0, 8.0, 100));
        board.take(window("before", 1, 6.0, 300));
        board.take(window("after", 0, 2.0, 300));
        assertThat(board.windows()).isEqualTo(1);
        assertThat(board.lines())
                .containsExactly(
                        "signal                unit   baseline now  candidate now  baseline mean  candidate mean  change",
                        "interrupts.imbalance  ratio             6              2              7               2  -71.4%",
                        "throughput            IO/s            300            300            200             300  +50.0%");
    }

    @Test
    void shouldTellAWindowInALineOnceBothRunsHaveIt() {
        board.take(window("before", 0, 8.0, 100));
        assertThat(board.line(0)).isNull();
        board.take(window("after", 0, 2.0, 300));
        assertThat(board.line(0)).isEqualTo("window 1: interrupts.imbalance 8 -> 2, throughput 100 -> 300");
        assertThat(board.line(1)).isNull();
    }

    @Test
    void shouldTakeAWindowOnceAndNoOtherRuns() {
        board.take(window("before", 0, 8.0, 100));
        board.take(window("before", 0, 8.0, 100));
        board.take(window("other", 0, 8.0, 100));
        board.take(window("after", 0, 2.0, 300));
        assertThat(board.windows()).isEqualTo(1);
        assertThat(board.lines().get(2))
                .isEqualTo(
                        "throughput            IO/s            100            300            100             300  +200.0%");
    }

    private static WindowResult window(String run, int number, double imbalance, double throughput) {
        long second = 1_000_000_000L;
        return new WindowResult(
                run,
                number * second,
                (number + 1) * second,
                second,
                1.0,
                true,
                1L,
                List.of("system", "node0"),
                List.of(
                        series("interrupts.imbalance", "ratio", List.of(0), List.of(imbalance)),
                        series("throughput", "IO/s", List.of(), List.of(throughput, throughput / 2))));
    }

    private static WindowSeries series(String name, String unit, List<Integer> scopes, List<Double> values) {
        return new WindowSeries(name, unit, ValueKind.OTHER, 0, scopes, values, List.of(), List.of());
    }
}
