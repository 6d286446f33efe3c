package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.CpuSet;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.EventQueue;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.Noise;
import io.farnode.producer.machine.policy.PagePool;
import java.util.Arrays;

/**
 * The machine of the page-pool family at work: a NIC that always has packets, its receive rings, the page pool of each,
 * and the CPUs that poll them. One NAPI poll of {@value #BUDGET} packets is one event, as it is one round in the kernel.
 *
 * <p>A ring is set up by a CPU, whose node its completion entries and its first pages come from. Each packet uses up the
 * page that was posted longest ago; the page is held for a while (by a transmit ring or a socket), then goes back to the
 * pool or to the page allocator as the policy says, and the ring is filled up from the pool's cache, its ptr_ring, or the
 * allocator. When interrupts are moved, each ring is polled from then on by a CPU of another node; all else stays.
 *
 * <p>Where the CPU finds what the NIC has written: in the last-level cache, if NIC, page and CPU share a socket (DDIO), at
 * the price of a line from a neighbour; else in the DRAM of the page's node. Rates have two ceilings, both parameters: the
 * NIC, and each direction of the link between two sockets, which carries what the NIC writes to and what CPUs read from
 * another socket. A CPU whose poll waits for a link is busy, as one that waits for memory.
 *
 * <p>Without a ceiling in the way a CPU polls for ever and takes no interrupt but ticks. Where it must wait, each wait
 * ends with an interrupt. What is left out: packets that the NIC drops, and all but the receiving side of TCP.
 */
final class ReceiveRings extends Workload {
    /** Packets a NAPI poll takes at most (NAPI_POLL_WEIGHT). */
    static final int BUDGET = 64;

    /** PP_ALLOC_CACHE_SIZE. */
    private static final int CACHE_PAGES = 128;

    private static final long SECOND = 1_000_000_000L;
    private static final int LINE_BYTES = 64;
    private static final int FRACTION_BITS = 20;
    /** A copy reads each byte and writes it; STREAM's rates count both. */
    private static final int COPY_PASSES = 2;

    private final int cpus;
    private final int nodes;
    private final int sockets;
    private final int rings;
    private final int ringPages;
    private final int poolPages;
    private final int heldPages;
    private final PagePool policy;
    private final boolean direct;
    private final int packetBytes;
    private final int packetLines;
    private final int copiedBytes;
    private final int copyMisses;
    private final int headerLines;
    private final int nicPasses;
    private final int pollSwitches;
    private final double baseNanos;
    private final double cacheNanos;
    private final double ringNanos;
    private final double allocatorNanos;
    private final double checkNanos;
    private final long completionLines;
    private final long otherMisses;
    private final long unrecycled;
    private final double userShare;
    private final String unit;
    private final long nicGapNanos;
    private final double linkNanosPerByte;
    private final int nicNode;
    private final int tickHz;
    private final long noiseStepNanos;
    private final Noise costNoise;
    private final Noise ceilingNoise;

    // the machine
    private final int[] nodeOf;
    private final int[] socketOf;
    private final int[] memoryNode;
    /** What a CPU of a node (row) pays for a page of a node: lines of the packet's head, and the copy. */
    private final double[] pageNanos;
    /** What a CPU of a node (row) pays for a completion line of a node. */
    private final double[] completionNanos;
    /** Whether a CPU of a node (row) finds in its cache what the NIC wrote to a page of a node. */
    private final boolean[] cached;

    private final EventQueue events;
    private final int noiseSlot;
    private final int migrateSlot;
    private long nicFree;
    private final long[] linkFree;

    // CPUs
    private final long[] bookedUntil;
    private final long[] busyUntil;

    // rings
    private final int[] cpuOf;
    private final int[] movedTo;
    private final boolean[] polling;
    private final boolean[] toInterrupt;
    private final int[] completionHome;
    private final int[] poolNode;
    private final PageRuns[] posted;
    private final PageRuns[] cache;
    private final PageRuns[] ptrRing;
    private final PageRuns[] held;
    private final long[] completionCredit;
    private final long[] missCredit;
    private final long[] unrecycledCredit;

    // sums since the beginning
    private long started;
    private long finished;
    private long raised;
    private long allocated;
    private long freed;
    private long finishedAtLook;
    private long raisedAtLook;
    private long startedAtLook;
    private long allocatedAtLook;
    private long lookedAt;

