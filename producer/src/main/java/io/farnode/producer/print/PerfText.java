package io.farnode.producer.print;

import io.farnode.contract.SampleBuilder;
import io.farnode.contract.Scope;
import io.farnode.producer.machine.Machine;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Intervals of {@code perf stat -a -I MS -x, -o FILE} as perf 6.1 prints them (tools/perf/util/stat-display.c): each event
 * with all its CPUs or nodes, counted all the time, without a derived figure. Sample cells that are absent have no line.
 */
final class PerfText implements SamplePrinter {
    private static final long SECOND = 1_000_000_000L;

    /** ctime(3) without its line feed. */
    private static final DateTimeFormatter CTIME = DateTimeFormatter.ofPattern(
                    "EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** How counters are added up. */
    enum Aggregation {
        /** {@code -A}: not at all. */
        CPU("cpu"),
        /** {@code --per-node}. */
        NODE("node"),
        /** Neither: one count for the machine. */
        SYSTEM("system");

        private final String scopePrefix;

        Aggregation(String scopePrefix) {
            this.scopePrefix = scopePrefix;
        }

        /** {@return how the text of its scopes begins} */
        String scopePrefix() {
            return scopePrefix;
        }
    }

    private final Writer out;
    private final long start;
    private final Aggregation aggregation;
    private final Machine machine;

    PerfText(Writer out, long start, Aggregation aggregation, Machine machine) throws IOException {
        this.out = out;
        this.start = start;
        this.aggregation = aggregation;
        this.machine = machine;
        out.write("# started on " + CTIME.format(Instant.ofEpochSecond(0, start)) + "\n\n");
    }

    @Override
    public void print(Sample sample) throws IOException {
        long offset = sample.getEndNanos() - start;
        long span = sample.getEndNanos() - sample.getStartNanos();
        String time = String.format(Locale.ROOT, "%6d.%09d,", offset / SECOND, offset % SECOND);
        StringBuilder text = new StringBuilder();
        for (Column column : sample.getColumns()) {
            // a unit outside the CPUs has one counter, an event of CPUs has one on each
            boolean unit = sample.getSource().equals("uncore");
            for (int i = 0; i < sample.getScopes().size(); i++) {
                Scope scope = Scope.parse(sample.getScopes().get(i));
                if (!scope.text().startsWith(aggregation.scopePrefix())
                        || column.getStates().remaining() > 0
                                && column.getStates().get(i) != SampleBuilder.VALUE) {
                    continue;
                }
                int counters = switch (aggregation) {
                    case CPU -> 1;
                    case NODE -> unit ? 1 : machine.cpusOf(scope.number()).size();
                    case SYSTEM -> unit ? 1 : machine.cpus();
                };
                text.append(time);
                if (aggregation == Aggregation.CPU) {
                    text.append("CPU").append(scope.number()).append(',');
                } else if (aggregation == Aggregation.NODE) {
                    text.append('N')
                            .append(scope.number())
                            .append(',')
                            .append(counters)
                            .append(',');
                }
                text.append(column.getValues().get(i))
                        .append(",,")
                        .append(column.getRawName())
                        .append(',')
                        .append(span * counters)
                        .append(",100.00,,\n");
            }
        }
        out.write(text.toString());
    }
}
