package io.farnode.producer.capture;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts bytes into lines without copying them. A line lies in {@link #buffer()} from {@link #start()} to {@link #end()},
 * without its line end (LF or CR LF), and stays there until the next call. Lines may be as long as {@link #MAX_LINE};
 * of a longer one only the beginning is kept.
 */
public final class LineSource implements Closeable {
    /** Longest line in bytes: 4 MiB. */
    public static final int MAX_LINE = 4 * 1024 * 1024;

    private static final int KEPT_OF_LONG_LINE = 256;

    /** What came next. */
    public enum Event {
        /** A line. */
        LINE,
        /** Nothing for the source's quiet time; more may come. */
        QUIET,
        /** The end of the input. */
        END
    }

    private final ByteSource source;
    private byte[] buffer = new byte[256 * 1024];
    private int position;
    private int limit;
    private int start;
    private int end;
    private long number;
    private boolean begun;
    private boolean ended;
    private boolean terminated;
    private boolean tooLong;

    /**
     * Lines of a source.
     *
     * @param source the bytes; closed with the lines
     */
    public LineSource(ByteSource source) {
        this.source = source;
    }

    /**
     * Goes to the next line.
     *
     * @return what came
     * @throws IOException if the input cannot be read
     */
    public Event next() throws IOException {
        int scan = position;
        boolean dropped = false;
        if (!begun && (limit > 0 || ended)) {
            begin();
            scan = position;
        }
        while (true) {
            for (int i = scan; i < limit; i++) {
                if (buffer[i] == '\n') {
                    return line(i, i + 1, dropped, true);
                }
            }
            scan = limit;
            if (ended) {
                return position < limit || dropped ? line(limit, limit, dropped, false) : Event.END;
            }
            if (limit - position > MAX_LINE) {
                limit = position + KEPT_OF_LONG_LINE;
                scan = limit;
                dropped = true;
            }
            int before = position;
            int read = fill();
            scan -= before - position;
            if (read == 0 && !dropped) {
                return Event.QUIET;
            }
            if (!begun && (limit > 3 || ended)) {
                begin();
                scan = Math.max(scan, position);
            }
        }
    }

    /**
     * Reads ahead without consuming, as far as one read brings more.
     *
     * @return whether there was more to read
     * @throws IOException if the input cannot be read
     */
    boolean lookAhead() throws IOException {
        if (ended || limit - position >= MAX_LINE) {
            return false;
        }
        fill();
        return !ended;
    }

    /** {@return how many bytes can be looked at from {@link #headStart()} on without reading} */
    int available() {
        return limit - position;
    }

    /** {@return position in the buffer of the first byte not consumed} */
    int headStart() {
        return position;
    }

    /** {@return the buffer that holds the line; others must not change it} */
    public byte[] buffer() {
        return buffer;
    }

    /** {@return position of the line's first byte} */
    public int start() {
        return start;
    }

    /** {@return position after the line's last byte} */
    public int end() {
        return end;
    }

    /** {@return the line's number, from 1} */
    public long number() {
        return number;
    }

    /** {@return whether the line ended with a line end; false only for the last line of an input that was cut off} */
    public boolean terminated() {
        return terminated;
    }

    /** {@return whether the line was longer than {@link #MAX_LINE}, so that only its beginning is there} */
    public boolean tooLong() {
        return tooLong;
    }

    /** {@return when the line arrived, ns since 1970, or {@link ByteSource#NO_ARRIVAL} for a file} */
    public long arrivalNanos() {
        return source.arrivalNanos();
    }

    /** {@return the line as text; bytes that are no UTF-8 come out as replacement characters} */
    public String text() {
        return new String(buffer, start, end - start, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    private Event line(int lineEnd, int next, boolean shortened, boolean complete) {
        boolean dropped = shortened || lineEnd - position > MAX_LINE;
        start = position;
        end = dropped ? Math.min(position + KEPT_OF_LONG_LINE, lineEnd) : lineEnd;
        if (end > start && buffer[end - 1] == '\r') {
            end--;
        }
        position = next;
        number++;
        terminated = complete;
        tooLong = dropped;
        return Event.LINE;
    }

    private int fill() throws IOException {
        if (limit == buffer.length) {
            if (position > 0) {
                System.arraycopy(buffer, position, buffer, 0, limit - position);
                limit -= position;
                position = 0;
            } else {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
        }
        int read = source.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            ended = true;
        } else {
            limit += read;
        }
        return read;
    }

    /** Steps over a UTF-8 byte order mark. */
    private void begin() {
        begun = true;
        if (number == 0
                && limit - position >= 3
                && (buffer[position] & 0xFF) == 0xEF
                && (buffer[position + 1] & 0xFF) == 0xBB
                && (buffer[position + 2] & 0xFF) == 0xBF) {
            position += 3;
        }
    }
}
