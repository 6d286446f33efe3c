package io.farnode.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SampleBuilderTest {
    private final SampleBuilder builder = new SampleBuilder(Tool.PERF_STAT);

    private int column(String name) {
        return builder.column(name, name, "1", ValueKind.DELTA, "");
    }

    @Test
    void shouldKeepNoValueApartFromZeroAndFromAbsent() {
        int events = column("a");
        int others = column("b");
        builder.set(events, builder.scope("cpu0"), 0, 0, SampleBuilder.ALWAYS, SampleBuilder.UNKNOWN);
        builder.setNone(events, builder.scope("cpu1"), SampleBuilder.NOT_COUNTED, 0, SampleBuilder.UNKNOWN);
        builder.set(others, builder.scope("cpu2"), 5, 0, SampleBuilder.ALWAYS, SampleBuilder.UNKNOWN);
        Sample sample = builder.build(0, 1, 1, 3);
        Column a = sample.getColumns().get(0);
        assertThat(a.getValues()).containsExactly(0L, 0L, 0L);
        assertThat(a.getStates().array())
                .containsExactly(SampleBuilder.VALUE, SampleBuilder.NOT_COUNTED, SampleBuilder.ABSENT);
        assertThat(a.getRunning()).containsExactly(SampleBuilder.ALWAYS, 0, SampleBuilder.UNKNOWN);
    }

    @Test
    void shouldHoldOnlyWhatTheSpanHad() {
        int gone = column("gone");
        int kept = column("kept");
        builder.set(gone, builder.scope("cpu0"), 1, 0, -1, -1);
        builder.set(kept, builder.scope("cpu1"), 2, 0, -1, -1);
        builder.build(0, 1, 1, 2);
        builder.set(kept, builder.scope("cpu1"), 3, 0, -1, -1);
        Sample second = builder.build(1, 2, 3, 3);
        assertThat(second.getScopes()).containsExactly("cpu1");
        assertThat(second.getColumns()).extracting(Column::getMetric).containsExactly("kept");
        assertThat(second.getColumns().get(0).getValues()).containsExactly(3L);
        assertThat(second.getColumns().get(0).getRunning()).isEmpty();
    }

    @Test
    void shouldRefuseAValueThatDoesNotFit() {
        int a = column("a");
        builder.set(a, builder.scope("cpu0"), Long.MAX_VALUE, 0, -1, -1);
        assertThatThrownBy(() -> builder.set(a, builder.scope("cpu1"), 1, 2, -1, -1))
                .isInstanceOf(ArithmeticException.class);
    }

    @Property
    void shouldKeepEveryDecimalExactly(
            @ForAll List<@LongRange(min = -999_999_999, max = 999_999_999) Long> unscaled,
            @ForAll List<@IntRange(max = 6) Integer> scales) {
        int n = Math.min(unscaled.size(), scales.size());
        int a = column("a");
        for (int i = 0; i < n; i++) {
            builder.set(a, builder.scope("cpu" + i), unscaled.get(i), scales.get(i), -1, -1);
        }
        if (n == 0) {
            assertThat(builder.isEmpty()).isTrue();
            return;
        }
        Column column = builder.build(0, 1, 0, 0).getColumns().get(0);
        for (int i = 0; i < n; i++) {
            assertThat(BigDecimal.valueOf(column.getValues().get(i), column.getScale()))
                    .isEqualByComparingTo(BigDecimal.valueOf(unscaled.get(i), scales.get(i)));
        }
    }
}
