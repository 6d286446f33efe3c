package io.farnode.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/**
 * Sets logging up in code, found by logback as a service: reading an XML file at every start would cost more than all
 * the rest of {@code farnode --help}. Everything goes to standard error, so that standard output holds results only.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    /** For logback's service loader. */
    public LogSetup() {}

    /** How much is told. */
    public enum Verbosity {
        /** Warnings; of Kafka, errors only, as its warnings tell of what it mends itself. */
        NORMAL(Level.WARN, Level.ERROR),
        /** What farnode does, and Kafka's warnings. */
        VERBOSE(Level.INFO, Level.WARN),
        /** What Kafka does as well. */
        VERY_VERBOSE(Level.DEBUG, Level.INFO);

        private final Level own;
        private final Level kafka;

        Verbosity(Level own, Level kafka) {
            this.own = own;
            this.kafka = kafka;
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%ex{full}");
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("console");
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(console);
        apply(context, Verbosity.NORMAL);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /**
     * Changes how much is told, from now on.
     *
     * @param verbosity how much
     */
    public static void set(Verbosity verbosity) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            apply(context, verbosity);
        }
    }

    private static void apply(LoggerContext context, Verbosity verbosity) {
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(verbosity.kafka);
        context.getLogger("io.farnode").setLevel(verbosity.own);
        if (verbosity == Verbosity.NORMAL) {
            // at each restart the broker registers a moment before the controller is ready, is refused and tries again
            context.getLogger("kafka.server.ControllerApis").setLevel(Level.OFF);
        } else {
            context.getLogger("kafka.server.ControllerApis").setLevel(null);
        }
    }
}