    // sums since the last look
    private final long[] busyNanos;
    private final long[] idleNanos;
    private final long[] interrupts;
    private final long[] ticks;
    private final long[] tickCredit;
    private final long[] switches;
    private final long[] polls;
    private final long[] holds;
    private final long[] releases;
    private final long[] updates;
    /** Pages taken, by node of the CPU, node wanted, node got. */
    private final long[] taken;

    private final long[] cpuLines;
    private final long[] nicLines;
    private long headersCached;
    private long headersMissed;
    private long completionsMissed;
    private long otherMissed;

    /**
     * Sets the machine up: rings filled, every CPU about to poll.
     *
     * @param machine the machine
     * @param policy the policy
     * @param settings the scenario's parameters
     * @throws DataException if a parameter is wrong or does not fit the machine
     */
    ReceiveRings(Machine machine, PagePool policy, DataFile settings) {
        this.policy = policy;
        cpus = machine.cpus();
        nodes = machine.nodes();
        tickHz = machine.tickHz();
        rings = (int) settings.whole("rings", 1, cpus);
        ringPages = (int) settings.whole("ring-pages", BUDGET, 1 << 16);
        poolPages = (int) settings.whole("pool-pages", 0, 1 << 16);
        heldPages = (int) settings.whole("held-pages", 0, 1 << 16);
        direct = settings.flag("direct");
        packetBytes = (int) settings.whole("packet-bytes", 1, 1 << 16);
        packetLines = (packetBytes + LINE_BYTES - 1) / LINE_BYTES;
        copiedBytes = (int) settings.whole("copied-bytes", 0, packetBytes);
        copyMisses = (int) settings.whole("copy-misses", 0, 1024);
        headerLines = (int) settings.whole("header-lines", 0, 64);
        nicPasses = settings.flag("transmitted") ? 2 : 1;
        pollSwitches = (int) settings.whole("poll-switches", 0, 1024);
        baseNanos = settings.number("base-ns", 0, 1e6);
        cacheNanos = settings.number("cache-ns", 0, 1e6);
        ringNanos = settings.number("ptr-ring-ns", 0, 1e6);
        allocatorNanos = settings.number("allocator-ns", 0, 1e6);
        checkNanos = settings.number("check-ns", 0, 1e6);
        double completions = settings.number("completion-lines", 0, 64);
        completionLines = fraction(completions);
        otherMisses = fraction(settings.number("other-misses", 0, 64));
        unrecycled = fraction(settings.number("unrecycled", 0, 1));
        userShare = settings.number("user-share", 0, 1);
        unit = settings.text("unit");
        if (!unit.matches("\\p{Alpha}+")) {
            throw settings.wrong("unit", "one word in the singular, such as packet");
        }
        nicGapNanos = StrictMath.round(nanosPerByte(settings, "nic-gbps") * packetBytes * BUDGET);
        linkNanosPerByte = nanosPerByte(settings, "link-gbps");
        nicNode = (int) settings.whole("nic-node", 0, nodes - 1);
        noiseStepNanos = settings.span("noise-step", 1_000_000L, 3_600 * SECOND);
        long seed = settings.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        costNoise = Noise.of(settings, seed, "cost");
        ceilingNoise = Noise.of(settings, seed, "ceiling");

        nodeOf = new int[cpus];
        socketOf = new int[nodes];
        memoryNode = new int[nodes];
        pageNanos = new double[nodes * nodes];
        completionNanos = new double[nodes * nodes];
        cached = new boolean[nodes * nodes];
        for (int cpu = 0; cpu < cpus; cpu++) {
            nodeOf[cpu] = machine.nodeOf(cpu);
        }
        int most = 0;
        for (int node = 0; node < nodes; node++) {
            socketOf[node] = machine.socketOf(node);
            most = Math.max(most, socketOf[node]);
            memoryNode[node] = machine.memoryNodeFor(node);
        }
        sockets = most + 1;
        price(machine, settings, completions);
        linkFree = new long[sockets * sockets];

        noiseSlot = rings;
        migrateSlot = rings + 1;
        events = new EventQueue(migrateSlot + 1);
        bookedUntil = new long[cpus];
        busyUntil = new long[cpus];
        cpuOf = new int[rings];
        movedTo = new int[rings];
        polling = new boolean[rings];
        toInterrupt = new boolean[rings];
        completionHome = new int[rings];
        poolNode = new int[rings];
        posted = new PageRuns[rings];
        cache = new PageRuns[rings];
        ptrRing = new PageRuns[rings];
        held = new PageRuns[rings];
        completionCredit = new long[rings];
        missCredit = new long[rings];
        unrecycledCredit = new long[rings];
        busyNanos = new long[cpus];
        idleNanos = new long[cpus];
        interrupts = new long[cpus];
        ticks = new long[cpus];
        tickCredit = new long[cpus];
        switches = new long[cpus];
        polls = new long[cpus];
        holds = new long[cpus];
        releases = new long[cpus];
        updates = new long[cpus];
        taken = new long[nodes * nodes * nodes];
        cpuLines = new long[nodes * nodes];
        nicLines = new long[nodes * nodes];
        setUp(machine);
        allocatedAtLook = allocated;
        pair(machine, settings);
        migrate(settings);
        events.set(noiseSlot, noiseStepNanos);
    }

