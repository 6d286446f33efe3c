package io.farnode.streams.topology;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Sends on what could not be used: the original key, value and headers, with the reason and the origin in further
 * headers. The names that begin with two underscores are those Kafka Streams itself writes (KIP-1034), so that one
 * reader serves both.
 */
public final class DeadLetters {
    /** Header: the reason, for people. */
    public static final String REASON = "farnode.reason";
    /** Header: the {@link DropReason#text()}. */
    public static final String KIND = "farnode.kind";
    /** Header: class of the exception; only when there was one. */
    public static final String EXCEPTION = "__streams.errors.exception";
    /** Header: the reason again, where KIP-1034 puts it. */
    public static final String MESSAGE = "__streams.errors.message";
    /** Header: topic the record was read from. */
    public static final String TOPIC = "__streams.errors.topic";
    /** Header: partition the record was read from, as text. */
    public static final String PARTITION = "__streams.errors.partition";
    /** Header: offset the record was read from, as text. */
    public static final String OFFSET = "__streams.errors.offset";

    private final ProcessorContext<byte[], byte[]> context;
    private final String sink;

    DeadLetters(ProcessorContext<byte[], byte[]> context, String sink) {
        this.context = context;
        this.sink = sink;
    }

    void send(Record<byte[], byte[]> record, DropReason kind, String reason, Exception cause) {
        Headers headers = new RecordHeaders(record.headers());
        put(headers, KIND, kind.text());
        put(headers, REASON, reason);
        if (cause != null) {
            put(headers, EXCEPTION, cause.getClass().getName());
        }
        put(headers, MESSAGE, reason);
        context.recordMetadata().ifPresent(from -> {
            put(headers, TOPIC, from.topic());
            put(headers, PARTITION, Integer.toString(from.partition()));
            put(headers, OFFSET, Long.toString(from.offset()));
        });
        context.forward(record.withHeaders(headers), sink);
    }

    private static void put(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
