package io.farnode.bench;

import io.farnode.contract.Codec;
import io.farnode.contract.SampleBuilder;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.UndecodableException;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Encoding and decoding one sample: a vmstat row (1 scope, 17 columns) and a perf interval (64 scopes, 8 columns). */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CodecBenchmark {
    /** Scopes and columns of the sample, as "scopes x columns". */
    @Param({"1x17", "64x8"})
    public String shape;

    private Codec codec;
    private Sample sample;
    private byte[] encoded;

    /** Made by JMH. */
    public CodecBenchmark() {}

    /** Makes the sample. */
    @Setup
    public void prepare() {
        int scopes = Integer.parseInt(shape.substring(0, shape.indexOf('x')));
        int columns = Integer.parseInt(shape.substring(shape.indexOf('x') + 1));
        SplittableRandom random = new SplittableRandom(1);
        SampleBuilder builder = new SampleBuilder(Tool.PERF_STAT);
        for (int c = 0; c < columns; c++) {
            int column = builder.column("event" + c, "event" + c, "1", ValueKind.DELTA, "");
            for (int s = 0; s < scopes; s++) {
                builder.set(
                        column,
                        builder.scope("cpu" + s),
                        random.nextLong(1L << random.nextInt(4, 32)),
                        0,
                        SampleBuilder.ALWAYS,
                        SampleBuilder.UNKNOWN);
            }
        }
        sample = builder.build(0, 1_000_000_000L, 1, 1L + (long) scopes * columns);
        codec = new Codec(new SchemaCatalog());
        encoded = codec.encode(sample);
    }

    /** {@return the sample, encoded} */
    @Benchmark
    public byte[] encode() {
        return codec.encode(sample);
    }

    /**
     * {@return the sample, decoded}
     *
     * @throws UndecodableException never
     */
    @Benchmark
    public SpecificRecord decode() throws UndecodableException {
        return codec.decode(encoded);
    }
}
