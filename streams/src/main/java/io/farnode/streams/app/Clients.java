package io.farnode.streams.app;

import io.farnode.contract.Topics;
import io.farnode.streams.topology.FarnodeTopology;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Clients made from the user's properties, and plain words for what a broker that is not as expected does to them. */
final class Clients {
    private static final int TIMEOUT_SECONDS = 15;

    private Clients() {}

    static String bootstrap(Map<String, Object> properties) {
        return String.valueOf(properties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
    }

    /** A consumer that belongs to no group and reads only what is committed. */
    static KafkaConsumer<byte[], byte[]> reader(Map<String, Object> clientProperties, String clientId) {
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Topics.MAX_RECORD_BYTES);
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_SECONDS * 1_000);
        return call(
                clientProperties,
                () -> new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    /** Partitions of topics that must exist. */
    static List<TopicPartition> partitions(Map<String, Object> clientProperties, Collection<Topics> topics) {
        Map<String, Integer> counts = describe(clientProperties, Set.of());
        return topics.stream()
                .flatMap(topic -> {
                    Integer count = counts.get(topic.topicName());
                    if (count == null) {
                        throw missing(clientProperties, topic);
                    }
                    return IntStream.range(0, count)
                            .mapToObj(partition -> new TopicPartition(topic.topicName(), partition));
                })
                .toList();
    }

    /**
     * Checks that all topics are there and that the state of the application, if it has any, fits them.
     *
     * @throws PipelineException if not
     */
    static void checkTopics(Map<String, Object> clientProperties, String applicationId) {
        Map<String, Integer> counts = describe(clientProperties, FarnodeTopology.changelogs(applicationId));
        for (Topics topic : Topics.values()) {
            Integer count = counts.get(topic.topicName());
            if (count == null) {
                if (topic == Topics.ALERTS || topic == Topics.CLAIMS || topic == Topics.SCHEMAS) {
                    continue;
                }
                throw missing(clientProperties, topic);
            }
            if (!topic.scales() && count != topic.partitions()) {
                throw new PipelineException("topic " + topic.topicName() + " on " + bootstrap(clientProperties)
                        + " has " + count + " partitions, not " + topic.partitions()
                        + ": delete it and run farnode topics create");
            }
        }
        int telemetry = counts.get(Topics.TELEMETRY.topicName());
        for (String changelog : FarnodeTopology.changelogs(applicationId)) {
            Integer count = counts.get(changelog);
            if (count != null && count != telemetry) {
                throw new PipelineException("topic " + Topics.TELEMETRY.topicName() + " on "
                        + bootstrap(clientProperties) + " has " + telemetry
                        + " partitions, but the state of application " + applicationId + " was made for " + count
                        + ": use another application id, which reads the log anew");
            }
        }
    }

    private static PipelineException missing(Map<String, Object> clientProperties, Topics topic) {
        return new PipelineException("topic " + topic.topicName() + " is missing on " + bootstrap(clientProperties)
                + ": run farnode topics create");
    }

    /** Partition counts of the topics that exist, by name. */
    private static Map<String, Integer> describe(Map<String, Object> clientProperties, Set<String> further) {
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_SECONDS * 1_000 / 2);
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_SECONDS * 1_000);
        return call(clientProperties, () -> {
            try (Admin admin = Admin.create(properties)) {
                Set<String> existing = admin.listTopics().names().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                List<String> wanted = existing.stream()
                        .filter(name -> further.contains(name) || isOurs(name))
                        .toList();
                Map<String, Integer> counts = new LinkedHashMap<>();
                admin.describeTopics(wanted)
                        .allTopicNames()
                        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .forEach((name, topic) ->
                                counts.put(name, topic.partitions().size()));
                return counts;
            }
        });
    }

    private static boolean isOurs(String name) {
        for (Topics topic : Topics.values()) {
            if (topic.topicName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** A call to a broker. */
    interface Call<T> {
        T run() throws ExecutionException, InterruptedException, TimeoutException;
    }

    /** Makes a call; what goes wrong becomes one line. */
    static <T> T call(Map<String, Object> clientProperties, Call<T> call) {
        try {
            return call.run();
        } catch (TimeoutException e) {
            throw noAnswer(clientProperties, e);
        } catch (ExecutionException e) {
            throw plain(clientProperties, e.getCause());
        } catch (KafkaException e) {
            throw plain(clientProperties, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PipelineException("interrupted while waiting for " + bootstrap(clientProperties), e);
        }
    }

    private static PipelineException plain(Map<String, Object> clientProperties, Throwable cause) {
        if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            return noAnswer(clientProperties, cause);
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new PipelineException("broker " + bootstrap(clientProperties) + ": " + root.getMessage(), cause);
    }

    private static PipelineException noAnswer(Map<String, Object> clientProperties, Throwable cause) {
        return new PipelineException(
                "no broker answers at " + bootstrap(clientProperties)
                        + ": check the address, or start one with farnode broker",
                cause);
    }
}
