package io.farnode.producer.replay;

import io.farnode.producer.capture.ByteSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A pipe that is being written now. A thread of its own reads it, because a read of a pipe cannot be given up after a
 * while; so the reader of the capture learns when the pipe falls silent, and can be stopped from outside.
 */
final class PipeSource implements ByteSource {
    /** Quiet time after which what has come is taken to be whole: longer than a tool needs to print an interval. */
    static final long QUIET_MILLIS = 300;

    private static final Chunk END = new Chunk(new byte[0], 0, null);

    private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(64);
    private final InputStream pipe;
    private final LongSupplier clock;
    private final long quietMillis;
    private Chunk current = new Chunk(new byte[0], NO_ARRIVAL, null);
    private int position;
    private boolean quietTold = true;
    private volatile boolean stopped;

    private record Chunk(byte[] bytes, long arrivalNanos, IOException failure) {}

    /**
     * Begins to read a pipe.
     *
     * @param name name for the thread
     * @param pipe the pipe
     * @param clock wall clock, ns since 1970
     * @param quietMillis quiet time in ms
     */
    PipeSource(String name, InputStream pipe, LongSupplier clock, long quietMillis) {
        this.pipe = pipe;
        this.clock = clock;
        this.quietMillis = quietMillis;
        Thread reader = new Thread(this::pump, "pipe-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void pump() {
        byte[] buffer = new byte[64 * 1024];
        try {
            while (!stopped) {
                int read = pipe.read(buffer);
                if (read < 0) {
                    chunks.put(END);
                    return;
                }
                chunks.put(new Chunk(Arrays.copyOf(buffer, read), clock.getAsLong(), null));
            }
        } catch (IOException e) {
            try {
                chunks.put(new Chunk(new byte[0], 0, e));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (position == current.bytes.length) {
            Chunk next = null;
            long deadline = quietTold ? Long.MAX_VALUE : quietMillis;
            long waited = 0;
            while (next == null) {
                if (stopped || current == END) {
                    return -1;
                }
                if (waited >= deadline) {
                    quietTold = true;
                    return 0;
                }
                long slice = Math.min(100, deadline - waited);
                try {
                    next = chunks.poll(slice, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return -1;
                }
                waited += slice;
            }
            if (next.failure != null) {
                throw next.failure;
            }
            current = next;
            position = 0;
            if (next == END) {
                return -1;
            }
            quietTold = false;
        }
        int count = Math.min(length, current.bytes.length - position);
        System.arraycopy(current.bytes, position, into, from, count);
        position += count;
        return count;
    }

    @Override
    public long arrivalNanos() {
        return current == END ? clock.getAsLong() : current.arrivalNanos;
    }

    /** Ends the input, from any thread. */
    void stop() {
        stopped = true;
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        chunks.clear(); // lets a reader that waits for room go on and see the end
        if (pipe != System.in) {
            pipe.close();
        }
    }
}
