package io.farnode.producer.capture;

import io.farnode.telemetry.Sample;
import java.io.Closeable;
import java.io.IOException;

/**
 * Reads one capture, span by span. A function of the bytes and the options: read again, it gives the same samples. Used
 * by one thread.
 */
public interface CaptureReader extends Closeable {
    /**
     * Reads the next sample. Samples come in ascending order of their end. Run, source and sequence number are left for
     * whoever owns the run; the option {@code offset} is already added to their times.
     *
     * <p>A span covers what the tool measured and no more. A row that cannot be read is a gap: by its own time where
     * that can be read, else by one usual interval. A row that is only late covers all since the one before it.
     *
     * @return the sample, or null at the end
     * @throws IOException if the input cannot be read
     * @throws CaptureException if nothing in the input makes sense, or if an option is missing without which its times
     *     mean nothing
     */
    Sample next() throws IOException;

    /** {@return what became of the lines so far; grows while the capture is being read} */
    LineAccount account();

    /**
     * {@return whether the absolute times come from the user's options or from the clock of arrival instead of the
     * capture itself; known once a sample has been read}
     */
    boolean timeAssumed();

    /** {@return how far absolute times may be off, in ns; known once a sample has been read} */
    long accuracyNanos();
}
