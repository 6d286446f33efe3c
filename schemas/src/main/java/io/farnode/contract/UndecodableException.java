package io.farnode.contract;

/** Bytes that are no record of farnode's. The message says why, without the bytes. */
public final class UndecodableException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Says why.
     *
     * @param message what is wrong with the bytes
     */
    public UndecodableException(String message) {
        super(message);
    }

    /**
     * Says why.
     *
     * @param message what is wrong with the bytes
     * @param cause what the decoder said
     */
    public UndecodableException(String message, Throwable cause) {
        super(message, cause);
    }
}
