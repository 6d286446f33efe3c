package io.farnode.streams.window;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.ValueKind;
import java.util.Arrays;
import java.util.List;

/**
 * Shares a sample out over the windows its span touches. Counts are split by overlap so that the windows' sums add up
 * to the readings exactly; levels, rates and shares count in each window for as long as they overlap it, so a window's
 * mean is weighted by time. A cell without a value adds nothing and covers nothing.
 *
 * <p>The result does not depend on the order in which samples come. Keeps scratch arrays: one instance a thread.
 *
 * <p>A count at an instant (start equal to end) belongs whole to the window that holds the instant. Any other number at
 * an instant covers no time and leaves no trace in windows.
 */
public final class SampleSpreader {
    /** Most windows one span may touch: three hours in windows of a second. */
    public static final long MAX_WINDOWS = 10_000;

    private long[] values = new long[0];
    private long[] before = new long[0];
    private long[] until = new long[0];

    /** Where windows are kept. */
    public interface Windows {
        /**
         * Opens a window to be added to.
         *
         * @param number its number
         * @param series least number of series that must fit
         * @return its bytes, which the spreader changes in place
         */
        byte[] open(long number, int series);

        /**
         * Takes a changed window back.
         *
         * @param number its number
         * @param window its bytes
         */
        void save(long number, byte[] window);
    }

    /**
     * What became of a sample.
     *
     * @param values cells with or without a number
     * @param noValues cells for which the tool had no number
     * @param late whether some share fell into windows that are closed, and was left out
     */
    public record Outcome(long values, long noValues, boolean late) {}

    /** Makes a spreader. */
    public SampleSpreader() {}

    /**
     * Says what is wrong with the shape of a sample.
     *
     * @param sample the sample
     * @param grid the run's windows
     * @return one phrase, or null when nothing is wrong
     */
    public static String defect(Sample sample, WindowGrid grid) {
        long start = sample.getStartNanos();
        long end = sample.getEndNanos();
        if (end < start) {
            return "span ends at " + end + " ns before it starts at " + start + " ns";
        }
        if (start < 0) {
            return "span starts at " + start + " ns, before 1970";
        }
        long touched = (end - start) / grid.sizeNanos();
        if (touched >= MAX_WINDOWS) {
            return "span of " + (end - start) / 1_000_000_000 + " s touches more than " + MAX_WINDOWS + " windows";
        }
        long number = grid.number(end);
        if (number > Integer.MAX_VALUE || grid.number(start) < Integer.MIN_VALUE) {
            return "span at " + start + " ns is too far from the run's start at " + grid.originNanos() + " ns";
        }
        int scopes = sample.getScopes().size();
        for (Column column : sample.getColumns()) {
            int states = column.getStates().remaining();
            if (column.getValues().size() != scopes || states != 0 && states != scopes) {
                return "column \"" + column.getMetric() + "\" has "
                        + column.getValues().size() + " values and " + states + " states for " + scopes + " scopes";
            }
            if (column.getScale() < 0 || column.getScale() > 18) {
                return "column \"" + column.getMetric() + "\" has " + column.getScale() + " decimal places, not 0..18";
            }
        }
        return null;
    }

    /**
     * Counts a sample's cells without adding them anywhere.
     *
     * @param sample a sample without {@link #defect}
     * @return the counts
     */
    public static Outcome count(Sample sample) {
        int scopes = sample.getScopes().size();
        long cells = 0;
        long none = 0;
        for (Column column : sample.getColumns()) {
            Cells states = new Cells(column);
            if (states.haveAllValues()) {
                cells += scopes;
            } else {
                for (int s = 0; s < scopes; s++) {
                    if (!states.isAbsent(s)) {
                        cells++;
                        none += states.hasValue(s) ? 0 : 1;
                    }
                }
            }
        }
        return new Outcome(cells, none, false);
    }

    /**
     * Adds a sample to the windows it touches.
     *
     * @param sample a sample without {@link #defect}
     * @param source position of its source in RunStarted.sources
     * @param dictionary the run's series; new ones are added
     * @param grid the run's windows
     * @param firstOpen number of the first window that is still open
     * @param windows the run's windows
     * @return what became of it
     * @throws IllegalStateException if the run would have too many series; nothing has been added then
     */
    public Outcome spread(
            Sample sample, int source, SeriesDictionary dictionary, WindowGrid grid, long firstOpen, Windows windows) {
        int[] numbers = dictionary.numbers(sample, source);
        int series = dictionary.size();
        int scopes = sample.getScopes().size();
        List<Column> columns = sample.getColumns();
        int cells = scopes * columns.size();
        reserve(cells);
        for (int c = 0; c < columns.size(); c++) {
            List<Long> column = columns.get(c).getValues();
            int base = c * scopes;
            for (int s = 0; s < scopes; s++) {
                values[base + s] = column.get(s);
            }
        }

        long start = sample.getStartNanos();
        long end = sample.getEndNanos();
        long span = end - start;
        long first = grid.number(start);
        long last = span == 0 ? first : grid.number(end - 1);
        long firstTaken = Math.max(first, firstOpen);
        if (firstTaken <= last && firstTaken > first) {
            cumulate(columns, scopes, grid.start(firstTaken) - start, span, before);
        } else {
            Arrays.fill(before, 0, cells, 0);
        }
        for (long n = firstTaken; n <= last; n++) {
            byte[] window = windows.open(n, series);
            long from = Math.max(start, grid.start(n));
            long to = Math.min(end, grid.end(n));
            Accumulators.addSample(window);
            if (sample.getPart() == 0) {
                Accumulators.addSourceCovered(window, source, to - from);
            }
            long[] upper = values;
            if (n < last) {
                cumulate(columns, scopes, to - start, span, until);
                upper = until;
            }
            add(window, columns, scopes, numbers, to - from, upper);
            windows.save(n, window);
            if (n < last) {
                long[] swap = before;
                before = until;
                until = swap;
            }
        }
        Outcome counted = count(sample);
        return new Outcome(counted.values(), counted.noValues(), first < firstOpen);
    }

    private void cumulate(List<Column> columns, int scopes, long part, long span, long[] result) {
        for (int c = 0; c < columns.size(); c++) {
            if (columns.get(c).getKind() == ValueKind.DELTA) {
                Shares.upTo(values, c * scopes, (c + 1) * scopes, part, span, result);
            }
        }
    }

    private void add(byte[] window, List<Column> columns, int scopes, int[] numbers, long nanos, long[] upper) {
        int slots = Accumulators.slots(window);
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            boolean counts = column.getKind() == ValueKind.DELTA;
            if (!counts && !SeriesDictionary.isWindowed(column.getKind())) {
                continue;
            }
            Cells states = new Cells(column);
            boolean all = states.haveAllValues();
            int base = c * scopes;
            for (int s = 0; s < scopes; s++) {
                if (all || states.hasValue(s)) {
                    int cell = base + s;
                    if (counts) {
                        Accumulators.addCount(window, slots, numbers[cell], upper[cell] - before[cell], nanos);
                    } else {
                        Accumulators.addLevel(window, slots, numbers[cell], values[cell], nanos);
                    }
                }
            }
        }
    }

    private void reserve(int cells) {
        if (values.length < cells) {
            values = new long[cells];
            before = new long[cells];
            until = new long[cells];
        }
    }
}
