package io.farnode.producer.machine.workload;

import io.farnode.producer.machine.CpuSet;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.LockQueue;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.Noise;
import io.farnode.producer.machine.RandomStream;
import io.farnode.producer.machine.policy.SpinlockQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The machine of the spinlock family at work: threads, each on a CPU of its own, that take one queued spinlock again and
 * again and do something else in between. Every arrival, every acquisition and every release is an event.
 *
 * <p>The lock is the kernel's queued spinlock: who finds it free takes it; the first who finds it held waits for the lock
 * word at once (the pending bit); the others queue, and the head of the queue waits for the lock word. When the head has
 * taken the lock, the rule chooses the next head among those who wait at that moment.
 *
 * <p>From release to acquisition a number of cache lines travel one after the other from the CPU that held the lock to the
 * one that gets it. Who arrives at a lock that is held swaps itself into the lock word, which takes that line away from the
 * holder for a moment; {@code enqueue-lines} says how much of such a transfer delays the hand-over.
 *
 * <p>Accesses are lines that a CPU takes from another: local if that one is of its node, remote if not. Real counters see
 * the local ones in part only, as many are served by a shared cache before they come to memory or to a home agent. Of the
 * cycles of waiting a fixed part counts as stalls of the front end.
 *
 * <p>What is left out: a tick takes no time, no thread is preempted, the clock does not depend on how many CPUs are busy.
 */
final class ContendedLock extends Workload {
    private static final int NONE = LockQueue.NONE;
    private static final long NEVER = Long.MAX_VALUE;
    private static final int THREAD_BITS = 12;
    private static final int THREAD_MASK = (1 << THREAD_BITS) - 1;
    // one row a thread: all that an event touches of it lies together
    private static final int ROW = 8;
    private static final int SINCE = 0;
    private static final int WAITED = 1;
    private static final int WAS_OUT = 2;
    private static final int HELD_FOR = 3;
    private static final int ACQUIRED = 4;
    private static final int WAITS_BEGUN = 5;
    private static final int WAITS_ENDED = 6;
    private static final int OPERATIONS = 7;
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST = SECOND;

    /** What the threads do; decides the name of an operation and nothing else. */
    private enum Kind {
        LOCKTORTURE("locktorture", "operation"),
        OPEN_STORM("open-storm", "open"),
        NGINX_MIX("nginx-mix", "request");

        private final String name;
        private final String unit;

        Kind(String name, String unit) {
            this.name = name;
            this.unit = unit;
        }

        private static Kind of(DataFile settings) {
            String name = settings.text("workload");
            return Arrays.stream(values())
                    .filter(kind -> kind.name.equals(name))
                    .findFirst()
                    .orElseThrow(() -> settings.wrong("workload", "locktorture, open-storm or nginx-mix"));
        }
    }

    private enum State {
        /** Nobody holds it, nobody waits. */
        FREE,
        /** It is on its way to {@link #holder}. */
        PASSING,
        /** {@link #holder} has it. */
        HELD
    }

    private final Machine machine;
    private final SpinlockQueue rule;
    private final Kind kind;
    private final int cpus;
    private final int nodes;
    private final int threads;
    private final int locksPerOperation;
    private final long operationsPerThread;
    private final double userShare;
    private final double stallShare;
    private final boolean allLocal;

    private final int lines;
    private final double enqueueLines;
    private final double visitLines;
    private final double lineScale;
    private final double crossRatio;
    private final long smtLineNanos;
    private final double smtSlowdown;
    private final long holdTime;
    private final long outsideTime;
    private final long operationTime;
    private final double outsideTail;
    private final long shortDelayNanos;
    private final long shortDelayEvery;
    private final long longDelayNanos;
    private final long longDelayEvery;
    private final long tickNanos;
    private final long noiseStepNanos;
    private final Noise costNoise;
    private final RandomStream outsideRandom;
    private final RandomStream delayRandom;

    // costs of this noise step, ns; by node of the one before times nodes plus node of the one after, or by
    // whether threads share the core
    private final long[] passNanos;
    private final long[] enqueueNanos;
    private final long[] visitNanos;
    private long smtPassNanos;
    private long smtEnqueueNanos;
    private final long[] holdNanos;
    private final long[] outsideFixed;
    private final long[] outsideMean;
    private final long[] operationFixed;
    private final long[] operationMean;

    // threads
    private final int[] cpuOf;
    private final int[] nodeOf;
    private final int[] coreOf;
    private final byte[] sharing;
    private final boolean[] contended;
    private final int[] locksLeft;
    private final long[] operationsLeft;
    private int finished;

