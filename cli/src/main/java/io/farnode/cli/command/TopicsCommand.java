package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.TopicCatalog;
import io.farnode.cli.terminal.Table;
import io.farnode.contract.Topics;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
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

    private TopicsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** {@return the command with its own ones} */
    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new TopicsCommand(surroundings))
                .addSubcommand(ClusterOptions.forReading(new CommandLine(new Create(surroundings))))
                .addSubcommand(ClusterOptions.forReading(new CommandLine(new List(surroundings))));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: farnode topics create, or farnode topics list");
    }

    /** Creates the topics. */
    @Command(
            name = "create",
            description = "Create the topics that are missing; those that are there must be as farnode needs them.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {
        private final Surroundings surroundings;

        @Option(
                names = "--partitions",
                paramLabel = "N",
                defaultValue = "0",
                description = "Partitions of the topics that scale (default: 4). A run stays in one.")
        private int partitions;

        @Option(
                names = "--replication-factor",
                paramLabel = "N",
                defaultValue = "0",
                description = "Copies of each partition (default: the broker's).")
        private int replicationFactor;

        @Mixin
        private ClusterOptions clusterOptions;

        Create(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (partitions < 0 || replicationFactor < 0 || replicationFactor > Short.MAX_VALUE) {
                throw new UsageException("--partitions and --replication-factor must be positive numbers");
            }
            Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.READ);
            try (Admin admin = cluster.admin()) {
                TopicCatalog catalog = new TopicCatalog(admin);
                int created = catalog.create(partitions, replicationFactor).size();
                int all = Topics.values().length;
                surroundings
                        .out()
                        .println(created + " topics created, " + (all - created) + " were there, at "
                                + cluster.bootstrapServers());
            }
            return 0;
        }
    }

    /** Lists the topics. */
    @Command(
            name = "list",
            description = "List the topics: settings, purpose, and how each stands on the broker.",
            mixinStandardHelpOptions = true)
    static final class List implements Callable<Integer> {
        private final Surroundings surroundings;

        @Option(
                names = "--output",
                paramLabel = "FORMAT",
                defaultValue = "table",
                description = "table, csv or json (default: table).")
        private Table.Format format;

        @Mixin
        private ClusterOptions clusterOptions;

        List(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
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
                            entry.differences().isEmpty()
                                    ? state
                                    : state + ": " + String.join("; ", entry.differences()),
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
}