    private static long fraction(double part) {
        return StrictMath.round(part * (1 << FRACTION_BITS));
    }

    /** What a ceiling in 10^9 bits a second makes of a byte, ns; 0 = there is none. */
    private static double nanosPerByte(DataFile settings, String key) {
        if (settings.text(key).equals("inf")) {
            return 0;
        }
        try {
            return Byte.SIZE / settings.number(key, 0.001, 1e6);
        } catch (DataException e) {
            throw settings.wrong(key, "inf, or Gb/s from 0.001 to 1000000");
        }
    }

    private void price(Machine machine, DataFile settings, double completions) {
        boolean ddio = settings.flag("ddio");
        for (int node = 0; node < nodes; node++) {
            for (int home = 0; home < nodes; home++) {
                int at = node * nodes + home;
                boolean together = socketOf[node] == socketOf[nicNode] && socketOf[home] == socketOf[nicNode];
                cached[at] = ddio && (together || policy.allLocal());
                // under the optimum the page is always at home where the CPU is
                int from = policy.allLocal() ? node : home;
                double line = cached[at] ? machine.lineNanos(node, from) : machine.memoryNanos(node, memoryNode[from]);
                double rate = machine.bandwidth(node, memoryNode[from]);
                if (copiedBytes > 0 && rate == 0) {
                    throw settings.wrong("machine", "a machine with bandwidth." + node + ", which a copy needs");
                }
                double copy = copiedBytes == 0 ? 0 : copiedBytes * COPY_PASSES / rate;
                pageNanos[at] = headerLines * line + copy;
                completionNanos[at] = completions * line;
            }
        }
    }

    /** Rings in turn on the CPUs nearest to the NIC (cpumask_local_spread), each filled from its CPU's node. */
    private void setUp(Machine machine) {
        CpuSet near = machine.cpusOf(nicNode);
        int ring = 0;
        for (int cpu = near.first(); cpu >= 0 && ring < rings; cpu = near.next(cpu)) {
            cpuOf[ring++] = cpu;
        }
        for (int cpu = 0; cpu < cpus && ring < rings; cpu++) {
            if (nodeOf[cpu] != nicNode) {
                cpuOf[ring++] = cpu;
            }
        }
        int most = ringPages + heldPages + 2 * BUDGET;
        for (ring = 0; ring < rings; ring++) {
            int node = nodeOf[cpuOf[ring]];
            completionHome[ring] = memoryNode[node];
            poolNode[ring] = node;
            posted[ring] = new PageRuns(most);
            cache[ring] = new PageRuns(CACHE_PAGES);
            ptrRing[ring] = new PageRuns(poolPages);
            held[ring] = new PageRuns(most);
            posted[ring].add(memoryNode[node], ringPages);
            allocated += ringPages;
            toInterrupt[ring] = true;
            events.set(ring, 1 + ring);
        }
    }

    /** The CPUs that rings move to: of the same position on a node of another socket, or of another node if there is one. */
    private void pair(Machine machine, DataFile settings) {
        int shift = 0;
        for (int candidate = nodes - 1; candidate > 0; candidate--) {
            shift = apart(machine, candidate) ? candidate : shift;
        }
        if (nodes > 1 && shift == 0) {
            throw settings.wrong("machine", "a machine whose sockets have the same number of nodes");
        }
        for (int ring = 0; ring < rings; ring++) {
            int node = nodeOf[cpuOf[ring]];
            int position =
                    machine.cpusOf(node).and(CpuSet.range(0, cpuOf[ring] + 1)).size() - 1;
            CpuSet there = machine.cpusOf((node + shift) % nodes);
            if (position >= there.size()) {
                throw settings.wrong("rings", "such that each can move to a CPU of its own on another node");
            }
            int to = there.first();
            for (int i = 0; i < position; i++) {
                to = there.next(to);
            }
            movedTo[ring] = to;
        }
    }

