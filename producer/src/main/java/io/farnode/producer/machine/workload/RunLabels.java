package io.farnode.producer.machine.workload;

import java.util.Map;
import java.util.Objects;

/**
 * What a run is called and what it is compared with; nothing of it changes what the machine does.
 *
 * @param runId the run's name; empty = made of scenario, policy and seed
 * @param experiment the comparison it belongs to; empty = none
 * @param arm its side there, such as "baseline"; empty = none
 * @param repeat number of the repetition inside the arm, from 1
 * @param labels free labels
 */
public record RunLabels(String runId, String experiment, String arm, int repeat, Map<String, String> labels) {
    /** No name, no comparison. */
    public static final RunLabels NONE = new RunLabels("", "", "", 1, Map.of());

    /**
     * Checks presence and the repetition.
     *
     * @param runId the run's name, or empty
     * @param experiment the comparison, or empty
     * @param arm its side, or empty
     * @param repeat number of the repetition
     * @param labels free labels
     * @throws IllegalArgumentException if the repetition is below 1
     */
    public RunLabels {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(experiment, "experiment");
        Objects.requireNonNull(arm, "arm");
        labels = Map.copyOf(labels);
        if (repeat < 1) {
            throw new IllegalArgumentException("repeat " + repeat + ": must be 1 or more");
        }
    }
}
