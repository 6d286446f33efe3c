package io.farnode.producer.machine.workload;

import io.farnode.contract.SampleBuilder;
import io.farnode.contract.Scope;
import io.farnode.producer.Run;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.policy.LpiBalance;
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
import java.util.Map;

/**
 * A run of the simulated machine, told as vmstat, perf and the workload itself would tell it.
 *
 * <p>Sources, one sample of each an interval: {@code vmstat}, a row of {@code vmstat}; {@code perf}, an interval of
 * {@code perf stat -a -A} with the counts of every CPU; {@code uncore}, the home agents' counters of every node and their
 * sum, if the machine has such agents; {@code workload}, the operations done.
 *
 * <p>What the columns hold: {@code in} is device interrupts and timer ticks of all CPUs (on arm64 no IPIs). Idle time
 * counts as {@code wa} when the CPU's reader sleeps in a synchronous read (depth 1), else as {@code id}. {@code sy} holds
 * hard interrupts, irq threads and the readers' time in the kernel. {@code irq:irq_handler_entry} counts ticks too where
 * the kernel traces the timer's handler.
 */
public final class SimulatedRun implements Run {
    private static final String VMSTAT = "vmstat";
    private static final String PERF = "perf";
    private static final String UNCORE = "uncore";
    private static final String WORKLOAD = "workload";
    private static final String ONE = "1";
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST_WARM_UP = 10 * SECOND;

    private final Machine machine;
    private final NvmeReads load;
    private final RunStarted started;
    private final long startNanos;
    private final long durationNanos;
    private final long intervalNanos;
    private final long warmUpNanos;
    private final long blockKib;
    private final double userShare;
    private final boolean synchronous;
    private final Map<String, SampleBuilder> builders = new LinkedHashMap<>();
    private final Map<String, Long> sequences = new LinkedHashMap<>();
    private final Deque<Sample> told = new ArrayDeque<>();

    private long elapsed;
    private long samples;
    private long values;
    private boolean over;

    private SimulatedRun(Scenario scenario, RunLabels labels) {
        DataFile settings = scenario.settings();
        machine = scenario.machine();
        load = new NvmeReads(machine, LpiBalance.named(scenario.policy()), settings);
        startNanos = Math.addExact(
                Math.multiplyExact(scenario.start().getEpochSecond(), SECOND),
                scenario.start().getNano());
        durationNanos = scenario.duration().toNanos();
        intervalNanos = scenario.interval().toNanos();
        warmUpNanos = warmUp(settings);
        blockKib = settings.whole("block-kib", 1, 1024);
        userShare = userShare(settings);
        synchronous = settings.whole("depth", 1, 1024) == 1;
        builders.put(VMSTAT, new SampleBuilder(Tool.VMSTAT));
        builders.put(PERF, new SampleBuilder(Tool.PERF_STAT));
        if (!machine.homeAgentsOf(0).isEmpty()) {
            builders.put(UNCORE, new SampleBuilder(Tool.PERF_STAT));
        }
        builders.put(WORKLOAD, new SampleBuilder(Tool.WORKLOAD));
        builders.keySet().forEach(source -> sequences.put(source, 0L));
        started = begin(scenario, labels);
        load.advance(warmUpNanos);
        load.look();
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
        return new SimulatedRun(scenario, labels);
    }

    /** Simulated time before the first interval, ns; its user may have got it wrong. */
    static long warmUp(DataFile settings) {
        return settings.span("warm-up", 0, LONGEST_WARM_UP);
    }

