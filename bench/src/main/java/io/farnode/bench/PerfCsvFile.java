package io.farnode.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes what {@code perf stat -I 1000 -a -A -x,} of perf 6.1 would print on a machine of 64 CPUs with eight events.
 * Counts are seeded random numbers of realistic sizes; the same arguments give the same bytes.
 */
final class PerfCsvFile {
    static final int CPUS = 64;
    static final String[] EVENTS = {
        "cpu-clock",
        "context-switches",
        "cpu-migrations",
        "page-faults",
        "irq:irq_handler_entry",
        "block:block_rq_complete",
        "instructions",
        "cycles"
    };
    private static final long[] SIZES = {0, 4_000, 30, 900, 12_000, 9_000, 2_900_000_000L, 2_400_000_000L};

    private PerfCsvFile() {}

    /**
     * Writes a file.
     *
     * @param file where to
     * @param intervals seconds to cover
     * @param seed seed of the counts
     * @return number of counts written
     */
    static long write(Path file, int intervals, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder line = new StringBuilder(128);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            out.write("# started on Mon Nov 30 12:00:00 2026\n\n".getBytes(StandardCharsets.US_ASCII));
            long nanos = 0;
            for (int i = 0; i < intervals; i++) {
                nanos += 1_000_000_000L + random.nextInt(2_000_000);
                String time = String.format(Locale.ROOT, "%6d.%09d", nanos / 1_000_000_000L, nanos % 1_000_000_000L);
                for (int event = 0; event < EVENTS.length; event++) {
                    for (int cpu = 0; cpu < CPUS; cpu++) {
                        line.setLength(0);
                        line.append(time).append(",CPU").append(cpu).append(',');
                        long runtime = 1_000_000_000L + random.nextInt(3_000_000);
                        if (event == 0) {
                            long hundredths = runtime / 10_000;
                            line.append(hundredths / 100).append('.');
                            line.append(hundredths % 100 / 10).append(hundredths % 10);
                            line.append(",msec,cpu-clock,").append(runtime).append(",100.00,1.000,CPUs utilized");
                        } else {
                            long count = SIZES[event] / 2 + random.nextLong(SIZES[event]);
                            line.append(count)
                                    .append(",,")
                                    .append(EVENTS[event])
                                    .append(',')
                                    .append(runtime);
                            line.append(",100.00,");
                            if (event < 6) {
                                line.append(count / 1000)
                                        .append('.')
                                        .append(100 + count % 900)
                                        .append(",K/sec");
                            } else {
                                line.append(event == 7 ? "2.401,GHz" : "1.21,insn per cycle");
                            }
                        }
                        line.append('\n');
                        out.write(line.toString().getBytes(StandardCharsets.US_ASCII));
                    }
                }
            }
        }
        return (long) intervals * CPUS * EVENTS.length;
    }
}
