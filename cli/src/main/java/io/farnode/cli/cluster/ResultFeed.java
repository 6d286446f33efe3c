package io.farnode.cli.cluster;

import io.farnode.contract.Codec;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.SchemaTopic;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows topics of results as they grow, from their beginning, committed records only. Used by one thread. */
public final class ResultFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResultFeed.class);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Codec codec;

    /**
     * Begins to follow.
     *
     * @param cluster where
     * @param topics which topics
     */
    public ResultFeed(Cluster cluster, Topics... topics) {
        codec = new Codec(new SchemaCatalog(new SchemaTopic(cluster.clientProperties())));
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.remove("group.id");
        properties.put("enable.auto.commit", "false");
        properties.put("isolation.level", "read_committed");
        consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topics topic : topics) {
            consumer.partitionsFor(topic.topicName())
                    .forEach(p -> partitions.add(new TopicPartition(p.topic(), p.partition())));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /**
     * Fetches what has come.
     *
     * @param patience how long to wait for the first record
     * @return the records of all topics, each topic's partition in order; records that cannot be read are left out with
     *     a warning
     */
    public List<SpecificRecord> poll(Duration patience) {
        List<SpecificRecord> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
            if (record.value() == null) {
                continue;
            }
            try {
                records.add(codec.decode(record.value()));
            } catch (UndecodableException e) {
                LOG.warn(
                        "{} partition {} offset {}: {}",
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        e.getMessage());
            }
        }
        return records;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