    /** Part of a reader's CPU time in user mode; its user may have got it wrong. */
    static double userShare(DataFile settings) {
        return settings.number("user-share", 0, 1);
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
        begun.setThroughputUnit("IO");
        begun.setOperationEvent("block:block_rq_complete");
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

    @Override
    public Sample next() {
        if (told.isEmpty() && elapsed < durationNanos) {
            long span = Math.min(intervalNanos, durationNanos - elapsed);
            load.advance(warmUpNanos + elapsed + span);
            tellVmstat(span);
            tellPerf(span);
            if (builders.containsKey(UNCORE)) {
                tellUncore(span);
            }
            tellWorkload(span);
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
        long reader = sum(load.readerNanos());
        long user = StrictMath.round(reader * userShare);
        long kernel = reader - user + sum(load.threadNanos()) + sum(load.hardNanos());
        long wait = 0;
        for (int cpu = 0; cpu < machine.cpus() && synchronous; cpu++) {
            wait += load.hasReader(cpu) ? load.idleNanos()[cpu] : 0;
        }
        long idle = sum(load.idleNanos()) - wait;

        gauge(builder, system, "procs.running", "r", ONE, load.runnable());
        gauge(builder, system, "procs.blocked", "b", ONE, synchronous ? load.waiting() : 0);
        gauge(builder, system, "memory.swapped", "swpd", "KiB", 0);
        gauge(builder, system, "memory.free", "free", "KiB", machine.memoryFreeKib());
        gauge(builder, system, "memory.buffers", "buff", "KiB", machine.memoryBufferKib());
        gauge(builder, system, "memory.cache", "cache", "KiB", machine.memoryCacheKib());
        rate(builder, system, "swap.in", "si", "KiB/s", 0, span);
        rate(builder, system, "swap.out", "so", "KiB/s", 0, span);
        rate(builder, system, "block.in", "bi", "KiB/s", load.finished() * blockKib, span);
        rate(builder, system, "block.out", "bo", "KiB/s", 0, span);
        rate(builder, system, "interrupts", "in", "/s", sum(load.interrupts()) + sum(load.ticks()), span);
        rate(builder, system, "context.switches", "cs", "/s", sum(load.switches()), span);
        share(builder, system, "cpu.user", "us", user, cpuNanos);
        share(builder, system, "cpu.system", "sy", kernel, cpuNanos);
        share(builder, system, "cpu.idle", "id", idle, cpuNanos);
        share(builder, system, "cpu.iowait", "wa", wait, cpuNanos);
        share(builder, system, "cpu.steal", "st", 0, cpuNanos);
        tell(VMSTAT, span);
    }

    private void tellPerf(long span) {
        SampleBuilder builder = builders.get(PERF);
        int handlers = event(builder, "irq:irq_handler_entry");
        int issues = event(builder, "block:block_rq_issue");
        int completions = event(builder, "block:block_rq_complete");
        int switches = count(builder, "context.switches", "context-switches");
        int cycles = event(builder, "cycles");
        for (int cpu = 0; cpu < machine.cpus(); cpu++) {
            int scope = builder.scope(Scope.cpu(cpu).toString());
            long ticks = machine.ticksTraced() ? load.ticks()[cpu] : 0;
            long busy = load.readerNanos()[cpu] + load.threadNanos()[cpu] + load.hardNanos()[cpu];
            put(builder, handlers, scope, load.interrupts()[cpu] + ticks);
            put(builder, issues, scope, load.issues()[cpu]);
            put(builder, completions, scope, load.completions()[cpu]);
            put(builder, switches, scope, load.switches()[cpu]);
            put(builder, cycles, scope, busy * machine.clockMhz() / 1_000);
        }
        tell(PERF, span);
    }

    /** Home agents of a node share its lines evenly; an odd line goes to the first of them. */
    private void tellUncore(long span) {
        SampleBuilder builder = builders.get(UNCORE);
        int system = builder.scope(Scope.SYSTEM.toString());
        long[][] lines = load.accesses();
        for (int home = 0; home < machine.nodes(); home++) {
            long all = 0;
            long otherDie = 0;
            long otherSocket = 0;
            for (int from = 0; from < machine.nodes(); from++) {
                long count = lines[from][home];
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
                    put(builder, event(builder, unit + "/rx_ops_num/"), where, part(all, agent, agents.size()));
                    put(builder, event(builder, unit + "/rx_sccl/"), where, part(otherDie, agent, agents.size()));
                    put(builder, event(builder, unit + "/rx_outer/"), where, part(otherSocket, agent, agents.size()));
                }
            }
        }
        tell(UNCORE, span);
    }

    private static long part(long all, int index, int of) {
        return all / of + (index < all % of ? 1 : 0);
    }

    private void tellWorkload(long span) {
        SampleBuilder builder = builders.get(WORKLOAD);
        int column = builder.column("operations", "operations", ONE, ValueKind.DELTA, "");
        builder.set(
                column,
                builder.scope(Scope.SYSTEM.toString()),
                load.finished(),
                0,
                SampleBuilder.UNKNOWN,
                SampleBuilder.UNKNOWN);
        values++;
        tell(WORKLOAD, span);
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
        builder.set(column, scope, value, 0, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
        values++;
    }

    private void rate(SampleBuilder builder, int scope, String metric, String raw, String unit, long count, long span) {
        int column = builder.column(metric, raw, unit, ValueKind.RATE, "");
        long perSecond = StrictMath.round(count * (double) SECOND / span);
        builder.set(column, scope, perSecond, 0, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
        values++;
    }

    /** Each share is rounded by itself, as vmstat does, so their sum can miss 100 by a little. */
    private void share(SampleBuilder builder, int scope, String metric, String raw, long nanos, long of) {
        int column = builder.column(metric, raw, "%", ValueKind.SHARE, "");
        builder.set(column, scope, (100 * nanos + of / 2) / of, 0, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
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
