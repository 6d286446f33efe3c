package io.farnode.producer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.producer.capture.CaptureOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacerTest {
    private long now = 1_000_000L;
    private final List<Long> sleeps = new ArrayList<>();
    private int ticks;

    private Pacer pacer(double speed, double oversleep) {
        return new Pacer(
                speed,
                () -> now,
                nanos -> {
                    sleeps.add(nanos);
                    now += (long) (nanos * oversleep);
                },
                () -> ticks++);
    }

    @Test
    void shouldNotDriftHoweverBadlyItSleeps() throws Exception {
        Pacer pacer = pacer(10, 1.03);
        long begun = now;
        for (int i = 0; i <= 1000; i++) {
            pacer.await(5_000_000_000_000L + i * 1_000_000_000L);
        }
        // 1000 s at speed 10 take 100 s; the last sleep alone may be 3 % too long
        assertThat(now - begun).isBetween(100_000_000_000L, 100_010_000_000L);
    }

    @Test
    void shouldCatchUpAfterAStall() throws Exception {
        Pacer pacer = pacer(1, 1);
        pacer.await(0);
        now += 2_500_000_000L;
        sleeps.clear();
        pacer.await(1_000_000_000L);
        assertThat(sleeps).isEmpty();
        assertThat(pacer.behindNanos()).isEqualTo(1_500_000_000L);
        pacer.await(3_000_000_000L);
        assertThat(sleeps.stream().mapToLong(Long::longValue).sum()).isEqualTo(500_000_000L);
        assertThat(pacer.behindNanos()).isZero();
    }

    @Test
    void shouldReportWhileItWaits() throws Exception {
        Pacer pacer = pacer(0.5, 1);
        pacer.await(0);
        pacer.await(1_000_000_000L);
        assertThat(sleeps).hasSize(10).allMatch(s -> s <= Pacer.SLICE_NANOS);
        assertThat(ticks).isEqualTo(10);
    }

    @Test
    void shouldNotWaitAtAllAtMaximumSpeed() throws Exception {
        Pacer pacer = pacer(Pacer.MAX, 1);
        pacer.await(0);
        pacer.await(Long.MAX_VALUE);
        assertThat(sleeps).isEmpty();
    }

    @Test
    void shouldReadSpeeds() {
        assertThat(Pacer.parseSpeed("max")).isEqualTo(Pacer.MAX);
        assertThat(Pacer.parseSpeed("10")).isEqualTo(10);
        assertThat(Pacer.parseSpeed("0.5x")).isEqualTo(0.5);
        for (String bad : List.of("0", "-1", "fast", "NaN", "Infinity", "")) {
            assertThatThrownBy(() -> Pacer.parseSpeed(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("speed \"" + bad + "\": write a number above 0 such as 1 or 0.5, or max");
        }
        assertThatThrownBy(() -> pacer(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldPaceARunFromItsStart(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("p.csv");
        Files.writeString(file, "1.000000000,5,,cycles,9,100.00,,\n3.000000000,5,,cycles,9,100.00,,\n");
        CaptureOptions options = CaptureOptions.parse(file.toString(), Map.of("start", "@1772442000"));
        long begun = now;
        List<Long> told = new ArrayList<>();
        try (var run = pacer(2, 1).pace(CaptureRun.open(CaptureRun.Settings.of("r", List.of(options))))) {
            while (run.next() != null) {
                told.add(now - begun);
            }
            assertThat(run.finished().getSamples()).isEqualTo(2);
            assertThat(run.started().getRunId()).isEqualTo("r");
        }
        assertThat(told).containsExactly(500_000_000L, 1_500_000_000L);
    }
}
