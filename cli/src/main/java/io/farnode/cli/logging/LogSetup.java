package io.farnode.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
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
        Passing passing = new Passing();
        passing.setContext(context);
        passing.start();
        console.addFilter(passing);
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
    }

    /**
     * Holds back errors that the broker reports and mends by itself a moment later, and those that reach the command as
     * an exception anyway. Told when more than errors are wanted of Kafka.
     */
    private static final class Passing extends Filter<ILoggingEvent> {
        private static final Map<String, String> MENDED = Map.of(
                // at a restart the broker registers a moment before the controller is ready and tries again
                "kafka.server.ControllerApis",
                "The active controller appears to be node",
                // a transaction's first batch for a partition waits for the coordinator while those behind it arrive;
                // the producer sends them again in order
                "kafka.server.ReplicaManager",
                "transactions v2 idempotent producer with no existing state");

        /** Says that a broker refuses the client, which the command tells in its own line. */
        private static final String NETWORK = "org.apache.kafka.clients.NetworkClient";

        @Override
        public FilterReply decide(ILoggingEvent event) {
            String mended = MENDED.get(event.getLoggerName());
            boolean verbose = ((Logger) LoggerFactory.getLogger(event.getLoggerName())).isWarnEnabled();
            if (!verbose && event.getLoggerName().equals(NETWORK)) {
                return FilterReply.DENY;
            }
            if (mended == null || verbose) {
                return FilterReply.NEUTRAL;
            }
            for (IThrowableProxy e = event.getThrowableProxy(); e != null; e = e.getCause()) {
                if (e.getMessage() != null && e.getMessage().contains(mended)) {
                    return FilterReply.DENY;
                }
            }
            return FilterReply.NEUTRAL;
        }
    }
}
