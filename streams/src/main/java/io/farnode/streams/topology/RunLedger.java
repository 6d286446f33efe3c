package io.farnode.streams.topology;

import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.results.SourceCounts;
import io.farnode.telemetry.RunStarted;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where a run stands: its counts and its watermark. Kept in the state store as plain bytes, written at every record. */
final class RunLedger {
    private static final byte LAYOUT = 1;
    private static final int RUN_BYTES = 1 + 1 + 4 + 9 * Long.BYTES;
    private static final int SOURCE_BYTES = 6 * Long.BYTES;

    /** Counts of one source, as {@link SourceCounts} has them. */
    static final class Source {
        long lastSequence;
        long samples;
        long duplicates;
        long missing;
        long late;
        long maxEndNanos;
    }

    final Source[] sources;
    boolean finished;
    long endNanos;
    long values;
    long noValues;
    long outOfSeries;
    long repeatedStarts;
    long afterFinish;
    long windows;
    long incompleteWindows;
    /** Number of the first window that is open; everything before it is closed. */
    long firstOpen = Long.MIN_VALUE;

    RunLedger(int sourceCount) {
        sources = new Source[sourceCount];
        for (int i = 0; i < sourceCount; i++) {
            sources[i] = new Source();
        }
    }

    static RunLedger read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte layout = in.get();
        if (layout != LAYOUT) {
            throw new IllegalStateException("run state of layout " + layout + ", this version reads " + LAYOUT);
        }
        boolean finished = in.get() != 0;
        RunLedger ledger = new RunLedger(in.getInt());
        ledger.finished = finished;
        ledger.endNanos = in.getLong();
        ledger.values = in.getLong();
        ledger.noValues = in.getLong();
        ledger.outOfSeries = in.getLong();
        ledger.repeatedStarts = in.getLong();
        ledger.afterFinish = in.getLong();
        ledger.windows = in.getLong();
        ledger.incompleteWindows = in.getLong();
        ledger.firstOpen = in.getLong();
        for (Source source : ledger.sources) {
            source.lastSequence = in.getLong();
            source.samples = in.getLong();
            source.duplicates = in.getLong();
            source.missing = in.getLong();
            source.late = in.getLong();
            source.maxEndNanos = in.getLong();
        }
        return ledger;
    }

    byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(RUN_BYTES + SOURCE_BYTES * sources.length);
        out.put(LAYOUT).put((byte) (finished ? 1 : 0)).putInt(sources.length);
        out.putLong(endNanos).putLong(values).putLong(noValues).putLong(outOfSeries);
        out.putLong(repeatedStarts).putLong(afterFinish).putLong(windows).putLong(incompleteWindows);
        out.putLong(firstOpen);
        for (Source source : sources) {
            out.putLong(source.lastSequence).putLong(source.samples).putLong(source.duplicates);
            out.putLong(source.missing).putLong(source.late).putLong(source.maxEndNanos);
        }
        return out.array();
    }

    /**
     * The smallest over the sources of latest end minus allowed lateness, ns since 1970; Long.MIN_VALUE while a source
     * has said nothing.
     */
    long watermark(long allowedLatenessNanos) {
        long watermark = Long.MAX_VALUE;
        for (Source source : sources) {
            if (source.maxEndNanos == 0) {
                return Long.MIN_VALUE;
            }
            watermark = Math.min(watermark, source.maxEndNanos - allowedLatenessNanos);
        }
        return sources.length == 0 ? Long.MIN_VALUE : watermark;
    }

    RunInfo toInfo(RunStarted started) {
        Map<String, SourceCounts> counts = new LinkedHashMap<>();
        for (int i = 0; i < sources.length; i++) {
            Source source = sources[i];
            counts.put(
                    started.getSources().get(i).getName(),
                    new SourceCounts(
                            source.lastSequence,
                            source.samples,
                            source.duplicates,
                            source.missing,
                            source.late,
                            source.maxEndNanos));
        }
        return new RunInfo(
                started.getRunId(),
                finished ? RunState.FINISHED : RunState.RUNNING,
                started,
                started.getStartNanos(),
                endNanos,
                counts,
                values,
                noValues,
                outOfSeries,
                repeatedStarts,
                afterFinish,
                windows,
                incompleteWindows);
    }
}
