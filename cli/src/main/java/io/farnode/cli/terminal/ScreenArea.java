package io.farnode.cli.terminal;

import java.io.PrintWriter;
import java.util.List;

/**
 * A few lines at the bottom of a terminal that are drawn anew in place. On anything but a terminal it draws nothing:
 * whoever uses it prints plain lines then.
 */
public final class ScreenArea {
    private static final String ESCAPE = "\u001b[";

    private final PrintWriter out;
    private final boolean terminal;
    private final int columns;
    private int drawn;

    /**
     * An empty area.
     *
     * @param out where it is drawn
     * @param terminal whether that is a terminal
     * @param columns its width in characters; longer lines are cut, since a wrapped one could not be drawn over
     */
    public ScreenArea(PrintWriter out, boolean terminal, int columns) {
        this.out = out;
        this.terminal = terminal;
        this.columns = Math.max(20, columns);
    }

    /** {@return whether lines are drawn} */
    public boolean isTerminal() {
        return terminal;
    }

    /**
     * Draws lines over those drawn before.
     *
     * @param lines the lines, without line breaks
     */
    public void draw(List<String> lines) {
        if (!terminal) {
            return;
        }
        StringBuilder text = new StringBuilder(home());
        for (String line : lines) {
            text.append(line.length() > columns - 1 ? line.substring(0, columns - 1) : line)
                    .append('\n');
        }
        out.print(text);
        out.flush();
        drawn = lines.size();
    }

    /** Takes the lines away. */
    public void clear() {
        if (terminal && drawn > 0) {
            out.print(home());
            out.flush();
            drawn = 0;
        }
    }

    /** Leaves the lines where they are; the next ones are drawn below. */
    public void keep() {
        drawn = 0;
    }

    private String home() {
        return drawn == 0 ? "" : "\r" + ESCAPE + drawn + "A" + ESCAPE + "0J";
    }
}
