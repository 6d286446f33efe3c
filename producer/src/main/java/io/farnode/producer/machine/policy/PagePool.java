package io.farnode.producer.machine.policy;

import io.farnode.producer.machine.DataException;

/**
 * The rules of the series "page_pool: API for numa node change handling" (2019): what a receive ring does with pages of a
 * node that its CPU no longer runs on.
 */
public enum PagePool implements Policy {
    /** Before the series: a pool takes pages from the node it was made for, and takes back any page. */
    KEEP_NODE("keep-node"),

    /**
     * With it: once a poll the driver compares the pool's node with numa_mem_id() and corrects it; a page of another node
     * is not taken back but goes to the page allocator, and new ones come from the new node.
     */
    UPDATE_NID("update-nid"),

    /**
     * The optimum: every page and every completion entry is in the last-level cache beside the CPU that wants it, wherever
     * that is. No rule reaches it on a socket without the NIC; reports show it as the bound.
     */
    ALL_LOCAL("all-local");

    private final String policyName;

    PagePool(String policyName) {
        this.policyName = policyName;
    }

    /** {@return whether the driver compares the pool's node with its own, once a poll} */
    public boolean checksNode() {
        return this == UPDATE_NID;
    }

    /**
     * Whether a pool takes a page back for another packet.
     *
     * @param pageNode node of the page
     * @param poolNode node that the pool takes new pages from
     * @return whether it does; if not, the page goes to the page allocator
     */
    public boolean recycles(int pageNode, int poolNode) {
        return this != UPDATE_NID || pageNode == poolNode;
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
    public static PagePool named(String name) {
        return Policy.named(values(), name);
    }
}
