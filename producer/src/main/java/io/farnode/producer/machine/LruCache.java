package io.farnode.producer.machine;

import java.util.Arrays;

/**
 * Which of a known number of keys a fully associative cache holds: the ones used last. Sets are left out, so it is a
 * little better than a real cache of the same size. Looking up costs the same at any size and allocates nothing.
 */
public final class LruCache {
    private static final int OUT = -1;

    private final int capacity;
    /** A ring in order of use: behind the sentinel stands what was used last. */
    private final int[] next;

    private final int[] previous;
    private final int sentinel;
    private int held;
    private long hits;
    private long misses;

    /**
     * An empty cache.
     *
     * @param capacity most keys it holds; 0 = it holds none and always misses
     * @param keys keys that there are: 0 .. keys-1
     */
    public LruCache(int capacity, int keys) {
        if (capacity < 0 || keys < 0) {
            throw new IllegalArgumentException("cache of " + capacity + " for " + keys + " keys");
        }
        this.capacity = capacity;
        next = new int[keys + 1];
        previous = new int[keys + 1];
        Arrays.fill(next, OUT);
        sentinel = keys;
        next[sentinel] = sentinel;
        previous[sentinel] = sentinel;
    }

    /**
     * Looks a key up. On a miss it is taken in, in place of the one unused for longest if the cache is full.
     *
     * @param key the key
     * @return whether the cache held it
     */
    public boolean use(int key) {
        boolean hit = next[key] != OUT;
        if (hit) {
            hits++;
            unlink(key);
        } else {
            misses++;
            if (capacity == 0) {
                return false;
            }
            if (held == capacity) {
                int oldest = previous[sentinel];
                unlink(oldest);
                next[oldest] = OUT;
            } else {
                held++;
            }
        }
        int first = next[sentinel];
        next[key] = first;
        previous[key] = sentinel;
        previous[first] = key;
        next[sentinel] = key;
        return hit;
    }

    private void unlink(int key) {
        next[previous[key]] = next[key];
        previous[next[key]] = previous[key];
    }

    /** {@return look-ups that found their key, since the beginning} */
    public long hits() {
        return hits;
    }

    /** {@return look-ups that did not, since the beginning} */
    public long misses() {
        return misses;
    }
}
