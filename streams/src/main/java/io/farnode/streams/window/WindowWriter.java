package io.farnode.streams.window;

import io.farnode.contract.Codec;
import io.farnode.contract.SchemaCatalog;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Writes windows to the very bytes that {@link Codec#encode} makes of them, several times faster: the numbers of a
 * {@link WindowReport} are written from its arrays, without an object each. A window of 64 CPUs and 8 events holds some
 * fifteen hundred numbers, and writing them was most of what a window cost. Keeps its buffer: one instance a thread.
 */
public final class WindowWriter {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /** Most bytes a variable-length number takes. */
    private static final int VARINT_BYTES = 10;

    private byte[] buffer = new byte[16 * 1024];
    private int length;

    /** The scopes written last, and their bytes; a run's windows share one list. */
    private List<String> knownScopes;

    private byte[] knownScopeBytes = new byte[0];

    /** Makes a writer. */
    public WindowWriter() {}

    /**
     * Encodes a window.
     *
     * @param window the window
     * @return header and datum
     */
    public byte[] write(WindowResult window) {
        length = 0;
        reserve(Codec.HEADER_BYTES);
        buffer[0] = (byte) 0xC3;
        buffer[1] = 0x01;
        LONG.set(buffer, 2, Fingerprint.VALUE);
        length = Codec.HEADER_BYTES;
        text(window.getRunId());
        number(window.getStartNanos());
        number(window.getEndNanos());
        number(window.getSizeNanos());
        reserve(Double.BYTES + 1);
        LONG.set(buffer, length, Double.doubleToRawLongBits(window.getCoverage()));
        length += Double.BYTES;
        buffer[length++] = (byte) (window.getComplete() ? 1 : 0);
        number(window.getSamples());
        scopes(window.getScopes());
        List<WindowSeries> series = window.getSeries();
        if (!series.isEmpty()) {
            number(series.size());
            for (WindowSeries one : series) {
                series(one);
            }
        }
        number(0);
        return Arrays.copyOf(buffer, length);
    }

    private void scopes(List<String> scopes) {
        if (scopes != knownScopes) {
            int from = length;
            if (!scopes.isEmpty()) {
                number(scopes.size());
                scopes.forEach(this::text);
            }
            number(0);
            knownScopeBytes = Arrays.copyOfRange(buffer, from, length);
            knownScopes = scopes;
            return;
        }
        reserve(knownScopeBytes.length);
        System.arraycopy(knownScopeBytes, 0, buffer, length, knownScopeBytes.length);
        length += knownScopeBytes.length;
    }

    private void series(WindowSeries series) {
        text(series.getName());
        text(series.getUnit());
        number(series.getKind().ordinal());
        number(series.getScale());
        List<Integer> positions = series.getScopeIndex();
        begin(positions.size(), VARINT_BYTES);
        for (int i = 0; i < positions.size(); i++) {
            length = put(buffer, length, positions.get(i));
        }
        end();
        doubles(series.getValues());
        longs(series.getSums());
        List<Float> coverage = series.getCoverage();
        begin(coverage.size(), Float.BYTES);
        for (int i = 0; i < coverage.size(); i++) {
            INT.set(buffer, length, Float.floatToRawIntBits(coverage.get(i)));
            length += Float.BYTES;
        }
        end();
    }

    private void doubles(List<Double> list) {
        int size = list.size();
        begin(size, Double.BYTES);
        byte[] out = buffer;
        int at = length;
        if (list instanceof Numbers.Doubles numbers) {
            double[] values = numbers.values();
            for (int i = 0; i < size; i++) {
                LONG.set(out, at, Double.doubleToRawLongBits(values[i]));
                at += Double.BYTES;
            }
        } else {
            for (double value : list) {
                LONG.set(out, at, Double.doubleToRawLongBits(value));
                at += Double.BYTES;
            }
        }
        length = at;
        end();
    }

    private void longs(List<Long> list) {
        int size = list.size();
        begin(size, VARINT_BYTES);
        byte[] out = buffer;
        int at = length;
        if (list instanceof Numbers.Longs numbers) {
            long[] values = numbers.values();
            for (int i = 0; i < size; i++) {
                at = put(out, at, values[i]);
            }
        } else {
            for (long value : list) {
                at = put(out, at, value);
            }
        }
        length = at;
        end();
    }

    /** Begins an array, with room for its numbers and its end; an empty one is its end alone. */
    private void begin(int size, int bytesEach) {
        reserve(2 * VARINT_BYTES + size * bytesEach);
        if (size > 0) {
            length = put(buffer, length, size);
        }
    }

    private void end() {
        length = put(buffer, length, 0);
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        reserve(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    private void number(long value) {
        reserve(VARINT_BYTES);
        length = put(buffer, length, value);
    }

    /** Writes a number as Avro does: zigzag, seven bits a byte, the lowest first. */
    private static int put(byte[] out, int from, long value) {
        long rest = value << 1 ^ value >> 63;
        int at = from;
        while ((rest & ~0x7FL) != 0) {
            out[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        out[at++] = (byte) rest;
        return at;
    }

    private void reserve(int bytes) {
        if (length + bytes > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + bytes));
        }
    }

    /** Of the schema; computed when first needed. */
    private static final class Fingerprint {
        private static final long VALUE = SchemaCatalog.fingerprint(WindowResult.getClassSchema());
    }
}
