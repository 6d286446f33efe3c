package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.policy.SpinlockQueue;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContendedLockTest {
    private static final long MILLI = 1_000_000L;
    private static final long WARM_UP = 50 * MILLI;
    /** What locktorture's long delays add to an operation in the mean, times the threads, ns: 100 ms once in 200,000. */
    private static final double LONG_DELAY = 500;

    private static final Scenario TORTURE =
            Scenario.named("spinlock").withNoise(false).with("long-delay", "0ns");

    private static ContendedLock warm(Scenario scenario, String policy) {
        ContendedLock load = new ContendedLock(scenario.machine(), SpinlockQueue.named(policy), scenario.settings());
        load.advance(WARM_UP);
        load.look();
        return load;
    }

    private static ContendedLock run(Scenario scenario, String policy, long millis) {
        ContendedLock load = warm(scenario, policy);
        load.advance(WARM_UP + millis * MILLI);
        return load;
    }

    private static double nanosPerOperation(Scenario scenario, String policy, long millis) {
        return millis * (double) MILLI / run(scenario, policy, millis).operations();
    }

    /** Mean over seeds: a queue in a steady state keeps much of its first order. */
    private static double meanNanos(Scenario scenario, String policy, int seeds, long millis) {
        return IntStream.rangeClosed(1, seeds)
                .mapToDouble(seed -> nanosPerOperation(scenario.withSeed(seed), policy, millis))
                .average()
                .orElseThrow();
    }

    private static double tortureNanos(int threads, String policy) {
        return meanNanos(TORTURE.with("threads", "" + threads), policy, 5, 100) + LONG_DELAY / threads;
    }

    /** Length of a run of the posted table: one thread did 2.731e7 operations in it. */
    private static double postedRunNanos() {
        return 2.731e7 * tortureNanos(1, "mcs");
    }

    /** The cell before the series on which line-scale was set. That of one thread says how long a run was. */
    @Test
    void shouldReproduceTheCellItIsCalibratedOn() {
        assertThat(postedRunNanos() / tortureNanos(142, "mcs")).isEqualTo(6.223e7, within(0.02 * 6.223e7));
    }

    /**
     * Gains of the posted table of version 2 (stock / CNA, 1e7 operations): nothing was set on them. Written down beside
     * them is what came out, so that a change is seen; closeness is not asked for, the sign is.
     */
    @ParameterizedTest
    @CsvSource({
        "8,   5.366, 6.958,  1.22",
        "16,  6.673, 8.547,  1.75",
        "32,  7.365, 9.305,  1.78",
        "36,  7.473, 9.441,  1.80",
        "72,  6.805, 10.020, 1.86",
        "108, 6.509, 10.027, 1.84",
        "142, 6.223, 9.874,  1.79"
    })
    void shouldPredictAGainWherePostedOneIs(int threads, double stock, double posted, double cameOut) {
        double gain = tortureNanos(threads, "mcs") / tortureNanos(threads, "cna-v2");
        assertThat(gain).isEqualTo(cameOut, within(0.06));
        assertThat(Math.signum(gain - 1)).isEqualTo(Math.signum(posted / stock - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldChangeNothingForFewThreads(int threads) {
        double gain = tortureNanos(threads, "mcs") / tortureNanos(threads, "cna-v2");
        assertThat(gain).isEqualTo(1, within(0.01));
    }

    /**
     * The post's ThunderX2, seconds for a fixed number of opens a thread. That number follows from the cell 56 before; the
     * others are predictions: 593 s (576.95 posted), 95 s (73.90), 375 s (290.31). The last two miss: it would take lines
     * between nodes that cost more than three times those inside, and 2.1 to 2.8 is what is known of other machines.
     */
    @Test
    void shouldPredictTheOpenStormFromItsFirstCell() {
        Scenario storm = Scenario.named("spinlock-open-storm").withNoise(false);
        double opens = 149.41e9 / (56 * meanNanos(storm.with("threads", "56"), "mcs", 2, 50));
        assertThat(storm.settings().whole("operations-per-thread", 1, Long.MAX_VALUE))
                .isCloseTo(Math.round(opens), within(20_000L));
        double before224 = 224 * opens * meanNanos(storm, "mcs", 2, 50) / 1e9;
        double after56 = 56 * opens * meanNanos(storm.with("threads", "56"), "cna-v2", 2, 50) / 1e9;
        double after224 = 224 * opens * meanNanos(storm, "cna-v2", 2, 50) / 1e9;
        assertThat(before224).isEqualTo(593, within(3.0)).isEqualTo(576.95, within(0.05 * 576.95));
        assertThat(after56).isEqualTo(94.8, within(1.0));
        assertThat(after224).isEqualTo(375, within(4.0));
    }

    /** "150%+ boost" on the Kunpeng 920, read as at least one and a half times the throughput. */
    @Test
    void shouldPredictTheBoostOfTheOpenStormOnTheKunpeng() {
        Scenario storm = Scenario.named("spinlock-open-storm-kunpeng").withNoise(false);
        double gain = nanosPerOperation(storm, "mcs", 100) / nanosPerOperation(storm, "cna-v2", 100);
        assertThat(gain).isEqualTo(1.62, within(0.02));
    }

    /**
     * A lock that is a part of the work: as much as in the storm if little else is done, nothing if much is. Between, where
     * remote waiters keep coming, looking at each costs version 2 as much as it saves: a loss of 3 % with the scenario's
     * own figures, where the post has a gain of about 10 %.
     */
    @Test
    void shouldGainLessTheMoreIsDoneWithoutTheLock() {
        Scenario nginx = Scenario.named("spinlock-nginx").withNoise(false);
        assertThat(gain(nginx.with("operation-time", "0ns"))).isEqualTo(1.62, within(0.02));
        assertThat(gain(nginx.with("operation-time", "5us"))).isBetween(1.15, 1.25);
        assertThat(gain(nginx)).isEqualTo(0.966, within(0.01));
        assertThat(gain(nginx.with("operation-time", "100us"))).isEqualTo(1, within(0.005));
    }

    private static double gain(Scenario scenario) {
        return nanosPerOperation(scenario, "mcs", 50) / nanosPerOperation(scenario, "cna-v2", 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spinlock", "spinlock-open-storm", "spinlock-open-storm-kunpeng", "spinlock-nginx"})
    void shouldBoundEveryRuleByTheOptimum(String name) {
        Scenario scenario = Scenario.named(name).withNoise(false).with("long-delay", "0ns");
        double bound = nanosPerOperation(scenario, "all-local", 40);
        for (String policy : new String[] {"mcs", "cna-v2", "cna-v15"}) {
            // threads of a core can be quicker than the optimum's transfer inside a node
            assertThat(nanosPerOperation(scenario, policy, 40)).isGreaterThan(0.98 * bound);
        }
        assertThat(run(scenario, "all-local", 10).remoteShare()).isZero();
    }

    @Test
    void shouldHandOverToOtherNodesAsOftenAsChanceHasItUnderTheKernelsRuleAndRarelyUnderCna() {
        Scenario scenario = TORTURE.with("threads", "144");
        double mean = IntStream.range(0, 6)
                .mapToDouble(seed -> run(scenario.withSeed(seed), "mcs", 40).remoteShare())
                .average()
                .orElseThrow();
        assertThat(mean).isEqualTo(0.75, within(0.04));
        assertThat(run(scenario, "cna-v2", 40).remoteShare()).isLessThan(0.01);
        assertThat(run(scenario, "cna-v15", 40).remoteShare()).isLessThan(0.01);
    }

    @Test
    void shouldGainNothingOnOneNode() throws IOException {
        Machine one = oneNode();
        Scenario scenario =
                Scenario.named("spinlock-small").with("threads", "8").withMachine(one);
        ContendedLock before = run(scenario, "mcs", 200);
        for (String policy : new String[] {"cna-v2", "cna-v15", "all-local"}) {
            ContendedLock after = run(scenario, policy, 200);
            // not one event differs
            assertThat(after.acquisitions()).as(policy).isEqualTo(before.acquisitions());
            assertThat(after.remoteShare()).isZero();
        }
    }

    private static Machine oneNode() throws IOException {
        String text = Machine.named("small-2node").data().entries().stream()
                .filter(entry -> !entry.key().endsWith(".1"))
                .map(entry -> entry.key() + " = "
                        + switch (entry.key()) {
                            case "distance.0" -> "10";
                            case "memory-ns.0" -> "117.3";
                            case "line-ns.0" -> "72";
                            case "device-nodes" -> "0";
                            default -> entry.value();
                        })
                .collect(Collectors.joining("\n"));
        return Machine.read("one.machine", new StringReader(text));
    }

    @Test
    void shouldGainNothingWhereAllThreadsArePackedOnOneNode() {
        Scenario scenario = TORTURE.with("threads", "36").with("placement", "packed");
        assertThat(run(scenario, "cna-v2", 40).acquisitions())
                .isEqualTo(run(scenario, "mcs", 40).acquisitions());
    }

    @Test
    void shouldBeUnfairForMillisecondsAndFairForSeconds() {
        Scenario scenario = TORTURE.with("threads", "72");
        ContendedLock stock = run(scenario, "mcs", 5);
        ContendedLock soon = run(scenario, "cna-v2", 5);
        ContendedLock late = run(scenario, "cna-v2", 4_000);
        assertThat(half(stock)).isEqualTo(0.5, within(0.01));
        assertThat(half(soon)).isGreaterThan(0.75);
        assertThat(half(late)).isBetween(0.5, 0.62);
        assertThat(LongStream.of(late.acquisitions()).min().orElseThrow())
                .as("nobody starves")
                .isPositive();
    }

    private static double half(ContendedLock load) {
        return load.busiestHalf() / (double) LongStream.of(load.acquisitions()).sum();
    }

    @Test
    void shouldBeFairerTheSoonerThoseSetAsideAreTakenBack() {
        Scenario scenario = TORTURE.with("threads", "72");
        ContendedLock often = run(scenario.with("flush-time", "1ms"), "cna-v15", 300);
        ContendedLock seldom = run(scenario.with("flush-time", "10ms"), "cna-v15", 300);
        assertThat(half(often)).isLessThan(0.53).isLessThan(half(seldom));
        assertThat(often.remoteShare()).isGreaterThan(2 * seldom.remoteShare());
        assertThat(often.operations()).isCloseTo(seldom.operations(), within(seldom.operations() / 25));
    }

    @Test
    void shouldPlaceThreadsOverNodesCoresAndSiblings() {
        Scenario storm = Scenario.named("spinlock-open-storm");
        int[] spread = placed(storm.with("threads", "56"));
        assertThat(Arrays.stream(spread).filter(cpu -> cpu < 112)).hasSize(28);
        assertThat(Arrays.stream(spread).map(cpu -> cpu / 4).distinct()).hasSize(56);
        int[] packed = placed(storm.with("threads", "56").with("placement", "packed"));
        assertThat(Arrays.stream(packed)).allMatch(cpu -> cpu < 112);
        assertThat(Arrays.stream(packed).map(cpu -> cpu / 4).distinct()).hasSize(28);
        assertThat(placed(storm.with("threads", "6").with("placement", "packed-smt")))
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(Arrays.stream(placed(storm)).distinct()).hasSize(224);
        assertThat(placed(TORTURE.with("threads", "5"))).containsExactly(0, 18, 36, 54, 1);
        assertThat(placed(TORTURE.with("threads", "3").with("placement", "packed-smt")))
                .containsExactly(0, 72, 1);
    }

    private static int[] placed(Scenario scenario) {
        return new ContendedLock(scenario.machine(), SpinlockQueue.MCS, scenario.settings()).cpusOfThreads();
    }

    /** Two threads that are never alone: hold, three transfers where the other one's arrival counts as a whole one. */
    @ParameterizedTest
    @CsvSource({"packed-smt, 95", "packed, 177", "spread, 399"})
    void shouldCostWhatTheLinesCost(String placement, double nanos) {
        Scenario scenario = TORTURE.with("threads", "2")
                .with("placement", placement)
                .with("enqueue-lines", "1")
                .with("smt-slowdown", "1")
                .with("outside-time", "10ns")
                .with("short-delay", "0ns");
        assertThat(nanosPerOperation(scenario, "mcs", 10)).isEqualTo(nanos, within(6.0));
    }

    @Test
    void shouldDelayAsLocktortureDoes() {
        Scenario alone = TORTURE.with("threads", "1").with("short-delay", "0ns");
        assertThat(nanosPerOperation(alone, "mcs", 100)).isEqualTo(104.5, within(1.0));
        Scenario pieces = Scenario.named("spinlock")
                .withNoise(false)
                .with("threads", "1")
                .with("long-delay", "100us")
                .with("long-delay-every", "200");
        assertThat(nanosPerOperation(pieces, "mcs", 2_000)).isEqualTo(104.5 + 505, within(20.0));
    }

    @Test
    void shouldStopThreadsThatHaveDoneTheirShare() {
        Scenario scenario = Scenario.named("spinlock-small")
                .with("operations-per-thread", "500")
                .with("locks-per-operation", "3");
        ContendedLock load = new ContendedLock(scenario.machine(), SpinlockQueue.CNA_V2, scenario.settings());
        load.advance(1_000 * MILLI);
        assertThat(load.finishedThreads()).isEqualTo(16);
        assertThat(load.operations()).isEqualTo(16 * 500);
        assertThat(load.acquisitions()).containsOnly(1_500L);
        Interval interval = new Interval(16, 2);
        load.tell(interval);
        assertThat(interval.runnable()).isZero();
        assertThat(interval.idleNanos()[0]).isBetween(1L, 1_000 * MILLI - 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        policy          | cna      | unknown policy "cna": known are mcs, cna-v2, cna-v15, all-local
        workload        | nginx    | workload = nginx: must be locktorture, open-storm or nginx-mix
        placement       | anywhere | placement = anywhere: must be spread, packed or packed-smt
        threads         | 17       | threads = 17: must be a whole number from 0 to 16
        threads         | -1       | threads = -1: must be a whole number from 0 to 16
        hold-time       | -5ns     | hold-time = -5ns: must be a span from 1ns to 1s, such as 90us or 60s
        hold-time       | 0ns      | hold-time = 0ns: must be a span from 1ns to 1s, such as 90us or 60s
        outside-tail    | 1.5      | outside-tail = 1.5: must be a number from 0.0 to 1.0
        hand-over-lines | 0        | hand-over-lines = 0: must be a whole number from 1 to 64
        cross-ratio     | 0.5      | cross-ratio = 0.5: must be 0 for the machine's own table, or 1 to 100
        line-scale      | 0        | line-scale = 0: must be a number from 0.01 to 100.0
        shuffle-one-in  | 0        | shuffle-one-in = 0: must be a whole number from 1 to 1073741824
        flush-time      | soon     | flush-time = soon: must be a span from 0ms to 3600s, such as 90us or 60s
        drives          | 3        | unknown parameter "drives": known are family, summary,
        """)
    void shouldNameParameterAndValueOfWhatIsWrong(String key, String value, String message) {
        Scenario scenario = Scenario.named("spinlock-small");
        assertThatThrownBy(() -> scenario.with(key, value))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(message);
    }

    /** The machine asserts its laws itself at every look; here it is pushed about. */
    @Property(tries = 150)
    void shouldKeepItsLawsUnderAnyParameters(
            @ForAll @IntRange(min = 0, max = 16) int threads,
            @ForAll @IntRange(max = 3) int policy,
            @ForAll @IntRange(max = 2) int placement,
            @ForAll @IntRange(min = 1, max = 5_000) int hold,
            @ForAll @IntRange(max = 50_000) int outside,
            @ForAll @IntRange(min = 1, max = 5) int locks,
            @ForAll @IntRange(max = 300) int operations,
            @ForAll @IntRange(min = 1, max = 10) int shuffle,
            @ForAll @IntRange(min = 1, max = 50) int flush,
            @ForAll long seed) {
        Scenario scenario = Scenario.named("spinlock-small")
                .with("threads", "" + threads)
                .with("placement", new String[] {"spread", "packed", "packed-smt"}[placement])
                .with("hold-time", hold + "ns")
                .with("outside-time", outside + "ns")
                .with("locks-per-operation", "" + locks)
                .with("operations-per-thread", "" + operations)
                .with("shuffle-one-in", "" + shuffle)
                .with("flush-one-in", "" + flush)
                .with("flush-time", flush + "us")
                .with("outside-tail", "0.9")
                .withSeed(seed);
        Machine machine = scenario.machine();
        ContendedLock load = new ContendedLock(machine, SpinlockQueue.values()[policy], scenario.settings());
        long moment = 0;
        long done = 0;
        for (int look = 1; look <= 4; look++) {
            moment += 3 * MILLI * look + 17;
            load.advance(moment);
            Interval interval = new Interval(machine.cpus(), machine.nodes());
            load.tell(interval);
            done += interval.operations();
            assertThat(interval.runnable() + load.finishedThreads()).isEqualTo(load.acquisitions().length);
            load.look();
        }
        assertThat(done).isPositive();
        if (operations > 0) {
            assertThat(done).isLessThanOrEqualTo((long) operations * load.acquisitions().length);
        }
    }
}
