package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.policy.PagePool;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveRingsTest {
    private static final long MILLI = 1_000_000L;
    private static final long WARM_UP = 20 * MILLI;
    private static final DataFile BEFORE = DataFile.bundled(Family.class, "page-pool.before");
    private static final DataFile AFTER = DataFile.bundled(Family.class, "page-pool.after");

    private static Scenario scenario(String load, String place) {
        String name = switch (load) {
            case "xdp-drop" -> "page-pool";
            case "xdp-tx" -> "page-pool-tx";
            default -> "page-pool-" + load;
        };
        return Scenario.named(name).withNoise(false).with("migrate-at", place.equals("close") ? "never" : "start");
    }

    private static ReceiveRings warm(Scenario scenario, String policy) {
        ReceiveRings load = new ReceiveRings(scenario.machine(), PagePool.named(policy), scenario.settings());
        load.advance(WARM_UP);
        load.look();
        return load;
    }

    /** In the post's unit: million packets a second, or 10^9 bits. */
    private static double rate(Scenario scenario, String policy) {
        ReceiveRings load = warm(scenario, policy);
        load.advance(WARM_UP + 200 * MILLI);
        double packets = load.finished() * 5.0;
        boolean bits = scenario.settings().text("unit").equals("segment");
        return bits ? packets * 1460 * 8 / 1e9 : packets / 1e6;
    }

    private static Interval told(Scenario scenario, String policy) {
        ReceiveRings load = warm(scenario, policy);
        load.advance(WARM_UP + 100 * MILLI);
        return tell(load, scenario.machine());
    }

    private static Interval tell(ReceiveRings load, Machine machine) {
        Interval interval = new Interval(machine.cpus(), machine.nodes());
        load.tell(interval);
        return interval;
    }

    /** Seven of the cells were calibrated on; TCP on one far CPU was not, but must come out as well. */
    @ParameterizedTest
    @CsvSource({
        "close, xdp-drop",
        "far, xdp-drop",
        "close, xdp-tx",
        "far, xdp-tx",
        "close, tcp",
        "far, tcp",
        "close, tcp-12",
        "far, tcp-12"
    })
    void shouldReproduceTheCellsBefore(String place, String load) {
        double posted = BEFORE.number(place + "." + load, 0, 1000);
        assertThat(rate(scenario(load, place), "keep-node")).isEqualTo(posted, within(0.005 * posted));
    }

    /** The cells after, which nothing was set on. Written down are what came out, so that a change is seen. */
    @ParameterizedTest
    @CsvSource({
        "close, xdp-drop, 11.0",
        "far, xdp-drop, 5.68",
        "close, xdp-tx, 6.5",
        "far, xdp-tx, 4.265",
        "close, tcp, 18.0",
        "far, tcp, 18.0",
        "close, tcp-12, 80.0",
        "far, tcp-12, 80.0"
    })
    void shouldPredictTheCellsAfter(String place, String load, double cameOut) {
        double after = rate(scenario(load, place), "update-nid");
        assertThat(after).isEqualTo(cameOut, within(0.005 * cameOut));
        // 4 Mpps is the cell that is missed most, by 6.6 %
        double posted = AFTER.number(place + "." + load, 0, 1000);
        assertThat(after).isEqualTo(posted, within(0.07 * posted));
        double before = rate(scenario(load, place), "keep-node");
        if (place.equals("far")) {
            assertThat(after).isGreaterThan(1.1 * before);
        } else {
            assertThat(after / before).isEqualTo(1, within(0.001));
        }
        assertThat(rate(scenario(load, place), "all-local")).isGreaterThan(0.9999 * after);
    }

    @ParameterizedTest
    @ValueSource(strings = {"page-pool", "page-pool-tx", "page-pool-tcp"})
    void shouldNotGainOnAMachineOfOneNode(String name) {
        Scenario scenario =
                Scenario.named(name).withNoise(false).with("check-ns", "0").withMachine(MachineTexts.oneNode());
        assertThat(rate(scenario, "update-nid")).isEqualTo(rate(scenario, "keep-node"));
    }

    @Test
    void shouldDifferInNothingButTheCheckWhileTheRingStaysWhereItWas() {
        Scenario scenario = scenario("xdp-tx", "close").with("check-ns", "0");
        Interval before = told(scenario, "keep-node");
        Interval after = told(scenario, "update-nid");
        assertThat(after.operations()).isEqualTo(before.operations());
        assertThat(after.events().get("page_pool:page_pool_state_hold"))
                .isEqualTo(before.events().get("page_pool:page_pool_state_hold"));
        assertThat(after.events().get("page_pool:page_pool_update_nid")).containsOnly(0);
    }

    @Test
    void shouldKeepTheOldPagesForEverBeforeAndChangeThemOnceAfter() {
        Scenario scenario = scenario("xdp-drop", "close").with("migrate-at", "50ms");
        ReceiveRings before = warm(scenario, "keep-node");
        ReceiveRings after = warm(scenario, "update-nid");
        before.advance(WARM_UP + 50 * MILLI);
        after.advance(WARM_UP + 50 * MILLI);
        double close = after.finished();
        before.look();
        after.look();
        before.advance(WARM_UP + 100 * MILLI);
        after.advance(WARM_UP + 100 * MILLI);
        Machine machine = scenario.machine();
        Interval kept = tell(before, machine);
        Interval changed = tell(after, machine);
        // polled by CPU 1 of node 1 from now on, its first interrupt there
        assertThat(changed.interrupts()[1]).isEqualTo(1);
        assertThat(Arrays.stream(changed.interrupts()).sum()).isEqualTo(1);
        assertThat(changed.events().get("page_pool:page_pool_update_nid")[1]).isEqualTo(1);
        assertThat(Arrays.stream(kept.events().get("page_pool:page_pool_update_nid"))
                        .sum())
                .isZero();
        // all pages of ring and pool once, beside the one in a thousand that is lost at all times
        long lost = changed.operations() / 1_000;
        assertThat(changed.events().get("page_pool:page_pool_state_hold")[1] - lost)
                .isBetween(1_020L, 1_024L + 128 + 64);
        assertThat(kept.events().get("page_pool:page_pool_state_hold")[1])
                .isCloseTo(kept.operations() / 1_000, within(64L));
        // numastat: CPU 1 goes on to take pages of node 0, or takes those of its own
        assertThat(kept.pages(Interval.Pages.OTHER_NODE, 0)).isPositive();
        assertThat(changed.pages(Interval.Pages.OTHER_NODE, 0)).isZero();
        assertThat(changed.pages(Interval.Pages.LOCAL_NODE, 1)).isGreaterThan(1_024);
        assertThat(kept.pages(Interval.Pages.NUMA_MISS, 0)).isZero();
        // and both are slower than close by
        assertThat(kept.operations()).isLessThan(changed.operations());
        assertThat((double) changed.operations()).isLessThan(0.6 * close);
    }

    /** With a ring and a socket in front of the pool, all of it is changed once, and only once. */
    @Test
    void shouldChangeWhatRingSocketAndPoolHold() {
        Scenario scenario = scenario("tcp", "close").with("migrate-at", "50ms").with("unrecycled", "0");
        ReceiveRings load = warm(scenario, "update-nid");
        load.advance(WARM_UP + 50 * MILLI);
        assertThat(holds(load, scenario.machine())).isZero();
        load.look();
        load.advance(WARM_UP + 100 * MILLI);
        // 1,024 posted and 2,048 in the socket; the ptr_ring is drained as fast as it is filled
        assertThat(holds(load, scenario.machine())).isBetween(3_072L, 3_072L + 64);
        load.look();
        load.advance(WARM_UP + 200 * MILLI);
        assertThat(holds(load, scenario.machine())).isZero();
    }

    private static long holds(ReceiveRings load, Machine machine) {
        return Arrays.stream(tell(load, machine).events().get("page_pool:page_pool_state_hold"))
                .sum();
    }

    @Test
    void shouldRefuseSocketsThatCannotBePaired() throws IOException {
        String text = String.join(
                        "\n",
                        Machine.named("d06-96").data().entries().stream()
                                .map(entry -> entry.key() + " = " + entry.value())
                                .toList())
                .replace("socket.2 = 1", "socket.2 = 0");
        Machine lopsided = Machine.read("lopsided.machine", new StringReader(text));
        assertThatThrownBy(() -> Scenario.named("page-pool").withMachine(lopsided))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(
                        "machine = d06-96: must be a machine whose sockets have the same number of nodes");
    }

    @Test
    void shouldReadThePacketsFromTheCacheOnTheNicsSocketOnly() {
        Interval close = told(scenario("xdp-drop", "close"), "keep-node");
        Interval before = told(scenario("xdp-drop", "far"), "keep-node");
        Interval after = told(scenario("xdp-drop", "far"), "update-nid");
        Interval bound = told(scenario("xdp-drop", "far"), "all-local");
        // lines from DRAM a packet: other misses; head and completions from node 0; the head from the own node
        assertThat(perPacket(close, 0, 0)).isEqualTo(0.05, within(0.001));
        assertThat(perPacket(close, 0, 1)).isZero();
        assertThat(perPacket(before, 1, 0)).isEqualTo(1.4774, within(0.001));
        assertThat(perPacket(after, 1, 0)).isEqualTo(0.4774, within(0.001));
        assertThat(perPacket(after, 1, 1)).isEqualTo(1.05, within(0.001));
        assertThat(perPacket(bound, 1, 0)).isZero();
    }

    private static double perPacket(Interval interval, int from, int home) {
        return interval.cpuLines(from, home) / (double) interval.operations();
    }

    @Test
    void shouldPollForEverBelowTheCeilingsAndWaitForInterruptsAtThem() {
        Interval alone = told(scenario("tcp", "far"), "update-nid");
        assertThat(Arrays.stream(alone.interrupts()).sum()).isZero();
        assertThat(alone.busyNanos()[1]).isEqualTo(100 * MILLI);
        assertThat(alone.ticks()[1]).isBetween(24L, 26L);
        Interval twelve = told(scenario("tcp-12", "far"), "update-nid");
        // each poll waits for its packets
        assertThat(Arrays.stream(twelve.interrupts()).sum())
                .isEqualTo(Arrays.stream(twelve.events().get("napi:napi_poll")).sum());
        assertThat(twelve.idleNanos()[0]).isGreaterThan(50 * MILLI);
    }

    @Test
    void shouldGainNothingUnderACeilingBelowBoth() {
        Scenario scenario = scenario("tcp", "far").with("nic-gbps", "10");
        for (String policy : scenario.policies()) {
            assertThat(rate(scenario, policy)).isEqualTo(10, within(0.01));
        }
    }

    @Test
    void shouldLoseTheLinkAsAReasonWithoutItsCeiling() {
        Scenario scenario = scenario("tcp-12", "far").with("link-gbps", "inf");
        assertThat(rate(scenario, "keep-node")).isEqualTo(80, within(0.1));
    }

    @Test
    void shouldMoveEachRingToACpuOfItsOwnOnAnotherSocket() {
        for (String machine : new String[] {"e5-2603v4-12", "small-2node", "d06-96", "thunderx2-224", "x5-4-144"}) {
            Scenario scenario = Scenario.named("page-pool")
                    .withMachine(Machine.named(machine))
                    .with("rings", "8");
            Interval there = told(scenario, "keep-node");
            Interval here = told(scenario.with("migrate-at", "never"), "keep-node");
            int both = 0;
            int moved = 0;
            for (int cpu = 0; cpu < scenario.machine().cpus(); cpu++) {
                moved += there.busyNanos()[cpu] > 0 ? 1 : 0;
                int node = scenario.machine().nodeOf(cpu);
                both += here.busyNanos()[cpu] > 0 && scenario.machine().socketOf(node) == 0 ? 1 : 0;
            }
            assertThat(moved).as(machine).isEqualTo(8);
            assertThat(both).as(machine).isBetween(6, 8);
        }
    }

    @Test
    void shouldRefuseRingsThatCannotMove() throws IOException {
        String text = String.join(
                        "\n",
                        Machine.named("small-2node").data().entries().stream()
                                .map(entry -> entry.key() + " = " + entry.value())
                                .toList())
                .replace("node.0 = 0-7", "node.0 = 0-9")
                .replace("node.1 = 8-15", "node.1 = 10-15");
        Machine uneven = Machine.read("uneven.machine", new StringReader(text));
        Scenario scenario = Scenario.named("page-pool").withMachine(uneven);
        assertThatThrownBy(() -> scenario.with("rings", "7"))
                .isInstanceOf(DataException.class)
                .hasMessage("page-pool.scenario: rings = 7: must be such that each can move to a CPU of its own on"
                        + " another node");
    }

    @Test
    void shouldRefuseACopyOnAMachineWithoutBandwidth() {
        assertThatThrownBy(() -> Scenario.named("page-pool-tcp").withMachine(Machine.named("small-2node")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("machine = small-2node: must be a machine with bandwidth.0, which a copy needs");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        policy           | flush | unknown policy "flush": known are keep-node, update-nid, all-local
        rings            | 13    | page-pool.scenario: rings = 13: must be a whole number from 1 to 12
        ring-pages       | 63    | page-pool.scenario: ring-pages = 63: must be a whole number from 64 to 65536
        migrate-at       | later | page-pool.scenario: migrate-at = later: must be never, start, half (of the duration), or a span below duration = 60s
        migrate-at       | -1s   | page-pool.scenario: migrate-at = -1s: must be never, start, half
        migrate-at       | 60s   | page-pool.scenario: migrate-at = 60s: must be never, start, half (of the duration), or a span below duration = 60s
        nic-gbps         | 0     | page-pool.scenario: nic-gbps = 0: must be inf, or Gb/s from 0.001 to 1000000
        link-gbps        | fast  | page-pool.scenario: link-gbps = fast: must be inf, or Gb/s from 0.001 to 1000000
        nic-node         | 2     | page-pool.scenario: nic-node = 2: must be a whole number from 0 to 1
        copied-bytes     | 65    | page-pool.scenario: copied-bytes = 65: must be a whole number from 0 to 64
        unrecycled       | 1.5   | page-pool.scenario: unrecycled = 1.5: must be a number from 0.0 to 1.0
        allocator-ns     | -45   | page-pool.scenario: allocator-ns = -45: must be a number from 0.0 to 1000000.0
        ddio             | maybe | page-pool.scenario: ddio = maybe: must be on or off
        """)
    void shouldNameParameterAndValueOfWhatIsWrong(String key, String value, String message) {
        assertThatThrownBy(() -> Scenario.named("page-pool").with(key, value))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @EnumSource(PagePool.class)
    void shouldTakeBackPagesOfItsNodeUnderEveryPolicy(PagePool policy) {
        assertThat(policy.recycles(1, 1)).isTrue();
        assertThat(policy.recycles(0, 1)).isEqualTo(!policy.checksNode());
    }

    /** The machine asserts its laws itself at every look; here it is pushed about, and times must add up too. */
    @Property(tries = 150)
    void shouldKeepItsLawsUnderAnyParameters(
            @ForAll @IntRange(min = 1, max = 12) int rings,
            @ForAll @IntRange(min = 64, max = 700) int ringPages,
            @ForAll @IntRange(max = 300) int poolPages,
            @ForAll @IntRange(max = 300) int heldPages,
            @ForAll @IntRange(max = 2) int policy,
            @ForAll @IntRange(max = 10) int unrecycled,
            @ForAll @IntRange(max = 20) int migrateAt,
            @ForAll @IntRange(max = 1) int nicNode,
            @ForAll boolean direct,
            @ForAll boolean tcp,
            @ForAll boolean ceilings,
            @ForAll long seed) {
        Scenario scenario = Scenario.named(tcp ? "page-pool-tcp" : "page-pool-tx")
                .with("rings", "" + rings)
                .with("ring-pages", "" + ringPages)
                .with("pool-pages", "" + poolPages)
                .with("held-pages", "" + heldPages)
                .with("unrecycled", "" + unrecycled / 10.0)
                .with("migrate-at", migrateAt == 0 ? "start" : migrateAt == 20 ? "never" : migrateAt + "ms")
                .with("nic-node", "" + nicNode)
                .with("direct", direct ? "on" : "off")
                .with("nic-gbps", ceilings ? "7" : "inf")
                .with("link-gbps", ceilings ? "3" : "inf")
                .with("warm-up", "0ms")
                .withSeed(seed);
        Machine machine = scenario.machine();
        ReceiveRings load = new ReceiveRings(machine, PagePool.values()[policy], scenario.settings());
        long moment = 0;
        for (int look = 1; look <= 3; look++) {
            long span = 5 * MILLI * look + 13;
            moment += span;
            load.advance(moment);
            Interval interval = tell(load, machine);
            for (int cpu = 0; cpu < machine.cpus(); cpu++) {
                assertThat(interval.busyNanos()[cpu] + interval.idleNanos()[cpu])
                        .isEqualTo(span);
            }
            assertThat(interval.runnable()).isBetween(0, rings);
            assertThat(interval.operations()).isPositive();
            load.look();
        }
    }
}
