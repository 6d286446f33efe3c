package io.farnode.streams.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.streams.TestRun;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.ValueKind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SampleSpreaderTest {
    private static final long START = 1_600_000_000_123_456_789L;

    record Reading(long fromNanos, long lengthNanos, long count, long level) {}

    @Provide
    Arbitrary<List<Reading>> readings() {
        Arbitrary<Long> counts =
                Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.longs().between(-1_000, 1_000_000));
        return Combinators.combine(
                        Arbitraries.longs().between(-3_000_000_000L, 30_000_000_000L),
                        Arbitraries.oneOf(
                                Arbitraries.just(0L),
                                Arbitraries.longs().between(1, 10),
                                Arbitraries.longs().between(1, 12_000_000_000L)),
                        counts,
                        counts)
                .as(Reading::new)
                .list()
                .ofMaxSize(12);
    }

    @Property(tries = 400)
    void shouldAddUpOverWindowsToWhatWasRead(@ForAll("readings") List<Reading> readings, @ForAll int seed) {
        long size = 1 + Math.floorMod((long) seed * 7_919, 3_000_000_000L);
        Kept kept = spread(readings, Math.max(size, 20_000_000));
        BigInteger counts = BigInteger.ZERO;
        BigInteger levels = BigInteger.ZERO;
        BigInteger time = BigInteger.ZERO;
        for (Reading reading : readings) {
            counts = counts.add(BigInteger.valueOf(reading.count));
            levels = levels.add(BigInteger.valueOf(reading.level).multiply(BigInteger.valueOf(reading.lengthNanos)));
            time = time.add(BigInteger.valueOf(reading.lengthNanos));
        }
        assertThat(kept.sum(ValueKind.DELTA)).isEqualTo(counts);
        assertThat(kept.sum(ValueKind.GAUGE)).isEqualTo(levels);
        assertThat(kept.covered(ValueKind.DELTA)).isEqualTo(time);
        assertThat(kept.covered(ValueKind.GAUGE)).isEqualTo(time);
    }

    @Property(tries = 200)
    void shouldNotDependOnTheOrderOfSamples(@ForAll("readings") List<Reading> readings, @ForAll long seed) {
        List<Reading> shuffled = new ArrayList<>(readings);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(spread(shuffled, 1_000_000_000).windows)
                .containsExactlyEntriesOf(spread(readings, 1_000_000_000).windows);
    }

    @Property(tries = 200)
    void shouldMergeWindowsToWhatOneLargeWindowHolds(@ForAll("readings") List<Reading> readings) {
        Kept small = spread(readings, 500_000_000);
        byte[] merged = Accumulators.create(1, 0);
        for (byte[] window : small.windows.values()) {
            merged = Accumulators.merge(merged, window);
        }
        for (int number = 0; number < small.dictionary.size(); number++) {
            BigInteger sum = BigInteger.ZERO;
            long covered = 0;
            for (byte[] window : small.windows.values()) {
                sum = sum.add(Accumulators.sum(window, number));
                covered += Accumulators.covered(window, number);
            }
            assertThat(Accumulators.sum(merged, number)).isEqualTo(sum);
            assertThat(Accumulators.covered(merged, number)).isEqualTo(covered);
        }
    }

    @Test
    void shouldShareACountOutByOverlap() {
        // 2 s that begin 0.25 s before a window's end: 1/8, 1/2, 3/8 of 16
        Kept kept = spread(List.of(new Reading(750_000_000, 2_000_000_000, 16, 3)), 1_000_000_000);
        assertThat(kept.sums(ValueKind.DELTA)).containsExactly(2L, 8L, 6L);
        assertThat(kept.windows.keySet()).containsExactly(0L, 1L, 2L);
        assertThat(Accumulators.sourceCovered(kept.windows.get(1L), 0)).isEqualTo(1_000_000_000);
    }

    @Test
    void shouldPutACountAtAnInstantWholeIntoItsWindow() {
        Kept kept = spread(List.of(new Reading(1_000_000_000, 0, 5, 7)), 1_000_000_000);
        assertThat(kept.windows.keySet()).containsExactly(1L);
        assertThat(kept.sums(ValueKind.DELTA)).containsExactly(5L);
        assertThat(kept.covered(ValueKind.GAUGE)).isZero();
    }

    @Test
    void shouldLeaveOutOnlyTheShareOfClosedWindows() {
        TestRun run = TestRun.perf("r", START);
        Sample sample = run.sample("perf", 0.5, 2.5, cells -> cells.count("a", "system", 100));
        Kept kept = new Kept(new WindowGrid(START, 1_000_000_000));
        assertThat(kept.take(sample, 1).late()).isTrue();
        assertThat(kept.windows.keySet()).containsExactly(1L, 2L);
        assertThat(kept.sums(ValueKind.DELTA)).containsExactly(50L, 25L);
    }

    @Test
    void shouldKeepNoValueApartFromZero() {
        TestRun run = TestRun.perf("r", START);
        Kept kept = new Kept(new WindowGrid(START, 1_000_000_000));
        SampleSpreader.Outcome outcome = kept.take(
                run.sample("perf", 0, 1, cells -> cells.count("a", "cpu0", 0).notCounted("a", "cpu1")), 0);
        assertThat(outcome).isEqualTo(new SampleSpreader.Outcome(2, 1, false));
        assertThat(Accumulators.covered(kept.windows.get(0L), 0)).isEqualTo(1_000_000_000);
        assertThat(Accumulators.covered(kept.windows.get(0L), 1)).isZero();
    }

    @Test
    void shouldKeepNumbersWithOtherDecimalPlacesApart() {
        TestRun run = TestRun.perf("r", START);
        Kept kept = new Kept(new WindowGrid(START, 1_000_000_000));
        kept.take(run.sample("perf", 0, 0.5, c -> c.set("cpu-clock", "ms", ValueKind.DELTA, "system", 5_025, 1)), 0);
        kept.take(run.sample("perf", 0.5, 1, c -> c.set("cpu-clock", "ms", ValueKind.DELTA, "system", 50_025, 2)), 0);
        assertThat(kept.dictionary.size()).isEqualTo(2);
    }

    @Test
    void shouldSayWhatIsWrongWithASpan() {
        TestRun run = TestRun.perf("r", START);
        WindowGrid grid = new WindowGrid(START, 1_000_000_000);
        Sample backwards = run.sample("perf", 2, 1, cells -> cells.count("a", "system", 1));
        assertThat(SampleSpreader.defect(backwards, grid)).contains("before it starts");
        Sample endless = run.sample("perf", 0, 10_000, cells -> cells.count("a", "system", 1));
        assertThat(SampleSpreader.defect(endless, grid)).isEqualTo("span of 10000 s touches more than 10000 windows");
        Sample uneven = run.sample("perf", 0, 1, cells -> cells.count("a", "system", 1));
        uneven.setScopes(List.of("system", "cpu1"));
        assertThat(SampleSpreader.defect(uneven, grid))
                .isEqualTo("column \"a\" has 1 values and 0 states for 2 scopes");
    }

    private static Kept spread(List<Reading> readings, long size) {
        TestRun run = TestRun.perf("r", START);
        Kept kept = new Kept(new WindowGrid(START, size));
        for (Reading reading : readings) {
            long from = START + reading.fromNanos;
            kept.take(
                    run.sampleNanos(
                            "perf",
                            from,
                            from + reading.lengthNanos,
                            cells -> cells.count("count", "system", reading.count)
                                    .set("level", "1", ValueKind.GAUGE, "system", reading.level, 0)),
                    Long.MIN_VALUE);
        }
        return kept;
    }

    /** Windows in memory. */
    private static final class Kept implements SampleSpreader.Windows {
        private final Map<Long, byte[]> windows = new TreeMap<>();
        private final SeriesDictionary dictionary = new SeriesDictionary();
        private final SampleSpreader spreader = new SampleSpreader();
        private final WindowGrid grid;

        Kept(WindowGrid grid) {
            this.grid = grid;
        }

        SampleSpreader.Outcome take(Sample sample, long firstOpen) {
            assertThat(SampleSpreader.defect(sample, grid)).isNull();
            return spreader.spread(sample, 0, dictionary, grid, firstOpen, this);
        }

        @Override
        public byte[] open(long number, int series) {
            byte[] known = windows.get(number);
            return known == null ? Accumulators.create(1, series) : Accumulators.grow(known, series);
        }

        @Override
        public void save(long number, byte[] window) {
            windows.put(number, window);
        }

        List<Long> sums(ValueKind kind) {
            List<Long> sums = new ArrayList<>();
            windows.values().forEach(window -> sums.add(sum(window, kind).longValueExact()));
            return sums;
        }

        BigInteger sum(ValueKind kind) {
            return windows.values().stream().map(w -> sum(w, kind)).reduce(BigInteger.ZERO, BigInteger::add);
        }

        private BigInteger sum(byte[] window, ValueKind kind) {
            BigInteger sum = BigInteger.ZERO;
            for (int number = 0; number < dictionary.size(); number++) {
                if (dictionary.get(number).kind() == kind) {
                    sum = sum.add(Accumulators.sum(window, number));
                }
            }
            return sum;
        }

        BigInteger covered(ValueKind kind) {
            BigInteger covered = BigInteger.ZERO;
            for (byte[] window : windows.values()) {
                for (int number = 0; number < dictionary.size(); number++) {
                    if (dictionary.get(number).kind() == kind) {
                        covered = covered.add(BigInteger.valueOf(Accumulators.covered(window, number)));
                    }
                }
            }
            return covered;
        }
    }
}