    // the lock
    private final LockQueue queue;
    private State state = State.FREE;
    private int holder = NONE;
    /** Whether the holder came through the queue, so that it has to make another one head. */
    private boolean holderQueued;

    private int head = NONE;
    private boolean headQueued;
    private long headSince;
    private int lastHolder = NONE;
    private long lockTime = NEVER;
    private long acquisitionsToShortDelay;
    private long acquisitionsToLongDelay;

    /**
     * Threads outside the lock as (time of arrival, thread), the next one first, in a ring. Who has left last mostly comes
     * last, so that a place is found from the end in few steps.
     */
    private final long[] outside;

    private int outsideHead;
    private int outsideEnd;
    private long nextTick;
    private long nextNoise;
    private long tickNumber;

    // sums since the beginning
    private long arrived;
    private long acquired;
    private long released;
    private long waitsBegun;
    private long waitsEnded;

    // sums since the last look, by thread or by pair of nodes
    private final long[] rows;
    private final long[] goneNanos;
    private final long[] ticks;
    private final long[] switches;
    private final long[] handOvers;
    private final long[] enqueues;
    private final long[] visitsAtLook;
    private long handOversHome;

    private long acquiredAtLook;
    private long lookTime;

    /**
     * Sets the machine up: threads on their CPUs, about to begin.
     *
     * @param machine the machine
     * @param policy the policy
     * @param settings the scenario's parameters
     */
    ContendedLock(Machine machine, SpinlockQueue policy, DataFile settings) {
        long seed = settings.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        this.machine = machine;
        rule = policy;
        kind = Kind.of(settings);
        cpus = machine.cpus();
        nodes = machine.nodes();
        int asked = (int) settings.whole("threads", 0, Math.min(cpus, THREAD_MASK));
        threads = asked == 0 ? Math.min(cpus, THREAD_MASK) : asked;
        locksPerOperation = (int) settings.whole("locks-per-operation", 1, 1_000_000);
        operationsPerThread = settings.whole("operations-per-thread", 0, Long.MAX_VALUE);
        userShare = settings.number("user-share", 0, 1);
        stallShare = settings.number("stall-share", 0, 1);
        allLocal = policy.allLocal();
        lines = (int) settings.whole("hand-over-lines", 1, 64);
        enqueueLines = settings.number("enqueue-lines", 0, 16);
        visitLines = settings.number("visit-lines", 0, 16);
        lineScale = settings.number("line-scale", 0.01, 100);
        crossRatio = settings.number("cross-ratio", 0, 100);
        if (crossRatio > 0 && crossRatio < 1) {
            throw settings.wrong("cross-ratio", "0 for the machine's own table, or 1 to 100");
        }
        smtLineNanos = settings.span("smt-line-time", 0, LONGEST);
        smtSlowdown = settings.number("smt-slowdown", 1, 10);
        holdTime = settings.span("hold-time", 1, LONGEST);
        outsideTime = settings.span("outside-time", 0, LONGEST);
        operationTime = settings.span("operation-time", 0, LONGEST);
        outsideTail = settings.number("outside-tail", 0, 1);
        shortDelayNanos = settings.span("short-delay", 0, LONGEST);
        shortDelayEvery = settings.whole("short-delay-every", 1, 1_000_000_000L) * threads;
        longDelayNanos = settings.span("long-delay", 0, LONGEST);
        longDelayEvery = settings.whole("long-delay-every", 1, 1_000_000_000L) * threads;
        int shuffleOneIn = (int) settings.whole("shuffle-one-in", 1, 1 << 30);
        int flushOneIn = (int) settings.whole("flush-one-in", 1, 1 << 30);
        long flushNanos = settings.span("flush-time", 0, 3600 * SECOND);
        tickNanos = SECOND / machine.tickHz();
        noiseStepNanos = settings.span("noise-step", 1_000_000L, 3600 * SECOND);
        costNoise = Noise.of(settings, seed, "cost");
        outsideRandom = new RandomStream(seed, "outside");
        delayRandom = new RandomStream(seed, "delay");

        cpuOf = place(settings);
        nodeOf = IntStream.of(cpuOf).map(machine::nodeOf).toArray();
        coreOf = IntStream.of(cpuOf).map(cpu -> machine.siblingsOf(cpu).first()).toArray();
        int[] onCore = new int[cpus];
        IntStream.of(coreOf).forEach(core -> onCore[core]++);
        sharing = new byte[threads];
        for (int thread = 0; thread < threads; thread++) {
            sharing[thread] = (byte) (onCore[coreOf[thread]] > 1 ? 1 : 0);
        }
        contended = new boolean[threads];
        locksLeft = new int[threads];
        Arrays.fill(locksLeft, locksPerOperation);
        operationsLeft = new long[threads];
        Arrays.fill(operationsLeft, operationsPerThread == 0 ? NEVER : operationsPerThread);
        outside = new long[Integer.highestOneBit(threads) << 1];

        passNanos = new long[nodes * nodes];
        enqueueNanos = new long[nodes * nodes];
        visitNanos = new long[nodes * nodes];
        holdNanos = new long[2];
        outsideFixed = new long[2];
        outsideMean = new long[2];
        operationFixed = new long[2];
        operationMean = new long[2];
        queue = new LockQueue(
                nodeOf,
                nodes,
                visitNanos,
                new LockQueue.Chances(shuffleOneIn, flushOneIn, flushNanos),
                new RandomStream(seed, "shuffle"));
        priceAll();

        rows = new long[threads * ROW];
        goneNanos = new long[threads];
        ticks = new long[threads];
        switches = new long[threads];
        handOvers = new long[nodes * nodes];
        enqueues = new long[nodes * nodes];
        visitsAtLook = new long[nodes * nodes];

        acquisitionsToShortDelay = drawDelay(shortDelayEvery);
        acquisitionsToLongDelay = drawDelay(longDelayEvery);
        RandomStream start = new RandomStream(seed, "start");
        long spread = outsideTime + operationTime + threads * (holdTime + (long) lines * smtLineNanos) + 1;
        for (int thread = 0; thread < threads; thread++) {
            leave(thread, start.below(spread));
        }
        nextTick = tickNanos;
        nextNoise = noiseStepNanos;
    }

