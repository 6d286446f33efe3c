package io.farnode.cli.command;

import io.farnode.cli.broker.DataDirectory;
import io.farnode.cli.cluster.Cluster;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which Kafka a command works with. */
final class ClusterOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "Kafka to work with; without it, farnode's own broker on the data directory.")
    private String bootstrapServer;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties handed whole to every Kafka client (TLS, SASL); with --bootstrap-server.")
    private Path commandConfig;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description =
                    "Where farnode's own broker keeps its data (default: $${XDG_DATA_HOME:-~/.local/share}/farnode)."
                            + " If a farnode already runs a broker there, that one is used.")
    private Path dataDirectory;

    @Option(names = "--ephemeral", description = "Own broker in a temporary directory that is deleted at the end.")
    private boolean ephemeral;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of farnode's own broker on 127.0.0.1 (default: a free one).")
    private int port;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

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
        if (bootstrapServer != null) {
            throw new ParameterException(
                    spec.commandLine(), "this command starts a broker of its own: leave --bootstrap-server out");
        }
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

    private void check() {
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
            UsageException.checked(() -> Cluster.addresses(bootstrapServer));
        }
        if (bootstrapServer != null && (ephemeral || port != 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--ephemeral and --port are for farnode's own broker, not --bootstrap-server");
        }
    }
}
