package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.CpuSet;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Its;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.Noise;
import io.farnode.producer.machine.RandomStream;
import io.farnode.producer.machine.policy.ItsTables;
import java.util.Arrays;

/**
 * The machine of the its-tables family at work: clients such as those of {@code ab -k} that each keep one request under
 * way, workers of a web server that serve them on all CPUs, and one serial station that all requests pass: the path of
 * network card and client. Each request brings interrupts, and the station waits while the ITS translates them; how long
 * that takes follows from where its tables lie.
 *
 * <p>A request is one batch: its interrupts are translated one by one, but are no events of their own. A worker's time
 * and an interrupt's time are booked to their CPUs as the CPUs get to them; CPUs are never the bottleneck here, and
 * parameters with which they would be are refused.
 *
 * <p>What is left out: the network's and the server's own queues, that an interrupt may delay a worker, and any overlap of
 * the ITS's reads with other work of the station. The last makes the effect of the tables the largest it can be.
 */
final class WebRequests extends Workload {
    private static final int FRACTION_BITS = 20;
    private static final long ONE = 1L << FRACTION_BITS;
    private static final int LINE_BYTES = 64;
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST = SECOND;
    /** Part of a CPU's time that the parameters may ask for in the mean, so that noise does not ask for more than all. */
    private static final double MOST_BUSY = 0.9;
    /** Interrupts of one request that follow each other come from clients this far apart: 5 or so a round. */
    private static final int CLIENTS_APART = 5;

    private final int cpus;
    private final int nodes;
    private final int clients;
    private final int nicNode;
    private final int diskNode;
    private final long loopNanos;
    private final long serverNanos;
    private final long irqNanos;
    private final long serveFixedNanos;
    private final long serveTailNanos;
    private final long lpisPerRequest;
    private final long diskShare;
    private final long diskKib;
    private final long responseBytes;
    private final long missLines;
    private final double userShare;
    private final int tickHz;
    private final long noiseStepNanos;
    private final boolean allLocal;

    private final RandomStream serveRandom;
    private final Noise costNoise;
    private final Noise lpiNoise;

    private final int[] nodeOf;
    private final int[] memoryNode;
    private final int[] queueOfClient;
    private final int[] workerOfClient;
    private final int[] cpuOfQueue;
    private final int[] cpuOfDiskQueue;

    // the two devices on their ITS, which may be the same one
    private final Its[] its;
    private final int[] itsNode;
    private final int nicIts;
    private final int diskIts;
    private final int nicDevice;
    private final int diskDevice;

    // requests on their way to the station, in the order in which they get there
    private final int[] ringClient;
    private final long[] ringReady;
    private int ringHead;
    private int waiting;

    private boolean serving;
    private int served;
    private long nextAt;
    private long noiseAt;
    private long lpiCredit;
    private long diskCredit;

    // sums since the beginning
    private long started;
    private long finished;
    private long lpis;
    private long workerAsked;
    private long irqAsked;
    private long booked;

    // work asked for and not yet booked, by CPU
    private final long[] workerWork;
    private final long[] irqWork;
    private final long[] tickCredit;
    private long bookedUntil;

    // sums since the last look
    private final long[] interrupts;
    private final long[] packets;
    private final long[] ticks;
    private final long[] switches;
    private final long[] busyNanos;
    private final long[] idleNanos;
    private final long[] requestsByNode;
    private final long[][] readsAtLook;
    private long workerNanos;
    private long diskWrites;
    private long finishedAtLook;
    private long lpisAtLook;

