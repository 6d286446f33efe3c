package io.farnode.producer.machine;

/** A locality-specific peripheral interrupt: one MSI vector of a device, as {@link LpiRouting} keeps it. */
public final class Lpi {
    /** The target of an LPI that is not active. */
    public static final int NO_CPU = -1;

    private final String name;
    private final int number;
    private final int its;
    private final boolean managed;
    private final int node;
    CpuSet affinity;
    boolean affinitySet;
    int target = NO_CPU;
    boolean requested;
    boolean shutDown;

    Lpi(String name, int number, int its, boolean managed, int node, CpuSet affinity) {
        this.name = name;
        this.number = number;
        this.its = its;
        this.managed = managed;
        this.node = node;
        this.affinity = affinity;
    }

    /** {@return its name, as the last column of /proc/interrupts shows it once requested} */
    public String name() {
        return name;
    }

    /** {@return its place among the interrupts of the machine; the kernel goes through them in this order} */
    public int number() {
        return number;
    }

    /** {@return the ITS it goes through} */
    public int its() {
        return its;
    }

    /** {@return whether the kernel owns its affinity, so that nobody else can write it} */
    public boolean managed() {
        return managed;
    }

    /** {@return {@code /proc/irq/N/node}; -1 if none} */
    public int node() {
        return node;
    }

    /** {@return {@code /proc/irq/N/smp_affinity_list}} */
    public CpuSet affinity() {
        return affinity;
    }

    /** {@return {@code /proc/irq/N/effective_affinity_list}: the CPU it is delivered to; {@link #NO_CPU} when not active} */
    public int target() {
        return target;
    }

    /** {@return whether it is active, and so counted} */
    public boolean active() {
        return target != NO_CPU;
    }

    /** {@return whether a driver has requested it} */
    public boolean requested() {
        return requested;
    }

    /** {@return whether it is managed and waits for a CPU of its mask to come online} */
    public boolean shutDown() {
        return shutDown;
    }

    @Override
    public String toString() {
        return name + " (" + affinity + " -> " + target + ")";
    }
}
