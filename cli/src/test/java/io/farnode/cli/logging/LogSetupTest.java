package io.farnode.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.FilterReply;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogSetupTest {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

    @AfterEach
    void reset() {
        LogSetup.set(LogSetup.Verbosity.NORMAL);
    }

    @Test
    void shouldBeFoundAsAServiceAndTellWarningsOfFarnodeAndErrorsOfKafka() {
        assertThat(context.getLogger("io.farnode.x").isWarnEnabled()).isTrue();
        assertThat(context.getLogger("io.farnode.x").isInfoEnabled()).isFalse();
        assertThat(context.getLogger("org.apache.kafka.x").isErrorEnabled()).isTrue();
        assertThat(context.getLogger("org.apache.kafka.x").isWarnEnabled()).isFalse();
        LogSetup.set(LogSetup.Verbosity.VERBOSE);
        assertThat(context.getLogger("io.farnode.x").isInfoEnabled()).isTrue();
        assertThat(context.getLogger("kafka.x").isWarnEnabled()).isTrue();
        LogSetup.set(LogSetup.Verbosity.VERY_VERBOSE);
        assertThat(context.getLogger("kafka.x").isInfoEnabled()).isTrue();
    }

    @Test
    void shouldHoldBackWhatTheBrokerMendsByItselfAndNothingElse() {
        Exception early =
                new OutOfOrderSequenceException("Invalid sequence number for producer 1 at offset 3 in partition"
                        + " x-0: 1 (incoming seq. number). Expected sequence 0 for transactions v2 idempotent producer with no"
                        + " existing state.");
        assertThat(reply("kafka.server.ReplicaManager", early)).isEqualTo(FilterReply.DENY);
        Exception tooEarly = new NotControllerException("The active controller appears to be node 1.");
        assertThat(reply("kafka.server.ControllerApis", new CompletionException(tooEarly)))
                .isEqualTo(FilterReply.DENY);
        // this one is for ever: see TopicCatalog
        Exception stuck = new OutOfOrderSequenceException("Out of order sequence number for producer 0 at offset 6 in"
                + " partition x-0: 0 (incoming seq. number), 6 (current end sequence number)");
        assertThat(reply("kafka.server.ReplicaManager", stuck)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(reply("kafka.server.ReplicaManager", new IllegalStateException("disk full")))
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(reply("kafka.server.ReplicaManager", null)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(reply("org.apache.kafka.clients.NetworkClient", null)).isEqualTo(FilterReply.DENY);
        LogSetup.set(LogSetup.Verbosity.VERBOSE);
        assertThat(reply("kafka.server.ReplicaManager", early)).isEqualTo(FilterReply.NEUTRAL);
    }

    private FilterReply reply(String name, Throwable thrown) {
        Logger logger = context.getLogger(name);
        Appender<ILoggingEvent> console =
                context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("console");
        return console.getFilterChainDecision(
                new LoggingEvent("x", logger, ch.qos.logback.classic.Level.ERROR, "message", thrown, null));
    }
}