    /**
     * Sets the machine up: devices probed, tables placed, every client's first request under way.
     *
     * @param machine the machine
     * @param policy the policy
     * @param settings the scenario's parameters
     * @throws DataException if a parameter is wrong or does not fit the machine
     */
    WebRequests(Machine machine, ItsTables policy, DataFile settings) {
        if (machine.itsCount() == 0) {
            throw settings.wrong("machine", "a machine with an ITS, whose tables are to be placed");
        }
        Machine fitted = settings.text("memory-nodes").equals("all")
                ? machine
                : machine.with("memory-nodes", settings.text("memory-nodes"));
        long seed = settings.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        cpus = machine.cpus();
        nodes = machine.nodes();
        tickHz = machine.tickHz();
        allLocal = policy.allLocal();
        clients = (int) settings.whole("clients", 1, 100_000);
        serverNanos = settings.span("server-time", 0, LONGEST);
        loopNanos = serverNanos + settings.span("client-time", 0, LONGEST);
        irqNanos = settings.span("irq-time", 0, LONGEST);
        long serveNanos = settings.span("serve-time", 1, LONGEST);
        serveTailNanos = StrictMath.round(serveNanos * settings.number("serve-tail", 0, 1));
        serveFixedNanos = serveNanos - serveTailNanos;
        double lpisWanted = settings.number("lpis", 0, 1_000);
        lpisPerRequest = StrictMath.round(lpisWanted * ONE);
        diskShare = StrictMath.round(settings.number("disk-share", 0, 1) * ONE);
        diskKib = settings.whole("disk-kib", 0, 1 << 20);
        responseBytes = settings.whole("response-bytes", 0, 1L << 30);
        missLines = settings.whole("miss-lines", 0, 1 << 20);
        userShare = settings.number("user-share", 0, 1);
        noiseStepNanos = settings.span("noise-step", 1_000_000L, 3_600 * SECOND);
        noiseAt = noiseStepNanos;
        costNoise = Noise.of(settings, seed, "cost");
        lpiNoise = Noise.of(settings, seed, "lpi");
        serveRandom = new RandomStream(seed, "serve");

        nodeOf = new int[cpus];
        memoryNode = new int[nodes];
        for (int cpu = 0; cpu < cpus; cpu++) {
            nodeOf[cpu] = machine.nodeOf(cpu);
        }
        for (int node = 0; node < nodes; node++) {
            memoryNode[node] = fitted.memoryNodeFor(node);
        }
        int nicQueues = (int) settings.whole("nic-queues", 1, 1_024);
        int diskQueues = (int) settings.whole("disk-queues", 1, 1_024);
        nicNode = (int) settings.whole("nic-node", 0, nodes - 1);
        diskNode = (int) settings.whole("disk-node", 0, nodes - 1);
        cpuOfQueue = localSpread(machine, nicNode, nicQueues);
        cpuOfDiskQueue = localSpread(machine, diskNode, diskQueues);
        RandomStream placement = new RandomStream(seed, "placement");
        queueOfClient = new int[clients];
        workerOfClient = new int[clients];
        for (int client = 0; client < clients; client++) {
            queueOfClient[client] = (int) placement.below(nicQueues);
            // in turn over the CPUs, so that how busy they are does not hang on the seed
            workerOfClient[client] = client % cpus;
        }
        requireIdleCpus(settings, serveNanos, lpisWanted);

        its = new Its[machine.itsCount()];
        itsNode = new int[its.length];
        int bootCpu = (int) settings.whole("boot-cpu", 0, cpus - 1);
        boolean flat = settings.whole("device-table-levels", 1, 2) == 1;
        Its.Caches caches = new Its.Caches(
                (int) settings.whole("device-cache", 0, 1 << 16), (int) settings.whole("event-cache", 0, 1 << 16), (int)
                        settings.whole("collection-cache", 0, 1 << 16));
        for (int number = 0; number < its.length; number++) {
            int bootHome = policy.home(fitted, number, bootCpu);
            itsNode[number] = Math.max(0, machine.nodeOfIts(number));
            its[number] = new Its(machine, itsNode[number], caches, flat ? -1 : bootHome, bootHome);
        }
        nicIts = machine.itsNear(nicNode);
        diskIts = machine.itsNear(diskNode);
        int nicHome = policy.home(fitted, nicIts, (int) settings.whole("nic-probe-cpu", 0, cpus - 1));
        int diskHome = policy.home(fitted, diskIts, (int) settings.whole("disk-probe-cpu", 0, cpus - 1));
        nicDevice = its[nicIts].map(nicHome, nicHome, nicQueues);
        diskDevice = its[diskIts].map(diskHome, diskHome, diskQueues);

        ringClient = new int[clients];
        ringReady = new long[clients];
        workerWork = new long[cpus];
        irqWork = new long[cpus];
        tickCredit = new long[cpus];
        interrupts = new long[cpus];
        packets = new long[cpus];
        ticks = new long[cpus];
        switches = new long[cpus];
        busyNanos = new long[cpus];
        idleNanos = new long[cpus];
        requestsByNode = new long[nodes];
        readsAtLook = new long[its.length][nodes];
        for (int client = 0; client < clients; client++) {
            arrive(client, loopNanos + client);
        }
        nextAt = ringReady[0];
    }

