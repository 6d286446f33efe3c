package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.CpuSet;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.Noise;
import io.farnode.producer.machine.RandomStream;
import io.farnode.producer.machine.policy.DmaPlacement;
import java.util.Arrays;

/**
 * The machine of the dma-placement family at work: crypto engines, and for each of them one kernel thread that gives it a
 * request, sleeps until its interrupt, and gives it the next, as tcrypt does. Queue entries, scatter lists and key lie
 * where the policy puts them; source and destination, which are mapped for one request only, lie on the submitter's node.
 *
 * <p>A request goes through three phases, one after the other. The submitter writes scatter lists and queue entry and
 * must own those lines before it rings the doorbell. The engine reads queue entry and scatter list from DRAM, each read
 * waiting for the one before, and works. The interrupt, sent to the submitter's CPU, reads completion and message. What a
 * DRAM access takes from where is the machine's; the rest of the time is {@code t0 + s * bytes} of the algorithm.
 *
 * <p>What is left out: engines and submitters do not disturb each other, a tick takes no time, and an idle CPU has none.
 */
final class CryptoRequests extends Workload {
    private static final long SECOND = 1_000_000_000L;
    private static final int LINE_BYTES = 64;
    private static final String COST = "cost.";
    private static final byte SUBMITTING = 0;
    private static final byte IN_ENGINE = 1;
    private static final byte COMPLETING = 2;
    /** Submitter wakes up, submitter goes to sleep. */
    private static final int SWITCHES_PER_REQUEST = 2;

    private final int cpus;
    private final int engines;
    private final int nodes;
    private final int tickHz;
    private final int blockLines;
    private final int deviceReads;
    private final int writtenLines;
    private final int completionReads;
    private final int mapsPerRequest;
    private final long noiseStepNanos;
    private final long submitNanos;
    private final long completeNanos;
    private final long engineFixedNanos;
    private final long engineTailNanos;
    private final Noise costNoise;
    private final Noise deviceNoise;
    private final RandomStream engineRandom;
    private long noiseAt;

    // engines and their submitters
    private final int[] cpuOf;
    private final int[] submitterNode;
    private final int[] engineNode;
    /** Where the submitter finds what it shares with the engine; under the optimum not where the engine does. */
    private final int[] homeOfCpu;

    private final int[] homeOfEngine;
    private final int[] payloadHome;
    private final long[] submitAccessNanos;
    private final long[] engineAccessNanos;
    private final long[] completeAccessNanos;
    private final byte[] phase;
    private final long[] phaseEnd;
    private final long[] bookedUntil;

    // sums since the beginning, by engine
    private final long[] started;
    private final long[] finished;
    private final long[] raised;
    private final long[] delivered;
    private final long[] engineLines;
    private final long[] cpuLines;

    // the same at the last look
    private final long[] finishedAtLook;
    private final long[] deliveredAtLook;
    private final long[] engineLinesAtLook;
    private final long[] cpuLinesAtLook;

    // sums since the last look, by CPU
    private final long[] busyNanos;
    private final long[] idleNanos;
    private final long[] interrupts;
    private final long[] switches;
    private final long[] ticks;
    private final long[] maps;
    private final long[] unmaps;
    private final long[] tickCredit;
    private long lookedAt;

