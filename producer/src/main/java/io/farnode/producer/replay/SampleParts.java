package io.farnode.producer.replay;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a sample that would make too large a record. Parts hold different scopes of the same span, so that each is a
 * sample like any other.
 */
final class SampleParts {
    /** Largest part in bytes, about; far below what brokers take. */
    static final int TARGET_BYTES = 512 * 1024;

    private SampleParts() {}

    /**
     * Splits a sample if it needs to be.
     *
     * @param sample the sample; not changed
     * @param targetBytes how large a part may be, about
     * @return the parts in order; the sample itself if it is small enough or has one scope only
     */
    static List<Sample> split(Sample sample, int targetBytes) {
        int scopes = sample.getScopes().size();
        long size = 0;
        for (Column column : sample.getColumns()) {
            // a value takes up to 10 bytes, as a rule about 6; states, running and counters about 6 more
            size += 64
                    + column.getValues().size() * 6L
                    + column.getStates().remaining()
                    + column.getRunning().size() * 3L
                    + column.getCounters().size() * 2L;
        }
        int parts = (int) Math.min(scopes, (size + targetBytes - 1) / targetBytes);
        if (parts <= 1) {
            return List.of(sample);
        }
        List<Sample> split = new ArrayList<>(parts);
        for (int i = 0; i < parts; i++) {
            int from = (int) ((long) scopes * i / parts);
            int to = (int) ((long) scopes * (i + 1) / parts);
            Sample part = new Sample();
            part.setRunId(sample.getRunId());
            part.setSource(sample.getSource());
            part.setSequence(sample.getSequence());
            part.setTool(sample.getTool());
            part.setStartNanos(sample.getStartNanos());
            part.setEndNanos(sample.getEndNanos());
            part.setPart(i);
            part.setParts(parts);
            part.setFirstLine(sample.getFirstLine());
            part.setLastLine(sample.getLastLine());
            part.setFlags(sample.getFlags());
            part.setScopes(sample.getScopes().subList(from, to));
            List<Column> columns = new ArrayList<>(sample.getColumns().size());
            for (Column column : sample.getColumns()) {
                columns.add(slice(column, from, to));
            }
            part.setColumns(columns);
            split.add(part);
        }
        return split;
    }

    private static Column slice(Column column, int from, int to) {
        ByteBuffer states = column.getStates();
        return new Column(
                column.getMetric(),
                column.getRawName(),
                column.getUnit(),
                column.getKind(),
                column.getDimension(),
                column.getScale(),
                column.getValues().subList(from, to),
                states.remaining() == 0 ? states : states.slice(from, to - from),
                column.getRunning().isEmpty()
                        ? column.getRunning()
                        : column.getRunning().subList(from, to),
                column.getCounters().isEmpty()
                        ? column.getCounters()
                        : column.getCounters().subList(from, to),
                column.getFlags());
    }
}
