package io.farnode.streams.topology;

import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The whole topology: {@link Topics#TELEMETRY} to windows, run catalogue, summaries and dead letters, and
 * {@link Topics#SUMMARIES} to verdicts. Every processor, store and topic has its own name, so nothing depends on the
 * order of assembly.
 *
 * <p>State is small, since finished runs leave it, so stores are in memory with a change log.
 */
public final class FarnodeTopology {
    /** The arm others are compared against. */
    public static final String BASELINE = "baseline";
    /** The arm under test, when there is one only. */
    public static final String CANDIDATE = "candidate";

    /** Largest result that is sent; leaves room for key and headers in a record of {@link Topics#MAX_RECORD_BYTES}. */
    static final int MAX_RESULT_BYTES = Topics.MAX_RECORD_BYTES - 64 * 1024;

    private static final List<String> RUN_STORES =
            List.of(Names.STARTS_STORE, Names.RUNS_STORE, Names.SERIES_STORE, Names.WINDOWS_STORE, Names.SIGNALS_STORE);

    private FarnodeTopology() {}

    /**
     * Assembles the topology.
     *
     * @param catalog where writer schemas come from; shared by all tasks
     * @param settings how windows come out
     * @param config what Kafka Streams reads at assembly, such as {@code ensure.explicit.internal.resource.naming}
     * @return the topology
     */
    public static Topology build(SchemaCatalog catalog, WindowSettings settings, TopologyConfig config) {
        Topology topology = new Topology(config);
        topology.addSource(
                AutoOffsetReset.earliest(),
                Names.TELEMETRY_SOURCE,
                new EventTime(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                Topics.TELEMETRY.topicName());
        topology.addProcessor(Names.RUN_PROCESSOR, () -> new RunProcessor(catalog, settings), Names.TELEMETRY_SOURCE);
        for (String store : RUN_STORES) {
            topology.addStateStore(store(store), Names.RUN_PROCESSOR);
        }
        sink(topology, Names.WINDOWS_SINK, Topics.WINDOWS, KeyPartitioner.BY_FIRST_PART, Names.RUN_PROCESSOR);
        sink(topology, Names.RUNS_SINK, Topics.RUNS, KeyPartitioner.BY_FIRST_PART, Names.RUN_PROCESSOR);
        sink(
                topology,
                Names.SUMMARIES_SINK,
                Topics.SUMMARIES,
                KeyPartitioner.BY_ALL_BUT_LAST_PART,
                Names.RUN_PROCESSOR);
        sink(topology, Names.DEAD_LETTERS_SINK, Topics.DEAD_LETTERS, KeyPartitioner.BY_FIRST_PART, Names.RUN_PROCESSOR);

        topology.addSource(
                AutoOffsetReset.earliest(),
                Names.SUMMARIES_SOURCE,
                new EventTime(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                Topics.SUMMARIES.topicName());
        topology.addProcessor(
                Names.EXPERIMENT_PROCESSOR, () -> new ExperimentProcessor(catalog), Names.SUMMARIES_SOURCE);
        topology.addStateStore(store(Names.EXPERIMENTS_STORE), Names.EXPERIMENT_PROCESSOR);
        sink(topology, Names.VERDICTS_SINK, Topics.VERDICTS, KeyPartitioner.BY_FIRST_PART, Names.EXPERIMENT_PROCESSOR);
        // a sink of its own: a shared one would tie both halves into one task
        sink(
                topology,
                Names.SUMMARIES_DEAD_LETTERS_SINK,
                Topics.DEAD_LETTERS,
                KeyPartitioner.BY_FIRST_PART,
                Names.EXPERIMENT_PROCESSOR);
        return topology;
    }

    /**
     * Names what is compared: the experiment itself for the arm {@link #CANDIDATE}, else experiment and arm, so that
     * several arms of one experiment do not overwrite each other's verdicts.
     *
     * @param experiment the experiment
     * @param arm the arm compared with the baseline
     * @return the name that stands in verdicts
     */
    public static String comparisonName(String experiment, String arm) {
        return arm.equals(CANDIDATE) ? experiment : experiment + "/" + arm;
    }

    /**
     * {@return the change logs that must have as many partitions as {@link Topics#TELEMETRY}}
     *
     * @param applicationId the application they belong to
     */
    public static Set<String> changelogs(String applicationId) {
        return RUN_STORES.stream()
                .map(store -> applicationId + "-" + store + "-changelog")
                .collect(Collectors.toUnmodifiableSet());
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingEnabled()
                .withLoggingEnabled(Map.of("max.message.bytes", Integer.toString(Topics.MAX_RECORD_BYTES)));
    }

    private static void sink(Topology topology, String name, Topics topic, KeyPartitioner partitioner, String parent) {
        topology.addSink(
                name, topic.topicName(), new ByteArraySerializer(), new ByteArraySerializer(), partitioner, parent);
    }
}
