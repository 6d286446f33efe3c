package io.farnode.streams.topology;

/** Every name inside the topology: renaming one loses the state kept under it. */
final class Names {
    static final String TELEMETRY_SOURCE = "telemetry-source";
    static final String RUN_PROCESSOR = "run-processor";
    static final String WINDOWS_SINK = "windows-sink";
    static final String RUNS_SINK = "runs-sink";
    static final String SUMMARIES_SINK = "summaries-sink";
    static final String DEAD_LETTERS_SINK = "dead-letters-sink";

    static final String SUMMARIES_SOURCE = "summaries-source";
    static final String EXPERIMENT_PROCESSOR = "experiment-processor";
    static final String VERDICTS_SINK = "verdicts-sink";
    static final String SUMMARIES_DEAD_LETTERS_SINK = "summaries-dead-letters-sink";

    /** How each run began: key run, value the RunStarted as it came. */
    static final String STARTS_STORE = "starts";
    /** Where each run stands: key run, value a {@link RunLedger}. */
    static final String RUNS_STORE = "runs";
    /** Series of the runs that are going on: key run and number, value a series id. */
    static final String SERIES_STORE = "series";
    /** Open windows: key run and window number, value accumulators. */
    static final String WINDOWS_STORE = "windows";
    /** Signals of closed windows of the runs that are going on: key run and window number. */
    static final String SIGNALS_STORE = "signals";
    /** Finished runs of experiments: key experiment and run, value a RunSummary. */
    static final String EXPERIMENTS_STORE = "experiments";

    private Names() {}
}