    /** The CPU of each thread. Threads of a core follow each other last, except where they are to be packed. */
    private int[] place(DataFile settings) {
        List<List<Integer>> byNode = new ArrayList<>();
        boolean siblingsFirst = false;
        boolean turns = false;
        switch (settings.text("placement")) {
            case "spread" -> turns = true;
            case "packed" -> turns = false;
            case "packed-smt" -> siblingsFirst = true;
            default -> throw settings.wrong("placement", "spread, packed or packed-smt");
        }
        for (int node = 0; node < nodes; node++) {
            byNode.add(ordered(machine.cpusOf(node), siblingsFirst));
        }
        List<Integer> order = new ArrayList<>();
        if (turns) {
            for (int at = 0; order.size() < cpus; at++) {
                for (List<Integer> node : byNode) {
                    if (at < node.size()) {
                        order.add(node.get(at));
                    }
                }
            }
        } else {
            byNode.forEach(order::addAll);
        }
        return order.stream().limit(threads).mapToInt(Integer::intValue).toArray();
    }

    /** CPUs of a node: core after core, or first thread of every core, second thread of every core, ... */
    private List<Integer> ordered(CpuSet node, boolean siblingsFirst) {
        List<List<Integer>> cores = node.stream()
                .mapToObj(cpu -> machine.siblingsOf(cpu).and(node))
                .distinct()
                .map(core -> core.stream().boxed().toList())
                .toList();
        if (siblingsFirst) {
            return cores.stream().flatMap(List::stream).toList();
        }
        List<Integer> order = new ArrayList<>();
        for (int sibling = 0; order.size() < node.size(); sibling++) {
            for (List<Integer> core : cores) {
                if (sibling < core.size()) {
                    order.add(core.get(sibling));
                }
            }
        }
        return order;
    }