    /**
     * Sets the machine up: memory allocated, every submitter about to begin.
     *
     * @param machine the machine
     * @param policy the policy
     * @param settings the scenario's parameters
     * @throws io.farnode.producer.machine.DataException if a parameter is wrong or does not fit the machine
     */
    CryptoRequests(Machine machine, DmaPlacement policy, DataFile settings) {
        long seed = settings.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        cpus = machine.cpus();
        nodes = machine.nodes();
        tickHz = machine.tickHz();
        engineNode = engineNodes(machine, settings);
        engines = engineNode.length;
        cpuOf = submitters(machine, settings, engineNode);
        int allocCpu = (int) settings.whole("alloc-cpu", 0, cpus - 1);
        deviceReads = (int) settings.whole("device-reads", 0, 64);
        writtenLines = (int) settings.whole("written-lines", 0, 64);
        int writeWaits = (int) settings.whole("write-waits", 0, 64);
        completionReads = (int) settings.whole("completion-reads", 0, 64);
        int blockBytes = (int) settings.whole("block-bytes", 16, 1 << 20);
        if (blockBytes % 16 != 0) {
            throw settings.wrong("block-bytes", "a multiple of the 16 bytes that AES works on");
        }
        blockLines = (blockBytes + LINE_BYTES - 1) / LINE_BYTES;
        noiseStepNanos = settings.span("noise-step", 1_000_000L, 3_600 * SECOND);
        noiseAt = noiseStepNanos;
        submitNanos = settings.span("submit-time", 1, SECOND);
        completeNanos = settings.span("complete-time", 1, SECOND);
        String cost = costKey(settings);
        // those that this run does not need are checked too: a wrong line is one whoever set it waits to hear of
        settings.keys().stream().filter(key -> key.startsWith(COST)).forEach(key -> costLine(settings, key));
        double[] line = costLine(settings, cost);
        long engineNanos = StrictMath.round(line[0] + line[1] * blockBytes) - submitNanos - completeNanos;
        if (engineNanos < 1) {
            throw settings.wrong(
                    "submit-time", "such that with complete-time it is shorter than the operation, " + cost);
        }
        engineTailNanos = StrictMath.round(engineNanos * settings.number("device-tail", 0, 1));
        engineFixedNanos = engineNanos - engineTailNanos;
        // one mapping for the data, which is worked on in place, and in cbc mode one for the initialisation vector
        mapsPerRequest = settings.text("mode").equals("cbc") ? 2 : 1;
        costNoise = Noise.of(settings, seed, "cost");
        deviceNoise = Noise.of(settings, seed, "device");
        engineRandom = new RandomStream(seed, "engine");

        submitterNode = new int[engines];
        homeOfCpu = new int[engines];
        homeOfEngine = new int[engines];
        payloadHome = new int[engines];
        submitAccessNanos = new long[engines];
        engineAccessNanos = new long[engines];
        completeAccessNanos = new long[engines];
        phase = new byte[engines];
        phaseEnd = new long[engines];
        bookedUntil = new long[engines];
        started = new long[engines];
        finished = new long[engines];
        raised = new long[engines];
        delivered = new long[engines];
        engineLines = new long[engines];
        cpuLines = new long[engines];
        finishedAtLook = new long[engines];
        deliveredAtLook = new long[engines];
        engineLinesAtLook = new long[engines];
        cpuLinesAtLook = new long[engines];
        busyNanos = new long[cpus];
        idleNanos = new long[cpus];
        interrupts = new long[cpus];
        switches = new long[cpus];
        ticks = new long[cpus];
        maps = new long[cpus];
        unmaps = new long[cpus];
        tickCredit = new long[cpus];
        for (int engine = 0; engine < engines; engine++) {
            int from = machine.nodeOf(cpuOf[engine]);
            int at = engineNode[engine];
            int home = machine.memoryNodeFor(policy.home(machine.nodeOf(allocCpu), at));
            submitterNode[engine] = from;
            homeOfCpu[engine] = policy.allLocal() ? from : home;
            homeOfEngine[engine] = policy.allLocal() ? at : home;
            payloadHome[engine] = policy.allLocal() ? at : machine.memoryNodeFor(from);
            double cpuNanos = machine.memoryNanos(from, homeOfCpu[engine]);
            submitAccessNanos[engine] = StrictMath.round(writeWaits * cpuNanos);
            completeAccessNanos[engine] = StrictMath.round(completionReads * cpuNanos);
            engineAccessNanos[engine] = StrictMath.round(deviceReads * machine.memoryNanos(at, homeOfEngine[engine]));
            submit(engine, 0);
        }
    }

    private static String costKey(DataFile settings) {
        String mode = oneOf(settings, "mode", "ecb", "cbc");
        String direction = oneOf(settings, "direction", "encrypt", "decrypt");
        String bits = oneOf(settings, "key-bits", "128", "192", "256");
        return COST + mode + "-" + direction + "-" + bits;
    }

    private static double[] costLine(DataFile settings, String key) {
        return settings.numbers(key, 2, 0, 1e9);
    }

