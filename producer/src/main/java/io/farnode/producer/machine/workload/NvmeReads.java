package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.CpuSet;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.EventQueue;
import io.farnode.producer.machine.Lpi;
import io.farnode.producer.machine.LpiRouting;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.MsiDevice;
import io.farnode.producer.machine.Noise;
import io.farnode.producer.machine.RandomStream;
import io.farnode.producer.machine.policy.LpiBalance;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The machine of the lpi-balance family at work: readers that keep a number of reads under way on NVMe drives, each bound
 * to a CPU; drives that complete them; interrupts that go where the routing sends them; and CPUs that hard interrupts,
 * irq threads and readers share. Every hand-over is an event.
 *
 * <p>A CPU does one thing at a time. A hard interrupt preempts an irq thread (a real-time thread), which preempts the
 * reader; another hard interrupt waits. A message of a drive sets its LPI pending and is lost in it when it is pending
 * already, as in the GIC; the handler then reaps all completions it finds, so one interrupt can serve several. With
 * threaded interrupts the hard handler only looks and wakes the thread; without, it completes everything itself.
 *
 * <p>A completion costs a part that the parameters give, one DRAM access to the queue's entry, and the cache lines of the
 * request that the completing CPU takes from the submitting one. Queues lie on the drive's node, requests and data on the
 * submitter's.
 *
 * <p>What is left out: a tick takes no time, an idle CPU wakes at once, all its idle time is without ticks.
 */
final class NvmeReads extends Workload {
    private static final byte IDLE = 0;
    private static final byte READER = 1;
    private static final byte THREAD = 2;
    private static final byte HARD = 3;

    private static final int CPU_BITS = 10;
    private static final int CPU_MASK = (1 << CPU_BITS) - 1;
    private static final int NONE = -1;
    private static final int LINE_BYTES = 64;
    /** Lines that the device itself reads and writes beside the data: submission entry, completion entry. */
    private static final int QUEUE_LINES = 2;

    private final int cpus;
    private final int nodes;
    private final int drives;
    private final int queuesPerDrive;
    private final int depth;
    private final boolean threaded;
    private final int requestLines;
    private final int blockKib;
    private final int blockLines;
    private final double userShare;

    private final long hardNanos;
    private final long submitNanos;
    private final long completeNanos;
    private final long switchNanos;
    private final long deviceFixedNanos;
    private final long deviceTailNanos;
    private final long ceilingGapNanos;
    private final long tickNanos;
    private final long noiseStepNanos;
    /** Where memory of a node really is: a node without takes it from another. */
    private final int[] memoryNode;

    private final long[] memoryNanos;
    private final long[] lineNanos;

    private final EventQueue events;
    private final int firstQueueSlot;
    private final int tickSlot;
    private final int noiseSlot;
    private final RandomStream deviceRandom;
    private final Noise costNoise;
    private final Noise deviceNoise;
    private final LpiRouting routing;

    // CPUs
    private final int[] nodeOf;
    private final byte[] doing;
    private final int[] queueInHand;
    private final long[] since;
    private final boolean[] hardCompletes;
    private final int[] lpiHead;
    private final int[] lpiTail;
    private final int[] threadHead;
    private final int[] threadTail;
    private final int[] threadPreempted;
    private final long[] threadLeft;
    private final int[] lastTask;

    // readers, by CPU
    private final boolean[] hasReader;
    private final int[] wanted;
    private final int[] inFlight;
    private final long[] readerLeft;
    private final int[] nextDrive;
    private final int[] queueOfCpu;

    // queues of the drives
    private final int[] target;
    private final int[] queueNode;
    private final boolean[] lpiPending;
    private final int[] lpiNext;
    private final boolean[] threadActive;
    private final int[] threadNext;
    private final int ringSize;
    private final long[] ring;
    private final int[] head;
    private final int[] posted;
    private final int[] tail;

    private long ceilingFree;

    // sums since the beginning
    private long started;
    private long finished;
    private long messages;
    private long merged;
    private long raised;
    private long delivered;

    // sums since the last look, by CPU
    private final long[] interrupts;
    private final long[] ticks;
    private final long[] switches;
    private final long[] issues;
    private final long[] completions;
    private final long[] readerNanos;
    private final long[] threadNanos;
    private final long[] hardNanosSpent;
    private final long[] idleNanos;
    /** Reads by node of the completing CPU, node of the submitter, node of the queue. */
    private final long[] readsByNodes;

