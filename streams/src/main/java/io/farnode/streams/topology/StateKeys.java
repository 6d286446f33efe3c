package io.farnode.streams.topology;

import io.farnode.streams.window.SeriesId;
import io.farnode.telemetry.ValueKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;

/** Keys and small values of the state stores as bytes. A run's entries stand together, ordered by number. */
final class StateKeys {
    /** Number under which the sums of the whole run stand among its windows. */
    static final long WHOLE_RUN = Long.MAX_VALUE;

    private StateKeys() {}

    static Bytes run(String runId) {
        return Bytes.wrap(runId.getBytes(StandardCharsets.UTF_8));
    }

    /** What all keys of a run's entries begin with. A run id holds no zero byte, so no other run's keys begin so. */
    static byte[] prefix(String runId) {
        byte[] id = runId.getBytes(StandardCharsets.UTF_8);
        byte[] prefix = new byte[id.length + 1];
        System.arraycopy(id, 0, prefix, 0, id.length);
        return prefix;
    }

    static Bytes numbered(byte[] prefix, long number) {
        // the sign bit is turned round so that bytes sort like numbers
        return Bytes.wrap(ByteBuffer.allocate(prefix.length + Long.BYTES)
                .put(prefix)
                .putLong(number ^ Long.MIN_VALUE)
                .array());
    }

    static long number(Bytes key) {
        byte[] bytes = key.get();
        return ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES) ^ Long.MIN_VALUE;
    }

    static byte[] series(SeriesId id) {
        byte[][] texts = {
            bytes(id.metric()), bytes(id.unit()), bytes(id.kind().name()), bytes(id.dimension()), bytes(id.scope())
        };
        int length = 2 * Integer.BYTES;
        for (byte[] text : texts) {
            length += Integer.BYTES + text.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length).putInt(id.source()).putInt(id.scale());
        for (byte[] text : texts) {
            out.putInt(text.length).put(text);
        }
        return out.array();
    }

    static SeriesId series(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int source = in.getInt();
        int scale = in.getInt();
        String metric = text(in);
        String unit = text(in);
        ValueKind kind = ValueKind.valueOf(text(in));
        String dimension = text(in);
        return new SeriesId(source, metric, unit, kind, dimension, text(in), scale);
    }

    static String text(ByteBuffer in) {
        byte[] text = new byte[in.getInt()];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
