package io.farnode.cli.broker;

import io.farnode.contract.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.FaultHandlerFactory;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.ServerSocketFactory;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One real Apache Kafka broker with its KRaft controller in this process, on the loopback interface only. Its data stay
 * in a directory and are there again after a restart, on whatever port, also after the process was killed.
 *
 * <p>The sockets are bound here before Kafka starts and handed to it. So a free port stays ours, a taken one is known
 * at once, and the addresses in the configuration are true from the beginning. A start that fails stops whatever had
 * started, since Kafka's threads would otherwise keep the process alive.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final String CLIENTS = "CLIENTS";
    private static final String CONTROLLER = "CONTROLLER";
    private static final int NODE_ID = 1;

    private final int port;
    private final Map<String, ServerSocketChannel> sockets = new ConcurrentHashMap<>();
    private final Metrics metrics = new Metrics();
    private final Consumer<String> onFailure;
    private ControllerServer controller;
    private BrokerServer broker;
    private volatile boolean stopping;

    private EmbeddedBroker(int port, Consumer<String> onFailure) {
        this.port = port;
        this.onFailure = onFailure;
    }

    /**
     * Starts a broker.
     *
     * @param directory where it keeps its log; made when missing; no other broker may use it
     * @param wantedPort the port to listen on, or 0 for a free one
     * @param settings broker settings beside or in place of farnode's own, by Kafka's names
     * @param onFailure told, in one line, when the running broker cannot go on; called on a thread of the broker, must
     *     not wait for the broker to stop
     * @return the broker, ready for clients
     * @throws BrokerException if the port is taken, the directory is in use or cannot be used, or Kafka does not start;
     *     nothing is left running then
     */
    public static EmbeddedBroker start(
            Path directory, int wantedPort, Map<String, String> settings, Consumer<String> onFailure) {
        ServerSocketChannel clients = bind(wantedPort);
        EmbeddedBroker started = new EmbeddedBroker(clients.socket().getLocalPort(), onFailure);
        boolean ready = false;
        try {
            started.sockets.put(CLIENTS, clients);
            started.sockets.put(CONTROLLER, bind(0));
            started.run(directory, settings);
            ready = true;
            return started;
        } catch (BrokerException e) {
            throw e;
        } catch (Exception e) {
            throw new BrokerException("the embedded broker does not start on " + directory + ": " + reason(e), e);
        } finally {
            if (!ready) {
                started.close();
            }
        }
    }

    /** {@return its address for clients, {@code host:port}} */
    public String bootstrapServers() {
        return loopback().getHostAddress() + ":" + port;
    }

    /** {@return the port it listens on} */
    public int port() {
        return port;
    }

    /** Stops the broker and waits until it has; a second call does nothing. */
    @Override
    public synchronized void close() {
        stopping = true;
        // the broker first: its controlled shutdown needs the controller
        if (broker != null) {
            quietly("broker", broker::shutdown);
            quietly("broker", broker::awaitShutdown);
            broker = null;
        }
        if (controller != null) {
            quietly("controller", controller::shutdown);
            quietly("controller", controller::awaitShutdown);
            controller = null;
        }
        quietly("metrics", metrics::close);
        for (ServerSocketChannel socket : sockets.values()) {
            quietly("socket", () -> {
                try {
                    socket.close();
                } catch (IOException e) {
                    LOG.debug("closing a socket", e);
                }
            });
        }
        sockets.clear();
    }

    private void run(Path directory, Map<String, String> settings) throws Exception {
        InetSocketAddress controllerAddress =
                (InetSocketAddress) sockets.get(CONTROLLER).getLocalAddress();
        Map<String, String> all = settings(directory, port, controllerAddress.getPort());
        all.putAll(settings);
        KafkaConfig config = new KafkaConfig(all, false);
        if (!Files.exists(directory.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME))) {
            format(directory);
        }
        MetaPropertiesEnsemble identity =
                KafkaRaftServer.initializeLogDirs(config, LOG, "")._1();
        ServerSocketFactory bound = (listener, address, backlog, receiveBuffer) -> {
            ServerSocketChannel socket = sockets.get(listener);
            if (socket == null) {
                throw new IOException("no socket was bound for listener " + listener);
            }
            return socket;
        };
        FaultHandlerFactory faults = (name, fatal, action) -> (message, cause) -> {
            action.run();
            LOG.error("{}: {}", name, message, cause);
            if (fatal && !stopping) {
                onFailure.accept(
                        "the embedded broker failed: " + message + (cause == null ? "" : ": " + reason(cause)));
            }
            return new IllegalStateException(message, cause);
        };
        SharedServer shared = new SharedServer(
                config,
                identity,
                Time.SYSTEM,
                metrics,
                CompletableFuture.completedFuture(Map.of(NODE_ID, controllerAddress)),
                List.of(),
                faults,
                bound);
        controller = new ControllerServer(
                shared,
                KafkaRaftServer.configSchema(),
                KafkaRaftServer.initializeLogDirs(config, LOG, "")._2());
        broker = new BrokerServer(shared);
        controller.startup();
        broker.startup();
    }

    /** Gives the log directory its identity and the metadata log its first records. */
    private static void format(Path directory) throws Exception {
        Files.createDirectories(directory);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        new Formatter()
                .setPrintStream(new PrintStream(said, true, StandardCharsets.UTF_8))
                .setNodeId(NODE_ID)
                .setClusterId(Uuid.randomUuid().toString())
                .setDirectories(List.of(directory.toString()))
                .setMetadataLogDirectory(directory.toString())
                .setControllerListenerName(CONTROLLER)
                .setReleaseVersion(MetadataVersion.latestProduction())
                .run();
        LOG.info("{}", said.toString(StandardCharsets.UTF_8).strip());
    }

    private static Map<String, String> settings(Path directory, int clientPort, int controllerPort) {
        String host = loopback().getHostAddress();
        Map<String, String> s = new HashMap<>();
        s.put("process.roles", "broker,controller");
        s.put("node.id", Integer.toString(NODE_ID));
        s.put(
                "listeners",
                CLIENTS + "://" + host + ":" + clientPort + "," + CONTROLLER + "://" + host + ":" + controllerPort);
        s.put("advertised.listeners", CLIENTS + "://" + host + ":" + clientPort);
        s.put("listener.security.protocol.map", CLIENTS + ":PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
        s.put("controller.listener.names", CONTROLLER);
        s.put("inter.broker.listener.name", CLIENTS);
        // static voters: a restart on another controller port is then no change of the quorum
        s.put("controller.quorum.voters", NODE_ID + "@" + host + ":" + controllerPort);
        s.put("log.dirs", directory.toString());
        s.put("auto.create.topics.enable", "false");

        s.put("default.replication.factor", "1");
        s.put("num.partitions", "1");
        s.put("min.insync.replicas", "1");
        for (String internal : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            s.put(internal + ".replication.factor", "1");
            s.put(internal + ".num.partitions", "1");
        }
        s.put("transaction.state.log.min.isr", "1");
        s.put("share.coordinator.state.topic.min.isr", "1");

        // changelog topics of the streams application take the broker's limit, so it is the topics' limit
        s.put("message.max.bytes", Integer.toString(Topics.MAX_RECORD_BYTES));
        s.put("replica.fetch.max.bytes", Integer.toString(Topics.MAX_RECORD_BYTES));
        s.put("log.message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
        s.put("log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));

        // one machine, few clients: nothing to wait for, little to hold in memory
        s.put("group.initial.rebalance.delay.ms", "0");
        s.put("group.streams.initial.rebalance.delay.ms", "0");
        s.put("num.network.threads", "2");
        s.put("num.io.threads", "4");
        s.put("background.threads", "2");
        s.put("num.recovery.threads.per.data.dir", "2");
        s.put("log.cleaner.dedupe.buffer.size", Integer.toString(2 * 1024 * 1024));

        // what a killed streams application left open hides later results until it is aborted
        s.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");

        // after kill -9 the controller waits for the old session to end before the broker may register again
        s.put("broker.session.timeout.ms", "2000");
        s.put("broker.heartbeat.interval.ms", "500");
        return s;
    }

    private static ServerSocketChannel bind(int port) {
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                // Kafka's acceptor registers the channel with a selector, which takes no blocking channel
                channel.configureBlocking(false);
                channel.bind(new InetSocketAddress(loopback(), port));
                return channel;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (BindException e) {
            throw new BrokerException(
                    "port " + port + " on " + loopback().getHostAddress() + " cannot be used: " + e.getMessage()
                            + "; give another --port, or none for a free one",
                    e);
        } catch (IOException e) {
            throw new BrokerException("cannot listen on port " + port + ": " + reason(e), e);
        }
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static void quietly(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.warn("stopping the {}: {}", what, reason(e), e);
        }
    }

    private static String reason(Throwable e) {
        List<String> reasons = new ArrayList<>();
        for (Throwable t = e; t != null && reasons.size() < 3; t = t.getCause()) {
            String text = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
            if (reasons.stream().noneMatch(r -> r.contains(text))) {
                reasons.add(text);
            }
        }
        return String.join(": ", reasons).replaceAll("\\s*\\R\\s*", " ");
    }
}
