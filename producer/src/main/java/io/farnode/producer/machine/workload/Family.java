package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.policy.DmaPlacement;
import io.farnode.producer.machine.policy.ItsTables;
import io.farnode.producer.machine.policy.LpiBalance;
import io.farnode.producer.machine.policy.PagePool;
import io.farnode.producer.machine.policy.Policy;
import io.farnode.producer.machine.policy.SpinlockQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The index of the families: what a scenario's {@code family} can be. A family is a kernel mechanism with the rules that
 * compete for it and the load that shows their difference. To add one, add a line here and a {@code NAME.scenario} that
 * holds every parameter of it.
 */
public enum Family {
    /** Which CPU each queue of an NVMe drive interrupts. */
    LPI_BALANCE("lpi-balance", LpiBalance.values(), "lpi-balance-small") {
        @Override
        Workload workload(Machine machine, String policy, DataFile settings) {
            return new NvmeReads(machine, LpiBalance.named(policy), settings);
        }
    },

    /** Which node the tables of an ITS are on. */
    ITS_TABLES("its-tables", ItsTables.values(), "its-tables-cached", "its-tables-small") {
        @Override
        Workload workload(Machine machine, String policy, DataFile settings) {
            return new WebRequests(machine, ItsTables.named(policy), settings);
        }
    },

    /** Which node the memory lies on that a device behind an IOMMU shares with CPUs. */
    DMA_PLACEMENT("dma-placement", DmaPlacement.values(), "dma-placement-near", "dma-placement-far") {
        @Override
        Workload workload(Machine machine, String policy, DataFile settings) {
            return new CryptoRequests(machine, DmaPlacement.named(policy), settings);
        }
    },

    /** Whose pages a receive ring goes on with when its interrupt has moved to another node. */
    PAGE_POOL(
            "page-pool", PagePool.values(), "page-pool-tx", "page-pool-tcp", "page-pool-tcp-12", "page-pool-migrate") {
        @Override
        Workload workload(Machine machine, String policy, DataFile settings) {
            return new ReceiveRings(machine, PagePool.named(policy), settings);
        }
    },

    /** Who gets a contended spinlock next. */
    SPINLOCK(
            "spinlock",
            SpinlockQueue.values(),
            "spinlock-open-storm",
            "spinlock-open-storm-kunpeng",
            "spinlock-nginx",
            "spinlock-small") {
        @Override
        Workload workload(Machine machine, String policy, DataFile settings) {
            return new ContendedLock(machine, SpinlockQueue.named(policy), settings);
        }
    };

    private final String familyName;
    private final Policy[] policies;
    private final List<String> variants;

    Family(String familyName, Policy[] policies, String... variants) {
        this.familyName = familyName;
        this.policies = policies;
        this.variants = List.of(variants);
    }

    /**
     * Switches a machine on that does this family's work.
     *
     * @param machine the machine
     * @param policy name of the policy
     * @param settings the scenario's parameters
     * @return the machine at work
     * @throws DataException if there is no such policy, a parameter is missing or wrong, or all this does not fit the
     *     machine; the message names field and value
     */
    abstract Workload workload(Machine machine, String policy, DataFile settings);

    /**
     * Finds the family of a scenario.
     *
     * @param settings the scenario's parameters
     * @return the family its {@code family} names
     * @throws DataException if there is none of that name; the message lists those there are
     */
    static Family of(DataFile settings) {
        String name = settings.text("family");
        return Arrays.stream(values())
                .filter(family -> family.familyName.equals(name))
                .findFirst()
                .orElseThrow(() -> settings.wrong(
                        "family",
                        "a known family: "
                                + Arrays.stream(values())
                                        .map(Family::familyName)
                                        .collect(Collectors.joining(", "))));
    }

    /** {@return the name in scenarios} */
    public String familyName() {
        return familyName;
    }

    /** {@return the names of its policies, the unreachable optimum last} */
    public List<String> policies() {
        return Policy.names(policies);
    }

    /**
     * {@return the names of the bundled scenarios of this family} The first is named as the family and holds all its
     * parameters; the others say only what differs.
     */
    public List<String> scenarios() {
        List<String> names = new ArrayList<>(List.of(familyName));
        names.addAll(variants);
        return List.copyOf(names);
    }

    /** {@return all its parameters with their defaults and their origin, baseline and candidate among them} */
    public DataFile defaults() {
        return DataFile.bundled(Family.class, familyName + ".scenario");
    }

    /**
     * Checks that a name is one of this family's policies.
     *
     * @param policy the name
     * @throws DataException if it is not; the message lists those there are
     */
    void requirePolicy(String policy) {
        Policy.named(policies, policy);
    }
}
