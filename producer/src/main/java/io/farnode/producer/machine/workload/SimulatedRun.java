package io.farnode.producer.machine.workload;

import io.farnode.contract.SampleBuilder;
import io.farnode.contract.Scope;
import io.farnode.producer.Run;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Origin;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Source;
import io.farnode.telemetry.TimeBasis;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A run of the simulated machine, told as vmstat, perf and the workload itself would tell it.
 *
 * <p>Sources, one sample of each an interval: {@code vmstat}, a row of {@code vmstat}; {@code perf}, an interval of
 * {@code perf stat -a -A} with the counts of every CPU; {@code uncore}, the counters of home agents and other
 * units of every node and their sum, if the machine or the workload has such; {@code nodes}, an interval of {@code perf stat --per-node} with the CPUs' local and
 * remote loads, if the machine has such events; {@code numastat}, what it counted in the interval, if the workload takes
 * pages; {@code workload}, the operations done.
 *
 * <p>What the columns hold: {@code in} is device interrupts and timer ticks of all CPUs, no IPIs. Idle time counts as
 * {@code wa} when a task of that CPU waits for a disk, else as {@code id}. {@code sy} holds all time of interrupts and of
 * kernel threads. {@code irq:irq_handler_entry} counts ticks too where the kernel traces the timer's handler.
 */
public final class SimulatedRun implements Run {
    private static final String VMSTAT = "vmstat";
    private static final String PERF = "perf";
    private static final String UNCORE = "uncore";
    private static final String NODES = "nodes";
    private static final String NUMASTAT = "numastat";
    private static final String WORKLOAD = "workload";
    private static final String ONE = "1";
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST_WARM_UP = 10 * SECOND;

    private final Machine machine;
    private final Workload load;
    private final Interval interval;
    private final RunStarted started;
    private final long startNanos;
    private final long durationNanos;
    private final long intervalNanos;
    private final long warmUpNanos;
    private final Map<String, SampleBuilder> builders = new LinkedHashMap<>();
    private final Map<String, Long> sequences = new LinkedHashMap<>();
    private final long[] deviceInterrupts;
    private final long[] timerTicks;
    private final Deque<Sample> told = new ArrayDeque<>();

    private long elapsed;
    private long samples;
    private long values;
    private boolean over;

    private SimulatedRun(Scenario scenario, RunLabels labels, Workload load) {
        DataFile settings = scenario.settings();
        machine = scenario.machine();
        this.load = load;
        interval = new Interval(machine.cpus(), machine.nodes());
        deviceInterrupts = new long[machine.cpus()];
        timerTicks = new long[machine.cpus()];
        startNanos = Math.addExact(
                Math.multiplyExact(scenario.start().getEpochSecond(), SECOND),
                scenario.start().getNano());
        durationNanos = scenario.duration().toNanos();
        intervalNanos = scenario.interval().toNanos();
        warmUpNanos = warmUp(settings);
        load.advance(warmUpNanos);
        // what is said of the warm-up is not told, but shows which events there are
        load.tell(interval);
        load.look();
        builders.put(VMSTAT, new SampleBuilder(Tool.VMSTAT));
        builders.put(PERF, new SampleBuilder(Tool.PERF_STAT));
        boolean homeAgents = IntStream.range(0, machine.nodes())
                .anyMatch(node -> !machine.homeAgentsOf(node).isEmpty());
        if (homeAgents || !interval.nodeEvents().isEmpty()) {
            builders.put(UNCORE, new SampleBuilder(Tool.PERF_STAT));
        }
        if (!machine.localEvents().isEmpty() || !machine.remoteEvents().isEmpty()) {
            builders.put(NODES, new SampleBuilder(Tool.PERF_STAT));
        }
        if (load.allocatesPages()) {
            builders.put(NUMASTAT, new SampleBuilder(Tool.NUMASTAT));
        }
        builders.put(WORKLOAD, new SampleBuilder(Tool.WORKLOAD));
        builders.keySet().forEach(source -> sequences.put(source, 0L));
        started = begin(scenario, labels);
    }

    /**
     * A run without a name of its own and without a comparison.
     *
     * @param scenario what is simulated
     * @return the run
     */
    public static SimulatedRun of(Scenario scenario) {
        return of(scenario, RunLabels.NONE);
    }

    /**
     * A run.
     *
     * @param scenario what is simulated
     * @param labels what it is called and compared with
     * @return the run
     */
    public static SimulatedRun of(Scenario scenario, RunLabels labels) {
        return of(scenario, labels, scenario.workload());
    }

