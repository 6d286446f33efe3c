package io.farnode.producer.machine.policy;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.LockHandOverRule;
import io.farnode.producer.machine.LockQueue;

/**
 * Who gets a queued spinlock next: the kernel's own rule, the compact NUMA-aware one (CNA) of the series "Add
 * NUMA-awareness to qspinlock" as version 2 (2019) and as version 15 (2021) had it, and the optimum that no rule can reach.
 */
public enum SpinlockQueue implements LockHandOverRule, Policy {
    /** The kernel as it is (kernel/locking/qspinlock.c): first come, first served. */
    MCS("mcs") {
        @Override
        public int onHandOff(LockQueue queue, int holder) {
            return queue.takeFirst();
        }
    },

    /**
     * Versions 2 to 4: on making another waiter head, its holder looks for the first of its own node and sets those before
     * it aside. While nobody is set aside it does so once in 128 times only, at random; once in 65,536 times, or when
     * nobody of its node waits, those set aside go first again.
     */
    CNA_V2("cna-v2") {
        @Override
        public int onHandOff(LockQueue queue, int holder) {
            if (queue.isEmpty() || queue.nobodyAside() && !queue.shuffles()) {
                queue.takeBack();
                return queue.takeFirst();
            }
            if (!queue.flushesByChance()) {
                int local = queue.takeFirstOfNodeOf(holder);
                if (local != LockQueue.NONE) {
                    return local;
                }
            }
            queue.takeBack();
            return queue.takeFirst();
        }
    },

    /**
     * Version 15: the head orders the queue while it waits for the lock, so that the holder is not delayed, and the
     * preferred node stays the same until those set aside have waited for the flush time.
     */
    CNA_V15("cna-v15") {
        @Override
        public void onBecomeHead(LockQueue queue, int head, long now) {
            queue.beginOrdering(head, now);
        }

        @Override
        public void onWaited(LockQueue queue, long waited, long now) {
            queue.orderWhileWaiting(waited, now);
        }

        @Override
        public int onHandOff(LockQueue queue, int holder) {
            if (queue.isEmpty() || queue.flushing()) {
                queue.takeBack();
            }
            return queue.takeFirst();
        }
    },

    /** The optimum: first come, first served, and every hand-over costs what one inside a node does. */
    ALL_LOCAL("all-local") {
        @Override
        public int onHandOff(LockQueue queue, int holder) {
            return queue.takeFirst();
        }
    };

    private final String policyName;

    SpinlockQueue(String policyName) {
        this.policyName = policyName;
    }

    @Override
    public String policyName() {
        return policyName;
    }

    @Override
    public boolean allLocal() {
        return this == ALL_LOCAL;
    }

    /**
     * Finds a policy.
     *
     * @param name its name
     * @return the policy
     * @throws DataException if there is none of that name; the message lists those there are
     */
    public static SpinlockQueue named(String name) {
        return Policy.named(values(), name);
    }
}
