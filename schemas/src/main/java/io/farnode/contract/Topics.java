package io.farnode.contract;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every topic of farnode with its purpose and the settings it is created with. The one place where topic names stand.
 *
 * <p>The telemetry log is an archive: {@code retention.ms=-1}, because brokers judge age by event time and would delete
 * a replayed capture of last month at once; it is limited by size and never compacted, since compaction would keep only
 * the last record of a run. Time stamps ahead of the broker's clock are allowed, as captures from machines with a wrong
 * clock and simulated clocks have them.
 */
public enum Topics {
    /** The ordered log of every run: RunStarted, Samples, RunFinished; key = run id. */
    TELEMETRY("farnode.telemetry", 4, Cleanup.KEEP, "the ordered log of every run"),
    /** Who owns a run id: the RunStarted of each run, so that another run of the same name is refused; key = run id. */
    CLAIMS("farnode.claims", 1, Cleanup.COMPACT, "which input each run id stands for"),
    /** Writer schemas by fingerprint, so that a reader that lacks one can fetch it; key = fingerprint in hex. */
    SCHEMAS("farnode.schemas", 1, Cleanup.COMPACT, "writer schemas by fingerprint"),
    /** Catalogue of runs: state and counts (RunInfo); key = run id. */
    RUNS("farnode.runs", 4, Cleanup.COMPACT, "catalogue of runs: state, late, duplicate and missing counts"),
    /** Closed windows (WindowResult); key = run id, size and start. */
    WINDOWS("farnode.windows", 4, Cleanup.KEEP, "closed windows: every signal and event of every scope"),
    /** Finished runs boiled down for comparison (RunSummary); partitioned by experiment; key = experiment and run. */
    SUMMARIES("farnode.summaries", 4, Cleanup.COMPACT, "finished runs boiled down for comparison"),
    /** What comparisons found (Verdict); key = experiment, signal and scope. */
    VERDICTS("farnode.verdicts", 4, Cleanup.COMPACT, "what comparisons found"),
    /** Raised and resolved alerts; key = alert id. */
    ALERTS("farnode.alerts", 4, Cleanup.COMPACT, "raised and resolved alerts"),
    /** What could not be read or came too late: the original bytes, with the reason in the headers; key as it was. */
    DEAD_LETTERS("farnode.dead-letters", 1, Cleanup.KEEP, "what could not be read or came too late, with the reason");

    /** Largest record any topic takes, in bytes; samples are split far below it, summaries of long runs come near. */
    public static final int MAX_RECORD_BYTES = 8 * 1024 * 1024;

    /** Size at which a partition of a kept topic begins to lose its oldest segments: 16 GiB. */
    public static final long RETENTION_BYTES = 16L * 1024 * 1024 * 1024;

    private final String topicName;
    private final int partitions;
    private final Cleanup cleanup;
    private final String purpose;

    Topics(String topicName, int partitions, Cleanup cleanup, String purpose) {
        this.topicName = topicName;
        this.partitions = partitions;
        this.cleanup = cleanup;
        this.purpose = purpose;
    }

    /** {@return the topic's name in Kafka} */
    public String topicName() {
        return topicName;
    }

    /** {@return how many partitions the topic is created with unless the user says otherwise} */
    public int partitions() {
        return partitions;
    }

    /** {@return whether its partition count may be chosen at creation; single-partition topics are read whole} */
    public boolean scales() {
        return partitions > 1;
    }

    /** {@return one line on what the topic holds} */
    public String purpose() {
        return purpose;
    }

    /** {@return the broker settings the topic is created with, by Kafka's names} */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cleanup.policy", cleanup == Cleanup.COMPACT ? "compact" : "delete");
        settings.put("retention.ms", "-1");
        if (cleanup == Cleanup.KEEP) {
            settings.put("retention.bytes", Long.toString(RETENTION_BYTES));
        } else {
            settings.put("min.cleanable.dirty.ratio", "0.2");
        }
        settings.put("segment.ms", Long.toString(Duration.ofDays(7).toMillis()));
        settings.put("message.timestamp.type", "CreateTime");
        settings.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
        settings.put("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
        settings.put("max.message.bytes", Integer.toString(MAX_RECORD_BYTES));
        settings.put("compression.type", "producer");
        return settings;
    }

    private enum Cleanup {
        KEEP,
        COMPACT
    }
}
