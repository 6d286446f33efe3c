package io.farnode.producer.print;

import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/**
 * Snapshots of {@code /proc/interrupts} (kernel/irq/proc.c), one at the start and one at the end of each interval, each
 * under a line {@code timestamp: SECONDS}. Counts begin at 0 with the run and are unsigned 32 bit, as the kernel's are.
 *
 * <p>The simulated machine counts interrupts of devices by CPU and not by vector: they stand in one row. Timer ticks are
 * the row {@code arch_timer} of arm64 or {@code LOC} of x86.
 */
final class InterruptsText implements SamplePrinter {
    private static final long SECOND = 1_000_000_000L;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private final Writer out;
    private final SimulatedRun run;
    private final boolean arm;

    InterruptsText(Writer out, SimulatedRun run) throws IOException {
        this.out = out;
        this.run = run;
        arm = run.machine().architecture().equals("aarch64");
        snapshot(run.started().getStartNanos());
    }

    @Override
    public void print(Sample sample) throws IOException {
        snapshot(sample.getEndNanos());
    }

    private void snapshot(long nanos) throws IOException {
        Machine machine = run.machine();
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "timestamp: %d.%09d\n", nanos / SECOND, nanos % SECOND));
        text.append("     ");
        for (int cpu = 0; cpu < machine.cpus(); cpu++) {
            text.append(String.format(Locale.ROOT, "%-11s", "CPU" + cpu));
        }
        text.append('\n');
        if (arm) {
            row(text, " 11", run.timerTicks(), "     GICv3  27 Level     arch_timer");
            row(text, " 48", run.deviceInterrupts(), "   ITS-MSI 524288 Edge      all-devices");
        } else {
            row(text, " 48", run.deviceInterrupts(), "   PCI-MSI 524288-edge      all-devices");
            row(text, "LOC", run.timerTicks(), "   Local timer interrupts");
        }
        out.write(text.append('\n').toString());
    }

    private static void row(StringBuilder text, String label, long[] counts, String what) {
        text.append(label).append(':');
        for (long count : counts) {
            text.append(String.format(Locale.ROOT, "%10d ", count & UNSIGNED));
        }
        text.append(what).append('\n');
    }
}
