package io.farnode.producer.machine;

/**
 * A machine, scenario or parameter that is wrong. The message is one line for the user: where, which field, the value,
 * what it may be.
 */
public final class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong.
     *
     * @param message where, which field, the value, what it may be
     */
    public DataException(String message) {
        super(message);
    }
}
