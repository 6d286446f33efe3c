package io.farnode.streams.app;

import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.SchemaTopic;
import io.farnode.contract.Topics;
import io.farnode.streams.metrics.RunMeters;
import io.farnode.streams.topology.FarnodeTopology;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream processing of one program: topology, meters and their HTTP pages. Start, await, close; once each.
 *
 * <p>Pages: {@code /metrics} for Prometheus, {@code /healthz} (200 unless the processing has failed) and
 * {@code /readyz} (200 while it runs, 503 otherwise).
 */
public final class StreamsApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsApp.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    /** What the application itself decides for its clients, whatever the user's file says. */
    private static final Set<String> OWN_CLIENT_SETTINGS = Set.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            CommonClientConfigs.CLIENT_ID_CONFIG);

    private final StreamsSettings settings;
    private final SchemaCatalog catalog;
    private final Object stateChange = new Object();
    private volatile Throwable failure;
    private KafkaStreams streams;
    private MetricsFeed feed;
    private HttpEndpoint http;
    private PrometheusMeterRegistry registry;
    private JvmGcMetrics gcMetrics;
    private boolean closed;

    /**
     * An application that does nothing yet.
     *
     * @param settings its settings
     */
    public StreamsApp(StreamsSettings settings) {
        this.settings = settings;
        this.catalog = new SchemaCatalog(new SchemaTopic(settings.clientProperties()));
    }

    /**
     * Checks broker and topics, then starts. Returns before the processing runs; see {@link #awaitRunning}.
     *
     * @throws PipelineException if the broker does not answer, a topic is missing or has the wrong number of
     *     partitions, or the HTTP port is taken; everything begun is closed again then
     */
    public synchronized void start() {
        if (streams != null || closed) {
            throw new IllegalStateException("an application starts once");
        }
        Clients.checkTopics(settings.clientProperties(), settings.applicationId());
        try {
            registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            new JvmMemoryMetrics().bindTo(registry);
            gcMetrics = new JvmGcMetrics();
            gcMetrics.bindTo(registry);
            Properties properties = configuration(settings);
            streams = new KafkaStreams(
                    FarnodeTopology.build(
                            catalog, settings.windows(), new TopologyConfig(new StreamsConfig(properties))),
                    properties);
            streams.setStateListener((now, before) -> {
                LOG.debug("streams: {} -> {}", before, now);
                synchronized (stateChange) {
                    stateChange.notifyAll();
                }
            });
            streams.setUncaughtExceptionHandler(e -> {
                failure = e;
                LOG.error("stream processing stops: {}", rootMessage(e));
                LOG.debug("stream processing stops", e);
                return StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            RunMeters meters = new RunMeters(registry, RunMeters.MAX_RUNS, RunMeters.KEEP_FINISHED, this::isRunning);
            feed = new MetricsFeed(settings.clientProperties(), catalog, settings.applicationId() + "-metrics", meters);
            if (settings.httpPort() >= 0) {
                http = new HttpEndpoint(settings.httpAddress(), settings.httpPort());
                http.page(
                        "/metrics",
                        () -> new HttpEndpoint.Page(
                                200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape()));
                http.page(
                        "/healthz",
                        () -> hasFailed()
                                ? HttpEndpoint.Page.text(503, "failed\n")
                                : HttpEndpoint.Page.text(200, "ok\n"));
                http.page(
                        "/readyz",
                        () -> isRunning()
                                ? HttpEndpoint.Page.text(200, "ready\n")
                                : HttpEndpoint.Page.text(
                                        503, streams.state().name().toLowerCase(Locale.ROOT) + "\n"));
                http.start();
            }
            feed.start();
            streams.start();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Waits until the processing runs.
     *
     * @param timeout how long to wait at most
     * @throws PipelineException if it has failed or does not run in time
     * @throws InterruptedException if this thread is interrupted
     */
    public void awaitRunning(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (stateChange) {
            while (!isRunning()) {
                if (hasFailed()) {
                    throw new PipelineException(
                            "stream processing failed: " + (failure == null ? "see the log" : rootMessage(failure)),
                            failure);
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new PipelineException("stream processing does not run after " + timeout.toSeconds()
                            + " s: it is " + streams.state() + "; is another " + settings.applicationId()
                            + " going down? It leaves its group after 6 s");
                }
                stateChange.wait(Math.max(1, Math.min(left / 1_000_000, 200)));
            }
        }
    }

    /** {@return whether the processing runs and has its partitions} */
    public boolean isRunning() {
        return streams != null && streams.state() == KafkaStreams.State.RUNNING;
    }

    private boolean hasFailed() {
        return failure != null || streams.state() == KafkaStreams.State.ERROR;
    }

    /** {@return why the processing stopped, when it stopped by itself} */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** {@return where the HTTP pages are, such as {@code http://127.0.0.1:41233}; nothing when there are none} */
    public Optional<URI> httpAddress() {
        return Optional.ofNullable(http).map(HttpEndpoint::address);
    }

    /** {@return the catalogue of writer schemas this application uses} */
    public SchemaCatalog catalog() {
        return catalog;
    }

    /**
     * {@return what Kafka Streams is given}
     *
     * @param settings the application's settings
     */
    static Properties configuration(StreamsSettings settings) {
        Properties properties = new Properties();
        settings.clientProperties().forEach((name, value) -> {
            if (!OWN_CLIENT_SETTINGS.contains(name)) {
                // plain for what Kafka Streams knows, prefixed for what only a client or its plug-ins know
                properties.put(name, value);
                properties.put(StreamsConfig.consumerPrefix(name), value);
                properties.put(StreamsConfig.producerPrefix(name), value);
                properties.put(StreamsConfig.adminClientPrefix(name), value);
            }
        });
        Map<String, Object> own = Map.ofEntries(
                Map.entry(StreamsConfig.APPLICATION_ID_CONFIG, settings.applicationId()),
                Map.entry(StreamsConfig.CLIENT_ID_CONFIG, settings.applicationId()),
                Map.entry(
                        StreamsConfig.STATE_DIR_CONFIG,
                        settings.stateDirectory().toString()),
                Map.entry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2),
                Map.entry(
                        StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                        settings.commitInterval().toMillis()),
                Map.entry(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads()),
                Map.entry(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true),
                Map.entry(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "INFO"),
                Map.entry(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false),
                Map.entry(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 64L * 1024 * 1024),
                Map.entry(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4"),
                Map.entry(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 128 * 1024),
                Map.entry(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 10),
                Map.entry(
                        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                        Topics.MAX_RECORD_BYTES + 64 * 1024),
                Map.entry(
                        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                        Topics.MAX_RECORD_BYTES),
                // a crashed instance is missed after 6 s, the least brokers allow; its successor waits that long
                Map.entry(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000),
                Map.entry(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500));
        properties.putAll(own);
        return properties;
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getClass().getSimpleName() + ": " + root.getMessage();
    }

    /** Stops and commits what was processed; waits up to ten seconds. Further calls do nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (streams != null) {
            streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
        if (feed != null) {
            feed.close();
        }
        if (http != null) {
            http.close();
        }
        if (gcMetrics != null) {
            gcMetrics.close();
        }
        if (registry != null) {
            registry.close();
        }
    }
}
