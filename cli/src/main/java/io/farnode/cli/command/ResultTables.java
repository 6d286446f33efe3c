package io.farnode.cli.command;

import io.farnode.cli.terminal.Table;
import io.farnode.contract.Signal;
import io.farnode.results.Arm;
import io.farnode.results.RunInfo;
import io.farnode.results.SourceCounts;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.topology.WindowSettings;
import io.farnode.streams.window.WindowReport;
import io.farnode.telemetry.RunStarted;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Results laid out as tables: for people wide and short, for programs one row a fact. */
final class ResultTables {
    private static final double NANOS = 1e9;
    private static final String WHOLE_RUN = "whole run";
    private static final String EVENT = WindowReport.EVENT_PREFIX;

    private ResultTables() {}

    /**
     * What is to be seen of windows.
     *
     * @param signal name of the one quantity, or null for all
     * @param scope the one scope in canonical text, or null
     * @param all whether events that are no signals are wanted too
     */
    record Selection(String signal, String scope, boolean all) {
        boolean takes(WindowSeries series) {
            if (signal != null) {
                // an event may have a signal's name; the signal is meant then
                return series.getName().equals(Signal.byName(signal).isPresent() ? signal : EVENT + signal)
                        || series.getName().equals(signal);
            }
            return all || Signal.byName(series.getName()).isPresent();
        }

        boolean takes(String scopeText) {
            return scope == null || scope.equals(scopeText);
        }
    }

    static Table runs(List<RunInfo> runs) {
        Table table = new Table(
                "run",
                "state",
                "origin",
                "policy",
                "workload",
                "experiment",
                "arm",
                "start",
                "seconds",
                "samples",
                "windows",
                "incomplete",
                "late",
                "duplicate",
                "missing");
        for (RunInfo run : runs) {
            RunStarted started = run.getStarted();
            table.row(
                    run.getRunId(),
                    lower(run.getState()),
                    started == null ? "-" : lower(started.getOrigin()),
                    started == null ? "-" : said(started.getPolicy()),
                    started == null ? "-" : said(started.getWorkload()),
                    started == null ? "-" : said(started.getExperiment()),
                    started == null ? "-" : said(started.getArm()),
                    run.getStartNanos() == 0 ? "-" : time(run.getStartNanos()),
                    run.getEndNanos() == 0 ? 0 : seconds(run.getEndNanos() - run.getStartNanos()),
                    sum(run, SourceCounts::getSamples),
                    run.getWindows(),
                    run.getIncompleteWindows(),
                    sum(run, SourceCounts::getLate),
                    sum(run, SourceCounts::getDuplicates),
                    sum(run, SourceCounts::getMissing));
        }
        return table;
    }

    static long sum(RunInfo run, ToLongFunction<SourceCounts> count) {
        return run.getSources().values().stream().mapToLong(count).sum();
    }

    /** One row a window, one column a quantity of one scope; or, for one quantity alone, one column a scope. */
    static Table wide(List<WindowResult> windows, Selection selection) {
        boolean byScope = selection.signal() != null && selection.scope() == null;
        String scope = selection.scope() == null ? "system" : selection.scope();
        Set<String> columns = new LinkedHashSet<>();
        List<Map<String, Double>> rows = new ArrayList<>();
        for (WindowResult window : windows) {
            Map<String, Double> row = new LinkedHashMap<>();
            for (WindowSeries series : window.getSeries()) {
                if (!selection.takes(series)) {
                    continue;
                }
                for (int i = 0; i < series.getValues().size(); i++) {
                    String at = scopeOf(window, series, i);
                    if (byScope) {
                        row.put(at, series.getValues().get(i));
                    } else if (at.equals(scope)) {
                        row.put(
                                series.getName() + " [" + series.getUnit() + "]",
                                series.getValues().get(i));
                    }
                }
            }
            columns.addAll(row.keySet());
            rows.add(row);
        }
        List<String> header = new ArrayList<>(List.of("window", "start", "coverage"));
        header.addAll(columns);
        Table table = new Table(header.toArray(String[]::new));
        long origin =
                windows.stream().mapToLong(WindowResult::getStartNanos).min().orElse(0);
        for (int i = 0; i < windows.size(); i++) {
            WindowResult window = windows.get(i);
            List<Object> cells = new ArrayList<>();
            cells.add(window.getSizeNanos() == 0 ? WHOLE_RUN : "+" + seconds(window.getStartNanos() - origin) + " s");
            cells.add(time(window.getStartNanos()));
            cells.add(percent(window.getCoverage()) + (window.getComplete() ? "" : " incomplete"));
            Map<String, Double> row = rows.get(i);
            columns.forEach(column -> cells.add(row.get(column)));
            table.row(cells.toArray());
        }
        return table;
    }

