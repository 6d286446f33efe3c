package io.farnode.producer.machine.workload;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What happened on the machine in one interval, before any tool has printed it: a {@link Workload} fills it in,
 * {@link SimulatedRun} turns it into samples. Counts by CPU or node are taken over, not kept by reference.
 */
final class Interval {
    /** numastat's counts of a node, in its own order. */
    enum Pages {
        /** Wanted from this node and got. */
        NUMA_HIT,
        /** Got from this node though another was wanted. */
        NUMA_MISS,
        /** Wanted from this node, got from another. */
        NUMA_FOREIGN,
        /** Got from this node by something that ran on it. */
        LOCAL_NODE,
        /** Got from this node by something that ran on another. */
        OTHER_NODE
    }

    private final int cpus;
    private final int nodes;
    private final long[] busyNanos;
    private final long[] idleNanos;
    private final long[] interrupts;
    private final long[] ticks;
    private final long[] switches;
    private final long[] cpuLines;
    private final long[] deviceLines;
    private final long[] pages;
    private final Map<String, long[]> events = new LinkedHashMap<>();
    private final Map<String, long[]> nodeEvents = new LinkedHashMap<>();
    private final Map<String, Count> counts = new LinkedHashMap<>();

    private long userNanos;
    private long waitNanos;
    private int runnable;
    private int blocked;
    private long blockInKib;
    private long blockOutKib;
    private long operations;

    /** A count of the workload beside its operations. */
    record Count(String unit, long value) {}

    /**
     * An empty one.
     *
     * @param cpus CPUs of the machine
     * @param nodes nodes of the machine
     */
    Interval(int cpus, int nodes) {
        this.cpus = cpus;
        this.nodes = nodes;
        busyNanos = new long[cpus];
        idleNanos = new long[cpus];
        interrupts = new long[cpus];
        ticks = new long[cpus];
        switches = new long[cpus];
        cpuLines = new long[nodes * nodes];
        deviceLines = new long[nodes * nodes];
        pages = new long[nodes * Pages.values().length];
    }

    /** Forgets what was said, but not which events there are: an event that did not happen is printed as 0. */
    void clear() {
        for (long[] sums :
                new long[][] {busyNanos, idleNanos, interrupts, ticks, switches, cpuLines, deviceLines, pages}) {
            Arrays.fill(sums, 0);
        }
        events.values().forEach(sums -> Arrays.fill(sums, 0));
        nodeEvents.values().forEach(sums -> Arrays.fill(sums, 0));
        counts.replaceAll((name, count) -> new Count(count.unit, 0));
        userNanos = 0;
        waitNanos = 0;
        runnable = 0;
        blocked = 0;
        blockInKib = 0;
        blockOutKib = 0;
        operations = 0;
    }

    /**
     * CPU time. What is busy and not user is system; what is idle and not waiting is idle.
     *
     * @param busy time in which a CPU did something, by CPU, ns
     * @param idle the rest of the interval, by CPU, ns
     * @param user part of the busy time of all CPUs in user mode, ns
     * @param wait part of the idle time of all CPUs in which a task of theirs waits for a disk, ns
     */
    void time(long[] busy, long[] idle, long user, long wait) {
        System.arraycopy(busy, 0, busyNanos, 0, cpus);
        System.arraycopy(idle, 0, idleNanos, 0, cpus);
        userNanos = user;
        waitNanos = wait;
    }

    /**
     * Tasks at the end of the interval.
     *
     * @param running those that run or could run
     * @param waiting those that wait for a disk
     */
    void tasks(int running, int waiting) {
        runnable = running;
        blocked = waiting;
    }

    /**
     * Interrupts handled.
     *
     * @param devices those of devices, by CPU
     * @param timer those of the timer, by CPU
     */
    void interrupts(long[] devices, long[] timer) {
        System.arraycopy(devices, 0, interrupts, 0, cpus);
        System.arraycopy(timer, 0, ticks, 0, cpus);
    }

    /**
     * Context switches.
     *
     * @param byCpu by CPU
     */
    void switches(long[] byCpu) {
        System.arraycopy(byCpu, 0, switches, 0, cpus);
    }

    /**
     * What block devices moved.
     *
     * @param inKib read, KiB
     * @param outKib written, KiB
     */
    void blocks(long inKib, long outKib) {
        blockInKib = inKib;
        blockOutKib = outKib;
    }

    /**
     * An event that perf counts by CPU. It must be said in every interval in the same order as in the first.
     *
     * @param name as {@code perf list} names it
     * @param byCpu how often it happened, by CPU
     */
    void event(String name, long[] byCpu) {
        System.arraycopy(byCpu, 0, events.computeIfAbsent(name, any -> new long[cpus]), 0, cpus);
    }