    /**
     * A run of a workload that is switched on already.
     *
     * @param scenario what is simulated
     * @param labels what it is called and compared with
     * @param load the scenario's machine at work
     * @return the run
     */
    static SimulatedRun of(Scenario scenario, RunLabels labels, Workload load) {
        return new SimulatedRun(scenario, labels, load);
    }

    /** Simulated time before the first interval, ns; its user may have got it wrong. */
    static long warmUp(DataFile settings) {
        return settings.span("warm-up", 0, LONGEST_WARM_UP);
    }

    private RunStarted begin(Scenario scenario, RunLabels labels) {
        String made = scenario.name() + "-" + scenario.policy() + "-" + scenario.seed();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("scenario", scenario.name());
        all.putAll(labels.labels());
        List<Source> sources = new ArrayList<>();
        for (String name : builders.keySet()) {
            Source source = new Source();
            source.setName(name);
            source.setTool(
                    switch (name) {
                        case VMSTAT -> Tool.VMSTAT;
                        case NUMASTAT -> Tool.NUMASTAT;
                        case WORKLOAD -> Tool.WORKLOAD;
                        default -> Tool.PERF_STAT;
                    });
            source.setFormat("");
            source.setFile("");
            source.setSha256("");
            source.setOptions(Map.of());
            sources.add(source);
        }
        RunStarted begun = new RunStarted();
        begun.setRunId(labels.runId().isEmpty() ? made.replaceAll("[^A-Za-z0-9._-]", "_") : labels.runId());
        begun.setOrigin(Origin.SIMULATED);
        begun.setMachine(machine.describe());
        begun.setPolicy(scenario.policy());
        begun.setWorkload(scenario.settings().text("workload"));
        begun.setThroughputUnit(load.throughputUnit());
        begun.setOperationEvent(load.operationEvent());
        begun.setExperiment(labels.experiment());
        begun.setArm(labels.arm());
        begun.setRepeat(labels.repeat());
        begun.setSeed(scenario.seed());
        begun.setTimeBasis(TimeBasis.SIMULATED);
        begun.setStartNanos(startNanos);
        begun.setSources(sources);
        begun.setLabels(all);
        begun.setInputDigest(digest(scenario));
        return begun;
    }

