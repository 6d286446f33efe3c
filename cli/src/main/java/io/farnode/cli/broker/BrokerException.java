package io.farnode.cli.broker;

/** The embedded broker cannot be had. The message is one line for the user: what, where, and what to do. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong.
     *
     * @param message one line for the user
     */
    public BrokerException(String message) {
        super(message);
    }

    /**
     * Says what is wrong.
     *
     * @param message one line for the user
     * @param cause what happened underneath
     */
    public BrokerException(String message, Throwable cause) {
        super(message, cause);
    }
}
