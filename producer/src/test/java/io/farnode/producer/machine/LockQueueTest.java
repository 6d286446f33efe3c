package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.producer.machine.policy.SpinlockQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LockQueueTest {
    private static final int[] NODES = {0, 1, 1, 0, 1, 0};
    private static final int SURELY = 1;
    private static final int NEVER = 1 << 30;
    private static final long FLUSH = 1_000_000L;

    /** Waiters 1..5 wait behind waiter 0. Lines cost 10 inside a node, 100 between nodes. */
    private static LockQueue queue(int shuffleOneIn, int flushOneIn) {
        LockQueue queue = new LockQueue(
                NODES,
                2,
                new long[] {10, 100, 100, 10},
                new LockQueue.Chances(shuffleOneIn, flushOneIn, FLUSH),
                new RandomStream(1, "test"));
        for (int waiter = 1; waiter < NODES.length; waiter++) {
            queue.append(waiter);
        }
        return queue;
    }

    private static List<Integer> handOvers(SpinlockQueue rule, LockQueue queue, int holder) {
        List<Integer> order = new ArrayList<>();
        for (int next = rule.onHandOff(queue, holder); next != LockQueue.NONE; next = rule.onHandOff(queue, next)) {
            order.add(next);
        }
        return order;
    }

    @Test
    void shouldServeFirstComeFirstUnderTheKernelsRule() {
        assertThat(handOvers(SpinlockQueue.MCS, queue(SURELY, NEVER), 0)).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void shouldServeTheHoldersNodeFirstAndThenThoseSetAsideInTheirOrderUnderVersion2() {
        LockQueue queue = queue(SURELY, NEVER);
        assertThat(SpinlockQueue.CNA_V2.onHandOff(queue, 0)).isEqualTo(3);
        assertThat(queue.aside()).isEqualTo(2);
        assertThat(queue.waiting()).isEqualTo(2);
        assertThat(queue.scanNanos()).isEqualTo(200);
        assertThat(queue.visits(0, 1)).isEqualTo(2);
        assertThat(SpinlockQueue.CNA_V2.onHandOff(queue, 3)).isEqualTo(5);
        assertThat(queue.scanNanos()).isEqualTo(100);
        assertThat(handOvers(SpinlockQueue.CNA_V2, queue, 5)).containsExactly(1, 2, 4);
    }

    @Test
    void shouldNotOrderWithoutTheChanceUnderVersion2() {
        LockQueue queue = queue(NEVER, NEVER);
        assertThat(handOvers(SpinlockQueue.CNA_V2, queue, 0)).containsExactly(1, 2, 3, 4, 5);
        assertThat(queue.scanNanos()).isZero();
    }

    @Test
    void shouldTakeThoseSetAsideBackByChanceUnderVersion2() {
        LockQueue queue = queue(SURELY, NEVER);
        assertThat(queue.takeFirstOfNodeOf(0)).isEqualTo(3);
        LockQueue flushed = queue(SURELY, SURELY);
        assertThat(flushed.takeFirstOfNodeOf(0)).isEqualTo(3);
        assertThat(SpinlockQueue.CNA_V2.onHandOff(queue, 3)).isEqualTo(5);
        assertThat(handOvers(SpinlockQueue.CNA_V2, flushed, 3)).containsExactly(1, 2, 4, 5);
    }

    @Test
    void shouldLeaveEverybodyWhereTheyAreIfNoneIsOfTheHoldersNode() {
        LockQueue queue = queue(SURELY, NEVER);
        queue.takeFirstOfNodeOf(0);
        queue.takeFirstOfNodeOf(3);
        queue.takeBack();
        queue.scanNanos();
        assertThat(queue.takeFirstOfNodeOf(0)).isEqualTo(LockQueue.NONE);
        assertThat(queue.aside()).isZero();
        assertThat(queue.waiting()).isEqualTo(3);
        assertThat(queue.scanNanos()).as("it has looked at all of them").isEqualTo(300);
    }

    @Test
    void shouldOrderWhileTheHeadWaitsUnderVersion15() {
        LockQueue queue = queue(SURELY, NEVER);
        queue.beginOrdering(0, 0);
        queue.orderWhileWaiting(150, 0);
        assertThat(queue.aside()).isEqualTo(2);
        assertThat(queue.scanNanos()).as("the second step ends late").isEqualTo(50);
        assertThat(SpinlockQueue.CNA_V15.onHandOff(queue, 0)).isEqualTo(3);
        queue.beginOrdering(3, 10);
        queue.orderWhileWaiting(1, 10);
        assertThat(SpinlockQueue.CNA_V15.onHandOff(queue, 3)).isEqualTo(5);
        assertThat(handOvers(SpinlockQueue.CNA_V15, queue, 5)).containsExactly(1, 2, 4);
    }

    @Test
    void shouldNotSetTheLastWaiterAsideUnderVersion15() {
        LockQueue queue = queue(SURELY, NEVER);
        for (int i = 0; i < 4; i++) {
            queue.takeFirst();
        }
        queue.append(4);
        queue.takeFirst();
        queue.beginOrdering(0, 0);
        queue.orderWhileWaiting(10_000, 0);
        assertThat(queue.nobodyAside()).isTrue();
        assertThat(queue.waiting()).isEqualTo(1);
    }

    @Test
    void shouldFlushWhenThoseSetAsideHaveWaitedTooLongUnderVersion15() {
        LockQueue queue = queue(SURELY, NEVER);
        queue.beginOrdering(0, 5);
        queue.orderWhileWaiting(10_000, 5);
        assertThat(SpinlockQueue.CNA_V15.onHandOff(queue, 0)).isEqualTo(3);
        queue.beginOrdering(3, 5 + FLUSH);
        assertThat(queue.flushing()).isFalse();
        queue.beginOrdering(3, 6 + FLUSH);
        assertThat(queue.flushing()).isTrue();
        queue.orderWhileWaiting(10_000, 6 + FLUSH);
        assertThat(SpinlockQueue.CNA_V15.onHandOff(queue, 3)).isEqualTo(1);
        assertThat(handOvers(SpinlockQueue.CNA_V15, queue, 1)).containsExactly(2, 4, 5);
    }

    @ParameterizedTest
    @EnumSource(SpinlockQueue.class)
    void shouldServeEverybodyOnceUnderEveryRule(SpinlockQueue rule) {
        for (int shuffleOneIn : new int[] {SURELY, 2, NEVER}) {
            LockQueue queue = queue(shuffleOneIn, 3);
            rule.onBecomeHead(queue, 0, 0);
            rule.onWaited(queue, 1_000, 0);
            assertThat(handOvers(rule, queue, 0)).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.nobodyAside()).isTrue();
        }
    }

    /** Whatever is done to the queues, nobody is lost and nobody stands twice. */
    @Property(tries = 300)
    void shouldLoseNobody(
            @ForAll @Size(min = 1, max = 80) List<@IntRange(max = 5) Integer> steps,
            @ForAll @IntRange(min = 1, max = 4) int nodes,
            @ForAll long seed) {
        int waiters = 12;
        RandomStream random = new RandomStream(seed, "nodes");
        int[] nodeOf = new int[waiters];
        for (int waiter = 0; waiter < waiters; waiter++) {
            nodeOf[waiter] = (int) random.below(nodes);
        }
        LockQueue queue = new LockQueue(
                nodeOf,
                nodes,
                new long[nodes * nodes],
                new LockQueue.Chances(2, 3, 4),
                new RandomStream(seed, "chance"));
        Set<Integer> in = new HashSet<>();
        long now = 0;
        for (int step : steps) {
            now++;
            int taken = LockQueue.NONE;
            switch (step) {
                case 0, 1 -> {
                    int waiter = (int) random.below(waiters);
                    if (in.add(waiter)) {
                        queue.append(waiter);
                    }
                }
                case 2 -> taken = queue.takeFirst();
                case 3 -> taken = queue.takeFirstOfNodeOf((int) random.below(waiters));
                case 4 -> queue.takeBack();
                default -> {
                    queue.beginOrdering((int) random.below(waiters), now);
                    queue.orderWhileWaiting(1, now);
                }
            }
            if (taken != LockQueue.NONE) {
                assertThat(in.remove(taken))
                        .as("waiter " + taken + " was there")
                        .isTrue();
            }
            assertThat(queue.waiting()).isNotNegative();
            assertThat(queue.aside()).isNotNegative();
            assertThat(queue.waiting() + queue.aside()).isEqualTo(in.size());
        }
    }
}
