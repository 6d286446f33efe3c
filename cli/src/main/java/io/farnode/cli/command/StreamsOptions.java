package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.streams.app.StreamsSettings;
import io.farnode.streams.topology.WindowSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of the streams application. */
final class StreamsOptions {
    /** Port that the project's Prometheus configuration scrapes. */
    static final int HTTP_PORT = 9464;

    @Option(
            names = "--window",
            paramLabel = "SIZE",
            converter = Length.class,
            description = "Size of the windows (default: 1s), where this command computes them.")
    private Duration window;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port on 127.0.0.1 for /metrics, /healthz and /readyz; 0 = a free one"
                    + " (streams and demo: 9464; others: none).")
    Integer httpPort;

    /**
     * {@return settings of an application on a cluster}
     *
     * @param cluster the cluster
     * @param port port of the HTTP pages where the user named none; 0 = a free one, -1 = no pages
     */
    StreamsSettings settings(Cluster cluster, int port) {
        return StreamsSettings.of(cluster.bootstrapServers(), cluster.clientProperties(), cluster.stateDirectory())
                .withWindows(windows())
                .withHttp("127.0.0.1", httpPort == null ? port : httpPort);
    }

    /**
     * Checks the values before anything is started.
     *
     * @throws UsageException if one is refused
     */
    void check() {
        if (httpPort != null && (httpPort < 0 || httpPort > 65535)) {
            throw new UsageException("--http-port " + httpPort + " is not within 0..65535");
        }
        UsageException.checked(this::windows);
    }

    private WindowSettings windows() {
        WindowSettings usual = WindowSettings.DEFAULT;
        return window == null ? usual : new WindowSettings(window, usual.allowedLateness(), usual.completeness());
    }

    /** {@return the options that the user gave, though they mean nothing where another process computes the windows} */
    List<String> given() {
        List<String> given = new ArrayList<>();
        if (window != null) {
            given.add("--window");
        }
        if (httpPort != null) {
            given.add("--http-port");
        }
        return given;
    }

    /** {@return the port that Prometheus is configured for, or 0 when somebody else has it} */
    static int preferredPort() {
        try (ServerSocket socket = new ServerSocket(HTTP_PORT, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Reads 500ms, 10s, 2m. */
    static final class Length implements ITypeConverter<Duration> {
        private static final Pattern LENGTH = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

        @Override
        public Duration convert(String text) {
            Matcher length = LENGTH.matcher(text);
            if (!length.matches()) {
                throw new TypeConversionException("\"" + text + "\" is no length of time; write 500ms, 10s or 2m");
            }
            long count = Long.parseLong(length.group(1));
            if (count == 0) {
                throw new TypeConversionException("\"" + text + "\" is not above zero; write 500ms, 10s or 2m");
            }
            return switch (length.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                default -> Duration.ofHours(count);
            };
        }
    }
}
