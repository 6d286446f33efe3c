package io.farnode.streams.app;

import io.farnode.contract.Codec;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import io.farnode.results.RunInfo;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.streams.topology.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Reads what the topologies concluded: each call reads a topic from its beginning to the end it has at that moment and
 * gives the latest of each key. Sees committed results only. Every method throws {@link PipelineException}, with one
 * line for people, when the broker or a topic is not there. Not safe for use by several threads.
 */
public final class Results {
    /** Short, since behind the last record there may be nothing but markers of transactions. */
    private static final Duration POLL = Duration.ofMillis(50);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Object> clientProperties;
    private final Codec codec;

    /**
     * A reader of results.
     *
     * @param clientProperties how to connect; at least {@code bootstrap.servers}
     * @param catalog where writer schemas come from
     */
    public Results(Map<String, Object> clientProperties, SchemaCatalog catalog) {
        this.clientProperties = Map.copyOf(clientProperties);
        this.codec = new Codec(catalog);
    }

    /** {@return all runs of the catalogue, by start, then run id} */
    public List<RunInfo> runs() {
        return latest(Topics.RUNS, RunInfo.class, key -> true).stream()
                .sorted(Comparator.comparingLong(RunInfo::getStartNanos).thenComparing(RunInfo::getRunId))
                .toList();
    }

    /**
     * {@return the closed windows of a run, by start; the window of the whole run, if there is one, last}
     *
     * @param runId the run
     */
    public List<WindowResult> windows(String runId) {
        String prefix = runId + "|";
        return latest(Topics.WINDOWS, WindowResult.class, key -> key.startsWith(prefix)).stream()
                .sorted(Comparator.<WindowResult, Boolean>comparing(window -> window.getSizeNanos() == 0)
                        .thenComparing(WindowResult::getStartNanos)
                        .thenComparing(WindowResult::getSizeNanos))
                .toList();
    }

    /**
     * {@return the summaries of an experiment's finished runs, by arm, repeat and run id}
     *
     * @param experiment the experiment
     */
    public List<RunSummary> summaries(String experiment) {
        String prefix = experiment + "|";
        return latest(Topics.SUMMARIES, RunSummary.class, key -> key.startsWith(prefix)).stream()
                .filter(summary -> summary.getStarted().getExperiment().equals(experiment))
                .sorted(Comparator.<RunSummary, String>comparing(
                                summary -> summary.getStarted().getArm())
                        .thenComparing(summary -> summary.getStarted().getRepeat())
                        .thenComparing(RunSummary::getRunId))
                .toList();
    }

    /**
     * {@return the verdicts of an experiment, those of its further arms included ("experiment/arm"), by comparison,
     * signal and scope}
     *
     * @param experiment the experiment
     */
    public List<Verdict> verdicts(String experiment) {
        String prefix = experiment + "|";
        String arms = experiment + "/";
        return latest(Topics.VERDICTS, Verdict.class, key -> key.startsWith(prefix) || key.startsWith(arms)).stream()
                .sorted(Comparator.comparing(Verdict::getExperiment)
                        .thenComparing(Verdict::getSignal)
                        .thenComparing(Verdict::getScope))
                .toList();
    }

    /**
     * What was set aside.
     *
     * @param key the record's key as text; empty = none
     * @param kind short reason, such as "late"
     * @param reason the reason
     * @param topic topic it was read from
     * @param partition partition it was read from; -1 = unknown
     * @param offset offset it was read from; -1 = unknown
     * @param bytes the original value; may be null
     */
    public record DeadLetter(
            String key, String kind, String reason, String topic, int partition, long offset, byte[] bytes) {}

    /** {@return all dead letters, in order of their arrival} */
    public List<DeadLetter> deadLetters() {
        List<DeadLetter> letters = new ArrayList<>();
        read(Topics.DEAD_LETTERS, record -> letters.add(letter(record)));
        return letters;
    }

    static DeadLetter letter(ConsumerRecord<byte[], byte[]> record) {
        return new DeadLetter(
                record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                header(record, DeadLetters.KIND, ""),
                header(record, DeadLetters.REASON, header(record, DeadLetters.MESSAGE, "")),
                header(record, DeadLetters.TOPIC, ""),
                Integer.parseInt(header(record, DeadLetters.PARTITION, "-1")),
                Long.parseLong(header(record, DeadLetters.OFFSET, "-1")),
                record.value());
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name, String otherwise) {
        Header header = record.headers().lastHeader(name);
        return header == null ? otherwise : new String(header.value(), StandardCharsets.UTF_8);
    }

    private <T extends SpecificRecord> List<T> latest(Topics topic, Class<T> type, Predicate<String> wanted) {
        Map<String, byte[]> latest = new LinkedHashMap<>();
        read(topic, record -> {
            String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
            if (wanted.test(key)) {
                if (record.value() == null) {
                    latest.remove(key);
                } else {
                    latest.put(key, record.value());
                }
            }
        });
        List<T> decoded = new ArrayList<>(latest.size());
        latest.forEach((key, value) -> {
            try {
                decoded.add(codec.decode(type, value));
            } catch (UndecodableException e) {
                throw new PipelineException(topic.topicName() + ", key " + key + ": " + e.getMessage(), e);
            }
        });
        return decoded;
    }

    private void read(Topics topic, Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        List<TopicPartition> partitions = Clients.partitions(clientProperties, List.of(topic));
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.reader(clientProperties, "farnode-results")) {
            Clients.call(clientProperties, () -> {
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
                long deadline = System.nanoTime() + PATIENCE.toNanos();
                while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                    var records = consumer.poll(POLL);
                    for (ConsumerRecord<byte[], byte[]> record : records) {
                        if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
                            taker.accept(record);
                        }
                    }
                    if (!records.isEmpty()) {
                        deadline = System.nanoTime() + PATIENCE.toNanos();
                    } else if (System.nanoTime() > deadline) {
                        throw new PipelineException("topic " + topic.topicName() + " on "
                                + Clients.bootstrap(clientProperties) + " gave nothing for " + PATIENCE.toSeconds()
                                + " s before its end: check the broker's log");
                    }
                }
                return null;
            });
        }
    }
}