    /** One row for each window, scope and quantity, with exact sums: for programs. */
    static Table narrow(List<WindowResult> windows, Selection selection) {
        Table table = new Table(
                "run",
                "window",
                "start",
                "end",
                "size_seconds",
                "coverage",
                "complete",
                "scope",
                "name",
                "unit",
                "value",
                "sum",
                "series_coverage",
                "series_complete");
        long origin =
                windows.stream().mapToLong(WindowResult::getStartNanos).min().orElse(0);
        for (WindowResult window : windows) {
            for (WindowSeries series : window.getSeries()) {
                if (!selection.takes(series)) {
                    continue;
                }
                for (int i = 0; i < series.getValues().size(); i++) {
                    String scope = scopeOf(window, series, i);
                    if (selection.takes(scope)) {
                        double covered = coverageOf(series, i);
                        table.row(
                                window.getRunId(),
                                window.getSizeNanos() == 0
                                        ? WHOLE_RUN
                                        : (Object) ((window.getStartNanos() - origin) / window.getSizeNanos()),
                                time(window.getStartNanos()),
                                time(window.getEndNanos()),
                                window.getSizeNanos() / NANOS,
                                window.getCoverage(),
                                window.getComplete(),
                                scope,
                                series.getName(),
                                series.getUnit(),
                                series.getValues().get(i),
                                series.getSums().isEmpty()
                                        ? null
                                        : BigDecimal.valueOf(series.getSums().get(i), series.getScale()),
                                covered,
                                window.getComplete() && covered >= WindowSettings.DEFAULT.completeness());
                    }
                }
            }
        }
        return table;
    }

    static Table verdicts(List<Verdict> verdicts) {
        Table table =
                new Table("signal", "scope", "unit", "baseline", "candidate", "change", "interval", "n_eff", "outcome");
        for (Verdict verdict : verdicts) {
            Numbers numbers = Numbers.of(verdict);
            table.row(
                    verdict.getSignal(),
                    verdict.getScope(),
                    verdict.getUnit(),
                    numbers.baseline,
                    numbers.candidate,
                    numbers.relative == null ? null : signed(numbers.relative),
                    numbers.relativeLow == null
                            ? null
                            : signed(numbers.relativeLow) + " .. " + signed(numbers.relativeHigh),
                    effective(verdict.getBaseline()) + "/" + effective(verdict.getCandidate()),
                    lower(verdict.getOutcome()));
        }
        return table;
    }

