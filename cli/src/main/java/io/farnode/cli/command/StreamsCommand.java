package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.streams.app.StreamsApp;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the streams application alone. */
@Command(
        name = "streams",
        description = "Compute windows and verdicts from the telemetry log until Ctrl-C.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class StreamsCommand implements Callable<Integer> {
    private static final Duration START = Duration.ofSeconds(60);

    private final Surroundings surroundings;

    @Mixin
    private StreamsOptions streamsOptions;

    @Mixin
    private ClusterOptions clusterOptions;

    StreamsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        streamsOptions.check();
        Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.SERVE);
        Workbench.prepareTopics(cluster);
        Lifecycle lifecycle = surroundings.lifecycle();
        StreamsApp app = lifecycle.add(
                Lifecycle.Stage.STREAMS,
                new StreamsApp(streamsOptions.settings(cluster, StreamsOptions.preferredPort())));
        app.start();
        app.awaitRunning(START);
        surroundings.out().println("streams run on " + cluster.bootstrapServers());
        app.httpAddress().ifPresent(url -> surroundings.out().println("metrics at " + url + "/metrics"));
        surroundings.out().println("Ctrl-C stops them");
        surroundings.out().flush();
        Thread watch = new Thread(
                () -> {
                    while (!lifecycle.isStopping() && !lifecycle.hasFailed()) {
                        app.failure().ifPresent(e -> lifecycle.fail("stream processing stopped: " + e));
                        try {
                            Thread.sleep(500);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                },
                "streams-watch");
        watch.setDaemon(true);
        watch.start();
        return lifecycle.awaitStop();
    }
}
