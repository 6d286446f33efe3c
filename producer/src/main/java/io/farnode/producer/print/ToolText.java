package io.farnode.producer.print;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The index of the texts that a run can be printed as. */
public enum ToolText {
    /** Rows of {@code vmstat -y -w -t -n}: {@code vmstat.txt}. */
    VMSTAT("vmstat"),
    /** Intervals of {@code perf stat -I -x,} as perf 6.1 prints them: {@code perf.csv} and those of units and nodes. */
    PERF_CSV("perf-csv"),
    /** Snapshots of {@code /proc/interrupts}, each under its {@code timestamp:}: {@code interrupts.txt}. */
    INTERRUPTS("interrupts");

    private final String formatName;

    ToolText(String formatName) {
        this.formatName = formatName;
    }

    /** {@return the name on the command line, where there is a reader that of its capture format too} */
    public String formatName() {
        return formatName;
    }

    /**
     * Finds a text.
     *
     * @param name its name on the command line
     * @return the text
     * @throws IllegalArgumentException if there is none of that name; the message lists those there are
     */
    public static ToolText named(String name) {
        return Arrays.stream(values())
                .filter(text -> text.formatName.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("format \"" + name + "\" cannot be printed: known are "
                        + Arrays.stream(values()).map(ToolText::formatName).collect(Collectors.joining(", "))));
    }
}
