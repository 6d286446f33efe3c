package io.farnode.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.cli.broker.DataDirectory;
import io.farnode.contract.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicCatalogIT {
    private Cluster cluster;
    private Admin admin;
    private TopicCatalog catalog;

    @BeforeEach
    void start() {
        cluster = Cluster.own(DataDirectory.ephemeral(), 0, line -> {
            throw new AssertionError(line);
        });
        admin = cluster.admin();
        catalog = new TopicCatalog(admin);
    }

    @AfterEach
    void stop() {
        admin.close();
        cluster.close();
    }

    @Test
    void shouldCreateEveryTopicOnceWithItsSettings() {
        assertThat(catalog.list()).allMatch(e -> e.state() == TopicCatalog.State.MISSING);
        assertThatThrownBy(catalog::require)
                .hasMessageStartingWith("topic farnode.telemetry, farnode.claims, ")
                .hasMessageEndingWith(" is missing; create it: farnode topics create");

        assertThat(catalog.create(0, 0)).containsExactly(Topics.values());

        assertThat(catalog.list())
                .allMatch(e ->
                        e.state() == TopicCatalog.State.OK && e.differences().isEmpty());
        assertThat(catalog.create(0, 0)).isEmpty();
        catalog.require();
    }

    @Test
    void shouldKeepToThePartitionsTheTopicsWereCreatedWith() {
        catalog.create(6, 1);
        assertThat(catalog.list())
                .allMatch(e -> e.partitions() == (e.topic().scales() ? 6 : 1) && e.state() == TopicCatalog.State.OK);
        assertThat(catalog.create(0, 0)).isEmpty();
        assertThatThrownBy(() -> catalog.create(5, 1))
                .isInstanceOf(ClusterException.class)
                .hasMessage("topic farnode.telemetry has 6 partitions where farnode needs 5;"
                        + " delete or change the topic, or use another cluster");
    }

    @Test
    void shouldRefuseATopicWithTheWrongPartitionCountAndCreateNothing() throws Exception {
        make(Topics.CLAIMS, 3, Topics.CLAIMS.settings());
        String refusal = "topic farnode.claims has 3 partitions where farnode needs 1;"
                + " delete or change the topic, or use another cluster";
        assertThatThrownBy(() -> catalog.create(0, 0)).hasMessage(refusal);
        assertThatThrownBy(catalog::require).hasMessage(refusal);
        assertThat(admin.listTopics().names().get()).containsExactly("farnode.claims");
    }

    @Test
    void shouldRefuseATopicWhoseSettingsWouldLoseData() throws Exception {
        Map<String, String> settings = new HashMap<>(Topics.TELEMETRY.settings());
        settings.put("retention.ms", "604800000");
        make(Topics.TELEMETRY, 4, settings);
        assertThatThrownBy(() -> catalog.create(0, 0))
                .hasMessage("topic farnode.telemetry has retention.ms=604800000 where farnode needs -1;"
                        + " delete or change the topic, or use another cluster");
    }

    private void make(Topics topic, int partitions, Map<String, String> settings) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic.topicName(), partitions, (short) 1).configs(settings)))
                .all()
                .get();
    }
}
