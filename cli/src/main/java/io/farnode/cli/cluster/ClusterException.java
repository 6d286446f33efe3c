package io.farnode.cli.cluster;

/** A Kafka cluster cannot be used as it is. The message is one line for the user: what, where, and what to do. */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong.
     *
     * @param message one line for the user
     */
    public ClusterException(String message) {
        super(message);
    }

    /**
     * Says what is wrong.
     *
     * @param message one line for the user
     * @param cause what happened underneath
     */
    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
