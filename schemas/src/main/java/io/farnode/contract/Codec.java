package io.farnode.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * Turns records into Avro single-object encoding (two magic bytes, the writer schema's fingerprint, the datum) and back.
 * The fingerprint names the writer's schema, so a topic may hold several record types and several versions of each.
 *
 * <p>Keeps buffers between calls: one instance a thread. Header and buffers are handled here because Avro's own
 * {@code BinaryMessageEncoder} and {@code BinaryMessageDecoder} cost two to three times as much per record.
 *
 * @see <a href="https://avro.apache.org/docs/1.12.0/specification/#single-object-encoding">Avro specification</a>
 */
public final class Codec {
    /** Length of the header in bytes: magic and fingerprint. */
    public static final int HEADER_BYTES = 10;

    private static final byte MAGIC_0 = (byte) 0xC3;
    private static final byte MAGIC_1 = (byte) 0x01;

    private final SchemaCatalog catalog;
    private final Map<Long, SpecificDatumReader<SpecificRecord>> readers = new HashMap<>();
    private final Map<Schema, Writer> writers = new HashMap<>();
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(16 * 1024);
    private BinaryEncoder encoder;
    private BinaryDecoder decoder;

    /**
     * A codec for one thread.
     *
     * @param catalog where writer schemas come from; may be shared
     */
    public Codec(SchemaCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Encodes a record of one of farnode's schemas.
     *
     * @param value the record
     * @return header and datum
     * @throws IllegalArgumentException if a field that must be set is not
     */
    public byte[] encode(SpecificRecord value) {
        Writer writer = writers.computeIfAbsent(value.getSchema(), Writer::new);
        buffer.reset();
        buffer.writeBytes(writer.header);
        encoder = EncoderFactory.get().binaryEncoder(buffer, encoder);
        try {
            writer.datum.write(value, encoder);
            encoder.flush();
        } catch (IOException | AvroRuntimeException | NullPointerException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "cannot encode " + value.getSchema().getName() + ": " + e.getMessage(), e);
        }
        return buffer.toByteArray();
    }

    /**
     * Decodes whatever record of farnode's the bytes hold.
     *
     * @param bytes header and datum
     * @return the record, of this version's class, whatever version wrote it
     * @throws UndecodableException if the bytes are not such a record; never for a record of another version whose
     *     schema the catalogue can find
     */
    public SpecificRecord decode(byte[] bytes) throws UndecodableException {
        if (bytes == null) {
            throw new UndecodableException("no value");
        }
        if (bytes.length < HEADER_BYTES || bytes[0] != MAGIC_0 || bytes[1] != MAGIC_1) {
            throw new UndecodableException("not an Avro single-object record: " + bytes.length
                    + " bytes that do not begin with c3 01 and a schema fingerprint");
        }
        long fingerprint = 0;
        for (int i = HEADER_BYTES - 1; i >= 2; i--) {
            fingerprint = fingerprint << 8 | bytes[i] & 0xFF;
        }
        SpecificDatumReader<SpecificRecord> reader = readers.get(fingerprint);
        if (reader == null) {
            reader = reader(fingerprint);
            readers.put(fingerprint, reader);
        }
        decoder = DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, decoder);
        try {
            SpecificRecord record = reader.read(null, decoder);
            if (!decoder.isEnd()) {
                throw new UndecodableException(
                        record.getSchema().getName() + " with bytes left over after its last field");
            }
            return record;
        } catch (IOException
                | AvroRuntimeException
                | IndexOutOfBoundsException
                | NegativeArraySizeException
                | UnsupportedOperationException
                | OutOfMemoryError e) {
            throw new UndecodableException(
                    "damaged " + reader.getExpected().getName() + " record: " + e.getMessage(), e);
        }
    }

    /**
     * Decodes a record of one type.
     *
     * @param type the type
     * @param bytes header and datum
     * @param <T> the type
     * @return the record
     * @throws UndecodableException if the bytes are not a record of that type
     */
    public <T extends SpecificRecord> T decode(Class<T> type, byte[] bytes) throws UndecodableException {
        SpecificRecord record = decode(bytes);
        if (!type.isInstance(record)) {
            throw new UndecodableException(
                    "a " + record.getSchema().getName() + " where a " + type.getSimpleName() + " was expected");
        }
        return type.cast(record);
    }

    private SpecificDatumReader<SpecificRecord> reader(long fingerprint) throws UndecodableException {
        Schema written = catalog.find(fingerprint)
                .orElseThrow(() -> new UndecodableException(
                        "unknown schema fingerprint " + SchemaCatalog.fingerprintText(fingerprint)));
        Schema expected = SchemaCatalog.current().get(written.getFullName());
        if (expected == null) {
            throw new UndecodableException("a " + written.getFullName() + ", which this version does not know");
        }
        return new SpecificDatumReader<>(written, expected, dataOf(expected));
    }

    private static SpecificData dataOf(Schema schema) {
        return SpecificData.getForSchema(schema);
    }

    private static final class Writer {
        private final byte[] header = new byte[HEADER_BYTES];
        private final SpecificDatumWriter<SpecificRecord> datum;

        Writer(Schema schema) {
            long fingerprint = SchemaCatalog.fingerprint(schema);
            header[0] = MAGIC_0;
            header[1] = MAGIC_1;
            for (int i = 2; i < HEADER_BYTES; i++) {
                header[i] = (byte) fingerprint;
                fingerprint >>>= 8;
            }
            datum = new SpecificDatumWriter<>(schema, dataOf(schema));
        }
    }
}