    /** What the run is made of: every parameter, the seed among them, every number of the machine, the start. */
    private String digest(Scenario scenario) {
        StringBuilder text = new StringBuilder();
        for (DataFile data : List.of(scenario.settings(), machine.data())) {
            data.keys().stream()
                    .sorted()
                    .forEach(key ->
                            text.append(key).append('=').append(data.text(key)).append('\n'));
        }
        text.append(startNanos);
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public RunStarted started() {
        return started;
    }

    /** {@return the machine it runs on} */
    public Machine machine() {
        return machine;
    }

    /** {@return interrupts of devices handled from the start to the end of the last sample, by CPU} */
    public long[] deviceInterrupts() {
        return deviceInterrupts.clone();
    }

    /** {@return interrupts of the timer from the start to the end of the last sample, by CPU} */
    public long[] timerTicks() {
        return timerTicks.clone();
    }

    @Override
    public Sample next() {
        if (told.isEmpty() && elapsed < durationNanos) {
            long span = Math.min(intervalNanos, durationNanos - elapsed);
            load.advance(warmUpNanos + elapsed + span);
            interval.clear();
            load.tell(interval);
            for (int cpu = 0; cpu < machine.cpus(); cpu++) {
                deviceInterrupts[cpu] += interval.interrupts()[cpu];
                timerTicks[cpu] += interval.ticks()[cpu];
            }
            for (String source : builders.keySet()) {
                switch (source) {
                    case VMSTAT -> tellVmstat(span);
                    case PERF -> tellPerf();
                    case UNCORE -> tellUncore();
                    case NODES -> tellNodes();
                    case NUMASTAT -> tellNumastat();
                    default -> tellWorkload();
                }
                tell(source, span);
            }
            load.look();
            elapsed += span;
        }
        Sample sample = told.poll();
        over = sample == null;
        return sample;
    }

    private void tellVmstat(long span) {
        SampleBuilder builder = builders.get(VMSTAT);
        int system = builder.scope(Scope.SYSTEM.toString());
        long cpuNanos = span * machine.cpus();
        long busy = sum(interval.busyNanos());
        long user = interval.userNanos();
        long wait = interval.waitNanos();
        long idle = sum(interval.idleNanos()) - wait;
        for (int cpu = 0; cpu < machine.cpus(); cpu++) {
            load.law(
                    interval.busyNanos()[cpu] + interval.idleNanos()[cpu] == span,
                    "busy + idle = interval, on cpu" + cpu);
        }
        load.law(user >= 0 && user <= busy && wait >= 0 && idle >= 0, "user <= busy, waiting <= idle");

        gauge(builder, system, "procs.running", "r", ONE, interval.runnable());
        gauge(builder, system, "procs.blocked", "b", ONE, interval.blocked());
        gauge(builder, system, "memory.swapped", "swpd", "KiB", 0);
        gauge(builder, system, "memory.free", "free", "KiB", machine.memoryFreeKib());
        gauge(builder, system, "memory.buffers", "buff", "KiB", machine.memoryBufferKib());
        gauge(builder, system, "memory.cache", "cache", "KiB", machine.memoryCacheKib());
        rate(builder, system, "swap.in", "si", "KiB/s", 0, span);
        rate(builder, system, "swap.out", "so", "KiB/s", 0, span);
        rate(builder, system, "block.in", "bi", "KiB/s", interval.blockInKib(), span);
        rate(builder, system, "block.out", "bo", "KiB/s", interval.blockOutKib(), span);
        rate(builder, system, "interrupts", "in", "/s", sum(interval.interrupts()) + sum(interval.ticks()), span);
        rate(builder, system, "context.switches", "cs", "/s", sum(interval.switches()), span);
        share(builder, system, "cpu.user", "us", user, cpuNanos);
        share(builder, system, "cpu.system", "sy", busy - user, cpuNanos);
        share(builder, system, "cpu.idle", "id", idle, cpuNanos);
        share(builder, system, "cpu.iowait", "wa", wait, cpuNanos);
        share(builder, system, "cpu.steal", "st", 0, cpuNanos);
    }

    private void tellPerf() {
        SampleBuilder builder = builders.get(PERF);
        int handlers = event(builder, "irq:irq_handler_entry");
        int[] others = interval.events().keySet().stream()
                .mapToInt(name -> event(builder, name))
                .toArray();
        int switches = count(builder, "context.switches", "context-switches");
        int cycles = event(builder, "cycles");
        for (int cpu = 0; cpu < machine.cpus(); cpu++) {
            int scope = builder.scope(Scope.cpu(cpu).toString());
            long ticks = machine.ticksTraced() ? interval.ticks()[cpu] : 0;
            put(builder, handlers, scope, interval.interrupts()[cpu] + ticks);
            int next = 0;
            for (long[] byCpu : interval.events().values()) {
                put(builder, others[next++], scope, byCpu[cpu]);
            }
            put(builder, switches, scope, interval.switches()[cpu]);
            put(builder, cycles, scope, interval.busyNanos()[cpu] * machine.clockMhz() / 1_000);
        }
    }

    /** Home agents of a node share its lines evenly; an odd line goes to the first of them. */
    private void tellUncore() {
        SampleBuilder builder = builders.get(UNCORE);
        int system = builder.scope(Scope.SYSTEM.toString());
        List<String> kinds = machine.homeAgentEvents();
        for (int home = 0; home < machine.nodes(); home++) {
            long all = 0;
            long otherDie = 0;
            long otherSocket = 0;
            for (int from = 0; from < machine.nodes(); from++) {
                long count = interval.lines(from, home);
                all += count;
                if (machine.socketOf(from) != machine.socketOf(home)) {
                    otherSocket += count;
                } else if (from != home) {
                    otherDie += count;
                }
            }
            int scope = builder.scope(Scope.node(home).toString());
            List<String> agents = machine.homeAgentsOf(home);
            for (int agent = 0; agent < agents.size(); agent++) {
                String unit = agents.get(agent);
                for (int where : new int[] {scope, system}) {
                    long[] counts = {all, otherDie, otherSocket};
                    for (int kind = 0; kind < kinds.size(); kind++) {
                        String name = unit + "/" + kinds.get(kind) + "/";
                        put(builder, event(builder, name), where, part(counts[kind], agent, agents.size()));
                    }
                }
            }
            for (Map.Entry<String, long[]> other : interval.nodeEvents().entrySet()) {
                put(builder, event(builder, other.getKey()), scope, other.getValue()[home]);
                if (home == 0) {
                    put(builder, event(builder, other.getKey()), system, sum(other.getValue()));
                }
            }
        }
    }

    /** Loads that CPUs of a node had served by their own and by other nodes' memory, as {@code perf stat --per-node}. */
    private void tellNodes() {
        SampleBuilder builder = builders.get(NODES);
        int system = builder.scope(Scope.SYSTEM.toString());
        long allLocal = 0;
        long allRemote = 0;
        for (int node = 0; node < machine.nodes(); node++) {
            int scope = builder.scope(Scope.node(node).toString());
            long local = interval.cpuLines(node, node);
            long remote = 0;
            for (int home = 0; home < machine.nodes(); home++) {
                remote += home == node ? 0 : interval.cpuLines(node, home);
            }
            allLocal += local;
            allRemote += remote;
            tellLoads(builder, scope, local, remote);
        }
        tellLoads(builder, system, allLocal, allRemote);
    }

    private void tellLoads(SampleBuilder builder, int scope, long local, long remote) {
        machine.localEvents().forEach(name -> put(builder, event(builder, name), scope, local));
        machine.remoteEvents().forEach(name -> put(builder, event(builder, name), scope, remote));
    }

    /** Differences of two snapshots of numastat, in pages. */
    private void tellNumastat() {
        SampleBuilder builder = builders.get(NUMASTAT);
        for (int node = 0; node < machine.nodes(); node++) {
            int scope = builder.scope(Scope.node(node).toString());
            for (Interval.Pages kind : Interval.Pages.values()) {
                String name = kind.name().toLowerCase(Locale.ROOT);
                int column = builder.column("numastat." + name, name, "page", ValueKind.DELTA, "");
                put(builder, column, scope, interval.pages(kind, node));
            }
        }
    }

    private static long part(long all, int index, int of) {
        return all / of + (index < all % of ? 1 : 0);
    }

    private void tellWorkload() {
        SampleBuilder builder = builders.get(WORKLOAD);
        int system = builder.scope(Scope.SYSTEM.toString());
        int column = builder.column("operations", "operations", ONE, ValueKind.DELTA, "");
        set(builder, column, system, interval.operations());
        interval.counts().forEach((name, count) -> {
            int other = builder.column(name, name, count.unit(), ValueKind.DELTA, "");
            set(builder, other, system, count.value());
        });
    }

    private void tell(String source, long span) {
        long begin = startNanos + elapsed;
        SampleBuilder builder = builders.get(source);
        if (span < intervalNanos) {
            builder.flag(Flag.PARTIAL_SPAN);
        }
        Sample sample = builder.build(begin, begin + span, 0, 0);
        sample.setRunId(started.getRunId());
        sample.setSource(source);
        sample.setSequence(sequences.merge(source, 1L, Long::sum));
        told.add(sample);
        samples++;
    }

    private void gauge(SampleBuilder builder, int scope, String metric, String raw, String unit, long value) {
        int column = builder.column(metric, raw, unit, ValueKind.GAUGE, "");
        set(builder, column, scope, value);
    }

    private void rate(SampleBuilder builder, int scope, String metric, String raw, String unit, long count, long span) {
        int column = builder.column(metric, raw, unit, ValueKind.RATE, "");
        long perSecond = StrictMath.round(count * (double) SECOND / span);
        set(builder, column, scope, perSecond);
    }

    /** Each share is rounded by itself, as vmstat does, so their sum can miss 100 by a little. */
    private void share(SampleBuilder builder, int scope, String metric, String raw, long nanos, long of) {
        int column = builder.column(metric, raw, "%", ValueKind.SHARE, "");
        set(builder, column, scope, (100 * nanos + of / 2) / of);
    }

    private void set(SampleBuilder builder, int column, int scope, long value) {
        builder.set(column, scope, value, 0, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
        values++;
    }

    private static int event(SampleBuilder builder, String name) {
        return count(builder, name, name);
    }

    private static int count(SampleBuilder builder, String metric, String raw) {
        return builder.column(metric, raw, ONE, ValueKind.DELTA, "");
    }

    private void put(SampleBuilder builder, int column, int scope, long value) {
        builder.set(column, scope, value, 0, SampleBuilder.ALWAYS, SampleBuilder.UNKNOWN);
        values++;
    }

    private static long sum(long[] array) {
        return Arrays.stream(array).sum();
    }

    @Override
    public RunFinished finished() {
        if (!over) {
            throw new IllegalStateException("run " + started.getRunId() + " is not over");
        }
        RunFinished end = new RunFinished();
        end.setRunId(started.getRunId());
        end.setLastSequence(new LinkedHashMap<>(sequences));
        end.setStartNanos(startNanos);
        end.setEndNanos(startNanos + elapsed);
        end.setSamples(samples);
        end.setValues(values);
        end.setComplete(elapsed == durationNanos);
        return end;
    }

    /** Nothing to let go of. */
    @Override
    public void close() {
        // the machine is memory only
    }
}
