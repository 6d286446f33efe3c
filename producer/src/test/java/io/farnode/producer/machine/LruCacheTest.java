package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LruCacheTest {
    @Test
    void shouldDropWhatWasUnusedForLongest() {
        LruCache cache = new LruCache(2, 3);
        assertThat(cache.use(0)).isFalse();
        assertThat(cache.use(1)).isFalse();
        assertThat(cache.use(0)).isTrue();
        assertThat(cache.use(2)).as("takes the place of 1").isFalse();
        assertThat(cache.use(0)).isTrue();
        assertThat(cache.use(1)).isFalse();
        assertThat(cache.hits()).isEqualTo(2);
        assertThat(cache.misses()).isEqualTo(4);
    }

    @Test
    void shouldAlwaysMissWithoutRoom() {
        LruCache cache = new LruCache(0, 4);
        for (int i = 0; i < 8; i++) {
            assertThat(cache.use(i % 4)).isFalse();
        }
        assertThat(cache.misses()).isEqualTo(8);
    }

    @Test
    void shouldMissEveryTimeWhenOneKeyTooManyIsUsedInTurn() {
        LruCache cache = new LruCache(7, 8);
        for (int i = 0; i < 80; i++) {
            assertThat(cache.use(i % 8)).isFalse();
        }
    }

    @Test
    void shouldRefuseImpossibleSizes() {
        assertThatThrownBy(() -> new LruCache(-1, 1)).hasMessage("cache of -1 for 1 keys");
    }

    /** The reference is the JDK's map in order of access, cut to the same size. */
    @Property(tries = 200)
    void shouldHoldWhatAMapInOrderOfAccessHolds(
            @ForAll @IntRange(max = 6) int capacity, @ForAll List<@IntRange(max = 9) Integer> keys) {
        LruCache cache = new LruCache(capacity, 10);
        Map<Integer, Boolean> reference = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
                return size() > capacity;
            }
        };
        for (int key : keys) {
            boolean held = reference.get(key) != null;
            reference.put(key, true);
            assertThat(cache.use(key)).isEqualTo(held);
        }
        assertThat(cache.hits() + cache.misses()).isEqualTo(keys.size());
    }
}
