package io.farnode.contract;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Writer schemas kept in the compacted topic {@link Topics#SCHEMAS}: how a reader gets at the schema of a version newer
 * than itself without a registry server. Connects only when asked for a fingerprint it has not seen, and reads on from
 * where it stopped; a fingerprint that is not there costs one look at the topic's end. Safe for use by several threads.
 */
public final class SchemaTopic implements LongFunction<Optional<Schema>> {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Map<String, Object> clientProperties;
    private final Map<Long, Schema> known = new HashMap<>();
    private final Set<Long> missing = new HashSet<>();
    private long position;

    /**
     * A source of schemas.
     *
     * @param clientProperties how to connect: at least {@code bootstrap.servers}
     */
    public SchemaTopic(Map<String, Object> clientProperties) {
        this.clientProperties = Map.copyOf(clientProperties);
    }

    /**
     * Finds a schema.
     *
     * @param fingerprint its fingerprint
     * @return the schema, or nothing if the topic does not hold it
     * @throws org.apache.kafka.common.KafkaException if the topic cannot be read
     */
    @Override
    public synchronized Optional<Schema> apply(long fingerprint) {
        Schema schema = known.get(fingerprint);
        if (schema == null && readOn(missing.contains(fingerprint))) {
            schema = known.get(fingerprint);
        }
        if (schema == null) {
            missing.add(fingerprint);
        }
        return Optional.ofNullable(schema);
    }

    /** Reads what is new; returns whether there was anything. */
    private boolean readOn(boolean onlyIfGrown) {
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // read to the end and no further: nothing to wait for
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        TopicPartition partition = new TopicPartition(Topics.SCHEMAS.topicName(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition), TIMEOUT).get(partition);
            if (onlyIfGrown && end <= position) {
                return false;
            }
            consumer.seek(partition, position);
            while (consumer.position(partition, TIMEOUT) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(TIMEOUT)) {
                    remember(record.value());
                }
            }
            position = end;
            return true;
        }
    }

    private void remember(byte[] value) {
        if (value == null) {
            return;
        }
        try {
            Schema schema = new Schema.Parser().parse(new String(value, StandardCharsets.UTF_8));
            known.put(SchemaCatalog.fingerprint(schema), schema);
        } catch (SchemaParseException e) {
            // not a schema: whoever looks for it will be told that it is unknown
            return;
        }
    }
}
