package io.farnode.streams.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The record's own time stamp, whatever it holds; a missing or negative one counts as 1970. Never fails and never drops
 * a record: windows rest on the spans inside samples, not on this.
 */
public final class EventTime implements TimestampExtractor {
    /** Makes an extractor; called by Kafka Streams. */
    public EventTime() {}

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return Math.max(0, record.timestamp());
    }
}