    private static String oneOf(DataFile settings, String key, String... known) {
        String value = settings.text(key);
        if (!Arrays.asList(known).contains(value)) {
            throw settings.wrong(key, "one of " + String.join(", ", known));
        }
        return value;
    }

    private static int[] engineNodes(Machine machine, DataFile settings) {
        int count = settings.text("device-nodes").split("\\s+").length;
        double[] numbers = settings.numbers("device-nodes", count, 0, machine.nodes() - 1);
        return wholes(settings, "device-nodes", numbers);
    }

    private static int[] wholes(DataFile settings, String key, double[] numbers) {
        int[] wholes = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            wholes[i] = (int) numbers[i];
            if (wholes[i] != numbers[i]) {
                throw settings.wrong(key, "whole numbers");
            }
        }
        return wholes;
    }

    /** The CPU that submits to each engine: as the scenario says, or the first on its node that no other engine has. */
    private static int[] submitters(Machine machine, DataFile settings, int[] engineNode) {
        int count = engineNode.length;
        CpuSet taken = CpuSet.EMPTY;
        int[] cpuOf = new int[count];
        boolean near = settings.text("submit-cpus").equals("near");
        if (!near) {
            cpuOf = wholes(settings, "submit-cpus", settings.numbers("submit-cpus", count, 0, machine.cpus() - 1));
        }
        for (int engine = 0; engine < count; engine++) {
            if (near) {
                CpuSet free = machine.cpusOf(engineNode[engine]);
                int cpu = free.first();
                while (cpu >= 0 && taken.contains(cpu)) {
                    cpu = free.next(cpu);
                }
                if (cpu < 0) {
                    throw settings.wrong("device-nodes", "such that each device has a CPU of its own on its node");
                }
                cpuOf[engine] = cpu;
            } else if (taken.contains(cpuOf[engine])) {
                throw settings.wrong("submit-cpus", "near, or a CPU of its own for each of the " + count + " devices");
            }
            taken = taken.with(cpuOf[engine]);
        }
        return cpuOf;
    }

    @Override
    void advance(long until) {
        while (now < until) {
            // factors are constant up to the next step, so each engine can be followed up to there by itself
            long stop = Math.min(until, noiseAt);
            for (int engine = 0; engine < engines; engine++) {
                follow(engine, stop);
            }
            now = stop;
            if (now == noiseAt) {
                costNoise.step();
                deviceNoise.step();
                noiseAt += noiseStepNanos;
            }
        }
        for (int engine = 0; engine < engines; engine++) {
            book(engine, now);
        }
        check();
    }

    private void follow(int engine, long stop) {
        int cpu = cpuOf[engine];
        for (long at = phaseEnd[engine]; at < stop; at = phaseEnd[engine]) {
            book(engine, at);
            switch (phase[engine]) {
                case SUBMITTING -> {
                    started[engine]++;
                    maps[cpu] += mapsPerRequest;
                    cpuLines[engine] += writtenLines;
                    phase[engine] = IN_ENGINE;
                    long work = engineFixedNanos + engineRandom.exponential(engineTailNanos);
                    phaseEnd[engine] = at + engineAccessNanos[engine] + deviceNoise.scale(work);
                }
                case IN_ENGINE -> {
                    engineLines[engine] += deviceReads;
                    raised[engine]++;
                    delivered[engine]++;
                    interrupts[cpu]++;
                    phase[engine] = COMPLETING;
                    phaseEnd[engine] = at + completeAccessNanos[engine] + costNoise.scale(completeNanos);
                }
                default -> {
                    finished[engine]++;
                    cpuLines[engine] += completionReads;
                    unmaps[cpu] += mapsPerRequest;
                    switches[cpu] += SWITCHES_PER_REQUEST;
                    submit(engine, at);
                }
            }
        }
    }

    private void submit(int engine, long at) {
        phase[engine] = SUBMITTING;
        phaseEnd[engine] = at + submitAccessNanos[engine] + costNoise.scale(submitNanos);
    }

    /** Books the time of a submitter's CPU up to a moment before which its phase does not end. */
    private void book(int engine, long at) {
        int cpu = cpuOf[engine];
        long span = at - bookedUntil[engine];
        bookedUntil[engine] = at;
        if (phase[engine] == IN_ENGINE) {
            idleNanos[cpu] += span;
        } else {
            busyNanos[cpu] += span;
            tickCredit[cpu] += span * tickHz;
            if (tickCredit[cpu] >= SECOND) {
                ticks[cpu] += tickCredit[cpu] / SECOND;
                tickCredit[cpu] %= SECOND;
            }
        }
    }

    /** The laws of the machine; they hold at every look, in every run. */
    private void check() {
        long handled = 0;
        for (int engine = 0; engine < engines; engine++) {
            long open = phase[engine] == SUBMITTING ? 0 : 1;
            law(started[engine] == finished[engine] + open, "requests started = finished + under way");
            law(raised[engine] == delivered[engine], "interrupts delivered = interrupts raised");
            long reads = finished[engine] + (phase[engine] == COMPLETING ? 1 : 0);
            law(raised[engine] == reads, "interrupts raised = requests the engine has done");
            law(engineLines[engine] == reads * deviceReads, "queue entries and lists read = requests done");
            law(
                    cpuLines[engine] == started[engine] * writtenLines + finished[engine] * completionReads,
                    "lines of the CPU = requests written + completions read");
            handled += delivered[engine] - deliveredAtLook[engine];
        }
        law(Arrays.stream(interrupts).sum() == handled, "interrupts of the CPUs = interrupts delivered");
        for (int engine = 0; engine < engines; engine++) {
            int cpu = cpuOf[engine];
            law(busyNanos[cpu] + idleNanos[cpu] == now - lookedAt, "busy + idle = time, on cpu" + cpu);
        }
    }

    @Override
    void tell(Interval interval) {
        long[] idle = new long[cpus];
        Arrays.fill(idle, now - lookedAt);
        int running = 0;
        long expected = 0;
        for (int engine = 0; engine < engines; engine++) {
            idle[cpuOf[engine]] = idleNanos[cpuOf[engine]];
            running += phase[engine] == IN_ENGINE ? 0 : 1;
            long byEngine = engineLines[engine] - engineLinesAtLook[engine];
            long byCpu = cpuLines[engine] - cpuLinesAtLook[engine];
            long done = delivered[engine] - deliveredAtLook[engine];
            interval.deviceAccesses(engineNode[engine], homeOfEngine[engine], byEngine);
            interval.cpuAccesses(submitterNode[engine], homeOfCpu[engine], byCpu);
            // the engine writes its completion, reads the data and writes the result
            interval.deviceAccesses(engineNode[engine], homeOfEngine[engine], done * completionReads);
            interval.deviceAccesses(engineNode[engine], payloadHome[engine], done * 2 * blockLines);
            expected += byEngine + byCpu + done * (completionReads + 2L * blockLines);
        }
        law(interval.allAccesses() == expected, "accesses = local + remote");
        interval.time(busyNanos, idle, 0, 0);
        interval.tasks(running, 0);
        interval.interrupts(interrupts, ticks);
        interval.switches(switches);
        interval.event("iommu:map", maps);
        interval.event("iommu:unmap", unmaps);
        interval.operations(finished());
    }

    @Override
    void look() {
        for (long[] sums : new long[][] {busyNanos, idleNanos, interrupts, switches, ticks, maps, unmaps}) {
            Arrays.fill(sums, 0);
        }
        System.arraycopy(finished, 0, finishedAtLook, 0, engines);
        System.arraycopy(delivered, 0, deliveredAtLook, 0, engines);
        System.arraycopy(engineLines, 0, engineLinesAtLook, 0, engines);
        System.arraycopy(cpuLines, 0, cpuLinesAtLook, 0, engines);
        lookedAt = now;
    }

    /** {@return requests finished in this interval, by all engines} */
    long finished() {
        return Arrays.stream(finished).sum() - Arrays.stream(finishedAtLook).sum();
    }

    /** {@return how many engines there are, and so how many submitters} */
    int engines() {
        return engines;
    }

    @Override
    String throughputUnit() {
        return "operation";
    }

    /** No event counts requests of an engine. */
    @Override
    String operationEvent() {
        return "";
    }
}