    /**
     * An event of units outside the CPUs that perf counts by node. It must be said in every interval in the same order as
     * in the first.
     *
     * @param name as {@code perf list} names it
     * @param byNode how often it happened, by node
     */
    void nodeEvent(String name, long[] byNode) {
        System.arraycopy(byNode, 0, nodeEvents.computeIfAbsent(name, any -> new long[nodes]), 0, nodes);
    }

    /**
     * Cache lines that CPUs read or wrote in memory or took from another CPU. Adds up.
     *
     * @param from node of the CPU
     * @param home node of the memory
     * @param lines how many
     */
    void cpuAccesses(int from, int home, long lines) {
        cpuLines[from * nodes + home] += lines;
    }

    /**
     * Cache lines that devices (an ITS among them) read or wrote in memory. Adds up.
     *
     * @param from node of the device
     * @param home node of the memory
     * @param lines how many
     */
    void deviceAccesses(int from, int home, long lines) {
        deviceLines[from * nodes + home] += lines;
    }

    /**
     * Pages taken from the page allocator. Adds up.
     *
     * @param ran node of the CPU that took them
     * @param wanted node that was asked for
     * @param got node they came from
     * @param count how many
     */
    void pages(int ran, int wanted, int got, long count) {
        if (got == wanted) {
            pages[at(Pages.NUMA_HIT, got)] += count;
        } else {
            pages[at(Pages.NUMA_MISS, got)] += count;
            pages[at(Pages.NUMA_FOREIGN, wanted)] += count;
        }
        pages[at(got == ran ? Pages.LOCAL_NODE : Pages.OTHER_NODE, got)] += count;
    }

    private int at(Pages kind, int node) {
        return kind.ordinal() * nodes + node;
    }

    /**
     * Operations of the workload.
     *
     * @param done how many were finished
     */
    void operations(long done) {
        operations = done;
    }

    /**
     * Something else that the workload's own report counts.
     *
     * @param name what, such as {@code transferred}
     * @param unit its unit, such as {@code B}
     * @param value how much
     */
    void count(String name, String unit, long value) {
        counts.put(name, new Count(unit, value));
    }

    /** {@return busy time by CPU, ns} */
    long[] busyNanos() {
        return busyNanos;
    }

    /** {@return idle time by CPU, ns} */
    long[] idleNanos() {
        return idleNanos;
    }

    /** {@return user time of all CPUs, ns} */
    long userNanos() {
        return userNanos;
    }

    /** {@return waiting time of all CPUs, ns} */
    long waitNanos() {
        return waitNanos;
    }

    /** {@return tasks that run or could run} */
    int runnable() {
        return runnable;
    }

    /** {@return tasks that wait for a disk} */
    int blocked() {
        return blocked;
    }

    /** {@return interrupts of devices by CPU} */
    long[] interrupts() {
        return interrupts;
    }

    /** {@return interrupts of the timer by CPU} */
    long[] ticks() {
        return ticks;
    }

    /** {@return context switches by CPU} */
    long[] switches() {
        return switches;
    }

    /** {@return KiB read} */
    long blockInKib() {
        return blockInKib;
    }

    /** {@return KiB written} */
    long blockOutKib() {
        return blockOutKib;
    }

    /** {@return the events by CPU, by name} */
    Map<String, long[]> events() {
        return events;
    }

    /** {@return the events by node, by name} */
    Map<String, long[]> nodeEvents() {
        return nodeEvents;
    }

    /**
     * Cache lines that CPUs asked for.
     *
     * @param from node of the CPU
     * @param home node of the memory
     * @return how many
     */
    long cpuLines(int from, int home) {
        return cpuLines[from * nodes + home];
    }

    /**
     * Cache lines that anything asked for, CPU or device.
     *
     * @param from node of what asked
     * @param home node of the memory
     * @return how many
     */
    long lines(int from, int home) {
        return cpuLines[from * nodes + home] + deviceLines[from * nodes + home];
    }

    /** {@return cache lines that anything asked for, local and remote} */
    long allAccesses() {
        return Arrays.stream(cpuLines).sum() + Arrays.stream(deviceLines).sum();
    }

    /**
     * Pages as numastat counts them.
     *
     * @param kind the count
     * @param node the node
     * @return how many
     */
    long pages(Pages kind, int node) {
        return pages[at(kind, node)];
    }

    /** {@return operations finished} */
    long operations() {
        return operations;
    }

    /** {@return what else the workload counts, by name} */
    Map<String, Count> counts() {
        return counts;
    }
}
