package io.farnode.producer.machine.policy;

import io.farnode.producer.machine.CpuSet;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.LpiTargetRule;

/**
 * The policies of the series "irqchip/gic-v3-its: Balance LPI affinity across CPUs" (2020): what the ITS driver did before
 * it, what the merged version 4 does, what its version 3 did, and the optimum that no such rule can reach.
 */
public enum LpiBalance implements LpiTargetRule, Policy {
    /**
     * Before the series: an LPI is activated on the first online CPU of the ITS's node, and an affinity sends it to the
     * first CPU of the mask that is online. Drives with the same masks so send their interrupts to the same CPUs.
     */
    FIRST_CPU("first-cpu") {
        @Override
        public int onActivate(Choice choice) {
            int cpu = choice.nodeCpus() == null
                    ? choice.online().first()
                    : choice.nodeCpus().and(choice.online()).first();
            return cpu >= 0 ? cpu : choice.online().first();
        }

        @Override
        public int onSetAffinity(Choice choice) {
            return choice.mask().and(choice.online()).first();
        }
    },

    /**
     * Version 4, merged in Linux 5.8: the CPU with the fewest LPIs of the same kind, the lowest number on ties. A managed
     * LPI searches its mask. Another one searches what its mask and the ITS's node share; if that is empty, its mask; if
     * none of that is online, all online CPUs.
     */
    LEAST_LOADED("least-loaded") {
        @Override
        public int onActivate(Choice choice) {
            return select(choice, false);
        }

        @Override
        public int onSetAffinity(Choice choice) {
            return select(choice, false);
        }
    },

    /**
     * Version 3 as posted: as version 4, but an LPI still counts on its old CPU while the new one is chosen, so setting the
     * affinity it already has may move it; and one whose mask does not meet the ITS's node may go anywhere on that node.
     */
    LEAST_LOADED_V3("least-loaded-v3") {
        @Override
        public int onActivate(Choice choice) {
            return select(choice, true);
        }

        @Override
        public int onSetAffinity(Choice choice) {
            return select(choice, true);
        }

        @Override
        public boolean countsOldTarget() {
            return true;
        }
    },

    /**
     * The optimum: each CPU has its own queue on each drive, in its own node's memory, and is interrupted only for what it
     * submitted itself. No kernel can do this with fewer queues than CPUs; reports show it as the bound.
     */
    ALL_LOCAL("all-local") {
        @Override
        public int onActivate(Choice choice) {
            return LEAST_LOADED.onActivate(choice);
        }

        @Override
        public int onSetAffinity(Choice choice) {
            return LEAST_LOADED.onSetAffinity(choice);
        }
    };

    private final String policyName;

    LpiBalance(String policyName) {
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
    public static LpiBalance named(String name) {
        return Policy.named(values(), name);
    }

    /** its_select_cpu: where to search, and the least loaded there. */
    private static int select(Choice choice, boolean wholeNodeIfApart) {
        if (choice.managed()) {
            return leastLoaded(choice, choice.mask().and(choice.online()));
        }
        if (choice.nodeCpus() != null) {
            CpuSet node = choice.nodeCpus().and(choice.online());
            CpuSet near = node.and(choice.mask());
            if (near.isEmpty() && wholeNodeIfApart) {
                near = node;
            }
            if (!near.isEmpty()) {
                return leastLoaded(choice, near);
            }
        }
        CpuSet asked = choice.mask().and(choice.online());
        return leastLoaded(choice, asked.isEmpty() ? choice.online() : asked);
    }

    private static int leastLoaded(Choice choice, CpuSet search) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int cpu = search.first(); cpu >= 0; cpu = search.next(cpu)) {
            int count = choice.count().applyAsInt(cpu);
            if (count < least) {
                least = count;
                best = cpu;
            }
        }
        return best;
    }
}
