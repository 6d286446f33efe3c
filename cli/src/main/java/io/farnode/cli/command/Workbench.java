package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.ClusterException;
import io.farnode.cli.cluster.TopicCatalog;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.SchemaTopic;
import io.farnode.contract.Topics;
import io.farnode.producer.Run;
import io.farnode.producer.publish.Publisher;
import io.farnode.results.RunInfo;
import io.farnode.results.SourceCounts;
import io.farnode.streams.app.Results;
import io.farnode.streams.app.StreamsApp;
import io.farnode.streams.app.StreamsSettings;
import io.farnode.telemetry.RunFinished;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * What a command that publishes works with: a cluster with farnode's topics, a publisher, and, when the broker is this
 * process's own, the streams application beside it, since nobody else would compute the windows.
 */
final class Workbench {
    /** How long the streams application may take to get its partitions: longer than a killed one is waited for. */
    private static final Duration STREAMS_PATIENCE = Duration.ofSeconds(60);

    /** How long an end in the middle of a run waits for what is under way. */
    private static final long GIVE_UP_SECONDS = 8;

    private static final Topics[] RESULTS = {Topics.WINDOWS, Topics.RUNS, Topics.SUMMARIES, Topics.VERDICTS};

    private final Surroundings surroundings;
    private final Cluster cluster;
    private final Publisher publisher;
    private final StreamsApp streams;
    private final AtomicBoolean toldBrokenOff = new AtomicBoolean();
    private Runnable clearing = () -> {};

    private Workbench(Surroundings surroundings, Cluster cluster, Publisher publisher, StreamsApp streams) {
        this.surroundings = surroundings;
        this.cluster = cluster;
        this.publisher = publisher;
        this.streams = streams;
    }

    /**
     * Opens everything.
     *
     * @param surroundings whose lifecycle takes charge
     * @param clusterOptions which cluster
     * @param use what for: to publish, or to stay up as well
     * @param streamsOptions how windows come out, if they are computed here
     * @param httpPort port for the metrics where the user named none; 0 = a free one, -1 = none
     */
    static Workbench open(
            Surroundings surroundings,
            ClusterOptions clusterOptions,
            Cluster.Use use,
            StreamsOptions streamsOptions,
            int httpPort)
            throws IOException {
        streamsOptions.check();
        Cluster cluster = clusterOptions.open(surroundings, use);
        prepareTopics(cluster);
        Publisher publisher =
                surroundings.lifecycle().add(Lifecycle.Stage.PRODUCERS, new Publisher(cluster.clientProperties()));
        publisher.announceSchemas();
        StreamsApp streams = null;
        if (cluster.isOwn()) {
            streams = surroundings
                    .lifecycle()
                    .add(Lifecycle.Stage.STREAMS, new StreamsApp(streamsOptions.settings(cluster, httpPort)));
            streams.start();
        } else if (!streamsOptions.given().isEmpty()) {
            surroundings
                    .err()
                    .println("farnode: note: " + String.join(" and ", streamsOptions.given())
                            + (streamsOptions.given().size() == 1 ? " has" : " have")
                            + " no effect here: the windows are computed by the farnode streams at "
                            + cluster.bootstrapServers() + ", with its own options");
            surroundings.err().flush();
        }
        return new Workbench(surroundings, cluster, publisher, streams);
    }

    /** Creates topics on a broker of this process's own; elsewhere they must be there. */
    static void prepareTopics(Cluster cluster) {
        try (Admin admin = cluster.admin()) {
            TopicCatalog topics = new TopicCatalog(admin);
            if (cluster.isOwn()) {
                topics.create(0, 0);
            } else {
                topics.require();
            }
        }
    }

    /** {@return where the metrics are, when they are here} */
    Optional<String> metricsUrl() {
        return Optional.ofNullable(streams).flatMap(StreamsApp::httpAddress).map(address -> address + "/metrics");
    }

    /** Fails when the streams application has stopped by itself. */
    void requireHealth() {
        if (streams != null && streams.failure().isPresent()) {
            throw new IllegalStateException(
                    "stream processing stopped: " + streams.failure().get(),
                    streams.failure().get());
        }
    }

    /** {@return whether windows and verdicts are computed in this process} */
    boolean computesResults() {
        return streams != null;
    }

    Cluster cluster() {
        return cluster;
    }

    /**
     * Publishes a run. On Ctrl-C or SIGTERM the run is given up in order before anything it needs is shut down.
     *
     * @param run the run
     * @param pace called before each sample
     * @param giveUp ends the run early so that it still gets its end; null = it stays without one and the same command
     *     completes it
     */
    RunFinished publish(Run run, Publisher.Pace pace, Runnable giveUp) throws IOException, InterruptedException {
        return publish(run, pace, giveUp, new CountDownLatch(1));
    }

    /**
     * Publishes a run and tells what became of it. Where it can be ended early, that still waits for the windows.
     *
     * @param run the run
     * @param pace called before each sample
     * @param giveUp as in {@link #publish}
     * @param afterwards called between the two
     */
    void publishAndTell(Run run, Publisher.Pace pace, Runnable giveUp, Runnable afterwards)
            throws IOException, InterruptedException {
        CountDownLatch done = new CountDownLatch(giveUp == null ? 1 : 2);
        try {
            RunFinished finished = publish(run, pace, giveUp, done);
            afterwards.run();
            tellResult(finished);
        } finally {
            done.countDown();
        }
    }

