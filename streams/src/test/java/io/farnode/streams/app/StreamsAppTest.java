package io.farnode.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.SchemaCatalog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs no broker; the rest is tested against one in the module that has it. */
class StreamsAppTest {
    @TempDir
    private Path directory;

    @Test
    void shouldGiveTheUsersPropertiesToEveryClientButKeepItsOwn() {
        Properties properties = StreamsApp.configuration(StreamsSettings.of(
                "h:1",
                Map.of("security.protocol", "SSL", "my.plugin.option", "x", "group.id", "mine", "client.id", "me"),
                directory));
        assertThat(properties)
                .containsEntry("bootstrap.servers", "h:1")
                .containsEntry("security.protocol", "SSL")
                .containsEntry("consumer.my.plugin.option", "x")
                .containsEntry("producer.my.plugin.option", "x")
                .containsEntry("admin.my.plugin.option", "x")
                .containsEntry("client.id", "farnode-streams")
                .containsEntry("application.id", "farnode-streams")
                .containsEntry("processing.guarantee", "exactly_once_v2")
                .containsEntry("ensure.explicit.internal.resource.naming", true)
                .containsEntry("commit.interval.ms", 100L)
                .doesNotContainKeys("group.id", "consumer.group.id", "consumer.client.id");
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Map<String, Object> impatient = Map.of("default.api.timeout.ms", 300, "request.timeout.ms", 200);
        StreamsSettings settings = StreamsSettings.of("127.0.0.1:" + port, impatient, directory);
        String message =
                "no broker answers at 127.0.0.1:" + port + ": check the address, or start one with farnode broker";
        try (StreamsApp app = new StreamsApp(settings)) {
            assertThatThrownBy(app::start).isInstanceOf(PipelineException.class).hasMessage(message);
            assertThat(app.httpAddress()).isEmpty();
        }
        assertThatThrownBy(() -> new Results(settings.clientProperties(), new SchemaCatalog()).runs())
                .isInstanceOf(PipelineException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseSettingsOutOfRange() {
        StreamsSettings settings = StreamsSettings.of("h:1", Map.of(), directory);
        assertThatThrownBy(() -> settings.withThreads(0)).hasMessage("stream threads 0: must be at least 1");
        assertThatThrownBy(() -> settings.withHttp("127.0.0.1", 70_000))
                .hasMessage("HTTP port 70000: must be 0 to 65535, or -1 for none");
        assertThatThrownBy(() -> settings.withCommitInterval(Duration.ZERO))
                .hasMessage("commit interval PT0S: must be at least 1 ms");
        assertThat(settings.withApplicationId("x").applicationId()).isEqualTo("x");
    }
}
