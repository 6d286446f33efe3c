package io.farnode.producer.capture;

import io.farnode.telemetry.Sample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/**
 * How fast perf CSV of 64 CPUs and 8 events is read, as a program of its own: prints each round, since the first ones
 * run before the compiler is warm.
 */
final class PerfCsvSpeed {
    private static final String[] EVENTS = {
        "cpu-clock",
        "context-switches",
        "cpu-migrations",
        "page-faults",
        "cycles",
        "instructions",
        "irq:irq_handler_entry",
        "block:block_rq_complete"
    };

    private PerfCsvSpeed() {}

    public static void main(String[] args) throws IOException {
        byte[] capture = capture(args.length > 0 ? Integer.parseInt(args[0]) : 2000, 64);
        System.out.printf(Locale.ROOT, "%.1f MB%n", capture.length / 1e6);
        for (int round = 0; round < 10; round++) {
            long began = System.nanoTime();
            CaptureOptions options = CaptureOptions.parse("perf.csv").with(java.util.Map.of("zone", "UTC"));
            LineSource lines = new LineSource(ByteSource.of(new ByteArrayInputStream(capture)));
            CaptureReader reader = CaptureFormat.of(lines, options).open(lines, options);
            long samples = 0;
            for (Sample sample = reader.next(); sample != null; sample = reader.next()) {
                samples += sample.getColumns().size() > 0 ? 1 : 0;
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%d samples, %d rows: %.3f s, %.0f MB/s, %.2f million rows/s%n",
                    samples,
                    reader.account().count(LineAccount.Kind.READING),
                    seconds,
                    capture.length / 1e6 / seconds,
                    reader.account().count(LineAccount.Kind.READING) / 1e6 / seconds);
        }
    }

    static byte[] capture(int intervals, int cpus) throws IOException {
        Random random = new Random(1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder text = new StringBuilder("# started on Mon Mar  2 09:00:00 2026\n\n");
        for (int i = 1; i <= intervals; i++) {
            String time = String.format(Locale.ROOT, "%6d.%09d", i, i * 1000L + random.nextInt(1000));
            for (String event : EVENTS) {
                for (int cpu = 0; cpu < cpus; cpu++) {
                    text.append(time).append(",CPU").append(cpu).append(',');
                    if (event.equals("cpu-clock")) {
                        text.append("1000.")
                                .append(10 + random.nextInt(90))
                                .append(",msec,cpu-clock,1000210112,100.00,1.000,CPUs utilized");
                    } else {
                        text.append(random.nextInt(1_000_000))
                                .append(",,")
                                .append(event)
                                .append(",1000211001,100.00,");
                        text.append(random.nextInt(10)).append(".119,K/sec");
                    }
                    text.append('\n');
                }
            }
            out.writeBytes(text.toString().getBytes(StandardCharsets.US_ASCII));
            text.setLength(0);
        }
        return out.toByteArray();
    }
}
