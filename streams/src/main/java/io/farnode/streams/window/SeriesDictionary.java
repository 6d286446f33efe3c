package io.farnode.streams.window;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.ValueKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The series of one run, numbered in the order in which they were first seen. Numbers never change, so accumulators can
 * be arrays. Remembers how the last samples of each source were laid out: a sample that looks like the one before needs
 * no look-up at all. Not safe for use by several threads.
 */
public final class SeriesDictionary {
    /** Most series a run may have: their accumulators must fit one record of the state's change log. */
    public static final int MAX_SERIES = 200_000;

    private static final int LAYOUTS = 16;
    private static final int UNSEEN = -1;

    private final List<SeriesId> series = new ArrayList<>();
    private final Map<SeriesId, Integer> numbers = new HashMap<>();
    private final Map<Integer, Layout[]> layouts = new HashMap<>();

    /** A dictionary without series. */
    public SeriesDictionary() {}

    /** {@return how many series there are} */
    public int size() {
        return series.size();
    }

    /**
     * {@return a series}
     *
     * @param number its number, 0..size - 1
     */
    public SeriesId get(int number) {
        return series.get(number);
    }

    /**
     * Adds a series that is known to be new, as when the dictionary is read back.
     *
     * @param id the series; gets the next number
     */
    public void append(SeriesId id) {
        numbers.put(id, series.size());
        series.add(id);
    }

    /**
     * Whether numbers of a kind are added up in windows at all. Figures derived by the tool, running counters, trace
     * points and remarks are not.
     *
     * @param kind the kind
     * @return whether they are
     */
    public static boolean isWindowed(ValueKind kind) {
        return kind == ValueKind.DELTA || kind == ValueKind.RATE || kind == ValueKind.GAUGE || kind == ValueKind.SHARE;
    }

    /**
     * Numbers of the series of a sample's cells; new series are added.
     *
     * @param sample the sample, well formed
     * @param source position of its source in RunStarted.sources
     * @return one number a cell, columns one after the other with one entry a scope; -1 for cells that are absent or of
     *     a kind that is not windowed. Valid until the next call; not to be changed.
     * @throws IllegalStateException if the run would have more than {@link #MAX_SERIES} series
     */
    int[] numbers(Sample sample, int source) {
        Layout[] known = layouts.computeIfAbsent(source, s -> new Layout[LAYOUTS]);
        int place = sample.getPart() & LAYOUTS - 1;
        Layout layout = known[place];
        if (layout == null || !layout.fits(sample)) {
            layout = new Layout(sample);
            known[place] = layout;
        }
        layout.complete(sample, source, this);
        return layout.numbers;
    }

    private int number(SeriesId id) {
        Integer known = numbers.get(id);
        if (known != null) {
            return known;
        }
        if (series.size() >= MAX_SERIES) {
            throw new IllegalStateException(
                    "the run has more than " + MAX_SERIES + " series; " + id.metric() + " of " + id.scope());
        }
        append(id);
        return series.size() - 1;
    }

    /** The scopes and columns of a sample, with the numbers found for them so far. */
    private static final class Layout {
        private final List<String> scopes;
        private final List<Column> columns;
        private final int[] numbers;
        /** Whether every cell of a column has its number. */
        private final boolean[] done;

        Layout(Sample sample) {
            scopes = List.copyOf(sample.getScopes());
            columns = List.copyOf(sample.getColumns());
            numbers = new int[scopes.size() * columns.size()];
            done = new boolean[columns.size()];
            Arrays.fill(numbers, UNSEEN);
        }

        boolean fits(Sample sample) {
            List<Column> others = sample.getColumns();
            int count = columns.size();
            if (others.size() != count || !scopes.equals(sample.getScopes())) {
                return false;
            }
            for (int i = 0; i < count; i++) {
                Column mine = columns.get(i);
                Column other = others.get(i);
                if (mine.getScale() != other.getScale()
                        || mine.getKind() != other.getKind()
                        || !mine.getMetric().equals(other.getMetric())
                        || !mine.getRawName().equals(other.getRawName())
                        || !mine.getUnit().equals(other.getUnit())
                        || !mine.getDimension().equals(other.getDimension())) {
                    return false;
                }
            }
            return true;
        }

        void complete(Sample sample, int source, SeriesDictionary dictionary) {
            int width = scopes.size();
            for (int c = 0; c < done.length; c++) {
                if (done[c]) {
                    continue;
                }
                Column column = sample.getColumns().get(c);
                boolean all = true;
                if (isWindowed(column.getKind())) {
                    Cells states = new Cells(column);
                    for (int s = 0; s < width; s++) {
                        int cell = c * width + s;
                        if (numbers[cell] == UNSEEN) {
                            if (states.isAbsent(s)) {
                                all = false;
                            } else {
                                numbers[cell] = dictionary.number(new SeriesId(
                                        source,
                                        column.getMetric().isEmpty() ? column.getRawName() : column.getMetric(),
                                        column.getUnit(),
                                        column.getKind(),
                                        column.getDimension(),
                                        scopes.get(s),
                                        column.getScale()));
                            }
                        }
                    }
                }
                done[c] = all;
            }
        }
    }
}
