package io.farnode.cli.command;

import io.farnode.cli.broker.DataDirectory;
import io.farnode.cli.cluster.Cluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which Kafka a command works with. */
final class ClusterOptions {
    private static final String BOOTSTRAP_SERVER = "--bootstrap-server";
    private static final String COMMAND_CONFIG = "--command-config";
    private static final String DATA_DIR = "--data-dir";
    private static final String EPHEMERAL = "--ephemeral";
    private static final String PORT = "--port";

    @Option(
            names = BOOTSTRAP_SERVER,
            paramLabel = "HOST:PORT",
            description = "Kafka to work with; without it, farnode's own broker on the data directory.")
    private String bootstrapServer;

    @Option(
            names = COMMAND_CONFIG,
            paramLabel = "FILE",
            description = "Properties handed whole to every Kafka client (TLS, SASL); with --bootstrap-server.")
    private Path commandConfig;

    @Option(
            names = DATA_DIR,
            paramLabel = "DIR",
            description =
                    "Where farnode's own broker keeps its data (default: $${XDG_DATA_HOME:-~/.local/share}/farnode)."
                            + " If a farnode already runs a broker there, that one is used.")
    private Path dataDirectory;

    @Option(names = EPHEMERAL, description = "Own broker in a temporary directory that is deleted at the end.")
    private boolean ephemeral;

    @Option(
            names = PORT,
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of farnode's own broker on 127.0.0.1 (default: a free one).")
    private int port;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /**
     * For a command that only looks at a cluster: a broker of its own would be empty, or nobody would find it.
     *
     * @param command the command
     * @return the same, without the options for a broker of its own
     */
    static CommandLine forReading(CommandLine command) {
        return without(command, EPHEMERAL, PORT);
    }

    /**
     * For a command that is a broker.
     *
     * @param command the command
     * @return the same, without the options for somebody else's broker
     */
    static CommandLine forOwnBroker(CommandLine command) {
        return without(command, BOOTSTRAP_SERVER, COMMAND_CONFIG);
    }

    /**
     * For a command that keeps nothing unless it is told where, see {@link #preferEphemeral()}.
     *
     * @param command the command
     * @return the same, with other words about where data go
     */
    static CommandLine temporaryByDefault(CommandLine command) {
        Map<String, String> descriptions = Map.of(
                BOOTSTRAP_SERVER,
                "Kafka to work with; without it, farnode's own broker in a temporary directory.",
                DATA_DIR,
                "Where farnode's own broker keeps its data (default: a temporary directory, deleted at the end). If a"
                        + " farnode already runs a broker there, that one is used.",
                EPHEMERAL,
                "Own broker in a temporary directory that is deleted at the end; the demo's default.");
        CommandSpec commandSpec = command.getCommandSpec();
        // options cannot be changed; all are replaced, so that they stay in their order
        for (OptionSpec option : List.copyOf(commandSpec.options())) {
            String description = descriptions.get(option.longestName());
            commandSpec.remove(option);
            commandSpec.addOption(
                    description == null
                            ? option
                            : OptionSpec.builder(option)
                                    .description(description)
                                    .build());
        }
        return command;
    }

    private static CommandLine without(CommandLine command, String... options) {
        CommandSpec commandSpec = command.getCommandSpec();
        for (String option : options) {
            commandSpec.remove(commandSpec.findOption(option));
        }
        return command;
    }

    /**
     * Takes the cluster the options name and puts it in the care of the lifecycle.
     *
     * @param surroundings whose lifecycle
     * @param use what for
     * @return the cluster
     */
    Cluster open(Surroundings surroundings, Cluster.Use use) {
        check();
        Cluster cluster;
        if (bootstrapServer != null) {
            cluster = Cluster.named(bootstrapServer, commandConfig, directory());
        } else {
            DataDirectory directory = dataDirectory(surroundings);
            cluster = Cluster.of(directory, use, port, surroundings.lifecycle()::fail);
        }
        return surroundings.lifecycle().add(Lifecycle.Stage.BROKER, cluster);
    }

    /**
     * Starts a new broker, as {@code farnode broker} does.
     *
     * @param surroundings whose lifecycle
     * @return the cluster
     */
    Cluster start(Surroundings surroundings) {
        check();
        return surroundings
                .lifecycle()
                .add(
                        Lifecycle.Stage.BROKER,
                        Cluster.own(dataDirectory(surroundings), port, surroundings.lifecycle()::fail));
    }

    /** Without a word about it, the data are temporary. */
    void preferEphemeral() {
        if (bootstrapServer == null && dataDirectory == null) {
            ephemeral = true;
        }
    }

    private DataDirectory dataDirectory(Surroundings surroundings) {
        // closing it twice is harmless, and an ephemeral one is deleted even if the broker never starts
        return surroundings
                .lifecycle()
                .add(Lifecycle.Stage.FILES, ephemeral ? DataDirectory.ephemeral() : DataDirectory.open(directory()));
    }

    private Path directory() {
        return dataDirectory == null ? DataDirectory.standard() : dataDirectory;
    }

    /**
     * Checks the values before anything is started.
     *
     * @throws ParameterException if they cannot be
     */
    void check() {
        if (ephemeral && dataDirectory != null) {
            throw new ParameterException(spec.commandLine(), "--ephemeral and --data-dir exclude each other");
        }
        if (commandConfig != null && bootstrapServer == null) {
            throw new ParameterException(spec.commandLine(), "--command-config needs --bootstrap-server");
        }
        if (port < 0 || port > 65535) {
            throw new ParameterException(spec.commandLine(), "--port " + port + " is not within 0..65535");
        }
        if (bootstrapServer != null) {
            try {
                Cluster.addresses(bootstrapServer);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
        }
        if (bootstrapServer != null && (ephemeral || port != 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--ephemeral and --port are for farnode's own broker, not --bootstrap-server");
        }
    }
}
