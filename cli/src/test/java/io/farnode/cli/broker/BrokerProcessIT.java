package io.farnode.cli.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker as a process: signals, crashes, two processes on one directory. */
class BrokerProcessIT {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @Test
    void shouldKeepDataOverKillNine() throws Exception {
        try (FarnodeProcess first = broker()) {
            KafkaProbe probe = new KafkaProbe(address(first));
            probe.create("kept", Map.of());
            probe.send("kept", null, "a", "b");
            first.kill();
            assertThat(first.exitCode(END)).isEqualTo(137);
        }
        try (FarnodeProcess second = broker()) {
            KafkaProbe probe = new KafkaProbe(address(second));
            assertThat(probe.read("kept")).containsExactly("a", "b");
            probe.send("kept", null, "c");
            assertThat(probe.read("kept")).containsExactly("a", "b", "c");
        }
    }

    @Test
    void shouldEndOnSigtermInTimeAndInOrder() throws Exception {
        try (FarnodeProcess broker = broker()) {
            KafkaProbe probe = new KafkaProbe(address(broker));
            probe.create("kept", Map.of());
            probe.send("kept", null, "a");
            long before = System.nanoTime();
            broker.terminate();
            assertThat(broker.exitCode(END)).isEqualTo(143);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            assertThat(broker.err()).isEmpty();
        }
        // written on a clean shutdown only
        assertThat(directory.resolve("broker/.kafka_cleanshutdown")).exists();
        assertThat(directory.resolve("address")).doesNotExist();
    }

    @Test
    void shouldRefuseASecondBrokerOnOneDirectoryInOneLine() {
        try (FarnodeProcess first = broker()) {
            String address = address(first);
            try (FarnodeProcess second = broker()) {
                assertThat(second.exitCode(START)).isEqualTo(1);
                assertThat(second.err())
                        .containsExactly("farnode: a broker is already running on " + directory + " at " + address
                                + " (process " + first.pid()
                                + "); use that one, stop it, or give another --data-dir");
            }
        }
    }

    @Test
    void shouldUseTheBrokerThatAnotherProcessRunsOnTheDirectory() {
        try (FarnodeProcess broker = broker()) {
            String address = address(broker);
            try (FarnodeProcess topics = FarnodeProcess.start("topics", "create", "--data-dir", directory.toString())) {
                assertThat(topics.exitCode(START)).isZero();
                assertThat(topics.out()).containsExactly("0 topics created, 9 were there, at " + address);
            }
        }
    }

    @Test
    void shouldEndWhenThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FarnodeProcess broker = FarnodeProcess.start(
                        "broker",
                        "--data-dir",
                        directory.toString(),
                        "--port",
                        Integer.toString(taken.getLocalPort()))) {
            assertThat(broker.exitCode(START)).isEqualTo(1);
            assertThat(broker.err())
                    .containsExactly("farnode: port " + taken.getLocalPort() + " on 127.0.0.1 cannot be used:"
                            + " Address already in use; give another --port, or none for a free one");
        }
    }

    @Test
    void shouldEndWhenTheBrokerDoesNotStart() throws Exception {
        Files.createDirectories(directory.resolve("broker"));
        Files.writeString(directory.resolve("broker/meta.properties"), "version=1\nnode.id=77\ncluster.id=x\n");
        try (FarnodeProcess broker = broker()) {
            assertThat(broker.exitCode(START)).isEqualTo(1);
            assertThat(broker.err()).hasSize(1);
            assertThat(broker.err().get(0)).startsWith("farnode: the embedded broker does not start on " + directory);
        }
    }

    @Test
    void shouldDeleteAnEphemeralDirectory() {
        try (FarnodeProcess broker = FarnodeProcess.start("broker", "--ephemeral")) {
            address(broker);
            Path data = Path.of(broker.awaitLine("data in (.*)", START).group(1));
            assertThat(data).isDirectory();
            broker.terminate();
            assertThat(broker.exitCode(END)).isEqualTo(143);
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void shouldSayThatNoBrokerAnswers() {
        long before = System.nanoTime();
        try (FarnodeProcess topics = FarnodeProcess.start("topics", "list", "--bootstrap-server", "localhost:1")) {
            assertThat(topics.exitCode(START)).isEqualTo(1);
            assertThat(topics.err())
                    .containsExactly("farnode: no Kafka broker answers at localhost:1: Connection refused");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void shouldSayThatSomethingElseAnswers() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                FarnodeProcess topics = FarnodeProcess.start(
                        "topics", "list", "--bootstrap-server", "127.0.0.1:" + mute.getLocalPort())) {
            assertThat(topics.exitCode(START)).isEqualTo(1);
            assertThat(topics.err())
                    .containsExactly("farnode: no Kafka broker answers at 127.0.0.1:" + mute.getLocalPort()
                            + ": something listens there but does not speak Kafka within 5 s; does it want TLS or SASL?"
                            + " See --command-config");
        }
    }

    private FarnodeProcess broker() {
        return FarnodeProcess.start(List.of(), "broker", "--data-dir", directory.toString());
    }

    private static String address(FarnodeProcess broker) {
        return broker.awaitLine("Kafka broker at (\\S+)", START).group(1);
    }
}
