package io.farnode.cli.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Plain Kafka clients for tests of the broker. */
final class KafkaProbe {
    private final Map<String, Object> properties;

    KafkaProbe(String bootstrapServers) {
        this.properties = Map.of("bootstrap.servers", bootstrapServers);
    }

    void create(String topic, Map<String, String> settings) throws Exception {
        try (Admin admin = Admin.create(properties)) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(settings)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    void send(String topic, Long timestamp, String... values) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(with("acks", "all"), new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, 0, timestamp, "k", value))
                        .get(20, TimeUnit.SECONDS);
            }
        }
    }

    void send(String topic, byte[] value) throws Exception {
        send(topic, null, new String(value, StandardCharsets.ISO_8859_1));
    }

    List<String> read(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                with("enable.auto.commit", "false"), new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(5))) {
                    values.add(record.value());
                }
            }
        }
        return values;
    }

    long earliest(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                with("enable.auto.commit", "false"), new StringDeserializer(), new StringDeserializer())) {
            return consumer.beginningOffsets(List.of(partition)).get(partition);
        }
    }

    private Map<String, Object> with(String key, String value) {
        return Map.of("bootstrap.servers", properties.get("bootstrap.servers"), key, value);
    }
}