    /** Whether all nodes are on other sockets than those so many numbers further, as far as there are other sockets. */
    private boolean apart(Machine machine, int shift) {
        for (int node = 0; node < nodes; node++) {
            if (machine.sockets() > 1 && socketOf[node] == socketOf[(node + shift) % nodes]) {
                return false;
            }
        }
        return true;
    }

    private void migrate(DataFile settings) {
        long duration = settings.span("duration", 1, 24 * 3_600 * SECOND);
        long warmUp = SimulatedRun.warmUp(settings);
        switch (settings.text("migrate-at")) {
            case "never" -> events.clear(migrateSlot);
            case "start" -> System.arraycopy(movedTo, 0, cpuOf, 0, rings);
            case "half" -> events.set(migrateSlot, warmUp + duration / 2);
            default -> {
                try {
                    events.set(migrateSlot, warmUp + settings.span("migrate-at", 0, duration - 1));
                } catch (DataException e) {
                    throw settings.wrong(
                            "migrate-at",
                            "never, start, half (of the duration), or a span below duration = "
                                    + settings.text("duration"));
                }
            }
        }
    }

    @Override
    void advance(long until) {
        while (events.nextTime() < until) {
            now = events.nextTime();
            int slot = events.nextSlot();
            if (slot < rings) {
                if (polling[slot]) {
                    end(slot);
                } else {
                    begin(slot);
                }
            } else if (slot == noiseSlot) {
                costNoise.step();
                ceilingNoise.step();
                events.set(noiseSlot, now + noiseStepNanos);
            } else {
                moveInterrupts();
            }
        }
        now = until;
        for (int cpu = 0; cpu < cpus; cpu++) {
            book(cpu);
        }
        check();
    }

    /** A ring whose affinity has changed leaves polling, so that its interrupt comes on the new CPU. */
    private void moveInterrupts() {
        events.clear(migrateSlot);
        for (int ring = 0; ring < rings; ring++) {
            toInterrupt[ring] |= cpuOf[ring] != movedTo[ring];
            cpuOf[ring] = movedTo[ring];
        }
    }

    /** A poll is over. The next begins at once if the NIC has had time for its packets. */
    private void end(int ring) {
        polling[ring] = false;
        finished += BUDGET;
        long ready = now;
        if (nicGapNanos > 0) {
            ready = Math.max(now, nicFree);
            nicFree = ready + ceilingNoise.scale(nicGapNanos);
        }
        if (ready > now) {
            toInterrupt[ring] = true;
            events.set(ring, ready);
        } else {
            begin(ring);
        }
    }

    private void begin(int ring) {
        int cpu = cpuOf[ring];
        if (busyUntil[cpu] > now) {
            events.set(ring, busyUntil[cpu]);
            return;
        }
        if (toInterrupt[ring]) {
            toInterrupt[ring] = false;
            raised++;
            interrupts[cpu]++;
        }
        book(cpu);
        polling[ring] = true;
        started += BUDGET;
        polls[cpu]++;
        switches[cpu] += pollSwitches;
        int node = nodeOf[cpu];
        double nanos = BUDGET * baseNanos;
        if (policy.allLocal()) {
            poolNode[ring] = node;
        } else if (policy.checksNode()) {
            nanos += checkNanos;
            if (poolNode[ring] != memoryNode[node]) {
                poolNode[ring] = memoryNode[node];
                updates[cpu]++;
            }
        }
        nanos += completions(ring, node);
        long crossed = now;
        for (int left = BUDGET; left > 0; ) {
            int home = posted[ring].firstNode();
            int count = posted[ring].takeFirst(left);
            left -= count;
            int found = policy.allLocal() ? node : home;
            nanos += count * pageNanos[node * nodes + found];
            crossed = Math.max(crossed, receive(node, found, count));
            held[ring].add(home, count);
        }
        while (held[ring].size() > heldPages) {
            int home = held[ring].firstNode();
            release(ring, cpu, home, held[ring].takeFirst(held[ring].size() - heldPages));
        }
        nanos += refill(ring, cpu);
        busyUntil[cpu] = Math.max(now + costNoise.scale(Math.max(1, StrictMath.round(nanos))), crossed);
        events.set(ring, busyUntil[cpu]);
    }

