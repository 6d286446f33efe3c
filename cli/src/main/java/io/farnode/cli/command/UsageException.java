package io.farnode.cli.command;

import io.farnode.producer.capture.CaptureException;
import io.farnode.producer.machine.DataException;
import java.util.function.Supplier;

/** What the user asked for cannot be: exit code 2. The message is one line: what, the value, and what to write. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    private UsageException(RuntimeException cause) {
        super(cause.getMessage(), cause);
    }

    /**
     * Makes something of what stands on the command line, before anything else is touched: whatever is refused here is
     * wrong usage. Files are not to be read in it, for what is wrong with those is no fault of the command line.
     *
     * @param value makes it
     * @param <T> its type
     * @return the same
     * @throws UsageException if it is refused
     */
    static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException | CaptureException | DataException e) {
            throw new UsageException(e);
        }
    }
}
