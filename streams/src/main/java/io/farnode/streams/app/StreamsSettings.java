package io.farnode.streams.app;

import io.farnode.streams.topology.WindowSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Settings of a {@link StreamsApp}. Begin with {@link #of} and change what differs.
 *
 * @param clientProperties how to connect, by Kafka's names, {@code bootstrap.servers} among them; given whole to every
 *     client, so that TLS and SASL work
 * @param applicationId name of the application; consumer group, state and transactions carry it
 * @param stateDirectory where local state is kept; one per application id
 * @param windows how windows come out
 * @param commitInterval time between commits; results become visible with each. Longer is faster and later
 * @param threads stream threads; at least 1
 * @param httpAddress address to listen on, such as 127.0.0.1
 * @param httpPort port for /metrics, /healthz and /readyz; 0 = any free one, -1 = none
 */
public record StreamsSettings(
        Map<String, Object> clientProperties,
        String applicationId,
        Path stateDirectory,
        WindowSettings windows,
        Duration commitInterval,
        int threads,
        String httpAddress,
        int httpPort) {
    /** The application id unless said otherwise. */
    public static final String DEFAULT_APPLICATION_ID = "farnode-streams";

    /**
     * Checks the ranges.
     *
     * @param clientProperties how to connect
     * @param applicationId name of the application
     * @param stateDirectory where local state is kept
     * @param windows how windows come out
     * @param commitInterval time between commits, at least 1 ms
     * @param threads stream threads, at least 1
     * @param httpAddress address to listen on
     * @param httpPort port, or 0, or -1
     * @throws IllegalArgumentException if a value is out of its range; the message says which
     */
    public StreamsSettings {
        clientProperties = Map.copyOf(clientProperties);
        if (!clientProperties.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("client properties without bootstrap.servers");
        }
        if (commitInterval.toMillis() < 1) {
            throw new IllegalArgumentException("commit interval " + commitInterval + ": must be at least 1 ms");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("stream threads " + threads + ": must be at least 1");
        }
        if (httpPort < -1 || httpPort > 65_535) {
            throw new IllegalArgumentException("HTTP port " + httpPort + ": must be 0 to 65535, or -1 for none");
        }
    }

    /**
     * The usual settings: windows of {@link WindowSettings#DEFAULT}, a commit every 100 ms, one thread, HTTP on a free
     * loopback port.
     *
     * @param bootstrap broker addresses, {@code host:port,...}
     * @param clientProperties further properties given whole to every client
     * @param stateDirectory where local state is kept
     * @return the settings
     */
    public static StreamsSettings of(String bootstrap, Map<String, Object> clientProperties, Path stateDirectory) {
        Map<String, Object> all = new TreeMap<>(clientProperties);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        return new StreamsSettings(
                all,
                DEFAULT_APPLICATION_ID,
                stateDirectory,
                WindowSettings.DEFAULT,
                Duration.ofMillis(100),
                1,
                "127.0.0.1",
                0);
    }

    /**
     * {@return these settings with another application id}
     *
     * @param id the id
     */
    public StreamsSettings withApplicationId(String id) {
        return new StreamsSettings(
                clientProperties, id, stateDirectory, windows, commitInterval, threads, httpAddress, httpPort);
    }

    /**
     * {@return these settings with other windows}
     *
     * @param other how windows come out
     */
    public StreamsSettings withWindows(WindowSettings other) {
        return new StreamsSettings(
                clientProperties, applicationId, stateDirectory, other, commitInterval, threads, httpAddress, httpPort);
    }

    /**
     * {@return these settings with another time between commits}
     *
     * @param interval the time
     */
    public StreamsSettings withCommitInterval(Duration interval) {
        return new StreamsSettings(
                clientProperties, applicationId, stateDirectory, windows, interval, threads, httpAddress, httpPort);
    }

    /**
     * {@return these settings with another number of stream threads}
     *
     * @param count the number
     */
    public StreamsSettings withThreads(int count) {
        return new StreamsSettings(
                clientProperties, applicationId, stateDirectory, windows, commitInterval, count, httpAddress, httpPort);
    }

    /**
     * {@return these settings with another place for HTTP}
     *
     * @param address address to listen on
     * @param port port; 0 = any free one, -1 = none
     */
    public StreamsSettings withHttp(String address, int port) {
        return new StreamsSettings(
                clientProperties, applicationId, stateDirectory, windows, commitInterval, threads, address, port);
    }

    /** {@return the broker addresses} */
    public String bootstrap() {
        return clientProperties
                .get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
                .toString();
    }
}