    private RunFinished publish(Run run, Publisher.Pace pace, Runnable giveUp, CountDownLatch done)
            throws IOException, InterruptedException {
        Thread publishing = Thread.currentThread();
        AutoCloseable input = () -> {
            if (done.getCount() > 0) {
                if (giveUp == null) {
                    publishing.interrupt();
                } else {
                    giveUp.run();
                }
                done.await(GIVE_UP_SECONDS, TimeUnit.SECONDS);
            }
        };
        surroundings.lifecycle().add(Lifecycle.Stage.INPUT, input);
        try {
            return publisher.publish(run, pace);
        } catch (IOException | RuntimeException | InterruptedException e) {
            // an interrupted read or request may end in any of them
            if (giveUp == null) {
                tellBrokenOff();
            }
            throw e;
        } finally {
            done.countDown();
        }
    }

    /**
     * Says what to take away from the screen before it is told that a run was broken off.
     *
     * @param clear takes it away; called by the thread that publishes
     */
    void clearFirst(Runnable clear) {
        clearing = clear;
    }

    /** Once, however many runs are under way; not when shutting down follows an error, which has been told. */
    private void tellBrokenOff() {
        if (surroundings.lifecycle().isInterrupted() && !toldBrokenOff.getAndSet(true)) {
            clearing.run();
            surroundings
                    .err()
                    .println("farnode: broken off; "
                            + (cluster.isKept() ? "the same command completes the run" : "nothing is kept"));
            surroundings.err().flush();
        }
    }

    /**
     * Tells what became of a run that has been published: its windows and what was left out of them, or, when another
     * process computes them, where to look.
     *
     * @param finished how the run ended
     */
    void tellResult(RunFinished finished) throws InterruptedException {
        PrintWriter out = surroundings.out();
        String runId = finished.getRunId();
        out.println("run " + runId + ": " + finished.getSamples() + " samples, " + finished.getValues() + " values, "
                + ResultTables.seconds(finished.getEndNanos() - finished.getStartNanos())
                        .toPlainString()
                + " s of event time");
        if (streams == null) {
            out.println("published to " + cluster.bootstrapServers()
                    + "; a farnode streams there computes the windows: farnode windows " + runId);
            out.flush();
            return;
        }
        out.flush();
        awaitProcessed();
        RunInfo run = results(cluster).runs().stream()
                .filter(r -> r.getRunId().equals(runId))
                .findAny()
                .orElseThrow(
                        () -> new IllegalStateException("run " + runId + " did not reach " + Topics.RUNS.topicName()));
        out.println(
                "windows: " + run.getWindows() + " closed, " + run.getIncompleteWindows() + " of them incomplete; late "
                        + ResultTables.sum(run, SourceCounts::getLate) + ", duplicate "
                        + ResultTables.sum(run, SourceCounts::getDuplicates) + ", missing "
                        + ResultTables.sum(run, SourceCounts::getMissing));
        out.println("see: farnode windows " + runId);
        out.flush();
    }

    /** {@return a reader of the cluster's results} */
    static Results results(Cluster cluster) {
        return new Results(cluster.clientProperties(), new SchemaCatalog(new SchemaTopic(cluster.clientProperties())));
    }

    /**
     * Waits until the streams application of this process has committed everything that was in the telemetry log when
     * this was called, and until readers of the results see it: markers of a transaction are written a moment after its
     * commit, and a transaction that a killed predecessor left open hides everything behind it until it times out.
     */
    void awaitProcessed() throws InterruptedException {
        streams.awaitRunning(STREAMS_PATIENCE);
        try (Admin admin = cluster.admin()) {
            Map<TopicPartition, Long> unread = ends(admin, IsolationLevel.READ_UNCOMMITTED, Topics.TELEMETRY);
            await(unread, () -> {
                Map<TopicPartition, Long> committed = new HashMap<>();
                admin.listConsumerGroupOffsets(StreamsSettings.DEFAULT_APPLICATION_ID)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .forEach(
                                (partition, offset) -> committed.put(partition, offset == null ? 0L : offset.offset()));
                return committed;
            });
            Map<TopicPartition, Long> unseen = ends(admin, IsolationLevel.READ_UNCOMMITTED, RESULTS);
            await(unseen, () -> ends(admin, IsolationLevel.READ_COMMITTED, RESULTS));
        } catch (ExecutionException e) {
            throw new ClusterException(
                    "cannot ask how far the windows are: " + e.getCause().getMessage(), e);
        }
    }

    private void await(Map<TopicPartition, Long> wanted, Reached reached)
            throws ExecutionException, InterruptedException {
        while (true) {
            Map<TopicPartition, Long> now = reached.ask();
            wanted.entrySet().removeIf(end -> now.getOrDefault(end.getKey(), 0L) >= end.getValue());
            if (wanted.isEmpty()) {
                return;
            }
            requireHealth();
            Thread.sleep(50);
        }
    }

    /** {@return the ends of topics' partitions that are not empty} */
    private static Map<TopicPartition, Long> ends(Admin admin, IsolationLevel isolation, Topics... topics)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        admin.describeTopics(Stream.of(topics).map(Topics::topicName).toList())
                .allTopicNames()
                .get()
                .forEach((name, topic) -> topic.partitions()
                        .forEach(p -> all.put(new TopicPartition(name, p.partition()), OffsetSpec.latest())));
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin.listOffsets(all, new ListOffsetsOptions(isolation)).all().get().forEach((partition, info) -> {
            if (info.offset() > 0) {
                ends.put(partition, info.offset());
            }
        });
        return ends;
    }

    /** Asks how far something has come. */
    @FunctionalInterface
    private interface Reached {
        Map<TopicPartition, Long> ask() throws ExecutionException, InterruptedException;
    }
}
