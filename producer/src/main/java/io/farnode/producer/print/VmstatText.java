package io.farnode.producer.print;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Rows of vmstat as {@code vmstat -y -w -t -n SECONDS} of procps-ng 4 prints them (src/vmstat.c, new_format). The command
 * stands above them, as in a terminal's log: that there is no row since boot and how long a row is, nothing else says.
 */
final class VmstatText implements SamplePrinter {
    private static final String GROUPS =
            "--procs-- -----------------------memory---------------------- ---swap-- -----io---- -system--"
                    + " ----------cpu---------- -----timestamp-----\n";
    private static final String[] NAMES = {
        "r", "b", "swpd", "free", "buff", "cache", "si", "so", "bi", "bo", "in", "cs", "us", "sy", "id", "wa", "st"
    };
    private static final String ROW = "%4s %4s %12s %12s %12s %12s %4s %4s %5s %5s %4s %4s %3s %3s %3s %3s %3s %19s\n";
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Writer out;

    VmstatText(Writer out, long seconds) throws IOException {
        this.out = out;
        out.write("vmstat -y -w -t -n " + seconds + "\n");
        out.write(GROUPS);
        row(NAMES, "UTC");
    }

    @Override
    public void print(Sample sample) throws IOException {
        Map<String, Long> values = new HashMap<>();
        for (Column column : sample.getColumns()) {
            values.put(column.getRawName(), column.getValues().get(0));
        }
        String[] cells = new String[NAMES.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = Long.toString(values.get(NAMES[i]));
        }
        row(cells, STAMP.format(Instant.ofEpochSecond(0, sample.getEndNanos())));
    }

    private void row(String[] cells, String stamp) throws IOException {
        Object[] all = new Object[cells.length + 1];
        System.arraycopy(cells, 0, all, 0, cells.length);
        all[cells.length] = stamp;
        out.write(String.format(Locale.ROOT, ROW, all));
    }
}
