package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.TopicCatalog;
import io.farnode.cli.terminal.Table;
import io.farnode.contract.Topics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Creates and describes farnode's topics. */
@Command(
        name = "topics",
        description = "Create farnode's topics, or list them and how they stand.",
        mixinStandardHelpOptions = true)
final class TopicsCommand implements Runnable {
    private final Surroundings surroundings;

    @Spec
    private CommandSpec spec;

    TopicsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: farnode topics create, or farnode topics list");
    }

    @Command(
            name = "create",
            description = "Create the topics that are missing; those that are there must be as farnode needs them.",
            mixinStandardHelpOptions = true)
    int create(
            @Mixin ClusterOptions clusterOptions,
            @Option(
                            names = "--partitions",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "Partitions of the topics that scale (default: 4). A run stays in one.")
                    int partitions,
            @Option(
                            names = "--replication-factor",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "Copies of each partition (default: the broker's).")
                    int replicationFactor) {
        if (partitions < 0 || replicationFactor < 0 || replicationFactor > Short.MAX_VALUE) {
            throw new ParameterException(
                    spec.commandLine(), "--partitions and --replication-factor must be positive numbers");
        }
        Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.READ);
        try (Admin admin = cluster.admin()) {
            TopicCatalog catalog = new TopicCatalog(admin);
            List<Topics> created = catalog.create(partitions, replicationFactor);
            int all = Topics.values().length;
            surroundings
                    .out()
                    .println(created.size() + " topics created, " + (all - created.size()) + " were there, at "
                            + cluster.bootstrapServers());
        }
        return 0;
    }

    @Command(
            name = "list",
            description = "List the topics: settings, purpose, and how each stands on the broker.",
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ClusterOptions clusterOptions,
            @Option(
                            names = "--output",
                            paramLabel = "FORMAT",
                            defaultValue = "table",
                            description = "table, csv or json (default: table).")
                    Table.Format format) {
        Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.READ);
        Table table = new Table("topic", "partitions", "cleanup", "retention", "state", "purpose");
        boolean differs = false;
        try (Admin admin = cluster.admin()) {
            TopicCatalog catalog = new TopicCatalog(admin);
            if (cluster.isOwn()) {
                catalog.create(0, 0);
            }
            for (TopicCatalog.Entry entry : catalog.list()) {
                differs |= entry.state() == TopicCatalog.State.DIFFERS;
                Map<String, String> settings = entry.topic().settings();
                String state = entry.state().name().toLowerCase(Locale.ROOT);
                table.row(
                        entry.topic().topicName(),
                        entry.partitions(),
                        settings.get("cleanup.policy"),
                        retention(settings),
                        entry.differences().isEmpty() ? state : state + ": " + String.join("; ", entry.differences()),
                        entry.topic().purpose());
            }
        }
        table.print(surroundings.out(), format);
        return differs ? 1 : 0;
    }

    private static String retention(Map<String, String> settings) {
        String bytes = settings.get("retention.bytes");
        return bytes == null ? "for ever" : Long.parseLong(bytes) / (1024 * 1024 * 1024) + " GiB a partition";
    }
}
