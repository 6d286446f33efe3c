package io.farnode.cli.cluster;

import io.farnode.cli.broker.BrokerException;
import io.farnode.cli.broker.DataDirectory;
import io.farnode.cli.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * The Kafka a command works with, and the settings every client of it needs. Closing it stops the broker if it is this
 * process's own.
 */
public final class Cluster implements AutoCloseable {
    /** How long a broker may take to answer before it counts as not there. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How long another process may take to start the broker of a directory. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Object> clientProperties;
    private final DataDirectory directory;
    private final EmbeddedBroker broker;

    private Cluster(Map<String, Object> clientProperties, DataDirectory directory, EmbeddedBroker broker) {
        this.clientProperties = Map.copyOf(clientProperties);
        this.directory = directory;
        this.broker = broker;
    }

    /**
     * Takes the cluster the user names.
     *
     * @param bootstrapServers {@code host:port}, several parted by commas
     * @param commandConfig a properties file handed whole to every client, or null
     * @param dataDirectory where local state of the streams application may stay
     * @return the cluster, known to answer
     * @throws ClusterException if no broker answers within 5 seconds, or the file cannot be read
     */
    public static Cluster named(String bootstrapServers, Path commandConfig, Path dataDirectory) {
        Map<String, Object> properties = read(commandConfig);
        properties.put("bootstrap.servers", bootstrapServers);
        reach(bootstrapServers);
        awaitAnswer(properties);
        return new Cluster(properties, DataDirectory.open(dataDirectory), null);
    }

    /**
     * Takes the broker of a data directory: the one another process runs there, else a new one in this process.
     *
     * @param directory the directory; closed with the cluster
     * @param port the port a new broker listens on, 0 = a free one
     * @param onFailure told, in one line, when a broker of this process cannot go on
     * @return the cluster
     * @throws BrokerException if no broker can be had
     */
    public static Cluster of(DataDirectory directory, int port, Consumer<String> onFailure) {
        if (directory.own()) {
            return own(directory, port, onFailure);
        }
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            Optional<DataDirectory.LiveBroker> live = directory.live();
            if (live.isPresent()) {
                Map<String, Object> properties = new HashMap<>();
                properties.put("bootstrap.servers", live.get().bootstrapServers());
                awaitAnswer(properties);
                return new Cluster(properties, directory, null);
            }
            if (directory.own()) {
                return own(directory, port, onFailure);
            }
            pause();
        }
        throw new BrokerException(
                "another process holds " + directory.path() + " but its broker has not started within "
                        + START_PATIENCE.toSeconds() + " s; stop it or give another --data-dir");
    }

    /**
     * Starts a new broker in this process on a data directory.
     *
     * @param directory the directory; closed with the cluster
     * @param port the port, 0 = a free one
     * @param onFailure told, in one line, when the broker cannot go on
     * @return the cluster
     * @throws BrokerException if another process runs a broker there, or the broker does not start
     */
    public static Cluster own(DataDirectory directory, int port, Consumer<String> onFailure) {
        if (!directory.own()) {
            String where = directory
                    .live()
                    .map(l -> " at " + l.bootstrapServers() + " (process " + l.pid() + ")")
                    .orElse("");
            throw new BrokerException("a broker is already running on " + directory.path() + where
                    + "; use that one, stop it, or give another --data-dir");
        }
        EmbeddedBroker broker = EmbeddedBroker.start(directory.broker(), port, Map.of(), onFailure);
        boolean announced = false;
        try {
            directory.announce(broker.bootstrapServers());
            announced = true;
        } finally {
            if (!announced) {
                broker.close();
            }
        }
        return new Cluster(Map.of("bootstrap.servers", broker.bootstrapServers()), directory, broker);
    }

    /** {@return settings for every client of this cluster; not to be changed} */
    public Map<String, Object> clientProperties() {
        return clientProperties;
    }

    /** {@return where the cluster answers, {@code host:port}} */
    public String bootstrapServers() {
        return clientProperties.get("bootstrap.servers").toString();
    }

    /** {@return whether the broker runs in this process} */
    public boolean isOwn() {
        return broker != null;
    }

    /** {@return where the streams application may keep its state} */
    public Path stateDirectory() {
        return directory.streams();
    }

    /** {@return the data directory} */
    public Path dataDirectory() {
        return directory.path();
    }

    /** {@return an admin client, to be closed by the caller} */
    public Admin admin() {
        return Admin.create(clientProperties);
    }

    @Override
    public void close() {
        if (broker != null) {
            broker.close();
        }
        directory.close();
    }

    private static Map<String, Object> read(Path commandConfig) {
        Map<String, Object> properties = new HashMap<>();
        if (commandConfig == null) {
            return properties;
        }
        Properties file = new Properties();
        try (InputStream in = Files.newInputStream(commandConfig)) {
            file.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClusterException(
                    "cannot read --command-config " + commandConfig + ": "
                            + e.getClass().getSimpleName() + " " + e.getMessage(),
                    e);
        }
        file.stringPropertyNames().forEach(name -> properties.put(name, file.getProperty(name)));
        return properties;
    }

    /** Knocks at the door: a refused connection is known at once and says why, which Kafka's client keeps to itself. */
    private static void reach(String bootstrapServers) {
        String reason = "";
        for (String server : bootstrapServers.split(",")) {
            int colon = server.lastIndexOf(':');
            int port;
            try {
                port = Integer.parseInt(server.substring(colon + 1).strip());
                if (colon < 1 || port < 1 || port > 65535) {
                    throw new NumberFormatException("out of range");
                }
            } catch (NumberFormatException e) {
                throw new ClusterException(
                        "--bootstrap-server \"" + server.strip() + "\" is no host:port, such as localhost:9092", e);
            }
            String host = server.substring(0, colon).strip().replaceAll("^\\[|\\]$", "");
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                reason = "no such host";
                continue;
            }
            try (Socket socket = new Socket()) {
                socket.connect(address, (int) PATIENCE.toMillis() / 2);
                return;
            } catch (IOException e) {
                reason = e.getMessage();
            }
        }
        throw new ClusterException("no Kafka broker answers at " + bootstrapServers + ": " + reason);
    }

    private static void awaitAnswer(Map<String, Object> properties) {
        Map<String, Object> impatient = new HashMap<>(properties);
        impatient.put("default.api.timeout.ms", Long.toString(PATIENCE.toMillis()));
        impatient.put("request.timeout.ms", Long.toString(PATIENCE.toMillis()));
        Object where = properties.get("bootstrap.servers");
        try (Admin admin = Admin.create(impatient)) {
            admin.describeCluster().nodes().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (KafkaException e) {
            Throwable root = e.getCause() == null ? e : e.getCause();
            throw new ClusterException("the client settings for " + where + " are wrong: " + root.getMessage(), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthenticationException) {
                throw new ClusterException(
                        "the broker at " + where + " refuses this client: "
                                + e.getCause().getMessage() + "; see --command-config",
                        e);
            }
            throw unanswered(where, e);
        } catch (TimeoutException e) {
            throw unanswered(where, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting for " + where, e);
        }
    }

    private static ClusterException unanswered(Object where, Exception e) {
        return new ClusterException(
                "no Kafka broker answers at " + where + ": something listens there but does not speak Kafka within "
                        + PATIENCE.toSeconds() + " s; does it want TLS or SASL? See --command-config",
                e);
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException("interrupted while waiting for the broker of another process", e);
        }
    }
}