    private long finishedAtLook;
    private long deliveredAtLook;

    /**
     * Sets the machine up: drives bound, targets chosen, readers about to begin.
     *
     * @param machine the machine
     * @param policy the policy
     * @param settings the scenario's parameters
     */
    NvmeReads(Machine machine, LpiBalance policy, DataFile settings) {
        long seed = settings.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        if (machine.itsCount() == 0) {
            throw settings.wrong("machine", "a machine with an ITS, which is what routes LPIs");
        }
        cpus = machine.cpus();
        nodes = machine.nodes();
        drives = (int) settings.whole("drives", 1, 16);
        int queues = (int) settings.whole("queues", 1, cpus);
        queuesPerDrive = policy.allLocal() ? cpus : queues;
        depth = (int) settings.whole("depth", 1, 1024);
        threaded = settings.flag("threaded");
        requestLines = (int) settings.whole("request-lines", 0, 1024);
        blockKib = (int) settings.whole("block-kib", 1, 1024);
        blockLines = blockKib * 1024 / LINE_BYTES;
        userShare = settings.number("user-share", 0, 1);
        long most = 1_000_000_000L;
        hardNanos = settings.span("hard-time", 1, most);
        submitNanos = settings.span("submit-time", 1, most);
        completeNanos = settings.span("complete-time", 1, most);
        switchNanos = settings.span("switch-time", 0, most);
        long deviceNanos = settings.span("device-time", 1, most);
        deviceTailNanos = StrictMath.round(deviceNanos * settings.number("device-tail", 0, 1));
        deviceFixedNanos = deviceNanos - deviceTailNanos;
        ceilingGapNanos = ceilingGap(settings);
        tickNanos = 1_000_000_000L / machine.tickHz();
        noiseStepNanos = settings.span("noise-step", 1_000_000L, 3_600_000_000_000L);
        memoryNode = IntStream.range(0, nodes).map(machine::memoryNodeFor).toArray();
        memoryNanos = new long[nodes * nodes];
        lineNanos = new long[nodes * nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                memoryNanos[from * nodes + to] = StrictMath.round(machine.memoryNanos(from, machine.memoryNodeFor(to)));
                lineNanos[from * nodes + to] = StrictMath.round(machine.lineNanos(from, to));
            }
        }

        int queueCount = drives * queuesPerDrive;
        if (cpus + queueCount + 2 > EventQueue.MAX_SLOTS) {
            throw settings.wrong(
                    "drives",
                    "such that " + cpus + " CPUs and " + queueCount + " queues are at most "
                            + (EventQueue.MAX_SLOTS - 2) + " together");
        }
        firstQueueSlot = cpus;
        tickSlot = cpus + queueCount;
        noiseSlot = tickSlot + 1;
        events = new EventQueue(noiseSlot + 1);
        deviceRandom = new RandomStream(seed, "device");
        costNoise = Noise.of(settings, seed, "cost");
        deviceNoise = Noise.of(settings, seed, "device");

        nodeOf = IntStream.range(0, cpus).map(machine::nodeOf).toArray();
        doing = new byte[cpus];
        queueInHand = new int[cpus];
        since = new long[cpus];
        hardCompletes = new boolean[cpus];
        lpiHead = filled(cpus, NONE);
        lpiTail = filled(cpus, NONE);
        threadHead = filled(cpus, NONE);
        threadTail = filled(cpus, NONE);
        threadPreempted = filled(cpus, NONE);
        threadLeft = new long[cpus];
        lastTask = new int[cpus];
        hasReader = new boolean[cpus];
        wanted = new int[cpus];
        inFlight = new int[cpus];
        readerLeft = new long[cpus];
        Arrays.fill(readerLeft, NONE);
        nextDrive = new int[cpus];
        queueOfCpu = new int[cpus];
        target = new int[queueCount];
        queueNode = new int[queueCount];
        lpiPending = new boolean[queueCount];
        lpiNext = new int[queueCount];
        threadActive = new boolean[queueCount];
        threadNext = new int[queueCount];
        head = new int[queueCount];
        posted = new int[queueCount];
        tail = new int[queueCount];
        interrupts = new long[cpus];
        ticks = new long[cpus];
        switches = new long[cpus];
        issues = new long[cpus];
        completions = new long[cpus];
        readerNanos = new long[cpus];
        threadNanos = new long[cpus];
        hardNanosSpent = new long[cpus];
        idleNanos = new long[cpus];
        readsByNodes = new long[nodes * nodes * nodes];

