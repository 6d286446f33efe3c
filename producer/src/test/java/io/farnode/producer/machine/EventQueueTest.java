package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventQueueTest {
    @Test
    void shouldGiveEventsOfTheSameTimeInTheOrderOfTheirSlots() {
        EventQueue queue = new EventQueue(5);
        queue.set(3, 7);
        queue.set(1, 7);
        queue.set(4, 6);
        assertThat(queue.nextSlot()).isEqualTo(4);
        queue.clear(4);
        assertThat(queue.nextSlot()).isEqualTo(1);
        queue.clear(1);
        assertThat(queue.nextSlot()).isEqualTo(3);
        assertThat(queue.nextTime()).isEqualTo(7);
        queue.clear(3);
        assertThat(queue.nextTime()).isEqualTo(EventQueue.NEVER);
    }

    @Test
    void shouldMoveTheEventOfASlot() {
        EventQueue queue = new EventQueue(2);
        queue.set(0, 10);
        queue.set(1, 20);
        queue.set(0, 30);
        assertThat(queue.nextSlot()).isEqualTo(1);
        assertThat(queue.timeOf(0)).isEqualTo(30);
    }

    @Property(tries = 100)
    void shouldAlwaysGiveTheEarliestEvent(
            @ForAll @IntRange(min = 1, max = 300) int slots,
            @ForAll long seed,
            @ForAll @IntRange(max = 400) int steps) {
        EventQueue queue = new EventQueue(slots);
        RandomStream random = new RandomStream(seed, "test");
        TreeMap<Integer, Long> plain = new TreeMap<>();
        for (int step = 0; step < steps; step++) {
            int slot = (int) random.below(slots);
            if (random.below(4) == 0) {
                queue.clear(slot);
                plain.remove(slot);
            } else {
                long time = random.below(50);
                queue.set(slot, time);
                plain.put(slot, time);
            }
            long least =
                    plain.values().stream().mapToLong(Long::longValue).min().orElse(EventQueue.NEVER);
            assertThat(queue.nextTime()).isEqualTo(least);
            if (!plain.isEmpty()) {
                assertThat(queue.nextSlot())
                        .isEqualTo(plain.entrySet().stream()
                                .filter(e -> e.getValue() == least)
                                .findFirst()
                                .orElseThrow()
                                .getKey());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, EventQueue.MAX_SLOTS + 1})
    void shouldRefuseNoneAndTooManySlots(int slots) {
        assertThatThrownBy(() -> new EventQueue(slots)).hasMessage(slots + " slots: must be 1 to 4096");
    }
}
