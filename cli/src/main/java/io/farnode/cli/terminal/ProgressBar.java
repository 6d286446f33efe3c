package io.farnode.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How far something is, as one line that is drawn in place at most ten times a second. Draws nothing when there is no
 * terminal.
 */
public final class ProgressBar implements AutoCloseable {
    private static final long PAUSE_NANOS = 100_000_000L;
    private static final int WIDTH = 24;

    private final ScreenArea area;
    private final LongSupplier clock;
    private boolean drawn;
    private long last;

    /**
     * A bar, not drawn yet.
     *
     * @param out where it is drawn
     * @param terminal whether that is a terminal
     * @param columns its width in characters
     */
    public ProgressBar(PrintWriter out, boolean terminal, int columns) {
        this(out, terminal, columns, System::nanoTime);
    }

    ProgressBar(PrintWriter out, boolean terminal, int columns, LongSupplier clock) {
        this.area = new ScreenArea(out, terminal, columns);
        this.clock = clock;
    }

    /**
     * Says how far it is.
     *
     * @param done share that is done, 0..1; negative when the end is not known
     * @param text what stands beside the bar
     */
    public void update(double done, String text) {
        if (!area.isTerminal()) {
            return;
        }
        long now = clock.getAsLong();
        if (drawn && now - last < PAUSE_NANOS) {
            return;
        }
        drawn = true;
        last = now;
        area.draw(List.of(done < 0 ? text : bar(Math.min(1, done)) + "  " + text));
    }

    /** Takes the bar away; it may be drawn again. */
    public void clear() {
        area.clear();
    }

    /** Takes the bar away. */
    @Override
    public void close() {
        clear();
    }

    private static String bar(double done) {
        int full = (int) (done * WIDTH);
        return "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] "
                + String.format(java.util.Locale.ROOT, "%3d%%", (int) (done * 100));
    }
}