        routing = new LpiRouting(machine, policy);
        int widest = bindDrives(machine, policy);
        ringSize = Integer.highestOneBit(Math.max(1, widest * depth - 1)) << 1;
        ring = new long[queueCount * ringSize];
        int readers = (int) settings.whole("jobs", 0, cpus);
        startReaders(readers == 0 ? cpus : readers, new RandomStream(seed, "start"), deviceNanos);
        events.set(tickSlot, tickNanos);
        events.set(noiseSlot, noiseStepNanos);
    }

    /** Time between two reads that the ceiling lets through; 0 = there is none. */
    private static long ceilingGap(DataFile settings) {
        if (settings.text("ceiling").equals("inf")) {
            return 0;
        }
        try {
            return StrictMath.round(1e9 / settings.number("ceiling", 1, 1e9));
        } catch (DataException e) {
            throw settings.wrong("ceiling", "inf, or IO/s from 1 to 1000000000");
        }
    }

    private static int[] filled(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }

    /** Binds the drives one after the other. Returns the size of the largest mask. */
    private int bindDrives(Machine machine, LpiBalance policy) {
        int widest = 1;
        for (int drive = 0; drive < drives; drive++) {
            int node = machine.nodeOfDevice(drive);
            MsiDevice device = MsiDevice.nvme("nvme" + drive, machine.itsNear(node), node, queuesPerDrive);
            device.bind(routing);
            for (int k = 0; k < queuesPerDrive; k++) {
                Lpi lpi = device.vectors().get(k + 1);
                CpuSet mask = lpi.affinity();
                int queue = drive * queuesPerDrive + k;
                target[queue] = lpi.target();
                queueNode[queue] = policy.allLocal() ? nodeOf[lpi.target()] : Math.max(0, node);
                widest = Math.max(widest, mask.size());
                int number = k;
                mask.stream().forEach(cpu -> queueOfCpu[cpu] = number);
            }
        }
        return widest;
    }

    /** Readers begin at moments spread over one device time, on CPUs spread over the machine. */
    private void startReaders(int readers, RandomStream random, long spreadNanos) {
        for (int reader = 0; reader < readers; reader++) {
            int cpu = (int) ((long) reader * cpus / readers);
            hasReader[cpu] = true;
            wanted[cpu] = depth;
            nextDrive[cpu] = reader % drives;
            doing[cpu] = READER;
            lastTask[cpu] = READER;
            readerLeft[cpu] = 0;
            events.set(cpu, random.below(spreadNanos) + 1);
        }
    }

    /**
     * Lets the machine run.
     *
     * @param until the moment to stop before, ns
     */
    @Override
    void advance(long until) {
        EventQueue queue = events;
        while (queue.nextTime() < until) {
            now = queue.nextTime();
            int slot = queue.nextSlot();
            if (slot < firstQueueSlot) {
                cpuDone(slot);
            } else if (slot < tickSlot) {
                completionsPosted(slot - firstQueueSlot);
            } else if (slot == tickSlot) {
                for (int cpu = 0; cpu < cpus; cpu++) {
                    ticks[cpu] += doing[cpu] == IDLE ? 0 : 1;
                }
                queue.set(tickSlot, now + tickNanos);
            } else {
                costNoise.step();
                deviceNoise.step();
                queue.set(noiseSlot, now + noiseStepNanos);
            }
        }
        now = until;
        for (int cpu = 0; cpu < cpus; cpu++) {
            account(cpu);
        }
        check();
    }

    /** What a CPU was doing is done. */
    private void cpuDone(int cpu) {
        account(cpu);
        int queue = queueInHand[cpu];
        switch (doing[cpu]) {
            case READER -> {
                readerLeft[cpu] = NONE;
                wanted[cpu]--;
                issue(cpu);
            }
            case THREAD -> {
                complete(cpu, queue);
                if (head[queue] != posted[queue]) {
                    events.set(cpu, now + completionCost(cpu, queue));
                    return;
                }
                threadActive[queue] = false;
            }
            case HARD -> {
                if (hardCompletes[cpu]) {
                    complete(cpu, queue);
                    if (head[queue] != posted[queue]) {
                        events.set(cpu, now + completionCost(cpu, queue));
                        return;
                    }
                } else if (threaded && head[queue] != posted[queue] && !threadActive[queue]) {
                    threadActive[queue] = true;
                    threadNext[queue] = NONE;
                    if (threadHead[cpu] == NONE) {
                        threadHead[cpu] = queue;
                    } else {
                        threadNext[threadTail[cpu]] = queue;
                    }
                    threadTail[cpu] = queue;
                }
            }
            default -> throw new IllegalStateException("cpu" + cpu + " was idle and is done");
        }
        dispatch(cpu);
    }

    /** Lets a CPU go on with what is most urgent: a pending interrupt, an irq thread, its reader, nothing. */
    private void dispatch(int cpu) {
        int waiting = lpiHead[cpu];
        if (waiting != NONE) {
            lpiHead[cpu] = lpiNext[waiting];
            startHard(cpu, waiting);
            return;
        }
        int task;
        if (threadPreempted[cpu] != NONE) {
            int queue = threadPreempted[cpu];
            threadPreempted[cpu] = NONE;
            doing[cpu] = THREAD;
            queueInHand[cpu] = queue;
            events.set(cpu, now + threadLeft[cpu]);
            task = THREAD + queue;
        } else if (threadHead[cpu] != NONE) {
            int queue = threadHead[cpu];
            threadHead[cpu] = threadNext[queue];
            doing[cpu] = THREAD;
            queueInHand[cpu] = queue;
            events.set(cpu, now + costNoise.scale(switchNanos) + completionCost(cpu, queue));
            task = THREAD + queue;
        } else if (wanted[cpu] > 0) {
            doing[cpu] = READER;
            long left = readerLeft[cpu] == NONE ? costNoise.scale(submitNanos) : readerLeft[cpu];
            events.set(cpu, now + left);
            task = READER;
        } else {
            doing[cpu] = IDLE;
            events.clear(cpu);
            task = IDLE;
        }
        if (task != lastTask[cpu]) {
            lastTask[cpu] = task;
            switches[cpu]++;
        }
    }

    private void startHard(int cpu, int queue) {
        lpiPending[queue] = false;
        delivered++;
        interrupts[cpu]++;
        doing[cpu] = HARD;
        queueInHand[cpu] = queue;
        long cost = costNoise.scale(hardNanos);
        hardCompletes[cpu] = !threaded && head[queue] != posted[queue];
        if (hardCompletes[cpu]) {
            cost += completionCost(cpu, queue);
        }
        events.set(cpu, now + cost);
    }

    /** The reader of a CPU has submitted a read. */
    private void issue(int cpu) {
        int drive = nextDrive[cpu];
        nextDrive[cpu] = drive + 1 == drives ? 0 : drive + 1;
        int queue = drive * queuesPerDrive + queueOfCpu[cpu];
        long begin = now;
        if (ceilingGapNanos > 0) {
            begin = Math.max(now, ceilingFree);
            ceilingFree = begin + ceilingGapNanos;
        }
        long done = begin + deviceNoise.scale(deviceFixedNanos + deviceRandom.exponential(deviceTailNanos));
        started++;
        issues[cpu]++;
        inFlight[cpu]++;
        // the ring holds the reads of a queue in the order in which the drive will complete them
        int base = queue * ringSize;
        int mask = ringSize - 1;
        int at = tail[queue]++;
        int first = posted[queue];
        while (at != first && ring[base + (at - 1 & mask)] >> CPU_BITS > done) {
            ring[base + (at & mask)] = ring[base + (at - 1 & mask)];
            at--;
        }
        ring[base + (at & mask)] = done << CPU_BITS | cpu;
        if (at == first) {
            events.set(firstQueueSlot + queue, done);
        }
    }

    /** A drive has posted completions to a queue and sends a message for each. */
    private void completionsPosted(int queue) {
        int base = queue * ringSize;
        int mask = ringSize - 1;
        int sent = 0;
        long next = 0;
        while (posted[queue] != tail[queue] && (next = ring[base + (posted[queue] & mask)] >> CPU_BITS) <= now) {
            posted[queue]++;
            sent++;
        }
        if (posted[queue] != tail[queue]) {
            events.set(firstQueueSlot + queue, next);
        } else {
            events.clear(firstQueueSlot + queue);
        }
        messages += sent;
        if (lpiPending[queue]) {
            merged += sent;
            return;
        }
        merged += sent - 1;
        raised++;
        lpiPending[queue] = true;
        int cpu = target[queue];
        if (doing[cpu] == HARD) {
            lpiNext[queue] = NONE;
            if (lpiHead[cpu] == NONE) {
                lpiHead[cpu] = queue;
            } else {
                lpiNext[lpiTail[cpu]] = queue;
            }
            lpiTail[cpu] = queue;
            return;
        }
        account(cpu);
        if (doing[cpu] == THREAD) {
            threadPreempted[cpu] = queueInHand[cpu];
            threadLeft[cpu] = events.timeOf(cpu) - now;
        } else if (doing[cpu] == READER) {
            readerLeft[cpu] = events.timeOf(cpu) - now;
        }
        startHard(cpu, queue);
    }

    private long completionCost(int cpu, int queue) {
        int submitter = (int) ring[queue * ringSize + (head[queue] & ringSize - 1)] & CPU_MASK;
        int from = nodeOf[cpu] * nodes;
        long cost = costNoise.scale(completeNanos) + memoryNanos[from + queueNode[queue]];
        return submitter == cpu ? cost : cost + requestLines * lineNanos[from + nodeOf[submitter]];
    }

    /** A CPU has completed the oldest posted read of a queue; its reader may go on. */
    private void complete(int cpu, int queue) {
        int submitter = (int) ring[queue * ringSize + (head[queue]++ & ringSize - 1)] & CPU_MASK;
        finished++;
        completions[cpu]++;
        readsByNodes[(nodeOf[cpu] * nodes + nodeOf[submitter]) * nodes + queueNode[queue]]++;
        inFlight[submitter]--;
        wanted[submitter]++;
        if (doing[submitter] == IDLE) {
            account(submitter);
            dispatch(submitter);
        }
    }

    /** Books the time since the last booking to what the CPU was doing. */
    private void account(int cpu) {
        long span = now - since[cpu];
        since[cpu] = now;
        switch (doing[cpu]) {
            case READER -> readerNanos[cpu] += span;
            case THREAD -> threadNanos[cpu] += span;
            case HARD -> hardNanosSpent[cpu] += span;
            default -> idleNanos[cpu] += span;
        }
    }

    /** The laws of the machine; they hold at every look, in every run. */
    private void check() {
        long pending = 0;
        long inRings = 0;
        long inFlights = 0;
        for (int queue = 0; queue < target.length; queue++) {
            pending += lpiPending[queue] ? 1 : 0;
            inRings += tail[queue] - head[queue];
        }
        for (int cpu = 0; cpu < cpus; cpu++) {
            inFlights += inFlight[cpu];
            law(
                    !hasReader[cpu] || wanted[cpu] + inFlight[cpu] == depth,
                    "reads wanted and under way = depth, on cpu" + cpu);
        }
        law(messages == raised + merged, "messages = interrupts raised + merged");
        law(raised == delivered + pending, "interrupts raised = delivered + pending");
        law(started == finished + inFlights, "reads started = finished + under way");
        law(inRings == inFlights, "reads in the drives = reads under way");
        law(
                Arrays.stream(interrupts).sum() == delivered - deliveredAtLook,
                "interrupts of the CPUs = interrupts delivered");
        law(Arrays.stream(completions).sum() == finished - finishedAtLook, "completions of the CPUs = reads finished");
        law(Arrays.stream(readsByNodes).sum() == finished - finishedAtLook, "reads by node = reads finished");
    }

    @Override
    void tell(Interval interval) {
        long reader = sum(readerNanos);
        long wait = 0;
        long[] busy = new long[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            busy[cpu] = readerNanos[cpu] + threadNanos[cpu] + hardNanosSpent[cpu];
            wait += depth == 1 && hasReader[cpu] ? idleNanos[cpu] : 0;
        }
        interval.time(busy, idleNanos, StrictMath.round(reader * userShare), wait);
        interval.tasks(runnable(), depth == 1 ? waiting() : 0);
        interval.blocks(finished() * blockKib, 0);
        interval.interrupts(interrupts, ticks);
        interval.switches(switches);
        interval.event("block:block_rq_issue", issues);
        interval.event("block:block_rq_complete", completions);
        interval.operations(finished());
        tellAccesses(interval);
    }

    private static long sum(long[] array) {
        return Arrays.stream(array).sum();
    }

    @Override
    String throughputUnit() {
        return "IO";
    }

    @Override
    String operationEvent() {
        return "block:block_rq_complete";
    }

    @Override
    void look() {
        for (long[] sums : new long[][] {
            interrupts,
            ticks,
            switches,
            issues,
            completions,
            readerNanos,
            threadNanos,
            hardNanosSpent,
            idleNanos,
            readsByNodes
        }) {
            Arrays.fill(sums, 0);
        }
        finishedAtLook = finished;
        deliveredAtLook = delivered;
    }

    /** {@return the routing that decided the targets} */
    LpiRouting routing() {
        return routing;
    }

    /** {@return reads finished in this interval} */
    long finished() {
        return finished - finishedAtLook;
    }

    /** {@return device interrupts handled in this interval, by CPU} */
    long[] interrupts() {
        return interrupts;
    }

    /** {@return timer ticks of this interval, by CPU} */
    long[] ticks() {
        return ticks;
    }

    /** {@return context switches of this interval, by CPU} */
    long[] switches() {
        return switches;
    }

    /** {@return reads submitted in this interval, by submitting CPU} */
    long[] issues() {
        return issues;
    }

    /** {@return reads completed in this interval, by completing CPU} */
    long[] completions() {
        return completions;
    }

    /** {@return time of the readers in this interval, by CPU, ns} */
    long[] readerNanos() {
        return readerNanos;
    }

    /** {@return time of the irq threads in this interval, by CPU, ns} */
    long[] threadNanos() {
        return threadNanos;
    }

    /** {@return time of hard interrupts in this interval, by CPU, ns} */
    long[] hardNanos() {
        return hardNanosSpent;
    }

    /** {@return idle time in this interval, by CPU, ns} */
    long[] idleNanos() {
        return idleNanos;
    }

    /**
     * Whether a reader is bound to a CPU.
     *
     * @param cpu the CPU
     * @return whether one is
     */
    boolean hasReader(int cpu) {
        return hasReader[cpu];
    }

    /** {@return tasks that run or could run now} */
    int runnable() {
        int count = 0;
        for (int cpu = 0; cpu < cpus; cpu++) {
            count += wanted[cpu] > 0 ? 1 : 0;
        }
        for (boolean active : threadActive) {
            count += active ? 1 : 0;
        }
        return count;
    }

    /** {@return readers that sleep until a read is done} */
    int waiting() {
        int count = 0;
        for (int cpu = 0; cpu < cpus; cpu++) {
            count += hasReader[cpu] && wanted[cpu] == 0 ? 1 : 0;
        }
        return count;
    }

    /** Memory accesses of this interval, in cache lines: queue entries, request and data, by CPUs and by the drive. */
    private void tellAccesses(Interval interval) {
        for (int completer = 0; completer < nodes; completer++) {
            for (int submitter = 0; submitter < nodes; submitter++) {
                for (int queue = 0; queue < nodes; queue++) {
                    long reads = readsByNodes[(completer * nodes + submitter) * nodes + queue];
                    interval.cpuAccesses(submitter, memoryNode[queue], reads);
                    interval.cpuAccesses(completer, memoryNode[queue], reads);
                    interval.cpuAccesses(completer, memoryNode[submitter], reads * requestLines);
                    interval.deviceAccesses(queue, memoryNode[queue], reads * QUEUE_LINES);
                    interval.deviceAccesses(queue, memoryNode[submitter], reads * blockLines);
                }
            }
        }
        law(
                interval.allAccesses() == finished() * (2L + requestLines + QUEUE_LINES + blockLines),
                "accesses = local + remote");
    }
}
