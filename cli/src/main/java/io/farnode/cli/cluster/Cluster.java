package io.farnode.cli.cluster;

import io.farnode.cli.broker.BrokerException;
import io.farnode.cli.broker.DataDirectory;
import io.farnode.cli.broker.EmbeddedBroker;
import io.farnode.cli.broker.FileTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
     * @throws IllegalArgumentException if the address is none
     * @throws ClusterException if no broker answers within 5 seconds, or the file cannot be read
     */
    public static Cluster named(String bootstrapServers, Path commandConfig, Path dataDirectory) {
        Map<String, Object> properties = read(commandConfig);
        properties.put("bootstrap.servers", bootstrapServers);
        reach(bootstrapServers);
        awaitAnswer(properties);
        return new Cluster(properties, DataDirectory.open(dataDirectory), null);
    }

    /** What a command wants of a data directory's broker. */
    public enum Use {
        /** To look something up: any broker will do, and nobody should rely on one started for this. */
        READ,
        /** To publish: a broker that stays until the end of that. One started for this may be looked at by others. */
        PUBLISH,
        /** To keep a broker for others until told to stop. */
        SERVE
    }

    /**
     * Takes the broker of a data directory: the one another process runs there, else a new one in this process.
     *
     * @param directory the directory; closed with the cluster
     * @param use what for
     * @param port the port a new broker listens on, 0 = a free one
     * @param onFailure told, in one line, when a broker of this process cannot go on
     * @return the cluster
     * @throws BrokerException if no broker can be had
     */
    public static Cluster of(DataDirectory directory, Use use, int port, Consumer<String> onFailure) {
        long end = System.nanoTime() + START_PATIENCE.toNanos();
        while (!directory.own()) {
            Optional<DataDirectory.LiveBroker> live = directory.live();
            if (live.isPresent() && (live.get().stays() || use == Use.READ)) {
                Map<String, Object> properties = new HashMap<>();
                properties.put("bootstrap.servers", live.get().bootstrapServers());
                awaitAnswer(properties);
                return new Cluster(properties, directory, null);
            }
            if (System.nanoTime() > end) {
                throw inUse(directory, live);
            }
            pause();
        }
        return start(directory, use, port, onFailure);
    }

    /**
     * Starts a new broker in this process on a data directory, for others to use.
     *
     * @param directory the directory; closed with the cluster
     * @param port the port, 0 = a free one
     * @param onFailure told, in one line, when the broker cannot go on
     * @return the cluster
     * @throws BrokerException if another process runs a broker there, or the broker does not start
     */
    public static Cluster own(DataDirectory directory, int port, Consumer<String> onFailure) {
        if (!directory.own()) {
            throw inUse(directory, directory.live());
        }
        return start(directory, Use.SERVE, port, onFailure);
    }

    private static BrokerException inUse(DataDirectory directory, Optional<DataDirectory.LiveBroker> live) {
        if (live.isEmpty()) {
            return new BrokerException("another process holds " + directory.path()
                    + " and has not started a broker; stop it or give another --data-dir");
        }
        String who = live.get().bootstrapServers() + " (process " + live.get().pid() + ")";
        return live.get().stays()
                ? new BrokerException("a broker is already running on " + directory.path() + " at " + who
                        + "; use that one, stop it, or give another --data-dir")
                : new BrokerException(
                        "another command publishes on " + directory.path() + " at " + who
                                + " and will take its broker with it; wait for its end, or keep one up with farnode broker first");
    }

    private static Cluster start(DataDirectory directory, Use use, int port, Consumer<String> onFailure) {
        EmbeddedBroker broker = EmbeddedBroker.start(directory.broker(), port, Map.of(), onFailure);
        boolean ready = false;
        try {
            if (use != Use.READ) {
                directory.announce(broker.bootstrapServers(), use == Use.SERVE);
            }
            ready = true;
        } finally {
            if (!ready) {
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

    /** {@return whether what is written here stays when this process ends} */
    public boolean isKept() {
        return broker == null || !directory.isEphemeral();
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
                    "cannot read --command-config " + commandConfig + ": " + FileTrouble.words(e), e);
        }
        file.stringPropertyNames().forEach(name -> properties.put(name, file.getProperty(name)));
        return properties;
    }

    /**
     * Reads addresses of servers. Their names are not looked up.
     *
     * @param bootstrapServers {@code host:port}, several parted by commas
     * @return the addresses
     * @throws IllegalArgumentException if one is none; the message is for the user
     */
    public static List<InetSocketAddress> addresses(String bootstrapServers) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String server : bootstrapServers.split(",", -1)) {
            int colon = server.lastIndexOf(':');
            int port;
            try {
                port = Integer.parseInt(server.substring(colon + 1).strip());
                if (colon < 1 || port < 1 || port > 65535) {
                    throw new NumberFormatException("out of range");
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "--bootstrap-server \"" + server.strip() + "\" is no host:port, such as localhost:9092", e);
            }
            String host = server.substring(0, colon).strip().replaceAll("^\\[|\\]$", "");
            addresses.add(InetSocketAddress.createUnresolved(host, port));
        }
        return addresses;
    }

    /** Knocks at the door: a refused connection is known at once and says why, which Kafka's client keeps to itself. */
    private static void reach(String bootstrapServers) {
        String reason = "";
        for (InetSocketAddress server : addresses(bootstrapServers)) {
            InetSocketAddress address = new InetSocketAddress(server.getHostString(), server.getPort());
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
        Admin admin = null;
        try {
            admin = Admin.create(impatient);
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
        } finally {
            if (admin != null) {
                // without a limit it would wait for the answer that does not come
                admin.close(Duration.ZERO);
            }
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