    /** Completion entries of a poll, and what else misses the caches. Returns their price. */
    private double completions(int ring, int node) {
        int home = policy.allLocal() ? node : completionHome[ring];
        completionCredit[ring] += BUDGET * completionLines;
        long lines = completionCredit[ring] >> FRACTION_BITS;
        completionCredit[ring] -= lines << FRACTION_BITS;
        if (!cached[node * nodes + home]) {
            completionsMissed += lines;
            cpuLines[node * nodes + home] += lines;
        }
        missCredit[ring] += BUDGET * otherMisses;
        long others = missCredit[ring] >> FRACTION_BITS;
        missCredit[ring] -= others << FRACTION_BITS;
        otherMissed += others;
        cpuLines[node * nodes + (policy.allLocal() ? node : memoryNode[node])] += others;
        nicLines[nicAt(home) * nodes + home] += BUDGET;
        return BUDGET * completionNanos[node * nodes + home];
    }

    /** Under the optimum the NIC is where the memory is. */
    private int nicAt(int home) {
        return policy.allLocal() ? home : nicNode;
    }

    /** The NIC has written packets to pages of a node, a CPU reads them. Returns when the links have carried that. */
    private long receive(int node, int home, int count) {
        int at = node * nodes + home;
        long headers = (long) count * headerLines;
        if (cached[at]) {
            headersCached += headers;
        } else {
            headersMissed += headers;
            cpuLines[at] += headers;
        }
        cpuLines[at] += (long) count * copyMisses;
        nicLines[nicAt(home) * nodes + home] += (long) count * packetLines * nicPasses;
        if (linkNanosPerByte == 0 || policy.allLocal()) {
            return now;
        }
        long done = cross(nicNode, home, (long) count * packetBytes);
        if (nicPasses > 1) {
            done = Math.max(done, cross(home, nicNode, (long) count * packetBytes));
        }
        return Math.max(done, cross(home, node, (long) count * Math.max(copiedBytes, headerLines * LINE_BYTES)));
    }

    private long cross(int from, int to, long bytes) {
        if (socketOf[from] == socketOf[to]) {
            return now;
        }
        int link = socketOf[from] * sockets + socketOf[to];
        linkFree[link] = Math.max(now, linkFree[link]) + ceilingNoise.scale(StrictMath.round(bytes * linkNanosPerByte));
        return linkFree[link];
    }

    /** Pages that nobody holds any more: back to the pool, or to the page allocator. */
    private void release(int ring, int cpu, int home, int count) {
        unrecycledCredit[ring] += count * unrecycled;
        int lost = (int) (unrecycledCredit[ring] >> FRACTION_BITS);
        unrecycledCredit[ring] -= (long) lost << FRACTION_BITS;
        int back = policy.recycles(home, poolNode[ring]) ? count - lost : 0;
        int toCache = direct ? Math.min(back, CACHE_PAGES - cache[ring].size()) : 0;
        int toRing = Math.min(back - toCache, poolPages - ptrRing[ring].size());
        cache[ring].add(home, toCache);
        ptrRing[ring].add(home, toRing);
        int gone = count - toCache - toRing;
        freed += gone;
        releases[cpu] += gone;
    }

    /** Posts as many pages as a poll has used up. Returns the price. */
    private double refill(int ring, int cpu) {
        int fromCache = 0;
        int fromRing = 0;
        int left = BUDGET;
        while (left > 0 && cache[ring].size() > 0) {
            int home = cache[ring].lastNode();
            int count = cache[ring].takeLast(left);
            posted[ring].add(home, count);
            left -= count;
            fromCache += count;
        }
        while (left > 0 && ptrRing[ring].size() > 0) {
            int home = ptrRing[ring].firstNode();
            int count = ptrRing[ring].takeFirst(left);
            posted[ring].add(home, count);
            left -= count;
            fromRing += count;
        }
        if (left > 0) {
            int wanted = poolNode[ring];
            int got = memoryNode[wanted];
            posted[ring].add(got, left);
            allocated += left;
            holds[cpu] += left;
            taken[(nodeOf[cpu] * nodes + wanted) * nodes + got] += left;
        }
        return fromCache * cacheNanos + fromRing * ringNanos + left * allocatorNanos;
    }

