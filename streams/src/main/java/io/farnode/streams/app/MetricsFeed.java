package io.farnode.streams.app;

import io.farnode.contract.Codec;
import io.farnode.contract.Keys;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import io.farnode.results.RunInfo;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.streams.metrics.RunMeters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads results as they are committed and keeps the meters. A thread and a consumer of its own, so that a slow scrape
 * never holds up the topology. Catalogue, verdicts and dead letters are read from their beginning, windows from now on.
 */
final class MetricsFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsFeed.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final long REFRESH_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 5_000;
    /** What the key of a whole run's window holds: its size, nought. */
    private static final String WHOLE_RUN = Keys.window("", 0, 0).substring(0, "|".length() + 19 + "|".length());

    private final RunMeters meters;
    private final Codec codec;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> endsAtStart;
    private final Thread thread = new Thread(this::run, "farnode-metrics-feed");
    private volatile boolean closed;

    MetricsFeed(Map<String, Object> clientProperties, SchemaCatalog catalog, String clientId, RunMeters meters) {
        this.meters = meters;
        this.codec = new Codec(catalog);
        List<TopicPartition> partitions = Clients.partitions(
                clientProperties, List.of(Topics.WINDOWS, Topics.RUNS, Topics.VERDICTS, Topics.DEAD_LETTERS));
        consumer = Clients.reader(clientProperties, clientId);
        try {
            endsAtStart = Clients.call(clientProperties, () -> {
                consumer.assign(partitions);
                Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
                for (TopicPartition partition : partitions) {
                    if (partition.topic().equals(Topics.WINDOWS.topicName())) {
                        consumer.seek(partition, ends.get(partition));
                    } else {
                        consumer.seekToBeginning(List.of(partition));
                    }
                }
                return ends;
            });
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long refreshed = 0;
        try (consumer) {
            while (!closed) {
                try {
                    takeLatest(consumer.poll(POLL));
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    // a broker that is away comes back, and the consumer with it
                    LOG.warn("meters wait: {}", e.getMessage());
                }
                long now = System.currentTimeMillis();
                if (now - refreshed >= REFRESH_MILLIS) {
                    meters.refresh(now);
                    refreshed = now;
                }
            }
        }
    }

    /** Takes only the last record of each run or verdict: a fast replay closes thousands of windows between scrapes. */
    private void takeLatest(ConsumerRecords<byte[], byte[]> records) {
        Map<String, ConsumerRecord<byte[], byte[]>> latest = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.topic().equals(Topics.DEAD_LETTERS.topicName())) {
                meters.deadLetter(Results.letter(record).kind());
            } else if (record.key() != null && record.value() != null) {
                String key = new String(record.key(), StandardCharsets.UTF_8);
                if (!record.topic().equals(Topics.WINDOWS.topicName())) {
                    latest.put(record.topic() + key, record);
                } else if (!key.contains(WHOLE_RUN)) {
                    latest.put(record.topic() + key.substring(0, Math.max(0, key.indexOf('|'))), record);
                }
            }
        }
        latest.values().forEach(this::take);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        try {
            SpecificRecord result = codec.decode(record.value());
            if (result instanceof WindowResult window) {
                meters.window(window);
            } else if (result instanceof RunInfo info) {
                boolean old = record.offset() < endsAtStart.get(new TopicPartition(record.topic(), record.partition()));
                meters.run(info, old, System.currentTimeMillis());
            } else if (result instanceof Verdict verdict) {
                meters.verdict(verdict);
            }
        } catch (UndecodableException e) {
            LOG.warn("{} at offset {}: {}", record.topic(), record.offset(), e.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        if (!thread.isAlive()) {
            consumer.close();
            return;
        }
        consumer.wakeup();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
