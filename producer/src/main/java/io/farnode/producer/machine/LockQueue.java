package io.farnode.producer.machine;

import java.util.Arrays;

/**
 * The waiters behind the head of a queued spinlock: a main queue, and the secondary queue that NUMA-aware rules set waiters
 * of other nodes aside in. Waiters are numbers from 0; each stands in one of the two queues or in none. Nothing is
 * allocated once it is made.
 */
public final class LockQueue {
    /** No waiter. */
    public static final int NONE = -1;

    private final int[] nodeOf;
    private final int nodes;
    private final long[] lineNanos;
    private final long[] visits;
    private final RandomStream random;
    private final int shuffleOneIn;
    private final int flushOneIn;
    private final long flushNanos;
    private final int[] next;

    private int first = NONE;
    private int last = NONE;
    private int asideFirst = NONE;
    private int asideLast = NONE;
    private long asideSince;
    private int preferredNode;
    private boolean ordering;
    private boolean flushing;
    private long scanNanos;

    /**
     * When a NUMA-aware rule sets waiters aside, and when it takes them back.
     *
     * @param shuffleOneIn while nobody is set aside, one hand-over in so many looks for waiters to set aside
     * @param flushOneIn with somebody set aside, one hand-over in so many takes them back; rules before version 5
     * @param flushNanos how long waiters may stay set aside, ns; rules from version 11 on
     */
    public record Chances(int shuffleOneIn, int flushOneIn, long flushNanos) {}

    /**
     * Empty queues.
     *
     * @param nodeOf the node of each waiter
     * @param nodes how many nodes there are
     * @param lineNanos what it takes to read a waiter's line, by node of the reader times nodes plus node of the waiter,
     *     ns; kept by reference, so that its owner can change it
     * @param chances when waiters are set aside and taken back
     * @param random its random numbers
     */
    public LockQueue(int[] nodeOf, int nodes, long[] lineNanos, Chances chances, RandomStream random) {
        this.nodeOf = nodeOf.clone();
        this.nodes = nodes;
        this.lineNanos = lineNanos;
        this.visits = new long[nodes * nodes];
        this.random = random;
        this.shuffleOneIn = chances.shuffleOneIn();
        this.flushOneIn = chances.flushOneIn();
        this.flushNanos = chances.flushNanos();
        next = new int[nodeOf.length];
        Arrays.fill(next, NONE);
    }

    /**
     * A waiter comes to the end of the main queue.
     *
     * @param waiter the waiter; stands in no queue
     */
    public void append(int waiter) {
        next[waiter] = NONE;
        if (first == NONE) {
            first = waiter;
        } else {
            next[last] = waiter;
        }
        last = waiter;
    }

    /** {@return whether nobody stands in the main queue} */
    public boolean isEmpty() {
        return first == NONE;
    }

    /** {@return whether nobody is set aside} */
    public boolean nobodyAside() {
        return asideFirst == NONE;
    }

    /** {@return the first of the main queue, taken out of it; {@link #NONE} if it is empty} */
    public int takeFirst() {
        int waiter = first;
        if (waiter != NONE) {
            first = next[waiter];
            if (first == NONE) {
                last = NONE;
            }
        }
        return waiter;
    }

    /** Puts those set aside, in their order, before the main queue; they are set aside no longer. */
    public void takeBack() {
        if (asideFirst != NONE) {
            next[asideLast] = first;
            first = asideFirst;
            if (last == NONE) {
                last = asideLast;
            }
            asideFirst = NONE;
            asideLast = NONE;
        }
    }

    /**
     * The first of the main queue that is of the holder's node, taken out; those before it are set aside. The holder pays
     * for reading the line of everyone it passes. If there is none of its node, all stay where they are.
     *
     * @param holder who looks
     * @return the waiter; {@link #NONE} if there is none
     */
    public int takeFirstOfNodeOf(int holder) {
        int node = nodeOf[holder];
        int before = NONE;
        int waiter = first;
        while (waiter != NONE && nodeOf[waiter] != node) {
            scanNanos += visit(node, waiter);
            before = waiter;
            waiter = next[waiter];
        }
        if (waiter == NONE || before == NONE) {
            return waiter == NONE ? NONE : takeFirst();
        }
        if (asideFirst == NONE) {
            asideFirst = first;
        } else {
            next[asideLast] = first;
        }
        asideLast = before;
        next[before] = NONE;
        first = waiter;
        return takeFirst();
    }

    /**
     * Prepares {@link #orderWhileWaiting}: decides whether the head orders the queue at all, for which node, and whether
     * those set aside have waited too long.
     *
     * @param head the head
     * @param now simulated time, ns
     */
    public void beginOrdering(int head, long now) {
        boolean aside = asideFirst != NONE;
        if (!aside) {
            preferredNode = nodeOf[head];
        }
        flushing = aside && now - asideSince > flushNanos;
        ordering = !flushing && (aside || shuffles());
    }

    /**
     * What a head does while the lock is busy: sets the first of the main queue aside as long as it is of another node than
     * the preferred one and somebody stands behind it. A step once begun is finished, so the last one can delay the
     * hand-over; that counts in {@link #scanNanos()}.
     *
     * @param waited how long the lock was busy, ns
     * @param now simulated time, ns
     */
    public void orderWhileWaiting(long waited, long now) {
        if (!ordering) {
            return;
        }
        long spent = 0;
        while (spent < waited && first != NONE && nodeOf[first] != preferredNode && next[first] != NONE) {
            int waiter = first;
            spent += visit(preferredNode, waiter);
            first = next[waiter];
            next[waiter] = NONE;
            if (asideFirst == NONE) {
                asideFirst = waiter;
                asideSince = now;
            } else {
                next[asideLast] = waiter;
            }
            asideLast = waiter;
        }
        scanNanos += Math.max(0, spent - waited);
    }

    /** {@return whether the head found that those set aside have waited too long} */
    public boolean flushing() {
        return flushing;
    }

    private long visit(int node, int waiter) {
        int pair = node * nodes + nodeOf[waiter];
        visits[pair]++;
        return lineNanos[pair];
    }

    /** {@return whether this hand-over looks for waiters to set aside though nobody is; true once in a while, at random} */
    public boolean shuffles() {
        return random.oneIn(shuffleOneIn);
    }

    /** {@return whether this hand-over takes those set aside back; true once in a while, at random} */
    public boolean flushesByChance() {
        return random.oneIn(flushOneIn);
    }

    /** {@return time since the last call by which looking at waiters has delayed hand-overs, ns} */
    public long scanNanos() {
        long nanos = scanNanos;
        scanNanos = 0;
        return nanos;
    }

    /**
     * Lines of waiters that were read to look at their node, since the beginning.
     *
     * @param from node of the reader
     * @param to node of the waiter
     * @return how many
     */
    public long visits(int from, int to) {
        return visits[from * nodes + to];
    }

    /** {@return how many wait in the main queue, counted one by one} */
    public int waiting() {
        return length(first, last);
    }

    /** {@return how many are set aside, counted one by one} */
    public int aside() {
        return length(asideFirst, asideLast);
    }

    /** {@return length of a chain; -1 if it does not end where it should} */
    private int length(int head, int tail) {
        int count = 0;
        int end = NONE;
        for (int waiter = head; waiter != NONE && count <= next.length; waiter = next[waiter]) {
            count++;
            end = waiter;
        }
        return end == tail ? count : NONE;
    }
}
