package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.TopicCatalog;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the embedded broker alone until it is stopped. */
@Command(
        name = "broker",
        description = "Run farnode's own Kafka broker alone until Ctrl-C.",
        mixinStandardHelpOptions = true)
final class BrokerCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private ClusterOptions clusterOptions;

    BrokerCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Cluster cluster = clusterOptions.start(surroundings);
        try (Admin admin = cluster.admin()) {
            new TopicCatalog(admin).create(0, 0);
        }
        surroundings.out().println("Kafka broker at " + cluster.bootstrapServers());
        surroundings.out().println("data in " + cluster.dataDirectory());
        surroundings.out().println("Ctrl-C stops it");
        surroundings.out().flush();
        return surroundings.lifecycle().awaitStop();
    }
}
