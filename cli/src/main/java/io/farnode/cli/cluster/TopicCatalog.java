package io.farnode.cli.cluster;

import io.farnode.contract.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Farnode's topics on a cluster: what they should be and what they are. Topics are only ever created here, never
 * changed: a partition count that changes would tear runs apart, and settings of an existing topic are its owner's.
 */
public final class TopicCatalog {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Admin admin;

    /**
     * A catalogue of a cluster.
     *
     * @param admin a client of the cluster; stays the caller's
     */
    public TopicCatalog(Admin admin) {
        this.admin = admin;
    }

    /** How a topic stands. */
    public enum State {
        /** There, as it should be. */
        OK,
        /** Not there. */
        MISSING,
        /** There, but with another partition count or other settings. */
        DIFFERS
    }

    /**
     * A topic as it stands on the cluster.
     *
     * @param topic which
     * @param state how it stands
     * @param partitions its partitions, or those it would be created with
     * @param differences what differs, each "what is, what farnode needs"
     */
    public record Entry(Topics topic, State state, int partitions, List<String> differences) {}

    /**
     * Looks at every topic.
     *
     * @return one entry a topic, in the order of {@link Topics}
     * @throws ClusterException if the cluster refuses
     */
    public List<Entry> list() {
        return list(0);
    }

    /**
     * Creates the topics that are missing. Those that are there stay as they are.
     *
     * @param partitions partitions of the topics that scale; 0 = as the topics that are there have, else the default
     * @param replicationFactor copies of each partition; 0 = the broker's default
     * @return the topics that were created
     * @throws ClusterException if a topic that is there has another partition count or other settings, or the cluster
     *     refuses; nothing is created when a topic differs
     */
    public List<Topics> create(int partitions, int replicationFactor) {
        List<Entry> entries = list(partitions);
        refuseDifferences(entries);
        List<Topics> missing = new ArrayList<>();
        List<NewTopic> wanted = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.state() == State.MISSING) {
                missing.add(entry.topic());
                wanted.add(new NewTopic(
                                entry.topic().topicName(),
                                Optional.of(entry.partitions()),
                                replicationFactor == 0 ? Optional.empty() : Optional.of((short) replicationFactor))
                        .configs(entry.topic().settings()));
            }
        }
        if (!wanted.isEmpty()) {
            try {
                get(admin.createTopics(wanted).all(), "create topics");
            } catch (ClusterException e) {
                // two farnodes starting at the same time: the other one was first, which is as good
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
            awaitLeaders(entries);
        }
        return missing;
    }

    /**
     * Waits until the leader of every partition answers for it. Clients hear of a new topic a moment before its leader is
     * ready. An idempotent producer that writes in that moment can have its first batch refused and its second one taken,
     * since an empty log takes any first sequence number; the first batch is then refused for ever.
     */
    private void awaitLeaders(List<Entry> entries) {
        Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
        for (Entry entry : entries) {
            for (int i = 0; i < entry.partitions(); i++) {
                partitions.put(new TopicPartition(entry.topic().topicName(), i), OffsetSpec.latest());
            }
        }
        Set<String> names = new HashSet<>();
        entries.forEach(entry -> names.add(entry.topic().topicName()));
        long end = System.nanoTime() + PATIENCE.toNanos();
        // the broker's metadata first: asking for offsets of topics it has not heard of fails at once
        while (!get(admin.listTopics().names(), "list topics").containsAll(names)) {
            pause(end);
        }
        while (true) {
            try {
                get(admin.listOffsets(partitions).all(), "reach the leaders of the new topics");
                return;
            } catch (ClusterException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                pause(end);
            }
        }
    }

    private static void pause(long end) {
        if (System.nanoTime() > end) {
            throw new ClusterException(
                    "the new topics are not there after " + PATIENCE.toSeconds() + " s; see the broker's log");
        }
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting for the new topics", e);
        }
    }

    /**
     * Makes sure that every topic is there as it should be.
     *
     * @throws ClusterException if one is missing or differs; the message names it and says what to do
     */
    public void require() {
        List<Entry> entries = list(0);
        refuseDifferences(entries);
        List<String> missing = entries.stream()
                .filter(e -> e.state() == State.MISSING)
                .map(e -> e.topic().topicName())
                .toList();
        if (!missing.isEmpty()) {
            throw new ClusterException(
                    "topic " + String.join(", ", missing) + " is missing; create it: farnode topics create");
        }
    }

    private static void refuseDifferences(List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry.state() == State.DIFFERS) {
                throw new ClusterException("topic " + entry.topic().topicName() + " "
                        + String.join("; ", entry.differences())
                        + "; delete or change the topic, or use another cluster");
            }
        }
    }

    private List<Entry> list(int wantedPartitions) {
        Set<String> present = get(admin.listTopics().names(), "list topics");
        Set<String> ours = new HashSet<>();
        List<ConfigResource> resources = new ArrayList<>();
        for (Topics topic : Topics.values()) {
            if (present.contains(topic.topicName())) {
                ours.add(topic.topicName());
                resources.add(new ConfigResource(ConfigResource.Type.TOPIC, topic.topicName()));
            }
        }
        Map<String, TopicDescription> descriptions =
                get(admin.describeTopics(ours).allTopicNames(), "describe topics");
        Map<ConfigResource, Config> configs =
                get(admin.describeConfigs(resources).all(), "describe topic settings");
        int scaling = wantedPartitions > 0 ? wantedPartitions : scalingPartitions(descriptions.values());
        Map<Topics, Entry> entries = new EnumMap<>(Topics.class);
        for (Topics topic : Topics.values()) {
            int right = topic.scales() ? scaling : topic.partitions();
            TopicDescription description = descriptions.get(topic.topicName());
            if (description == null) {
                entries.put(topic, new Entry(topic, State.MISSING, right, List.of()));
                continue;
            }
            int actual = description.partitions().size();
            List<String> differences = new ArrayList<>();
            if (actual != right) {
                differences.add("has " + actual + (actual == 1 ? " partition" : " partitions") + " where farnode needs "
                        + right);
            }
            Config config = configs.get(new ConfigResource(ConfigResource.Type.TOPIC, topic.topicName()));
            topic.settings().forEach((name, needed) -> {
                ConfigEntry entry = config.get(name);
                if (entry != null && !needed.equals(entry.value())) {
                    differences.add("has " + name + "=" + entry.value() + " where farnode needs " + needed);
                }
            });
            State state = differences.isEmpty() ? State.OK : State.DIFFERS;
            entries.put(topic, new Entry(topic, state, actual, List.copyOf(differences)));
        }
        return List.copyOf(entries.values());
    }

    /** All topics that scale have as many partitions as the telemetry log, which the user chose when it was created. */
    private static int scalingPartitions(Collection<TopicDescription> descriptions) {
        return descriptions.stream()
                .filter(d -> d.name().equals(Topics.TELEMETRY.topicName()))
                .mapToInt(d -> d.partitions().size())
                .findAny()
                .orElse(Topics.TELEMETRY.partitions());
    }

    private static <T> T get(org.apache.kafka.common.KafkaFuture<T> future, String what) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new ClusterException("cannot " + what + ": " + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted: " + what, e);
        } catch (KafkaException e) {
            throw new ClusterException("cannot " + what + ": " + e.getMessage(), e);
        }
    }
}
