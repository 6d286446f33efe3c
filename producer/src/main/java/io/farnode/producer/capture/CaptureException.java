package io.farnode.producer.capture;

/** A capture cannot be read as it stands; the message is one line for the user: what, where, and what to do. */
public final class CaptureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** File as the user gave it. */
    private final String file;

    /** Line number from 1, or 0. */
    private final long line;

    /** The message without the place. */
    private final String problem;

    /**
     * Says what is wrong.
     *
     * @param file the file as the user gave it; "-" = standard input
     * @param line line number from 1, or 0 when no single line is to blame
     * @param problem what is wrong and what to do, without a full stop
     */
    public CaptureException(String file, long line, String problem) {
        super((file.equals("-") ? "standard input" : file) + (line > 0 ? ":" + line : "") + ": " + problem);
        this.file = file;
        this.line = line;
        this.problem = problem;
    }

    /** {@return the file as the user gave it} */
    public String file() {
        return file;
    }

    /** {@return the line number from 1, or 0 when no single line is to blame} */
    public long line() {
        return line;
    }

    /** {@return what is wrong and what to do, without the place} */
    public String problem() {
        return problem;
    }
}
