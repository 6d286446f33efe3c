package io.farnode.contract;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;

/**
 * Lays out by column what a tool prints cell by cell. The one way to make a {@link Sample}, for readers of captures and
 * for the simulated machine alike.
 *
 * <p>Scopes and columns keep their numbers from span to span, so a reader can look them up once and set cells by number.
 * A span's sample holds only the scopes and columns that were set in it. Not safe for use by several threads.
 */
public final class SampleBuilder {
    /** State of a cell that has a value. */
    public static final byte VALUE = 0;
    /** State of a cell that the tool could not count. */
    public static final byte NOT_COUNTED = 1;
    /** State of a cell that the machine has no counter for. */
    public static final byte NOT_SUPPORTED = 2;
    /** State of a cell that the tool did not print. */
    public static final byte ABSENT = 3;
    /** Running fraction of a cell that was counted all the time, in 1/10000. */
    public static final int ALWAYS = 10_000;
    /** Running fraction or number of counters that the tool did not print. */
    public static final int UNKNOWN = -1;
    /** Most decimal places a column can have. */
    public static final int MAX_SCALE = 18;

    private static final long[] POWERS = new long[MAX_SCALE + 1];

    static {
        SchemaCatalog.trustGeneratedClasses();
        POWERS[0] = 1;
        for (int i = 1; i <= MAX_SCALE; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private final Tool tool;
    private final Map<String, Integer> scopeNumbers = new HashMap<>();
    private final List<String> scopes = new ArrayList<>();
    private boolean[] scopeUsed = new boolean[8];
    private final Map<ColumnId, Integer> columnNumbers = new HashMap<>();
    private final List<Cells> columns = new ArrayList<>();
    private final Set<Flag> flags = EnumSet.noneOf(Flag.class);
    private boolean empty = true;

    /**
     * A builder for one source.
     *
     * @param tool the tool whose output is laid out
     */
    public SampleBuilder(Tool tool) {
        this.tool = tool;
    }

    /**
     * Finds or adds a scope.
     *
     * @param text its canonical text
     * @return its number, the same for the builder's life
     */
    public int scope(String text) {
        Integer known = scopeNumbers.get(text);
        if (known != null) {
            return known;
        }
        int number = scopes.size();
        scopes.add(text);
        scopeNumbers.put(text, number);
        if (number >= scopeUsed.length) {
            scopeUsed = Arrays.copyOf(scopeUsed, number * 2);
        }
        return number;
    }

    /**
     * Finds or adds a column.
     *
     * @param metric canonical name
     * @param rawName label as printed
     * @param unit unit
     * @param kind kind of number
     * @param dimension further distinction, or ""
     * @return its number, the same for the builder's life
     */
    public int column(String metric, String rawName, String unit, ValueKind kind, String dimension) {
        ColumnId id = new ColumnId(metric, rawName, unit, kind, dimension);
        Integer known = columnNumbers.get(id);
        if (known != null) {
            return known;
        }
        int number = columns.size();
        columns.add(new Cells(id));
        columnNumbers.put(id, number);
        return number;
    }

    /**
     * Whether a cell of the current span has been set, be it to "no value".
     *
     * @param column the column's number
     * @param scope the scope's number
     * @return whether it has
     */
    public boolean isSet(int column, int scope) {
        Cells cells = columns.get(column);
        return scope < cells.states.length && cells.states[scope] != ABSENT;
    }

    /**
     * Sets a cell's value.
     *
     * @param column the column's number
     * @param scope the scope's number
     * @param unscaled the value without its decimal point
     * @param scale its decimal places, 0..18
     * @param running part of the span it was counted, in 1/10000, or {@link #UNKNOWN}
     * @param counters counters added up by the tool, or {@link #UNKNOWN}
     * @throws ArithmeticException if the value cannot be held with the decimal places of its column
     */
    public void set(int column, int scope, long unscaled, int scale, int running, int counters) {
        Cells cells = cells(column, scope);
        if (scale > cells.scale) {
            cells.widen(scale);
        }
        cells.values[scope] =
                scale == cells.scale ? unscaled : Math.multiplyExact(unscaled, POWERS[cells.scale - scale]);
        cells.put(scope, VALUE, running, counters);
    }

    /**
     * Says that a cell has no value.
     *
     * @param column the column's number
     * @param scope the scope's number
     * @param state {@link #NOT_COUNTED} or {@link #NOT_SUPPORTED}
     * @param running part of the span it was counted, in 1/10000, or {@link #UNKNOWN}
     * @param counters counters added up by the tool, or {@link #UNKNOWN}
     */
    public void setNone(int column, int scope, byte state, int running, int counters) {
        Cells cells = cells(column, scope);
        cells.values[scope] = 0;
        cells.put(scope, state, running, counters);
    }

    /**
     * Flags a column of the current span.
     *
     * @param column the column's number
     * @param flag the flag
     */
    public void flag(int column, Flag flag) {
        columns.get(column).flags.add(flag);
    }

    /**
     * Flags the current span.
     *
     * @param flag the flag
     */
    public void flag(Flag flag) {
        flags.add(flag);
    }

    /** {@return whether nothing has been set since the last sample} */
    public boolean isEmpty() {
        return empty;
    }

    /**
     * Makes the sample of everything set since the last one, and begins the next span. Run, source and sequence number
     * are left for whoever owns the run.
     *
     * @param startNanos start of the span, ns since 1970
     * @param endNanos end of the span, ns since 1970
     * @param firstLine first line it was read from, or 0
     * @param lastLine last line it was read from, or 0
     * @return the sample
     */
    public Sample build(long startNanos, long endNanos, long firstLine, long lastLine) {
        int[] used = new int[scopes.size()];
        int count = 0;
        List<String> names = new ArrayList<>(scopes.size());
        for (int i = 0; i < used.length; i++) {
            if (scopeUsed[i]) {
                used[count++] = i;
                names.add(scopes.get(i));
            }
        }
        List<Column> laidOut = new ArrayList<>(columns.size());
        for (Cells cells : columns) {
            if (cells.used) {
                laidOut.add(cells.layOut(used, count));
            }
        }
        Sample sample = new Sample();
        sample.setRunId("");
        sample.setSource("");
        sample.setSequence(0);
        sample.setTool(tool);
        sample.setStartNanos(startNanos);
        sample.setEndNanos(endNanos);
        sample.setPart(0);
        sample.setParts(1);
        sample.setFirstLine(firstLine);
        sample.setLastLine(lastLine);
        sample.setFlags(List.copyOf(flags));
        sample.setScopes(names);
        sample.setColumns(laidOut);
        discard();
        return sample;
    }

    /** Forgets everything set since the last sample. */
    public void discard() {
        columns.forEach(Cells::clear);
        Arrays.fill(scopeUsed, false);
        flags.clear();
        empty = true;
    }

    private Cells cells(int column, int scope) {
        Cells cells = columns.get(column);
        cells.reserve(scope);
        scopeUsed[scope] = true;
        empty = false;
        return cells;
    }

    private record ColumnId(String metric, String rawName, String unit, ValueKind kind, String dimension) {}

    /** The cells of one column, by scope number. */
    private static final class Cells {
        private final ColumnId id;
        private final Set<Flag> flags = EnumSet.noneOf(Flag.class);
        private long[] values = new long[0];
        private byte[] states = new byte[0];
        private int[] running = new int[0];
        private int[] counters = new int[0];
        private int scale;
        private boolean used;
        private boolean runningKnown;
        private boolean countersKnown;

        Cells(ColumnId id) {
            this.id = id;
        }

        void reserve(int scope) {
            if (scope >= values.length) {
                int from = values.length;
                int to = Math.max(scope + 1, from * 2);
                values = Arrays.copyOf(values, to);
                states = Arrays.copyOf(states, to);
                running = Arrays.copyOf(running, to);
                counters = Arrays.copyOf(counters, to);
                Arrays.fill(states, from, to, ABSENT);
                Arrays.fill(running, from, to, UNKNOWN);
                Arrays.fill(counters, from, to, UNKNOWN);
            }
        }

        void put(int scope, byte state, int runningPart, int counterCount) {
            states[scope] = state;
            running[scope] = runningPart;
            counters[scope] = counterCount;
            runningKnown |= runningPart != UNKNOWN;
            countersKnown |= counterCount != UNKNOWN;
            used = true;
        }

        void widen(int newScale) {
            long factor = POWERS[newScale - scale];
            for (int i = 0; i < values.length; i++) {
                if (states[i] == VALUE) {
                    Math.multiplyExact(values[i], factor); // all or none: a failure must not leave some widened
                }
            }
            for (int i = 0; i < values.length; i++) {
                if (states[i] == VALUE) {
                    values[i] *= factor;
                }
            }
            scale = newScale;
        }

        Column layOut(int[] scopes, int count) {
            long[] laidValues = new long[count];
            byte[] laidStates = new byte[count];
            int[] laidRunning = new int[runningKnown ? count : 0];
            int[] laidCounters = new int[countersKnown ? count : 0];
            boolean gaps = false;
            for (int i = 0; i < count; i++) {
                int scope = scopes[i];
                byte state = scope < states.length ? states[scope] : ABSENT;
                laidStates[i] = state;
                gaps |= state != VALUE;
                laidValues[i] = state == VALUE ? values[scope] : 0;
                if (runningKnown) {
                    laidRunning[i] = state == ABSENT ? UNKNOWN : running[scope];
                }
                if (countersKnown) {
                    laidCounters[i] = state == ABSENT ? UNKNOWN : counters[scope];
                }
            }
            return new Column(
                    id.metric,
                    id.rawName,
                    id.unit,
                    id.kind,
                    id.dimension,
                    scale,
                    new Longs(laidValues),
                    ByteBuffer.wrap(gaps ? laidStates : new byte[0]),
                    new Ints(laidRunning),
                    new Ints(laidCounters),
                    List.copyOf(flags));
        }

        void clear() {
            if (used) {
                Arrays.fill(states, ABSENT);
                flags.clear();
                scale = 0;
                used = false;
                runningKnown = false;
                countersKnown = false;
            }
        }
    }

    /** Numbers as the list that generated classes take, without a copy. */
    private static final class Longs extends AbstractList<Long> implements RandomAccess {
        private final long[] values;

        Longs(long[] values) {
            this.values = values;
        }

        @Override
        public Long get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return values.length;
        }
    }

    /** Numbers as the list that generated classes take, without a copy. */
    private static final class Ints extends AbstractList<Integer> implements RandomAccess {
        private final int[] values;

        Ints(int[] values) {
            this.values = values;
        }

        @Override
        public Integer get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return values.length;
        }
    }
}