    /** Refuses what would make a CPU the bottleneck, which is not simulated. */
    private void requireIdleCpus(DataFile settings, long serveNanos, double lpisWanted) {
        double roundNanos = Math.max(clients * (double) serveNanos, loopNanos);
        double[] workers = new double[cpus];
        double[] handlers = new double[cpus];
        double disk = diskShare / (double) ONE;
        for (int client = 0; client < clients; client++) {
            workers[workerOfClient[client]] += serverNanos / roundNanos;
            double handling = lpisWanted * irqNanos / roundNanos;
            handlers[cpuOfQueue[queueOfClient[client]]] += handling * (1 - disk);
            handlers[cpuOfDiskQueue[client % cpuOfDiskQueue.length]] += handling * disk;
        }
        for (int cpu = 0; cpu < cpus; cpu++) {
            if (workers[cpu] > MOST_BUSY) {
                throw settings.wrong(
                        "server-time", "such that its worker leaves cpu" + cpu + " idle a tenth of the time");
            }
            if (workers[cpu] + handlers[cpu] > MOST_BUSY) {
                throw settings.wrong(
                        "irq-time", "such that interrupts and worker leave cpu" + cpu + " idle a tenth of the time");
            }
        }
    }

    /** CPUs for the queues of a device: those of its node first, then the others (cpumask_local_spread), then again. */
    private static int[] localSpread(Machine machine, int node, int queues) {
        CpuSet near = machine.cpusOf(node);
        int[] order = new int[machine.cpus()];
        int count = 0;
        for (int cpu = near.first(); cpu >= 0; cpu = near.next(cpu)) {
            order[count++] = cpu;
        }
        for (int cpu = 0; cpu < machine.cpus(); cpu++) {
            if (machine.nodeOf(cpu) != node) {
                order[count++] = cpu;
            }
        }
        int[] cpuOf = new int[queues];
        for (int queue = 0; queue < queues; queue++) {
            cpuOf[queue] = order[queue % count];
        }
        return cpuOf;
    }

    @Override
    void advance(long until) {
        while (nextAt < until) {
            now = nextAt;
            if (serving) {
                finish();
            } else {
                start();
            }
        }
        now = until;
        book();
        check();
    }

    /** The station takes the request that has waited longest. */
    private void start() {
        while (noiseAt <= now) {
            costNoise.step();
            lpiNoise.step();
            noiseAt += noiseStepNanos;
        }
        served = ringClient[ringHead];
        ringHead = ringHead + 1 == clients ? 0 : ringHead + 1;
        waiting--;
        started++;
        serving = true;
        long nanos = costNoise.scale(serveFixedNanos + serveRandom.exponential(serveTailNanos));
        lpiCredit += lpiNoise.scale(lpisPerRequest);
        // what arrives meanwhile belongs to other clients too, so its queues are theirs
        int from = served;
        while (lpiCredit >= ONE) {
            lpiCredit -= ONE;
            nanos += interrupt(from);
            from = (from + clients / CLIENTS_APART + 1) % clients;
        }
        nextAt = now + nanos;
    }

    /** A device sends a message for a client. Returns what its translation takes. */
    private long interrupt(int client) {
        lpis++;
        diskCredit += diskShare;
        boolean disk = diskCredit >= ONE;
        int queue = queueOfClient[client];
        int cpu;
        long nanos;
        if (disk) {
            diskCredit -= ONE;
            diskWrites++;
            queue = client % cpuOfDiskQueue.length;
            cpu = cpuOfDiskQueue[queue];
            nanos = its[diskIts].translate(diskDevice, queue, cpu);
        } else {
            cpu = cpuOfQueue[queue];
            packets[cpu]++;
            nanos = its[nicIts].translate(nicDevice, queue, cpu);
        }
        interrupts[cpu]++;
        irqWork[cpu] += irqNanos;
        irqAsked += irqNanos;
        return nanos;
    }

    /** A response is out; its client will ask again. */
    private void finish() {
        serving = false;
        finished++;
        int cpu = workerOfClient[served];
        requestsByNode[nodeOf[cpu]]++;
        // the worker wakes up for the request and goes to sleep after it
        switches[cpu] += 2;
        workerWork[cpu] += serverNanos;
        workerAsked += serverNanos;
        arrive(served, now + loopNanos);
        nextAt = Math.max(now, ringReady[ringHead]);
    }

