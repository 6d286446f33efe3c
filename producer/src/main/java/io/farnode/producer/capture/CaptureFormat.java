package io.farnode.producer.capture;

import io.farnode.telemetry.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The index of capture formats: how each is told from the others, recorded and read. */
public enum CaptureFormat {
    /** Rows of vmstat, as a terminal, a file or a mail shows them. */
    VMSTAT(
            "vmstat",
            Tool.VMSTAT,
            "rows of vmstat, with or without -t -a -w -n, also inside a mail or behind a wrapper's time column",
            "vmstat -t 1 > vmstat.txt",
            VmstatReader::score,
            VmstatReader::new),
    /** Intervals of {@code perf stat -I -x}. */
    PERF_CSV(
            "perf-csv",
            Tool.PERF_STAT,
            "perf stat with -x, as a rule with -I: per system, CPU, core, die, socket, node or thread",
            "perf stat -I 1000 -a -A -x, -o perf.csv -e context-switches,irq:irq_handler_entry",
            PerfCsvReader::score,
            PerfCsvReader::new);

    /** Score from which on a format is certain. */
    public static final int CERTAIN = 90;

    /** How much of the beginning is looked at, in bytes: 256 KiB. */
    public static final int HEAD_BYTES = 256 * 1024;

    private final String formatName;
    private final Tool tool;
    private final String description;
    private final String recordedBy;
    private final Detector detector;
    private final Opener opener;

    CaptureFormat(
            String formatName, Tool tool, String description, String recordedBy, Detector detector, Opener opener) {
        this.formatName = formatName;
        this.tool = tool;
        this.description = description;
        this.recordedBy = recordedBy;
        this.detector = detector;
        this.opener = opener;
    }

    /** {@return the name on the command line, as in {@code vmstat:FILE}} */
    public String formatName() {
        return formatName;
    }

    /** {@return the tool whose output it is} */
    public Tool tool() {
        return tool;
    }

    /** {@return one line for people} */
    public String description() {
        return description;
    }

    /** {@return a command that records it} */
    public String recordedBy() {
        return recordedBy;
    }

    /**
     * Judges by content how likely bytes are a capture of this format.
     *
     * @param head bytes from the beginning of a capture
     * @param from position of the first byte
     * @param to position after the last byte; the last line may be cut
     * @return 0 = not at all .. 100 = surely; from {@link #CERTAIN} on there is no need to see more
     */
    public int detect(byte[] head, int from, int to) {
        return detector.score(head, from, to);
    }

    /**
     * Opens a reader.
     *
     * @param lines the capture; closed with the reader
     * @param options what the user says about it
     * @return the reader
     */
    public CaptureReader open(LineSource lines, CaptureOptions options) {
        return opener.open(lines, options);
    }

    /**
     * Finds a format.
     *
     * @param name its name on the command line
     * @return the format, or nothing
     */
    public static Optional<CaptureFormat> byName(String name) {
        return Arrays.stream(values()).filter(f -> f.formatName.equals(name)).findFirst();
    }

    /**
     * Finds the format of a capture: the one the user named, else by content. Looks ahead only and consumes nothing.
     *
     * @param lines the capture, at its beginning
     * @param options what the user says about it
     * @return the format
     * @throws IOException if the input cannot be read
     * @throws CaptureException if the capture is empty, binary, or of no known format
     */
    public static CaptureFormat of(LineSource lines, CaptureOptions options) throws IOException {
        while (true) {
            boolean more = lines.available() < HEAD_BYTES && lines.lookAhead();
            byte[] head = lines.buffer();
            int from = lines.headStart();
            int to = from + Math.min(lines.available(), HEAD_BYTES);
            checkText(head, from, to, options);
            if (to == from && !more) {
                throw options.refusal("empty; there is nothing to read");
            }
            if (options.format().isPresent()) {
                if (to > from || !more) {
                    return options.format().get();
                }
                continue;
            }
            CaptureFormat best = null;
            int bestScore = 0;
            for (CaptureFormat format : values()) {
                int score = format.detect(head, from, to);
                if (score > bestScore) {
                    best = format;
                    bestScore = score;
                }
            }
            if (bestScore >= CERTAIN || !more && best != null) {
                return best;
            }
            if (!more) {
                throw unknown(head, from, to, options);
            }
        }
    }

    /** {@return the names of all formats, for messages} */
    public static String names() {
        return Arrays.stream(values()).map(CaptureFormat::formatName).collect(Collectors.joining(", "));
    }

    private static void checkText(byte[] head, int from, int to, CaptureOptions options) {
        if (to - from >= 2
                && ((head[from] & 0xFF) == 0xFF && (head[from + 1] & 0xFF) == 0xFE
                        || (head[from] & 0xFF) == 0xFE && (head[from + 1] & 0xFF) == 0xFF)) {
            throw options.refusal("UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8");
        }
        for (int i = from; i < to; i++) {
            if (head[i] == 0) {
                throw options.refusal("binary file (zero byte at offset " + (i - from)
                        + "); farnode reads the text that tools print: " + names());
            }
        }
    }

    private static CaptureException unknown(byte[] head, int from, int to, CaptureOptions options) {
        String text = new String(head, from, Math.min(to - from, 4096), StandardCharsets.UTF_8);
        String first = text.lines().filter(l -> !l.isBlank()).findFirst().orElse("");
        if (first.isEmpty()) {
            return options.refusal("empty; there is nothing to read");
        }
        return options.refusal("format not recognised (it begins \"" + LineAccount.shorten(first)
                + "\"); known formats: " + names() + "; write FORMAT:" + options.path() + " if it is one of them");
    }

    @FunctionalInterface
    private interface Detector {
        int score(byte[] head, int from, int to);
    }

    @FunctionalInterface
    private interface Opener {
        CaptureReader open(LineSource lines, CaptureOptions options);
    }
}
