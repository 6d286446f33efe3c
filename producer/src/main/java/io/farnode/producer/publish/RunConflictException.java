package io.farnode.producer.publish;

/** A run id that stands for another input already. The message names both and says what to do. */
public final class RunConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunConflictException(String message) {
        super(message);
    }
}
