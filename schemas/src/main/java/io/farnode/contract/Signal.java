package io.farnode.contract;

import io.farnode.results.Better;
import java.util.Arrays;
import java.util.Optional;

/**
 * What people ask about. Which tool's events feed a signal is decided where windows are computed; here stand the names,
 * units and directions, which never change with the tool.
 */
public enum Signal {
    /** All interrupts: vmstat {@code in} (proc/stat intr), so timer ticks and, on x86, IPIs are in it. */
    INTERRUPTS("interrupts", "1/s", Better.NEUTRAL, "all interrupts per second, clock included (vmstat in)"),
    /** Interrupts of devices: perf {@code irq:irq_handler_entry}. Another population than {@link #INTERRUPTS}. */
    INTERRUPTS_DEVICE(
            "interrupts.device", "1/s", Better.NEUTRAL, "device interrupts per second (irq:irq_handler_entry)"),
    /** Device interrupts of the busiest CPU over the mean of all CPUs: 1 = even. */
    INTERRUPT_IMBALANCE("interrupts.imbalance", "ratio", Better.DOWN, "busiest CPU over mean CPU, device interrupts"),
    /** Share of memory accesses served by another node, 0..1. */
    REMOTE_ACCESS_RATIO("remote.access.ratio", "ratio", Better.DOWN, "memory accesses served by another node, 0..1"),
    /** Operations of the workload per second; the unit names the operation. */
    THROUGHPUT("throughput", "op/s", Better.UP, "operations of the workload per second"),
    /** Context switches per second: vmstat {@code cs}, perf {@code context-switches}. */
    CONTEXT_SWITCHES("context.switches", "1/s", Better.NEUTRAL, "context switches per second"),
    /** Share of CPU time that is neither idle nor waiting for I/O, 0..1. */
    CPU_BUSY("cpu.busy", "ratio", Better.NEUTRAL, "CPU time neither idle nor waiting, 0..1"),
    /** Instructions per cycle. */
    INSTRUCTIONS_PER_CYCLE("ipc", "1/cycle", Better.UP, "instructions per cycle"),
    /** Cycles in which the front end delivered nothing, over all cycles, 0..1. */
    FRONTEND_STALLS("frontend.stall.ratio", "ratio", Better.DOWN, "front-end stalled cycles over cycles, 0..1"),
    /** Pages that a process got from another node than the one it ran on, per second (numastat other_node). */
    REMOTE_PAGES("remote.pages", "page/s", Better.DOWN, "pages allocated on another node per second");

    private final String signalName;
    private final String unit;
    private final Better better;
    private final String description;

    Signal(String signalName, String unit, Better better, String description) {
        this.signalName = signalName;
        this.unit = unit;
        this.better = better;
        this.description = description;
    }

    /** {@return the name as it stands in results and on the command line} */
    public String signalName() {
        return signalName;
    }

    /** {@return the unit; for throughput, "op" stands for the run's own unit} */
    public String unit() {
        return unit;
    }

    /** {@return which way is good} */
    public Better better() {
        return better;
    }

    /** {@return one line for people} */
    public String description() {
        return description;
    }

    /**
     * Finds a signal.
     *
     * @param name its name
     * @return the signal, or nothing
     */
    public static Optional<Signal> byName(String name) {
        return Arrays.stream(values()).filter(s -> s.signalName.equals(name)).findFirst();
    }
}
