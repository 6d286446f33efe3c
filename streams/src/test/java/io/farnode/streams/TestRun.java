package io.farnode.streams;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Machine;
import io.farnode.telemetry.Origin;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Source;
import io.farnode.telemetry.TimeBasis;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A run told by a test: hands out records with the right sequence numbers. */
public final class TestRun {
    public static final long SECOND = 1_000_000_000L;

    private final RunStarted started;
    private final Map<String, SampleBuilder> builders = new LinkedHashMap<>();
    private final Map<String, Long> sequences = new LinkedHashMap<>();
    private long samples;
    private long end;

    public TestRun(String runId, long startNanos, Map<String, Tool> sources) {
        List<Source> declared = new ArrayList<>();
        sources.forEach((name, tool) -> {
            declared.add(new Source(name, tool, "", "", "", 0L, 0L, Map.of()));
            builders.put(name, new SampleBuilder(tool));
            sequences.put(name, 0L);
        });
        started = new RunStarted();
        started.setRunId(runId);
        started.setOrigin(Origin.SIMULATED);
        started.setMachine(new Machine("m", "aarch64", "", List.of(0, 0, 1, 1), List.of(), List.of()));
        started.setPolicy("");
        started.setWorkload("");
        started.setThroughputUnit("IO");
        started.setOperationEvent("");
        started.setExperiment("");
        started.setArm("");
        started.setRepeat(1);
        started.setSeed(1);
        started.setTimeBasis(TimeBasis.SIMULATED);
        started.setStartNanos(startNanos);
        started.setSources(declared);
        started.setLabels(Map.of());
        started.setInputDigest("digest of " + runId);
        end = startNanos;
    }

    public static TestRun perf(String runId, long startNanos) {
        return new TestRun(runId, startNanos, Map.of("perf", Tool.PERF_STAT));
    }

    public RunStarted started() {
        return started;
    }

    /** A sample over seconds of the run, filled in by the test. */
    public Sample sample(String source, double fromSecond, double toSecond, Consumer<Cells> fill) {
        return sampleNanos(
                source,
                started.getStartNanos() + Math.round(fromSecond * SECOND),
                started.getStartNanos() + Math.round(toSecond * SECOND),
                fill);
    }

    public Sample sampleNanos(String source, long from, long to, Consumer<Cells> fill) {
        fill.accept(new Cells(builders.get(source)));
        Sample sample = builders.get(source).build(from, to, 0, 0);
        sample.setRunId(started.getRunId());
        sample.setSource(source);
        sample.setSequence(sequences.merge(source, 1L, Long::sum));
        samples++;
        end = Math.max(end, to);
        return sample;
    }

    /** Leaves out a sequence number, as if a record had been lost. */
    public void lose(String source) {
        sequences.merge(source, 1L, Long::sum);
    }

    public RunFinished finished() {
        return new RunFinished(
                started.getRunId(), Map.copyOf(sequences), started.getStartNanos(), end, samples, 0L, true);
    }

    /** Cells of the sample being made. */
    public record Cells(SampleBuilder builder) {
        public Cells count(String metric, String scope, long value) {
            return set(metric, "1", ValueKind.DELTA, scope, value, 0);
        }

        public Cells count(String metric, String scope, String dimension, long value) {
            int column = builder.column(metric, metric, "1", ValueKind.DELTA, dimension);
            builder.set(column, builder.scope(scope), value, 0, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
            return this;
        }

        public Cells rate(String metric, String scope, long value) {
            return set(metric, "/s", ValueKind.RATE, scope, value, 0);
        }

        public Cells share(String metric, String scope, long value) {
            return set(metric, "%", ValueKind.SHARE, scope, value, 0);
        }

        public Cells set(String metric, String unit, ValueKind kind, String scope, long value, int scale) {
            int column = builder.column(metric, metric, unit, kind, "");
            builder.set(column, builder.scope(scope), value, scale, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
            return this;
        }

        public Cells notCounted(String metric, String scope) {
            int column = builder.column(metric, metric, "1", ValueKind.DELTA, "");
            builder.setNone(
                    column,
                    builder.scope(scope),
                    SampleBuilder.NOT_COUNTED,
                    SampleBuilder.UNKNOWN,
                    SampleBuilder.UNKNOWN);
            return this;
        }
    }
}
