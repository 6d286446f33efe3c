package io.farnode.producer.machine.policy;

import io.farnode.producer.machine.DataException;

/**
 * The rules of "iommu/dma: Use NUMA aware memory allocations in __iommu_dma_alloc_pages()" (2018): on which node memory
 * lies that CPU and device share for good (dma_alloc_coherent behind an IOMMU). Data that is mapped for one transfer
 * (dma_map_sg, dma_map_single) stays where it is under all of them.
 */
public enum DmaPlacement implements Policy {
    /** Before the patch: alloc_pages, so the node of the CPU that allocates. */
    CALLER_NODE("caller-node"),

    /** With it: alloc_pages_node(dev_to_node(dev)), as dma_alloc_coherent does without an IOMMU. */
    DEVICE_NODE("device-node"),

    /**
     * The optimum: what the device reads is near the device and what a CPU reads or writes is near the CPU. The same
     * memory cannot be both when they are apart; reports show it as the bound.
     */
    ALL_LOCAL("all-local");

    private final String policyName;

    DmaPlacement(String policyName) {
        this.policyName = policyName;
    }

    /**
     * The node that is asked for memory.
     *
     * @param callerNode node of the CPU that allocates
     * @param deviceNode node of the device; -1 = the firmware says none (NUMA_NO_NODE)
     * @return the node to take it from, if that has memory
     */
    public int home(int callerNode, int deviceNode) {
        return this == CALLER_NODE || deviceNode < 0 ? callerNode : deviceNode;
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
    public static DmaPlacement named(String name) {
        return Policy.named(values(), name);
    }
}
