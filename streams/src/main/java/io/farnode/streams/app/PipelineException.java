package io.farnode.streams.app;

/** Something outside the application is not as it must be. The message is one line that says what, where and what to do. */
public final class PipelineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong.
     *
     * @param message one line for people
     */
    public PipelineException(String message) {
        super(message);
    }

    /**
     * Says what is wrong.
     *
     * @param message one line for people
     * @param cause what was caught
     */
    public PipelineException(String message, Throwable cause) {
        super(message, cause);
    }
}
