package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.TopicCatalog;
import io.farnode.producer.Run;
import io.farnode.producer.publish.Publisher;
import io.farnode.telemetry.RunFinished;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a command that publishes works with: a cluster with farnode's topics, a publisher, and, when the broker is this
 * process's own, the streams application beside it, since nobody else would compute the windows.
 */
final class Workbench {
    /** How long an end in the middle of a run waits for what is under way. */
    private static final long GIVE_UP_SECONDS = 5;

    private final Surroundings surroundings;
    private final Cluster cluster;
    private final Publisher publisher;

    private Workbench(Surroundings surroundings, Cluster cluster, Publisher publisher) {
        this.surroundings = surroundings;
        this.cluster = cluster;
        this.publisher = publisher;
    }

    static Workbench open(Surroundings surroundings, ClusterOptions clusterOptions, StreamsOptions streamsOptions)
            throws IOException {
        Cluster cluster = clusterOptions.open(surroundings);
        try (Admin admin = cluster.admin()) {
            TopicCatalog topics = new TopicCatalog(admin);
            if (cluster.isOwn()) {
                topics.create(0, 0);
            } else {
                topics.require();
            }
        }
        Publisher publisher =
                surroundings.lifecycle().add(Lifecycle.Stage.PRODUCERS, new Publisher(cluster.clientProperties()));
        publisher.announceSchemas();
        return new Workbench(surroundings, cluster, publisher);
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
        CountDownLatch done = new CountDownLatch(1);
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
        } finally {
            done.countDown();
        }
    }

    void tellResult(RunFinished finished) {}
}