    /** What everything costs until the next step of the noise. */
    private void priceAll() {
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                int pair = from * nodes + to;
                // the one after asks, and what it asks for lies in the cache of the one before
                double line = line(to, allLocal ? to : from);
                passNanos[pair] = price(lines * line);
                enqueueNanos[pair] = price(enqueueLines * line);
                visitNanos[pair] = price(visitLines * line(from, to));
            }
        }
        smtPassNanos = price((double) lines * smtLineNanos);
        smtEnqueueNanos = price(enqueueLines * smtLineNanos);
        for (int shared = 0; shared < 2; shared++) {
            double slow = shared == 1 ? smtSlowdown : 1;
            holdNanos[shared] = price(holdTime * slow);
            long whole = price(outsideTime * slow);
            outsideMean[shared] = StrictMath.round(whole * outsideTail);
            outsideFixed[shared] = whole - outsideMean[shared];
            long rest = price(operationTime * slow);
            operationMean[shared] = StrictMath.round(rest * outsideTail);
            operationFixed[shared] = rest - operationMean[shared];
        }
    }

    private double line(int from, int to) {
        boolean apart = from != to && crossRatio != 0;
        return lineScale * (apart ? crossRatio * machine.lineNanos(from, from) : machine.lineNanos(from, to));
    }

    private long price(double nanos) {
        return StrictMath.round(nanos * costNoise.factor() / (1 << Noise.FRACTION_BITS));
    }

    /**
     * Acquisitions up to and with the next one that has a delay. Each has it with the same chance, whoever it is, so the
     * distance is drawn instead of every acquisition.
     */
    private long drawDelay(long every) {
        return every == 1 ? 1 : 1 + delayRandom.exponential(every - 1);
    }

    @Override
    void advance(long until) {
        while (true) {
            long stop = Math.min(until, Math.min(nextTick, nextNoise));
            contend(stop);
            if (stop == until) {
                break;
            }
            now = stop;
            if (stop == nextTick) {
                tick();
            } else {
                costNoise.step();
                priceAll();
                nextNoise = now + noiseStepNanos;
            }
        }
        now = until;
        bookAll();
        check();
    }

    /** What happens at the lock before a moment. */
    private void contend(long stop) {
        long[] ring = outside;
        int mask = ring.length - 1;
        while (true) {
            long arrival = ring[outsideHead & mask] >> THREAD_BITS;
            if (arrival < lockTime) {
                if (arrival >= stop) {
                    return;
                }
                now = arrival;
                arrive((int) ring[outsideHead++ & mask] & THREAD_MASK);
            } else {
                if (lockTime >= stop) {
                    return;
                }
                now = lockTime;
                if (state == State.PASSING) {
                    acquire();
                } else {
                    release();
                }
            }
        }
    }

    /** A thread comes to the lock. */
    private void arrive(int thread) {
        int at = thread * ROW;
        rows[at + WAS_OUT] += now - rows[at + SINCE];
        rows[at + SINCE] = now;
        arrived++;
        if (state == State.FREE) {
            pass(thread, false);
            return;
        }
        contended[thread] = true;
        waitsBegun++;
        rows[at + WAITS_BEGUN]++;
        lockTime += coreOf[thread] == coreOf[holder] && !allLocal
                ? smtEnqueueNanos
                : enqueueNanos[nodeOf[holder] * nodes + nodeOf[thread]];
        enqueues[nodeOf[thread] * nodes + (allLocal ? nodeOf[thread] : nodeOf[holder])]++;
        if (head == NONE && queue.isEmpty() && !(state == State.PASSING && holderQueued)) {
            head = thread;
            headQueued = false;
        } else {
            queue.append(thread);
        }
    }

    /** The lock is free and goes to a thread. */
    private void pass(int thread, boolean queued) {
        long nanos = 0;
        if (lastHolder != thread && lastHolder != NONE) {
            int from = allLocal ? nodeOf[thread] : nodeOf[lastHolder];
            handOvers[from * nodes + nodeOf[thread]]++;
            nanos = coreOf[lastHolder] == coreOf[thread] && !allLocal
                    ? smtPassNanos
                    : passNanos[from * nodes + nodeOf[thread]];
        } else {
            handOversHome++;
        }
        holder = thread;
        holderQueued = queued;
        state = State.PASSING;
        lockTime = now + nanos;
    }

    /** The lock has come to its new holder, who makes another waiter head. */
    private void acquire() {
        int thread = holder;
        int at = thread * ROW;
        rows[at + WAITED] += now - rows[at + SINCE];
        rows[at + SINCE] = now;
        if (contended[thread]) {
            contended[thread] = false;
            waitsEnded++;
            rows[at + WAITS_ENDED]++;
        }
        acquired++;
        rows[at + ACQUIRED]++;
        long hold = holdNanos[sharing[thread]];
        if (head == NONE) {
            if (holderQueued) {
                head = rule.onHandOff(queue, thread);
                hold += queue.scanNanos();
            } else {
                head = queue.takeFirst();
            }
            if (head != NONE) {
                headQueued = true;
                headSince = now;
                rule.onBecomeHead(queue, head, now);
            }
        }
        if (--acquisitionsToShortDelay == 0) {
            acquisitionsToShortDelay = drawDelay(shortDelayEvery);
            hold += shortDelayNanos;
        }
        if (--acquisitionsToLongDelay == 0) {
            acquisitionsToLongDelay = drawDelay(longDelayEvery);
            hold += longDelayNanos;
        }
        state = State.HELD;
        lockTime = now + hold;
    }

    private void release() {
        int thread = holder;
        int at = thread * ROW;
        rows[at + HELD_FOR] += now - rows[at + SINCE];
        rows[at + SINCE] = now;
        released++;
        lastHolder = thread;
        if (head == NONE) {
            holder = NONE;
            state = State.FREE;
            lockTime = NEVER;
        } else {
            int chosen = head;
            long late = 0;
            if (headQueued) {
                rule.onWaited(queue, now - headSince, now);
                late = queue.scanNanos();
            }
            head = NONE;
            pass(chosen, headQueued);
            lockTime += late;
        }
        long back = now + outsideFixed[sharing[thread]] + outsideRandom.exponential(outsideMean[sharing[thread]]);
        // no branch, as which thread ends an operation now cannot be foreseen
        int left = locksLeft[thread] - 1;
        int done = left == 0 ? 1 : 0;
        locksLeft[thread] = left == 0 ? locksPerOperation : left;
        rows[at + OPERATIONS] += done;
        operationsLeft[thread] -= done;
        if (operationsLeft[thread] == 0) {
            finished++;
            return;
        }
        if (operationTime != 0 && done != 0) {
            back += operationFixed[sharing[thread]] + outsideRandom.exponential(operationMean[sharing[thread]]);
        }
        leave(thread, back);
    }

    /** A thread does something else until it comes again. */
    private void leave(int thread, long back) {
        long key = back << THREAD_BITS | thread;
        long[] ring = outside;
        int mask = ring.length - 1;
        int at = outsideEnd++;
        while (at != outsideHead && ring[at - 1 & mask] > key) {
            ring[at & mask] = ring[at - 1 & mask];
            at--;
        }
        ring[at & mask] = key;
        ring[outsideEnd & mask] = NEVER;
    }

    /** A timer tick of every CPU that has a thread; once a second it lets a kernel thread run for a moment. */
    private void tick() {
        tickNumber++;
        for (int thread = 0; thread < threads; thread++) {
            if (operationsLeft[thread] != 0) {
                ticks[thread]++;
                if ((tickNumber + thread) % machine.tickHz() == 0) {
                    switches[thread] += 2;
                }
            }
        }
        nextTick = now + tickNanos;
    }

    /** Books the time up to now to what each thread is doing. */
    private void bookAll() {
        boolean[] out = new boolean[threads];
        for (int i = outsideHead; i != outsideEnd; i++) {
            out[(int) outside[i & outside.length - 1] & THREAD_MASK] = true;
        }
        for (int thread = 0; thread < threads; thread++) {
            int at = thread * ROW;
            long span = now - rows[at + SINCE];
            rows[at + SINCE] = now;
            if (out[thread]) {
                rows[at + WAS_OUT] += span;
            } else if (operationsLeft[thread] == 0) {
                goneNanos[thread] += span;
            } else if (thread == holder && state == State.HELD) {
                rows[at + HELD_FOR] += span;
            } else {
                rows[at + WAITED] += span;
            }
        }
    }

    /** The laws of the machine; they hold at every look, in every run. */
    private void check() {
        int main = queue.waiting();
        int aside = queue.aside();
        law(main >= 0 && aside >= 0, "both queues end with their last waiter");
        int held = state == State.HELD ? 1 : 0;
        int waiting = main + aside + (head == NONE ? 0 : 1) + (state == State.PASSING ? 1 : 0);
        law(acquired == released + held, "acquisitions = releases + held");
        law(arrived == acquired + waiting, "arrivals = acquisitions + waiters in the queues");
        law(
                outsideEnd - outsideHead + waiting + held + finished == threads,
                "threads = outside + waiting + holding + finished");
        law(state != State.FREE || waiting == 0, "nobody waits for a free lock");
        int inContention = 0;
        for (boolean one : contended) {
            inContention += one ? 1 : 0;
        }
        law(waitsBegun == waitsEnded + inContention, "contentions begun = ended + under way");
        law(
                sum(column(ACQUIRED)) == acquired - acquiredAtLook,
                "acquisitions of the threads = acquisitions of the lock");
        int passing = state == State.PASSING ? 1 : 0;
        law(
                Math.abs(sum(handOvers) + handOversHome - sum(column(ACQUIRED))) <= 1 + passing,
                "hand-overs by node = acquisitions, apart from one under way");
        for (int thread = 0; thread < threads; thread++) {
            int at = thread * ROW;
            law(
                    rows[at + WAITED] + rows[at + HELD_FOR] + rows[at + WAS_OUT] + goneNanos[thread] == now - lookTime,
                    "waiting + holding + outside + gone = interval, of thread " + thread);
        }
    }

    @Override
    void tell(Interval interval) {
        long[] busy = new long[cpus];
        long[] idle = new long[cpus];
        Arrays.fill(idle, now - lookTime);
        long[] stalled = new long[cpus];
        for (int thread = 0; thread < threads; thread++) {
            int at = thread * ROW;
            int cpu = cpuOf[thread];
            idle[cpu] = goneNanos[thread];
            busy[cpu] = now - lookTime - goneNanos[thread];
            stalled[cpu] = StrictMath.round(rows[at + WAITED] * stallShare * machine.clockMhz() / 1_000);
        }
        interval.time(busy, idle, StrictMath.round(sum(column(WAS_OUT)) * userShare), 0);
        interval.tasks(threads - finished, 0);
        interval.interrupts(new long[cpus], byCpu(ticks));
        interval.switches(byCpu(switches));
        interval.event("lock:contention_begin", byCpu(column(WAITS_BEGUN)));
        interval.event("lock:contention_end", byCpu(column(WAITS_ENDED)));
        interval.event("stalled-cycles-frontend", stalled);
        interval.event("sched:sched_switch", byCpu(switches));
        interval.operations(operations());
        interval.count("acquisitions", "1", sum(column(ACQUIRED)));
        interval.count("acquisitions.busiest_half", "1", busiestHalf());
        tellAccesses(interval);
    }

    private long[] byCpu(long[] byThread) {
        long[] sums = new long[cpus];
        for (int thread = 0; thread < threads; thread++) {
            sums[cpuOf[thread]] = byThread[thread];
        }
        return sums;
    }

    /** Lines that CPUs took from each other: those of hand-overs, the lock word at each arrival, waiters looked at. */
    private void tellAccesses(Interval interval) {
        long all = 0;
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                int pair = from * nodes + to;
                long visits = queue.visits(from, to) - visitsAtLook[pair];
                interval.cpuAccesses(to, from, handOvers[pair] * lines);
                interval.cpuAccesses(from, to, enqueues[pair] + visits);
                all += visits;
            }
        }
        law(
                interval.allAccesses() == lines * sum(handOvers) + sum(enqueues) + all,
                "lines of hand-overs, arrivals and visits = local + remote");
    }

    private long[] column(int number) {
        long[] values = new long[threads];
        for (int thread = 0; thread < threads; thread++) {
            values[thread] = rows[thread * ROW + number];
        }
        return values;
    }

    private static long sum(long[] array) {
        return LongStream.of(array).sum();
    }

    @Override
    void look() {
        for (long[] sums : new long[][] {goneNanos, ticks, switches, handOvers, enqueues}) {
            Arrays.fill(sums, 0);
        }
        for (int thread = 0; thread < threads; thread++) {
            Arrays.fill(rows, thread * ROW + SINCE + 1, (thread + 1) * ROW, 0);
        }
        handOversHome = 0;
        acquiredAtLook = acquired;
        lookTime = now;
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                visitsAtLook[from * nodes + to] = queue.visits(from, to);
            }
        }
    }

    @Override
    String throughputUnit() {
        return kind.unit;
    }

    @Override
    String operationEvent() {
        return "";
    }

    /** {@return operations finished in this interval} */
    long operations() {
        return sum(column(OPERATIONS));
    }

    /** {@return how often the lock was taken in this interval, by thread} */
    long[] acquisitions() {
        return column(ACQUIRED);
    }

    /** {@return how often the half of the threads that got the lock most got it in this interval} */
    long busiestHalf() {
        long[] sorted = column(ACQUIRED);
        Arrays.sort(sorted);
        return LongStream.of(sorted).skip(threads / 2).sum();
    }

    /** {@return part of the hand-overs of this interval that went to another node; 0 if there were none} */
    double remoteShare() {
        long remote = 0;
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                remote += from == to ? 0 : handOvers[from * nodes + to];
            }
        }
        return remote == 0 ? 0 : remote / (double) sum(handOvers);
    }

    /** {@return the CPU of each thread} */
    int[] cpusOfThreads() {
        return cpuOf.clone();
    }

    /** {@return how many threads have done all their operations} */
    int finishedThreads() {
        return finished;
    }
}
