package io.farnode.producer.machine;

/**
 * How the queue of a spinlock is ordered: the part of {@code queued_spin_lock_slowpath} that kernels differ in. A lock has
 * one holder; one waiter, the head, waits for the lock word; the others stand in a {@link LockQueue} behind it and wait for
 * their turn as head.
 */
public interface LockHandOverRule {
    /**
     * A waiter has become head and begins to wait for the lock word.
     *
     * @param queue those behind it
     * @param head the waiter
     * @param now simulated time, ns
     */
    default void onBecomeHead(LockQueue queue, int head, long now) {}

    /**
     * The lock word is free, the head's wait is over. Here a rule does what the head did meanwhile.
     *
     * @param queue those behind it
     * @param waited how long it was head while the lock was busy, ns; what takes longer counts in
     *     {@link LockQueue#scanNanos()}
     * @param now simulated time, ns
     */
    default void onWaited(LockQueue queue, long waited, long now) {}

    /**
     * The head has taken the lock and makes another waiter head. What that takes delays the holder; it counts in
     * {@link LockQueue#scanNanos()}.
     *
     * @param queue those behind it; the new head is taken out
     * @param holder the one that has taken the lock
     * @return the new head; {@link LockQueue#NONE} if nobody waits, in neither queue
     */
    int onHandOff(LockQueue queue, int holder);
}