    /** Books a CPU's time up to now. */
    private void book(int cpu) {
        long span = now - bookedUntil[cpu];
        long busy = Math.max(0, Math.min(now, busyUntil[cpu]) - bookedUntil[cpu]);
        bookedUntil[cpu] = now;
        busyNanos[cpu] += busy;
        idleNanos[cpu] += span - busy;
        tickCredit[cpu] += busy * tickHz;
        if (tickCredit[cpu] >= SECOND) {
            ticks[cpu] += tickCredit[cpu] / SECOND;
            tickCredit[cpu] %= SECOND;
        }
    }

    /** The laws of the machine; they hold at every look, in every run. */
    private void check() {
        long inHand = 0;
        long pages = 0;
        for (int ring = 0; ring < rings; ring++) {
            inHand += polling[ring] ? BUDGET : 0;
            law(posted[ring].size() == ringPages, "pages posted = pages of the ring, ring " + ring);
            pages += posted[ring].size() + cache[ring].size() + ptrRing[ring].size() + held[ring].size();
        }
        law(started == finished + inHand, "packets started = finished + in hand");
        law(allocated == freed + pages, "pages allocated = freed + posted + in the pools + held");
        law(Arrays.stream(interrupts).sum() == raised - raisedAtLook, "interrupts delivered = interrupts raised");
        law(Arrays.stream(polls).sum() * BUDGET == started - startedAtLook, "packets of the polls = packets started");
        law(Arrays.stream(holds).sum() == allocated - allocatedAtLook, "pages of the CPUs = pages allocated");
        law(Arrays.stream(taken).sum() == allocated - allocatedAtLook, "pages by node = pages allocated");
        law(
                headersCached + headersMissed == (started - startedAtLook) * headerLines,
                "lines found in cache + in memory = lines of the packets");
        for (int cpu = 0; cpu < cpus; cpu++) {
            law(busyNanos[cpu] + idleNanos[cpu] == now - lookedAt, "busy + idle = time, on cpu" + cpu);
        }
    }

    @Override
    void tell(Interval interval) {
        long packets = started - startedAtLook;
        int running = 0;
        for (boolean polled : polling) {
            running += polled ? 1 : 0;
        }
        for (int from = 0; from < nodes; from++) {
            for (int home = 0; home < nodes; home++) {
                interval.cpuAccesses(from, home, cpuLines[from * nodes + home]);
                interval.deviceAccesses(from, home, nicLines[from * nodes + home]);
                for (int got = 0; got < nodes; got++) {
                    interval.pages(from, home, got, taken[(from * nodes + home) * nodes + got]);
                }
            }
        }
        law(
                interval.allAccesses()
                        == headersMissed
                                + completionsMissed
                                + otherMissed
                                + packets * (copyMisses + (long) packetLines * nicPasses + 1),
                "accesses = local + remote");
        interval.time(
                busyNanos, idleNanos, StrictMath.round(Arrays.stream(busyNanos).sum() * userShare), 0);
        interval.tasks(running, 0);
        interval.interrupts(interrupts, ticks);
        interval.switches(switches);
        interval.event("napi:napi_poll", polls);
        interval.event("page_pool:page_pool_state_hold", holds);
        interval.event("page_pool:page_pool_state_release", releases);
        interval.event("page_pool:page_pool_update_nid", updates);
        interval.event("kmem:mm_page_alloc", holds);
        interval.event("kmem:mm_page_free", releases);
        interval.operations(finished());
        interval.count("received", "B", finished() * packetBytes);
    }

    @Override
    void look() {
        for (long[] sums : new long[][] {
            busyNanos,
            idleNanos,
            interrupts,
            ticks,
            switches,
            polls,
            holds,
            releases,
            updates,
            taken,
            cpuLines,
            nicLines
        }) {
            Arrays.fill(sums, 0);
        }
        headersCached = 0;
        headersMissed = 0;
        completionsMissed = 0;
        otherMissed = 0;
        finishedAtLook = finished;
        raisedAtLook = raised;
        startedAtLook = started;
        allocatedAtLook = allocated;
        lookedAt = now;
    }

    /** {@return packets finished in this interval} */
    long finished() {
        return finished - finishedAtLook;
    }

    @Override
    boolean allocatesPages() {
        return true;
    }

    @Override
    String throughputUnit() {
        return unit;
    }

    /** No event counts packets of every kind; polls hold many. */
    @Override
    String operationEvent() {
        return "";
    }
}