    private void arrive(int client, long ready) {
        int at = ringHead + waiting;
        at = at >= clients ? at - clients : at;
        ringClient[at] = client;
        ringReady[at] = ready;
        waiting++;
    }

    /** Books the work that was asked for to the time that has gone by; what does not fit is booked later. */
    private void book() {
        long span = now - bookedUntil;
        bookedUntil = now;
        for (int cpu = 0; cpu < cpus; cpu++) {
            long irq = Math.min(irqWork[cpu], span);
            long worker = Math.min(workerWork[cpu], span - irq);
            irqWork[cpu] -= irq;
            workerWork[cpu] -= worker;
            workerNanos += worker;
            busyNanos[cpu] += irq + worker;
            idleNanos[cpu] += span - irq - worker;
            booked += irq + worker;
            // an idle CPU has no tick
            tickCredit[cpu] += (irq + worker) * tickHz;
            ticks[cpu] += tickCredit[cpu] / SECOND;
            tickCredit[cpu] %= SECOND;
        }
    }

    /** The laws of the machine; they hold at every look, in every run. */
    private void check() {
        law(started == finished + (serving ? 1 : 0), "requests started = finished + in service");
        law(clients == waiting + (serving ? 1 : 0), "clients = requests on their way + in service");
        law(Arrays.stream(requestsByNode).sum() == finished - finishedAtLook, "requests by node = requests finished");
        law(Arrays.stream(interrupts).sum() == lpis - lpisAtLook, "interrupts delivered = interrupts raised");
        long translations = 0;
        for (Its one : its) {
            long reads = 0;
            for (int home = 0; home < nodes; home++) {
                reads += one.reads(home);
            }
            translations += one.translations();
            law(reads == one.missed(), "reads of ITS tables, local + remote = misses of its caches");
            law(one.lookUps() == 3 * one.translations(), "hits + misses = look-ups");
        }
        law(translations == lpis, "messages translated = interrupts raised");
        long owed = Arrays.stream(workerWork).sum() + Arrays.stream(irqWork).sum();
        law(workerAsked + irqAsked == booked + owed, "CPU time asked for = booked + owed");
    }

    @Override
    void tell(Interval interval) {
        interval.time(busyNanos, idleNanos, StrictMath.round(workerNanos * userShare), 0);
        interval.tasks(inWorkers(), 0);
        interval.blocks(0, diskWrites * diskKib);
        interval.interrupts(interrupts, ticks);
        interval.switches(switches);
        interval.event("irq:softirq_entry", interrupts);
        interval.event("napi:napi_poll", packets);
        long responseLines = (responseBytes + LINE_BYTES - 1) / LINE_BYTES;
        long expected = finished() * (missLines + responseLines);
        for (int node = 0; node < nodes; node++) {
            long requests = requestsByNode[node];
            int home = allLocal ? node : memoryNode[node];
            interval.cpuAccesses(node, home, requests * missLines);
            interval.deviceAccesses(allLocal ? home : nicNode, home, requests * responseLines);
            for (int number = 0; number < its.length; number++) {
                long reads = its[number].reads(node) - readsAtLook[number][node];
                interval.deviceAccesses(itsNode[number], node, reads);
                expected += reads;
            }
        }
        law(interval.allAccesses() == expected, "accesses = local + remote");
        interval.operations(finished());
        interval.count("transferred", "B", finished() * responseBytes);
    }

    /** Requests that a worker has in hand now; the loop is a client's time first, a worker's then. */
    private int inWorkers() {
        int count = 0;
        for (int i = 0, at = ringHead; i < waiting; i++) {
            count += ringReady[at] > now && ringReady[at] - serverNanos <= now ? 1 : 0;
            at = at + 1 == clients ? 0 : at + 1;
        }
        return count;
    }

    @Override
    void look() {
        for (long[] sums : new long[][] {interrupts, packets, ticks, switches, busyNanos, idleNanos, requestsByNode}) {
            Arrays.fill(sums, 0);
        }
        for (int number = 0; number < its.length; number++) {
            for (int node = 0; node < nodes; node++) {
                readsAtLook[number][node] = its[number].reads(node);
            }
        }
        workerNanos = 0;
        diskWrites = 0;
        finishedAtLook = finished;
        lpisAtLook = lpis;
    }

    /** {@return requests finished in this interval} */
    long finished() {
        return finished - finishedAtLook;
    }

    @Override
    String throughputUnit() {
        return "request";
    }

    @Override
    String operationEvent() {
        return "";
    }
}
