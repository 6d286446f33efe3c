package io.farnode.producer.capture;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/** Where the bytes of a capture come from: a file, or a pipe that can fall silent. */
public interface ByteSource extends Closeable {
    /** Arrival time of bytes that were recorded earlier. */
    long NO_ARRIVAL = Long.MIN_VALUE;

    /**
     * Reads some bytes; waits for them no longer than the source's quiet time.
     *
     * @param into where to put them
     * @param from first position to fill
     * @param length how many at most; at least 1
     * @return how many were read; 0 = nothing arrived during the quiet time; -1 = the end
     * @throws IOException if the input cannot be read
     */
    int read(byte[] into, int from, int length) throws IOException;

    /**
     * {@return when the bytes of the last read arrived, ns since 1970, or {@link #NO_ARRIVAL} for bytes recorded
     * earlier}
     */
    default long arrivalNanos() {
        return NO_ARRIVAL;
    }

    /**
     * {@return a source that is never quiet}
     *
     * @param stream where the bytes come from; closed with the source
     */
    static ByteSource of(InputStream stream) {
        return new ByteSource() {
            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                return stream.read(into, from, length);
            }

            @Override
            public void close() throws IOException {
                stream.close();
            }
        };
    }
}
