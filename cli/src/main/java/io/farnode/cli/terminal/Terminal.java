package io.farnode.cli.terminal;

import java.io.Console;

/**
 * What is known about where output goes. The launcher script knows best, since Java 17 has no way to ask about standard
 * output and standard error one by one; it says so in two system properties. Without them both count as terminals only
 * when Java has a console.
 *
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param columns width in characters
 */
public record Terminal(boolean out, boolean err, int columns) {
    private static final int USUAL_COLUMNS = 80;

    /** No terminal anywhere. */
    public static final Terminal NONE = new Terminal(false, false, USUAL_COLUMNS);

    /** {@return what this process has} */
    public static Terminal detect() {
        String descriptors = System.getProperty("farnode.terminal");
        boolean console = isConsole(System.console());
        boolean out = descriptors == null ? console : descriptors.contains("1");
        boolean err = descriptors == null ? console : descriptors.contains("2");
        if ("dumb".equals(System.getenv("TERM"))) {
            out = false;
            err = false;
        }
        int columns = Integer.getInteger("farnode.columns", USUAL_COLUMNS);
        // a terminal that nobody told its size says 0
        return new Terminal(out, err, columns > 0 ? columns : USUAL_COLUMNS);
    }

    /** From Java 22 on there is a Console without a terminal too, with a method that tells. */
    private static boolean isConsole(Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
