package io.farnode.producer.machine.policy;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.Machine;

/**
 * Where an ITS driver puts the tables that the ITS reads: the policies of "irqchip/gic-v3-its: Use NUMA aware memory
 * allocation for ITS tables" (merged in Linux 5.0).
 */
public enum ItsTables implements Policy {
    /**
     * Before: {@code __get_free_pages} and {@code kzalloc}, so a table is on the node of the CPU that maps the device, or
     * the nearest one with memory. The PCI core runs a driver's probe on a CPU of the device's node
     * (drivers/pci/pci-driver.c, pci_call_probe).
     */
    FIRST_TOUCH("first-touch") {
        @Override
        public int home(Machine machine, int its, int cpu) {
            return machine.memoryNodeFor(machine.nodeOf(cpu));
        }
    },

    /**
     * After: {@code alloc_pages_node} and {@code kzalloc_node} with the ITS's node, or the nearest one with memory; as
     * before where the firmware does not say the ITS's node.
     */
    ITS_NODE("its-node") {
        @Override
        public int home(Machine machine, int its, int cpu) {
            int node = machine.nodeOfIts(its);
            return node < 0 ? FIRST_TOUCH.home(machine, its, cpu) : machine.memoryNodeFor(node);
        }
    },

    /** The optimum: every table on the ITS's own node, with memory or without, and all other accesses local too. */
    ALL_LOCAL("all-local") {
        @Override
        public int home(Machine machine, int its, int cpu) {
            return Math.max(0, machine.nodeOfIts(its));
        }
    };

    private final String policyName;

    ItsTables(String policyName) {
        this.policyName = policyName;
    }

    /**
     * The node whose memory a new table is in.
     *
     * @param machine the machine
     * @param its number of the ITS that will read it
     * @param cpu the CPU that runs the driver when it is made
     * @return the node
     */
    public abstract int home(Machine machine, int its, int cpu);

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
    public static ItsTables named(String name) {
        return Policy.named(values(), name);
    }
}
