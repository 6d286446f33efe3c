package io.farnode.streams.metrics;

import io.farnode.contract.Signal;

/**
 * Every meter farnode exposes, by the name Prometheus shows. Dashboards and alert rules are checked against these.
 *
 * <p>{@code numa_window_*} are rates and ratios in the machine's own time, taken from the last closed window of a run; they
 * stay right at any replay speed. Counters count what the pipeline does, in wall time.
 */
public enum MeterNames {
    /** All interrupts per second. */
    WINDOW_INTERRUPTS(
            "numa_window_interrupts_per_second",
            "All interrupts per second of event time in the run's last closed window (signal interrupts)."),
    /** Device interrupts per second. */
    WINDOW_DEVICE_INTERRUPTS(
            "numa_window_device_interrupts_per_second",
            "Device interrupts per second of event time in the run's last closed window (signal interrupts.device)."),
    /** Interrupt imbalance. */
    WINDOW_INTERRUPT_IMBALANCE(
            "numa_window_interrupt_imbalance_ratio",
            "Device interrupts of the busiest CPU over those of the mean CPU; 1 = even, lower is better."),
    /** Remote-access ratio. */
    WINDOW_REMOTE_ACCESS(
            "numa_window_remote_access_ratio",
            "Share of memory accesses served by another node, 0 to 1, in the run's last closed window; lower is better."),
    /** Throughput. */
    WINDOW_THROUGHPUT(
            "numa_window_throughput_operations_per_second",
            "Operations of the workload per second of event time in the run's last closed window; higher is better."),
    /** Context switches per second. */
    WINDOW_CONTEXT_SWITCHES(
            "numa_window_context_switches_per_second",
            "Context switches per second of event time in the run's last closed window."),
    /** CPU time used. */
    WINDOW_CPU_BUSY(
            "numa_window_cpu_busy_ratio",
            "Share of CPU time neither idle nor waiting for I/O, 0 to 1, in the run's last closed window."),
    /** Instructions per cycle. */
    WINDOW_INSTRUCTIONS_PER_CYCLE(
            "numa_window_instructions_per_cycle_ratio",
            "Instructions per cycle in the run's last closed window; higher is better."),
    /** Front-end stalls. */
    WINDOW_FRONTEND_STALLS(
            "numa_window_frontend_stall_ratio",
            "Front-end stalled cycles over all cycles, 0 to 1, in the run's last closed window; lower is better."),
    /** Remote pages per second. */
    WINDOW_REMOTE_PAGES(
            "numa_window_remote_pages_per_second",
            "Pages allocated on another node per second of event time in the run's last closed window; lower is better."),
    /** Coverage. */
    WINDOW_COVERAGE(
            "numa_window_coverage_ratio",
            "Share of the run's last closed window that its least covered source covers, 0 to 1."),
    /** End of the last window. */
    WINDOW_END(
            "numa_window_end_timestamp_seconds",
            "End of the run's last closed window in event time, seconds since 1970."),
    /** A run that is shown. */
    RUN_INFO("numa_run_info", "Always 1; its labels say what a run is."),
    /** Whether a run is going on. */
    RUN_ACTIVE("numa_run_active", "1 while records of the run are expected, 0 once it has finished."),
    /** A regression that stands. */
    REGRESSION_ACTIVE(
            "numa_regression_active",
            "1 when the experiment's latest verdict says that the policy made the signal worse, 0 otherwise."),
    /** Records dropped. */
    RECORDS_DROPPED(
            "numa_records_dropped_total",
            "Records of the telemetry log that did not, or not wholly, reach a result, by reason."),
    /** Samples missing. */
    SAMPLES_MISSING("numa_samples_missing_total", "Samples that never came, known by gaps in their sequence numbers."),
    /** Values taken. */
    VALUES_TAKEN("numa_values_taken_total", "Values of telemetry taken, those without a number included."),
    /** Windows closed. */
    WINDOWS_CLOSED("numa_windows_closed_total", "Windows closed, over all runs."),
    /** Runs not shown. */
    RUNS_CUT("numa_runs_cut_total", "Runs taken off this page because too many were shown at once."),
    /** State of the topology. */
    PIPELINE_RUNNING("numa_pipeline_running", "1 while the stream processing runs, 0 otherwise.");

    /** Label: run id. */
    public static final String RUN = "run";
    /** Label: kernel policy. */
    public static final String POLICY = "policy";
    /** Label: number of a NUMA node, or {@link #ALL_NODES}. */
    public static final String NODE = "node";
    /** Value of {@link #NODE} for the whole system. */
    public static final String ALL_NODES = "all";
    /** Label: where a run comes from: simulated, captured, live. */
    public static final String SOURCE = "source";
    /** Label: name of the machine. */
    public static final String MACHINE = "machine";
    /** Label: name of a comparison. */
    public static final String EXPERIMENT = "experiment";
    /** Label: name of a signal. */
    public static final String SIGNAL = "signal";
    /** Label: why a record was dropped. */
    public static final String REASON = "reason";

    private final String meterName;
    private final String description;

    MeterNames(String meterName, String description) {
        this.meterName = meterName;
        this.description = description;
    }

    /** {@return the name as Prometheus shows it} */
    public String meterName() {
        return meterName;
    }

    /** {@return what it means, for people} */
    public String description() {
        return description;
    }

    /**
     * {@return the gauge of a signal}
     *
     * @param signal the signal
     */
    public static MeterNames of(Signal signal) {
        return switch (signal) {
            case INTERRUPTS -> WINDOW_INTERRUPTS;
            case INTERRUPTS_DEVICE -> WINDOW_DEVICE_INTERRUPTS;
            case INTERRUPT_IMBALANCE -> WINDOW_INTERRUPT_IMBALANCE;
            case REMOTE_ACCESS_RATIO -> WINDOW_REMOTE_ACCESS;
            case THROUGHPUT -> WINDOW_THROUGHPUT;
            case CONTEXT_SWITCHES -> WINDOW_CONTEXT_SWITCHES;
            case CPU_BUSY -> WINDOW_CPU_BUSY;
            case INSTRUCTIONS_PER_CYCLE -> WINDOW_INSTRUCTIONS_PER_CYCLE;
            case FRONTEND_STALLS -> WINDOW_FRONTEND_STALLS;
            case REMOTE_PAGES -> WINDOW_REMOTE_PAGES;
        };
    }
}
