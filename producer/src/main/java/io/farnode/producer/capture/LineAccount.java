package io.farnode.producer.capture;

import io.farnode.telemetry.Flag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What became of every line of a capture. The counts of all kinds add up to the number of lines read; silence about a
 * line would be a bug. Numbers and texts of the lines are kept up to a limit, counts always.
 */
public final class LineAccount {
    /** Most errors and most notices that are kept with their text. */
    public static final int KEPT = 1000;

    /** What times rest on that no tool printed. */
    static final String ARRIVAL = "times rest on when the rows arrived; pass --start if this is a recording";

    private static final int SHOWN_CHARACTERS = 60;

    /** What a line was. */
    public enum Kind {
        /** Numbers that went into a sample. */
        READING,
        /** Names of columns. */
        HEADER,
        /** A comment of the tool, a command line, or a blank line. */
        COMMENT,
        /** Something else, such as the prose of a mail. */
        NOISE,
        /** A line that should have been a reading and could not be read. */
        ERROR
    }

    /**
     * Something to be said about a line.
     *
     * @param line line number from 1; 0 = about the whole input
     * @param text the line, shortened; empty for the whole input
     * @param message what is wrong or remarkable, and what to do
     */
    public record Remark(long line, String text, String message) {
        @Override
        public String toString() {
            return (line > 0 ? "line " + line + ": " : "") + message + (text.isEmpty() ? "" : ": \"" + text + "\"");
        }
    }

    private final long[] counts = new long[Kind.values().length];
    private final List<List<long[]>> ranges = new ArrayList<>();
    private final List<Remark> errors = new ArrayList<>();
    private final List<Remark> notices = new ArrayList<>();
    private final long[] flagged = new long[Flag.values().length];
    private final Set<String> assumptions = new LinkedHashSet<>();
    private long missingNanos;
    private long notesNotKept;

    LineAccount() {
        for (int i = 0; i < counts.length; i++) {
            ranges.add(new ArrayList<>());
        }
    }

    /** Counts a line that became part of a sample. */
    void reading() {
        counts[0]++;
    }

    /** Counts a line of another kind. */
    void count(Kind kind, long line) {
        counts[kind.ordinal()]++;
        if (kind == Kind.READING) {
            return;
        }
        List<long[]> known = ranges.get(kind.ordinal());
        if (!known.isEmpty() && known.get(known.size() - 1)[1] == line - 1) {
            known.get(known.size() - 1)[1] = line;
        } else if (known.size() < KEPT) {
            known.add(new long[] {line, line});
        }
    }

    /** Counts an error. */
    void error(long line, String text, String message) {
        count(Kind.ERROR, line);
        if (errors.size() < KEPT) {
            errors.add(new Remark(line, shorten(text), message));
        }
    }

    /** Remarks on a line without counting it. */
    void notice(long line, String text, String message) {
        if (notices.size() < KEPT) {
            notices.add(new Remark(line, shorten(text), message));
        } else {
            notesNotKept++;
        }
    }

    /** Counts something that a flag says; what is counted depends on the flag, see {@link #notices()}. */
    void flagged(Flag flag) {
        flagged[flag.ordinal()]++;
    }

    /** Counts a hole in front of a span. */
    void gap(long nanos) {
        flagged(Flag.GAP_BEFORE);
        missingNanos += nanos;
    }

    /** Takes note of what times or units rest on; said once however often it is assumed. */
    void assumed(String what) {
        assumptions.add(what);
    }

    /** {@return number of lines read} */
    public long lines() {
        return Arrays.stream(counts).sum();
    }

    /**
     * {@return number of lines of a kind}
     *
     * @param kind the kind
     */
    public long count(Kind kind) {
        return counts[kind.ordinal()];
    }

    /**
     * {@return the numbers of the lines of a kind as text, such as "1-79, 92, 95-130"; empty for readings, which are
     * only counted; ends with ", ..." when there were more than {@link #KEPT} ranges}
     *
     * @param kind the kind
     */
    public String lineNumbers(Kind kind) {
        StringBuilder text = new StringBuilder();
        long covered = 0;
        for (long[] range : ranges.get(kind.ordinal())) {
            text.append(text.isEmpty() ? "" : ", ").append(range[0]);
            if (range[1] > range[0]) {
                text.append('-').append(range[1]);
            }
            covered += range[1] - range[0] + 1;
        }
        if (!text.isEmpty() && covered < count(kind)) {
            text.append(", ...");
        }
        return text.toString();
    }

    /** {@return the errors in order of lines, the first {@link #KEPT} of them} */
    public List<Remark> errors() {
        return List.copyOf(errors);
    }

    /**
     * {@return remarks that are no errors: first one for each assumption and each kind of flag, about the whole input,
     * with how often it was met; then those on single lines (elided lines, a counter fewer than before, ...), the first
     * {@link #KEPT} of them}
     */
    public List<Remark> notices() {
        List<Remark> all = new ArrayList<>();
        assumptions.forEach(a -> all.add(new Remark(0, "", a)));
        for (Flag flag : Flag.values()) {
            long count = flagged[flag.ordinal()];
            String meaning = count == 0 ? "" : meaning(flag, count);
            if (!meaning.isEmpty()) {
                all.add(new Remark(0, "", meaning));
            }
        }
        all.addAll(notices);
        return List.copyOf(all);
    }

    private String meaning(Flag flag, long count) {
        String counts = number(count, "count");
        return switch (flag) {
            case NOT_COUNTED -> counts + " without a value: the tool printed <not counted>, no number, or no run time";
            case NOT_SUPPORTED -> counts + " without a value: this machine has no such counter (<not supported>)";
            case LOW_COVERAGE ->
                counts + " measured for less than a fifth of the interval and scaled up; record fewer events at once";
            case GAP_BEFORE ->
                number(count, "gap") + ", "
                        + String.format(
                                Locale.ROOT, "%d.%03d", missingNanos / 1_000_000_000L, missingNanos / 1_000_000L % 1000)
                        + " s missing in all";
            case TIME_DISAMBIGUATED ->
                number(count, "time") + " printed in an hour that exists twice; read so that time does not run back";
            case LOCALE_REPAIRED ->
                "numbers of " + number(count, "row") + " put together again that a decimal comma had split;"
                        + " record with LC_ALL=C";
            case METRIC_TRUNCATED -> number(count, "derived figure") + " cut at the decimal comma by the tool";
            default -> "";
        };
    }

    private static String number(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** {@return how many notices there were beyond those kept} */
    public long noticesNotKept() {
        return notesNotKept;
    }

    @Override
    public String toString() {
        return lines() + " lines: " + count(Kind.READING) + " readings, " + count(Kind.HEADER) + " headers, "
                + count(Kind.COMMENT) + " comments, " + count(Kind.NOISE) + " noise, " + count(Kind.ERROR) + " errors";
    }

    /** Makes a line fit to be shown: no control characters, not too long. */
    static String shorten(String text) {
        StringBuilder shown = new StringBuilder();
        text.strip()
                .codePoints()
                .limit(SHOWN_CHARACTERS + 1L)
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .forEach(shown::appendCodePoint);
        if (shown.codePointCount(0, shown.length()) > SHOWN_CHARACTERS) {
            shown.setLength(shown.offsetByCodePoints(0, SHOWN_CHARACTERS - 3));
            shown.append("...");
        }
        return shown.toString();
    }
}
