package io.farnode.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.telemetry.Flag;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;

class CodecTest {
    private final Codec codec = new Codec(new SchemaCatalog());

    private static Sample sample() {
        SampleBuilder builder = new SampleBuilder(Tool.PERF_STAT);
        int column = builder.column("context.switches", "context-switches", "1", ValueKind.DELTA, "");
        int clock = builder.column("cpu-clock", "cpu-clock", "ms", ValueKind.DELTA, "");
        builder.set(column, builder.scope("cpu0"), 5120, 0, SampleBuilder.ALWAYS, SampleBuilder.UNKNOWN);
        builder.setNone(column, builder.scope("cpu1"), SampleBuilder.NOT_COUNTED, 0, SampleBuilder.UNKNOWN);
        builder.set(clock, builder.scope("cpu0"), 100021, 2, SampleBuilder.ALWAYS, SampleBuilder.UNKNOWN);
        builder.flag(Flag.PARTIAL_SPAN);
        Sample sample = builder.build(1_000, 2_000, 3, 6);
        sample.setRunId("r1");
        sample.setSource("perf");
        sample.setSequence(7);
        return sample;
    }

    @Test
    void shouldReadWhatItWrote() throws UndecodableException {
        Sample sample = sample();
        assertThat(codec.decode(codec.encode(sample))).isEqualTo(sample);
    }

    @Test
    void shouldWriteSingleObjectEncodingThatAvroItselfReads() throws IOException {
        byte[] bytes = codec.encode(sample());
        GenericRecord read =
                new BinaryMessageDecoder<GenericRecord>(new GenericData(), Sample.getClassSchema()).decode(bytes);
        assertThat(read.get("sequence")).isEqualTo(7L);
        assertThat(read.toString()).contains("\"scopes\": [\"cpu0\", \"cpu1\"]");
    }

    @Test
    void shouldReadSingleObjectEncodingThatAvroWrote() throws Exception {
        RunFinished finished = RunFinished.newBuilder()
                .setRunId("r1")
                .setLastSequence(Map.of("perf", 7L))
                .setStartNanos(1)
                .setEndNanos(2)
                .build();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new BinaryMessageEncoder<RunFinished>(
                        org.apache.avro.specific.SpecificData.getForClass(RunFinished.class),
                        RunFinished.getClassSchema())
                .encode(finished, out);
        assertThat(codec.decode(out.toByteArray())).isEqualTo(finished);
    }

    /** Stored bytes: written once by version 1 and kept; a reader of any later version must still read them. */
    @Test
    void shouldReadStoredBytesOfVersionOneWithTheirStoredSchema() throws Exception {
        Schema stored = new Schema.Parser().parse(resource("sample-v1.avsc"));
        Codec reader = new Codec(new SchemaCatalog(f -> Optional.of(stored)));
        Sample read = reader.decode(Sample.class, hex(resource("sample-v1.hex")));
        assertThat(read).isEqualTo(sample());
    }

    /** The other way round: bytes of a version that has a field more and a symbol more than this one. */
    @Test
    void shouldReadStoredBytesOfANewerVersion() throws Exception {
        Schema newer = new Schema.Parser().parse(resource("sample-newer.avsc"));
        Codec reader = new Codec(new SchemaCatalog(f -> Optional.of(newer)));
        Sample read = reader.decode(Sample.class, hex(resource("sample-newer.hex")));
        Sample expected = sample();
        expected.setTool(Tool.OTHER);
        assertThat(read).isEqualTo(expected);
    }

    /** What this version writes, a reader built from the newer schema reads, with the default for what it lacks. */
    @Test
    void shouldBeReadByANewerVersion() throws Exception {
        Schema newer = new Schema.Parser().parse(resource("sample-newer.avsc"));
        byte[] bytes = codec.encode(sample());
        GenericRecord read = new GenericDatumReader<GenericRecord>(Sample.getClassSchema(), newer)
                .read(
                        null,
                        DecoderFactory.get()
                                .binaryDecoder(bytes, Codec.HEADER_BYTES, bytes.length - Codec.HEADER_BYTES, null));
        assertThat(read.get("kernelRelease").toString()).isEqualTo("unknown");
        assertThat(read.get("sequence")).isEqualTo(7L);
    }

    @Test
    void shouldSayWhichSchemaIsUnknown() {
        byte[] bytes = codec.encode(sample());
        bytes[2] ^= 0x55;
        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageStartingWith("unknown schema fingerprint ");
    }

    @Test
    void shouldSayThatTextIsNoRecord() {
        assertThatThrownBy(() -> codec.decode("hello, world".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UndecodableException.class)
                .hasMessage("not an Avro single-object record: 12 bytes that do not begin with c3 01 and a schema"
                        + " fingerprint");
    }

    @Property
    void shouldRefuseEveryCutRecord(@ForAll int cut) {
        byte[] whole = codec.encode(sample());
        byte[] part = Arrays.copyOf(whole, Math.floorMod(cut, whole.length));
        assertThatThrownBy(() -> codec.decode(part)).isInstanceOf(UndecodableException.class);
    }

    /** Damaged bytes either decode to something or are refused as undecodable; no other exception escapes. */
    @Property(tries = 5000)
    void shouldNeverThrowAnythingElseOnDamagedBytes(@ForAll int at, @ForAll byte with, @ForAll @Size(3) byte[] tail) {
        byte[] whole = codec.encode(sample());
        whole[Codec.HEADER_BYTES + Math.floorMod(at, whole.length - Codec.HEADER_BYTES)] = with;
        System.arraycopy(tail, 0, whole, whole.length - 3, 3);
        try {
            assertThat(codec.decode(whole)).isNotNull();
        } catch (UndecodableException e) {
            assertThat(e).hasMessageContaining("Sample");
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = CodecTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] hex(String text) {
        return java.util.HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }
}
