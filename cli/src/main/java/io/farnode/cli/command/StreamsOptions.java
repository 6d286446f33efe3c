package io.farnode.cli.command;

import java.time.Duration;
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
            defaultValue = "1s",
            converter = Length.class,
            description = "Size of the windows (default: 1s).")
    Duration window;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port on 127.0.0.1 for /metrics, /healthz and /readyz; 0 = a free one.")
    Integer httpPort;

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
            return switch (length.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                default -> Duration.ofHours(count);
            };
        }
    }
}
