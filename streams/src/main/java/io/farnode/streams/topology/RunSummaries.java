package io.farnode.streams.topology;

import io.farnode.results.RunInfo;
import io.farnode.results.RunSummary;
import io.farnode.results.WindowResult;
import java.util.List;

/** Boils closed windows down to what a comparison needs, as the topology does when a run of an experiment finishes. */
public final class RunSummaries {
    private RunSummaries() {}

    /**
     * The summary of a run from its windows.
     *
     * @param run the run
     * @param windows its windows in order of time; the whole run's may be among them and is left out
     * @param completeness least coverage of a window and of a series that is judged, 0..1
     * @return the summary; without signals if no window is complete
     */
    public static RunSummary of(RunInfo run, List<WindowResult> windows, double completeness) {
        SignalRows.Gatherer gatherer = new SignalRows.Gatherer();
        long size = 0;
        for (WindowResult window : windows) {
            if (window.getSizeNanos() > 0) {
                size = window.getSizeNanos();
                long number = Math.floorDiv(window.getStartNanos() - run.getStartNanos(), size);
                gatherer.add(number, SignalRows.row(window, completeness));
            }
        }
        return new RunSummary(run.getRunId(), run.getStarted(), size, gatherer.gathered());
    }
}
