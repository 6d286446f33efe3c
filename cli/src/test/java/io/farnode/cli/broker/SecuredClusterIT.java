package io.farnode.cli.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Kafka that wants a password: --command-config reaches every client of every command. */
class SecuredClusterIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"ann\" password=\"%s\"";

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.start(
                directory.resolve("kafka"),
                0,
                Map.of(
                        "listener.security.protocol.map",
                        "CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "sasl.enabled.mechanisms",
                        "PLAIN",
                        "sasl.mechanism.inter.broker.protocol",
                        "PLAIN",
                        "listener.name.clients.plain.sasl.jaas.config",
                        LOGIN.formatted("right") + " user_ann=\"right\";"),
                line -> {
                    throw new AssertionError(line);
                });
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldReachEveryClientWithTheCommandConfig() throws Exception {
        Path config = config("right");
        assertThat(run(config, "topics", "create").out())
                .containsExactly("9 topics created, 0 were there, at " + broker.bootstrapServers());
        try (FarnodeProcess streams = start(config, "streams", "--http-port", "0")) {
            streams.awaitLine("streams run on", PATIENCE);
            run(config, "simulate", "lpi-balance-small", "--duration", "3s", "--run", "secured");
            long end = System.nanoTime() + PATIENCE.toNanos();
            Result runs = run(config, "runs", "--output", "csv");
            while (runs.out().stream().noneMatch(line -> line.startsWith("secured,finished,"))) {
                assertThat(System.nanoTime()).as(runs.toString()).isLessThan(end);
                runs = run(config, "runs", "--output", "csv");
            }
            assertThat(run(config, "windows", "secured", "--signal", "throughput")
                            .out())
                    .hasSize(1 + 3 + 1);
        }
    }

    @Test
    void shouldSayThatThePasswordIsWrong() throws Exception {
        Result result = finish(start(config("wrong"), "topics", "list"));
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .containsExactly("farnode: the broker at " + broker.bootstrapServers()
                        + " refuses this client: Authentication failed: Invalid username or password;"
                        + " see --command-config");
    }

    @Test
    void shouldSayThatSettingsAreMissing() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.properties"), "");
        Result result = finish(start(empty, "topics", "list"));
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).singleElement().asString().contains("see --command-config".substring(4));
    }

    private Path config(String password) throws Exception {
        return Files.writeString(
                directory.resolve(password + ".properties"),
                "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=" + LOGIN.formatted(password)
                        + ";\n");
    }

    private FarnodeProcess start(Path config, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of(
                "--bootstrap-server",
                broker.bootstrapServers(),
                "--command-config",
                config.toString(),
                "--data-dir",
                directory.resolve("state").toString()));
        return FarnodeProcess.start(all.toArray(String[]::new));
    }

    private Result run(Path config, String... args) {
        Result result = finish(start(config, args));
        assertThat(result.code()).as(result.toString()).isZero();
        return result;
    }

    private static Result finish(FarnodeProcess process) {
        try (process) {
            int code = process.exitCode(PATIENCE);
            return new Result(code, process.out(), process.err());
        }
    }

    private record Result(int code, List<String> out, List<String> err) {}
}
