package io.farnode.cli.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.Topics;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
    @TempDir
    private Path directory;

    private final List<EmbeddedBroker> brokers = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    @AfterEach
    void stop() {
        brokers.forEach(EmbeddedBroker::close);
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldKeepDataOverARestartOnAnotherPort() throws Exception {
        EmbeddedBroker first = start(0, Map.of());
        KafkaProbe probe = new KafkaProbe(first.bootstrapServers());
        probe.create("kept", Map.of());
        probe.send("kept", null, "a", "b");
        first.close();

        EmbeddedBroker second = start(0, Map.of());

        assertThat(second.port()).isNotEqualTo(first.port());
        KafkaProbe again = new KafkaProbe(second.bootstrapServers());
        again.send("kept", null, "c");
        assertThat(again.read("kept")).containsExactly("a", "b", "c");
    }

    @Test
    void shouldListenOnTheLoopbackAddressOnly() {
        assertThat(start(0, Map.of()).bootstrapServers()).startsWith("127.0.0.1:");
    }

    @Test
    void shouldListenOnThePortThatWasAskedFor() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(start(port, Map.of()).bootstrapServers()).isEqualTo("127.0.0.1:" + port);
    }

    @Test
    void shouldSayThatAPortIsTakenAndLeaveNoThreadsBehind() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int before = userThreads();
            assertThatThrownBy(() -> start(taken.getLocalPort(), Map.of()))
                    .isInstanceOf(BrokerException.class)
                    .hasMessage("port " + taken.getLocalPort() + " on 127.0.0.1 cannot be used: Address already in use;"
                            + " give another --port, or none for a free one");
            assertThat(userThreads()).isEqualTo(before);
        }
    }

    @Test
    void shouldLeaveNothingRunningWhenTheDirectoryIsInUse() {
        start(0, Map.of());
        int before = userThreads();
        assertThatThrownBy(() -> start(0, Map.of()))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("does not start on " + directory)
                .hasMessageNotContaining("\n");
        assertThat(userThreads()).isEqualTo(before);
    }

    @Test
    void shouldRefuseADirectoryOfAnotherMakeInOneLine() throws Exception {
        Files.writeString(directory.resolve("meta.properties"), "version=1\nnode.id=77\ncluster.id=x\n");
        int before = userThreads();
        assertThatThrownBy(() -> start(0, Map.of()))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("does not start on " + directory)
                .hasMessageContaining("77")
                .hasMessageNotContaining("\n");
        assertThat(userThreads()).isEqualTo(before);
    }

    @Test
    void shouldKeepThirtyDayOldTelemetryWhereADefaultTopicLosesIt() throws Exception {
        EmbeddedBroker broker =
                start(0, Map.of("log.retention.check.interval.ms", "200", "log.initial.task.delay.ms", "100"));
        KafkaProbe probe = new KafkaProbe(broker.bootstrapServers());
        long monthAgo = Instant.now().minus(Duration.ofDays(30)).toEpochMilli();
        probe.create("defaults", Map.of("file.delete.delay.ms", "0"));
        probe.create(Topics.TELEMETRY.topicName(), Topics.TELEMETRY.settings());
        probe.send("defaults", monthAgo, "old");
        probe.send(Topics.TELEMETRY.topicName(), monthAgo, "old");

        // the default topic shows that the check has run; ours was looked at in the same pass
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (probe.earliest("defaults") == 0 && System.nanoTime() < end) {
            Thread.sleep(100);
        }

        assertThat(probe.read("defaults")).isEmpty();
        Thread.sleep(500);
        assertThat(probe.read(Topics.TELEMETRY.topicName())).containsExactly("old");
    }

    @Test
    void shouldTakeRecordsFromTheFuture() throws Exception {
        EmbeddedBroker broker = start(0, Map.of());
        KafkaProbe probe = new KafkaProbe(broker.bootstrapServers());
        probe.create(Topics.TELEMETRY.topicName(), Topics.TELEMETRY.settings());
        probe.send(
                Topics.TELEMETRY.topicName(),
                Instant.now().plus(Duration.ofDays(400)).toEpochMilli(),
                "ahead");
        assertThat(probe.read(Topics.TELEMETRY.topicName())).containsExactly("ahead");
    }

    private EmbeddedBroker start(int port, Map<String, String> settings) {
        EmbeddedBroker broker = EmbeddedBroker.start(directory, port, settings, failures::add);
        brokers.add(broker);
        return broker;
    }

    /** Threads that would keep the process alive. */
    private static int userThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(t -> !t.isDaemon() && t.isAlive())
                .count();
    }
}
