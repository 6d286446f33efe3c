package io.farnode.cli.command;

import io.farnode.cli.terminal.Table;
import io.farnode.contract.Signal;
import io.farnode.results.Better;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the demo shows while two runs go on: each signal of the whole machine, baseline beside candidate, in their latest
 * windows and on average so far. Not safe for use by several threads.
 */
final class DemoBoard {
    private static final String SYSTEM = "system";

    private final String baseline;
    private final String candidate;
    private final Map<String, Side> sides = new LinkedHashMap<>();

    DemoBoard(String baselineRun, String candidateRun) {
        this.baseline = baselineRun;
        this.candidate = candidateRun;
        sides.put(baseline, new Side());
        sides.put(candidate, new Side());
    }

    /** Takes a window; one that came before is replaced, others than the two runs' and whole runs are passed over. */
    void take(WindowResult window) {
        Side side = sides.get(window.getRunId());
        if (side != null && window.getSizeNanos() > 0) {
            side.windows.put(window.getStartNanos(), window);
        }
    }

    /** {@return how many windows of the run with fewer have come} */
    int windows() {
        return sides.values().stream().mapToInt(s -> s.windows.size()).min().orElse(0);
    }

    /** {@return the table to be drawn in place} */
    List<String> lines() {
        Table table = new Table(
                "signal", "unit", "baseline now", "candidate now", "baseline mean", "candidate mean", "change");
        Map<String, String> units = new LinkedHashMap<>();
        sides.values().forEach(side -> units.putAll(side.units()));
        for (Signal signal : Signal.values()) {
            String name = signal.signalName();
            String unit = units.get(name);
            if (unit == null) {
                continue;
            }
            Double before = mean(baseline, name);
            Double after = mean(candidate, name);
            table.row(
                    name,
                    unit,
                    last(baseline, name),
                    last(candidate, name),
                    before,
                    after,
                    before == null || after == null || before == 0 ? null : ResultTables.signed(after / before - 1));
        }
        return table.lines();
    }

    /**
     * {@return a line for those without a terminal on the window with this number, or null while a run lacks it}
     *
     * @param number number of the window, from 0
     */
    String line(int number) {
        WindowResult before = sides.get(baseline).window(number);
        WindowResult after = sides.get(candidate).window(number);
        if (before == null || after == null) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        for (Signal signal : Signal.values()) {
            if (signal.better() == Better.NEUTRAL) {
                continue; // a line has room for what the policies are judged by
            }
            Double a = value(before, signal.signalName());
            Double b = value(after, signal.signalName());
            if (a != null && b != null) {
                parts.add(signal.signalName() + " " + Table.rounded(a) + " -> " + Table.rounded(b));
            }
        }
        return "window " + (number + 1) + ": " + String.join(", ", parts);
    }

    private Double last(String run, String signal) {
        Map.Entry<Long, WindowResult> last = sides.get(run).windows.lastEntry();
        return last == null ? null : value(last.getValue(), signal);
    }

    private Double mean(String run, String signal) {
        double sum = 0;
        int count = 0;
        for (WindowResult window : sides.get(run).windows.values()) {
            Double value = window.getComplete() ? value(window, signal) : null;
            if (value != null) {
                sum += value;
                count++;
            }
        }
        return count == 0 ? null : sum / count;
    }

    private static Double value(WindowResult window, String signal) {
        int system = window.getScopes().indexOf(SYSTEM);
        for (WindowSeries series : window.getSeries()) {
            if (series.getName().equals(signal)) {
                int at = series.getScopeIndex().isEmpty()
                        ? system
                        : series.getScopeIndex().indexOf(system);
                return system < 0 || at < 0 ? null : series.getValues().get(at);
            }
        }
        return null;
    }

    /** One run's windows by start. */
    private static final class Side {
        private final TreeMap<Long, WindowResult> windows = new TreeMap<>();

        WindowResult window(int number) {
            return windows.values().stream().skip(number).findFirst().orElse(null);
        }

        Map<String, String> units() {
            Map<String, String> units = new LinkedHashMap<>();
            for (WindowResult window : windows.values()) {
                window.getSeries().forEach(series -> units.put(series.getName(), series.getUnit()));
            }
            return units;
        }
    }
}
