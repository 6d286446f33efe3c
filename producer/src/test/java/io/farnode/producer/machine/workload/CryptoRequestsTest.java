package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.policy.DmaPlacement;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CryptoRequestsTest {
    private static final long MILLI = 1_000_000L;
    private static final long WARM_UP = 20 * MILLI;
    private static final DataFile BEFORE = DataFile.bundled(Family.class, "dma-placement.before");
    private static final DataFile AFTER = DataFile.bundled(Family.class, "dma-placement.after");
    private static final Scenario QUIET = Scenario.named("dma-placement").withNoise(false);

    static Stream<String> rows() {
        return BEFORE.keys().stream().filter(key -> key.matches("(ecb|cbc)-.*"));
    }

    private static Scenario row(String key) {
        String[] parts = key.split("[-.]");
        return QUIET.with("mode", parts[0])
                .with("direction", parts[1])
                .with("key-bits", parts[2])
                .with("block-bytes", parts[3]);
    }

    private static CryptoRequests warm(Scenario scenario, String policy) {
        CryptoRequests load = new CryptoRequests(scenario.machine(), DmaPlacement.named(policy), scenario.settings());
        load.advance(WARM_UP);
        load.look();
        return load;
    }

    /** Operations per second of a submitter. */
    private static double rate(Scenario scenario, String policy) {
        CryptoRequests load = warm(scenario, policy);
        load.advance(WARM_UP + 1_000 * MILLI);
        return load.finished() / (double) load.engines();
    }

    private static double saved(Scenario scenario) {
        return 1e9 / rate(scenario, "caller-node") - 1e9 / rate(scenario, "device-node");
    }

    /** t0 + s * bytes leaves some per cent of the rows it was fitted on unexplained, at most 5.6 % (16 bytes). */
    @ParameterizedTest
    @MethodSource("rows")
    void shouldComeNearTheRowsItIsCalibratedOn(String key) {
        double posted = BEFORE.whole(key, 1, 1_000_000);
        double most = key.endsWith(".16") ? 0.056 : 0.028;
        assertThat(rate(row(key), "caller-node")).isEqualTo(posted, within(most * posted));
    }

    /** The rows that nothing was set on: sign, and gain within 1.2 percentage points. */
    @ParameterizedTest
    @MethodSource("rows")
    void shouldPredictASmallGainForTheRowsAfter(String key) {
        double gain = rate(row(key), "device-node") / rate(row(key), "caller-node") - 1;
        double posted = AFTER.number(key, 1, 1e6) / BEFORE.number(key, 1, 1e6) - 1;
        assertThat(gain).isPositive().isEqualTo(posted, within(0.012));
    }

    /** Better than the forecast that nothing changes; worse than the forecast that knows the mean gain. */
    @Test
    void shouldForecastTheRowsAfterBetterThanNoChange() {
        double[] errors = rows().mapToDouble(key -> {
                    double posted = AFTER.number(key, 1, 1e6) / BEFORE.number(key, 1, 1e6);
                    double error = rate(row(key), "device-node") / rate(row(key), "caller-node") - posted;
                    return error * error;
                })
                .toArray();
        double nothing = rows().mapToDouble(key -> AFTER.number(key, 1, 1e6) / BEFORE.number(key, 1, 1e6) - 1)
                .map(gain -> gain * gain)
                .sum();
        assertThat(errors).hasSize(43);
        assertThat(Arrays.stream(errors).sum()).isLessThan(nothing / 2);
    }

    /** The scenario's costs are what a fit of the column "before" gives, and of nothing else. */
    @ParameterizedTest
    @CsvSource({
        "ecb-encrypt-128",
        "ecb-encrypt-192",
        "ecb-encrypt-256",
        "ecb-decrypt-128",
        "ecb-decrypt-192",
        "ecb-decrypt-256",
        "cbc-encrypt-128",
        "cbc-encrypt-192",
        "cbc-encrypt-256"
    })
    void shouldTakeItsCostsFromALeastSquaresFitOfTheRowsBefore(String algorithm) {
        double sums = 0;
        double bytesSum = 0;
        double squares = 0;
        double times = 0;
        double products = 0;
        for (String key : rows().filter(key -> key.startsWith(algorithm + ".")).toList()) {
            double bytes = Double.parseDouble(key.substring(key.indexOf('.') + 1));
            double nanos = 1e9 / BEFORE.number(key, 1, 1e6);
            double weight = 1 / (nanos * nanos);
            sums += weight;
            bytesSum += weight * bytes;
            squares += weight * bytes * bytes;
            times += weight * nanos;
            products += weight * bytes * nanos;
        }
        double slope = (sums * products - bytesSum * times) / (sums * squares - bytesSum * bytesSum);
        double level = (times - slope * bytesSum) / sums;
        Machine machine = QUIET.machine();
        double accesses = 5 * (machine.memoryNanos(0, 0) + machine.memoryNanos(2, 0)) / 2;
        double[] costs = QUIET.settings().numbers("cost." + algorithm, 2, 0, 1e9);
        assertThat(costs[0]).isEqualTo(level - accesses, within(0.06));
        assertThat(costs[1]).isEqualTo(slope, within(0.0001));
    }

    @Test
    void shouldSaveTheSameTimeWhateverTheBlock() {
        for (String bytes : new String[] {"16", "64", "256", "1024", "8192"}) {
            // five accesses of 80.5 ns for one of two engines
            assertThat(saved(QUIET.with("block-bytes", bytes))).isEqualTo(201, within(4.0));
        }
        double small = rate(QUIET, "device-node") / rate(QUIET, "caller-node");
        Scenario large = QUIET.with("block-bytes", "8192");
        assertThat(rate(large, "device-node") / rate(large, "caller-node") - 1).isLessThan(0.6 * (small - 1));
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 121", "2, 3, 201", "3, 3, 241"})
    void shouldSaveByTheNumberOfAccesses(String deviceReads, int cpuWaits, double nanos) {
        Scenario scenario =
                QUIET.with("device-reads", deviceReads).with("completion-reads", Integer.toString(cpuWaits - 1));
        assertThat(saved(scenario)).isEqualTo(nanos, within(4.0));
    }

    @Test
    void shouldNotGainWhereTheAllocatingCpuIsNearTheDevice() {
        Scenario near = Scenario.named("dma-placement-near").withNoise(false);
        assertThat(rate(near, "device-node")).isEqualTo(rate(near, "caller-node"));
        assertThat(rate(near, "all-local")).isEqualTo(rate(near, "caller-node"));
    }

    @Test
    void shouldNotGainOnAMachineOfOneNode() {
        Machine one = oneNode();
        Scenario scenario = QUIET.with("device-nodes", "0").withMachine(one);
        assertThat(rate(scenario, "device-node")).isEqualTo(rate(scenario, "caller-node"));
    }

    private static Machine oneNode() {
        return MachineTexts.oneNode();
    }

    @Test
    void shouldLoseWhereTheSubmitterIsFarFromTheDevice() {
        Scenario far = Scenario.named("dma-placement-far").withNoise(false);
        // the engine saves two accesses of 80.5 ns, the CPU pays three
        assertThat(saved(far)).isEqualTo(-80.5, within(4.0));
        assertThat(rate(far, "all-local")).isGreaterThan(rate(far, "caller-node"));
    }

    @Test
    void shouldBeBoundedByTheOptimum() {
        for (String name : new String[] {"dma-placement", "dma-placement-near", "dma-placement-far"}) {
            Scenario scenario = Scenario.named(name).withNoise(false);
            double bound = rate(scenario, "all-local");
            assertThat(bound).isGreaterThanOrEqualTo(rate(scenario, "caller-node"));
            assertThat(bound).isGreaterThanOrEqualTo(rate(scenario, "device-node"));
        }
    }

    @Test
    void shouldMoveTheSharedLinesAndLeaveThePayload() {
        Scenario scenario = QUIET.with("block-bytes", "1024");
        Interval before = told(scenario, "caller-node");
        Interval after = told(scenario, "device-node");
        Interval bound = told(scenario, "all-local");
        // engine 1 sits on node 2 and reads its queue on node 0, where its submitter writes it too
        assertThat(before.lines(2, 0)).isPositive();
        assertThat(after.lines(2, 0)).isZero();
        assertThat(before.cpuLines(2, 0) / (double) before.cpuLines(0, 0)).isEqualTo(1, within(0.05));
        assertThat(after.lines(2, 2)).isGreaterThan(before.lines(2, 2));
        for (int from = 0; from < 4; from++) {
            for (int home = 0; home < 4; home++) {
                assertThat(from == home ? 0 : bound.lines(from, home)).isZero();
            }
        }
    }

    private static Interval told(Scenario scenario, String policy) {
        CryptoRequests load = warm(scenario, policy);
        load.advance(WARM_UP + 100 * MILLI);
        Interval interval =
                new Interval(scenario.machine().cpus(), scenario.machine().nodes());
        load.tell(interval);
        return interval;
    }

    @Test
    void shouldTakeMemoryFromTheNearestNodeThatHasSome() {
        Scenario scenario = QUIET.withMachine(QUIET.machine().with("memory-nodes", "0 3"));
        Interval after = told(scenario, "device-node");
        assertThat(after.lines(2, 2)).isZero();
        assertThat(after.lines(2, 3)).isPositive();
    }

    @ParameterizedTest
    @EnumSource(DmaPlacement.class)
    void shouldInterruptOnceAndSwitchTwiceAnOperationUnderEveryPolicy(DmaPlacement policy) {
        Interval interval = told(QUIET, policy.policyName());
        double done = interval.operations();
        assertThat(Arrays.stream(interval.interrupts()).sum() / done).isEqualTo(1, within(0.001));
        assertThat(Arrays.stream(interval.switches()).sum() / done).isEqualTo(2, within(0.001));
        assertThat(Arrays.stream(interval.events().get("iommu:map")).sum() / done)
                .isEqualTo(1, within(0.001));
        assertThat(Arrays.stream(told(QUIET.with("mode", "cbc"), policy.policyName())
                                .events()
                                .get("iommu:unmap"))
                        .sum())
                .isGreaterThan((long) done * 3 / 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        policy        | here        | unknown policy "here": known are caller-node, device-node, all-local
        mode          | ctr         | dma-placement.scenario: mode = ctr: must be one of ecb, cbc
        direction     | both        | dma-placement.scenario: direction = both: must be one of encrypt, decrypt
        key-bits      | 64          | dma-placement.scenario: key-bits = 64: must be one of 128, 192, 256
        block-bytes   | 17          | dma-placement.scenario: block-bytes = 17: must be a multiple of the 16 bytes that AES works on
        block-bytes   | 0           | dma-placement.scenario: block-bytes = 0: must be a whole number from 16 to 1048576
        device-nodes  | 4           | dma-placement.scenario: device-nodes = 4: must be a number from 0.0 to 3.0
        device-nodes  | 0.5         | dma-placement.scenario: device-nodes = 0.5: must be whole numbers
        alloc-cpu     | 96          | dma-placement.scenario: alloc-cpu = 96: must be a whole number from 0 to 95
        submit-cpus   | 1           | dma-placement.scenario: submit-cpus = 1: must be 2 numbers with blanks between
        submit-cpus   | 1 1         | dma-placement.scenario: submit-cpus = 1 1: must be near, or a CPU of its own for each of the 2 devices
        submit-cpus   | 1 -1        | dma-placement.scenario: submit-cpus = 1 -1: must be a number from 0.0 to 95.0
        device-reads  | -1          | dma-placement.scenario: device-reads = -1: must be a whole number from 0 to 64
        submit-time   | 20us        | dma-placement.scenario: submit-time = 20us: must be such that with complete-time it is shorter than the operation, cost.ecb-encrypt-128
        cost.ecb-encrypt-128 | 1    | dma-placement.scenario: cost.ecb-encrypt-128 = 1: must be 2 numbers with blanks between
        cost.ecb-encrypt-129 | 1 1  | unknown parameter "cost.ecb-encrypt-129": known are
        device-tail   | 2           | dma-placement.scenario: device-tail = 2: must be a number from 0.0 to 1.0
        """)
    void shouldNameParameterAndValueOfWhatIsWrong(String key, String value, String message) {
        assertThatThrownBy(() -> Scenario.named("dma-placement").with(key, value))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseMoreDevicesOnANodeThanItHasCpus() {
        String nodes = "0 ".repeat(25).strip();
        assertThatThrownBy(() -> Scenario.named("dma-placement").with("device-nodes", nodes))
                .hasMessageContaining("must be such that each device has a CPU of its own on its node");
    }

    /** The machine asserts its laws itself at every look; here it is pushed about, and times must add up too. */
    @Property(tries = 100)
    void shouldKeepItsLawsUnderAnyParameters(
            @ForAll @IntRange(min = 1, max = 5) int engines,
            @ForAll @IntRange(max = 95) int allocCpu,
            @ForAll @IntRange(max = 2) int policy,
            @ForAll @IntRange(max = 5) int deviceReads,
            @ForAll @IntRange(max = 5) int writes,
            @ForAll @IntRange(max = 5) int completions,
            @ForAll @IntRange(min = 1, max = 600) int blocks,
            @ForAll @IntRange(max = 3) int node,
            @ForAll boolean cbc,
            @ForAll boolean noise,
            @ForAll long seed) {
        StringBuilder nodes = new StringBuilder();
        for (int engine = 0; engine < engines; engine++) {
            nodes.append((engine + node) % 4).append(' ');
        }
        Scenario scenario = Scenario.named("dma-placement")
                .with("device-nodes", nodes.toString())
                .with("alloc-cpu", "" + allocCpu)
                .with("device-reads", "" + deviceReads)
                .with("written-lines", "" + writes)
                .with("write-waits", "" + writes)
                .with("completion-reads", "" + completions)
                .with("block-bytes", "" + 16 * blocks)
                .with("mode", cbc ? "cbc" : "ecb")
                .withNoise(noise)
                .withSeed(seed);
        CryptoRequests load =
                new CryptoRequests(scenario.machine(), DmaPlacement.values()[policy], scenario.settings());
        long moment = 0;
        for (int look = 1; look <= 4; look++) {
            long span = 7 * MILLI * look + 13;
            moment += span;
            load.advance(moment);
            Interval interval = new Interval(96, 4);
            load.tell(interval);
            for (int cpu = 0; cpu < 96; cpu++) {
                assertThat(interval.busyNanos()[cpu] + interval.idleNanos()[cpu])
                        .isEqualTo(span);
            }
            assertThat(interval.runnable()).isBetween(0, engines);
            assertThat(interval.operations()).isPositive();
            load.look();
        }
    }
}
