package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.TopicCatalog;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;

/**
 * Does once, in a temporary directory, what most commands do, so that the launcher script can keep the classes it took
 * for class data sharing.
 */
@Command(name = "rehearse", description = "Load what other commands need; for the launcher script.", hidden = true)
final class RehearseCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    RehearseCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        ClusterOptions options = new ClusterOptions();
        options.preferEphemeral();
        Cluster cluster = options.start(surroundings);
        try (Admin admin = cluster.admin()) {
            new TopicCatalog(admin).create(0, 0);
        }
        return 0;
    }
}
