package io.farnode.producer.machine;

import java.util.Arrays;

/**
 * The event core: which actor of the machine acts next, and when. Each actor (a CPU, a queue of a device, a timer) has a
 * slot and at most one event to come, so the queue is a tournament over the slots: setting, moving or clearing an event
 * costs one minimum per level, finding the next one costs nothing, and nothing is allocated.
 *
 * <p>Events at the same time come in the order of their slots, so a run does not depend on how it came to be scheduled.
 */
public final class EventQueue {
    /** The time of a slot without event. */
    public static final long NEVER = Long.MAX_VALUE >> 12;

    /** Most slots a queue can have. */
    public static final int MAX_SLOTS = 1 << 12;

    private static final int SLOT_BITS = 12;
    private static final int SLOT_MASK = MAX_SLOTS - 1;
    private static final long NONE = Long.MAX_VALUE;

    /** A complete binary tree of (time, slot) packed into one number; the leaves begin at {@link #leaves}. */
    private final long[] tree;

    private final int leaves;

    /**
     * A queue without events.
     *
     * @param slots how many actors there are, 1..{@link #MAX_SLOTS}
     */
    public EventQueue(int slots) {
        if (slots < 1 || slots > MAX_SLOTS) {
            throw new IllegalArgumentException(slots + " slots: must be 1 to " + MAX_SLOTS);
        }
        leaves = Math.max(2, Integer.highestOneBit(Math.max(1, slots - 1)) << 1);
        tree = new long[2 * leaves];
        Arrays.fill(tree, NONE);
    }

    /**
     * Sets the event of a slot, in place of the one it may have.
     *
     * @param slot the slot
     * @param time when it acts, ns, 0 or more and below {@link #NEVER}
     */
    public void set(int slot, long time) {
        put(slot, time << SLOT_BITS | slot);
    }

    /**
     * Takes the event of a slot away, if it has one.
     *
     * @param slot the slot
     */
    public void clear(int slot) {
        put(slot, NONE);
    }

    private void put(int slot, long key) {
        long[] keys = tree;
        int at = leaves + slot;
        keys[at] = key;
        long least = key;
        while (at > 1) {
            least = Math.min(least, keys[at ^ 1]);
            at >>= 1;
            if (keys[at] == least) {
                return;
            }
            keys[at] = least;
        }
    }

    /** {@return the slot whose event comes next; meaningless if {@link #nextTime()} is {@link #NEVER}} */
    public int nextSlot() {
        return (int) tree[1] & SLOT_MASK;
    }

    /** {@return the time of the next event; {@link #NEVER} if there is none} */
    public long nextTime() {
        return tree[1] >> SLOT_BITS;
    }

    /**
     * The time of a slot's event.
     *
     * @param slot the slot
     * @return its time; {@link #NEVER} if it has none
     */
    public long timeOf(int slot) {
        return tree[leaves + slot] >> SLOT_BITS;
    }
}