    /**
     * The numbers of a verdict, null where there is none. In the record they are 0 then (1 for p), which nobody should
     * see: an interval and a probability exist only where something was tested, a change only where two means were set
     * against each other, and a relative one only where the baseline is not 0.
     */
    private record Numbers(
            Double baseline,
            Double candidate,
            Double difference,
            Double low,
            Double high,
            Double relative,
            Double relativeLow,
            Double relativeHigh,
            Double p,
            Double adjusted) {
        static Numbers of(Verdict v) {
            boolean before = v.getBaseline().getWindows() > 0;
            boolean after = v.getCandidate().getWindows() > 0;
            // without a method the means were not set against each other: too few windows, other units or workloads
            boolean changed = before && after && !v.getMethod().isEmpty();
            boolean ratio = changed && v.getBaseline().getMean() != 0;
            boolean tested = changed && v.getTested() > 0;
            return new Numbers(
                    where(before, v.getBaseline().getMean()),
                    where(after, v.getCandidate().getMean()),
                    where(changed, v.getDifference()),
                    where(tested, v.getDifferenceLow()),
                    where(tested, v.getDifferenceHigh()),
                    where(ratio, v.getRelative()),
                    where(tested && ratio, v.getRelativeLow()),
                    where(tested && ratio, v.getRelativeHigh()),
                    where(tested, v.getPValue()),
                    where(tested, v.getAdjustedPValue()));
        }

        private static Double where(boolean there, double value) {
            return there ? value : null;
        }
    }

    static Table verdictsForPrograms(List<Verdict> verdicts) {
        Table table = new Table(
                "experiment",
                "signal",
                "scope",
                "unit",
                "better",
                "baseline_mean",
                "candidate_mean",
                "baseline_windows",
                "candidate_windows",
                "baseline_effective_n",
                "candidate_effective_n",
                "difference",
                "difference_low",
                "difference_high",
                "relative",
                "relative_low",
                "relative_high",
                "p",
                "p_adjusted",
                "method",
                "outcome",
                "reason",
                "sentence");
        for (Verdict v : verdicts) {
            Numbers numbers = Numbers.of(v);
            table.row(
                    v.getExperiment(),
                    v.getSignal(),
                    v.getScope(),
                    v.getUnit(),
                    lower(v.getBetter()),
                    numbers.baseline,
                    numbers.candidate,
                    v.getBaseline().getWindows(),
                    v.getCandidate().getWindows(),
                    v.getBaseline().getEffectiveSamples(),
                    v.getCandidate().getEffectiveSamples(),
                    numbers.difference,
                    numbers.low,
                    numbers.high,
                    numbers.relative,
                    numbers.relativeLow,
                    numbers.relativeHigh,
                    numbers.p,
                    numbers.adjusted,
                    textOrNull(v.getMethod()),
                    lower(v.getOutcome()),
                    textOrNull(v.getReason()),
                    v.getSentence());
        }
        return table;
    }

    static Comparator<WindowResult> inOrder() {
        // the whole run, of size 0, last
        return Comparator.comparing((WindowResult w) -> w.getSizeNanos() == 0)
                .thenComparing(WindowResult::getSizeNanos)
                .thenComparing(WindowResult::getStartNanos);
    }

    static String time(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L))
                .toString();
    }

    static String signed(double ratio) {
        return String.format(Locale.ROOT, "%+.1f%%", ratio * 100);
    }

    static String scopeOf(WindowResult window, WindowSeries series, int i) {
        int index =
                series.getScopeIndex().isEmpty() ? i : series.getScopeIndex().get(i);
        return window.getScopes().get(index);
    }

    /** Share of the window that readings of one scope cover, to the places that a float keeps. */
    static double coverageOf(WindowSeries series, int i) {
        return series.getCoverage().isEmpty()
                ? 1
                : Double.parseDouble(Float.toString(series.getCoverage().get(i)));
    }

    private static String effective(Arm arm) {
        return Table.rounded(Math.round(arm.getEffectiveSamples() * 10) / 10.0);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", Math.floor(share * 100));
    }

    static BigDecimal seconds(long nanos) {
        BigDecimal seconds = BigDecimal.valueOf(nanos, 9).stripTrailingZeros();
        return seconds.scale() < 0
                ? seconds.setScale(0)
                : seconds.scale() > 3 ? seconds.setScale(3, java.math.RoundingMode.HALF_EVEN) : seconds;
    }

    private static String textOrNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String said(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
