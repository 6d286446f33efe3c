package io.farnode.streams.topology;

import io.farnode.contract.Codec;
import io.farnode.contract.Keys;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.UndecodableException;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.streams.verdict.Comparison;
import io.farnode.telemetry.RunStarted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Compares the arms of an experiment whenever one of its runs has finished: every other arm against the baseline. A
 * verdict is sent again when more runs have come; it takes the place of the one before.
 */
final class ExperimentProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private final SchemaCatalog catalog;
    private Codec codec;
    private ProcessorContext<byte[], byte[]> context;
    private DeadLetters deadLetters;
    private KeyValueStore<Bytes, byte[]> summaries;

    ExperimentProcessor(SchemaCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> processorContext) {
        context = processorContext;
        codec = new Codec(catalog);
        deadLetters = new DeadLetters(context, Names.SUMMARIES_DEAD_LETTERS_SINK);
        summaries = context.getStateStore(Names.EXPERIMENTS_STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RunSummary summary;
        try {
            summary = codec.decode(RunSummary.class, record.value());
        } catch (UndecodableException e) {
            deadLetters.send(record, DropReason.UNDECODABLE, e.getMessage(), e);
            return;
        }
        String experiment = summary.getStarted().getExperiment();
        summaries.put(Bytes.wrap(StateKeys.bytes(Keys.summary(experiment, summary.getRunId()))), record.value());
        Map<String, List<RunSummary>> arms = arms(experiment);
        List<RunSummary> baseline = arms.remove(FarnodeTopology.BASELINE);
        if (baseline == null) {
            return;
        }
        arms.forEach((arm, runs) -> {
            String name = FarnodeTopology.comparisonName(experiment, arm);
            for (Verdict verdict : Comparison.compare(name, baseline, runs)) {
                context.forward(
                        new Record<>(
                                Keys.bytes(Keys.verdict(name, verdict.getSignal(), verdict.getScope())),
                                codec.encode(verdict),
                                record.timestamp()),
                        Names.VERDICTS_SINK);
            }
        });
    }

    private Map<String, List<RunSummary>> arms(String experiment) {
        Map<String, List<RunSummary>> arms = new TreeMap<>();
        byte[] prefix = StateKeys.bytes(Keys.summary(experiment, ""));
        try (KeyValueIterator<Bytes, byte[]> entries = summaries.prefixScan(prefix, new ByteArraySerializer())) {
            while (entries.hasNext()) {
                RunSummary summary;
                try {
                    summary = codec.decode(RunSummary.class, entries.next().value);
                } catch (UndecodableException e) {
                    throw new IllegalStateException("RunSummary in the state store: " + e.getMessage(), e);
                }
                RunStarted started = summary.getStarted();
                if (started.getExperiment().equals(experiment)
                        && !started.getArm().isEmpty()) {
                    arms.computeIfAbsent(started.getArm(), arm -> new ArrayList<>())
                            .add(summary);
                }
            }
        }
        arms.values()
                .forEach(runs -> runs.sort(Comparator.<RunSummary>comparingInt(
                                run -> run.getStarted().getRepeat())
                        .thenComparing(RunSummary::getRunId)));
        return arms;
    }
}
