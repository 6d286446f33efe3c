package io.farnode.streams.window;

import io.farnode.contract.Signal;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which events of which tools make which signal. For each signal the first rule whose events the run has is used, so the
 * better source stands first.
 *
 * <p>Sources: x86 {@code node-loads} and {@code node-load-misses} are two different things before and since Haswell
 * (arch/x86/events/intel/core.c: on Nehalem loads are local plus remote, since Haswell loads are local only);
 * {@code mem_load_*} events from Intel's SDM; HiSilicon home agents from Documentation/admin-guide/perf/hisi-pmu.rst, where
 * {@code rx_ops_num} counts all operations a home agent received and {@code rx_outer} those from another socket.
 */
final class SignalTable {
    private static final Pattern LOADS_INCLUDE_REMOTE =
            Pattern.compile("nehalem|westmere|sandy ?bridge|ivy ?bridge|jaketown|ivytown", Pattern.CASE_INSENSITIVE);
    /** perf's event modifiers (man perf-list), as printed behind the name; events with other modifiers stay apart. */
    private static final String MODIFIERS = "(:[a-zA-Z]+)?";

    private static final Set<ValueKind> COUNTS = EnumSet.of(ValueKind.DELTA);
    private static final Set<ValueKind> RATES = EnumSet.of(ValueKind.RATE);
    private static final Set<ValueKind> SHARES = EnumSet.of(ValueKind.SHARE);

    private SignalTable() {}

    /** How a signal follows from its events. */
    enum Formula {
        /** Sum of the numerator's events per second. */
        RATE,
        /** Sum of the numerator over sum of the denominator. */
        RATIO,
        /** One minus the numerator's per cents. */
        BUSY
    }

    /**
     * An event by its name. What the pattern's groups match tells instances apart: the PMU of an event that several
     * PMUs have, or the event's modifier. Ratios use only instances that have all events.
     *
     * @param name pattern of the whole metric name
     * @param kinds kinds of numbers taken
     * @param tools tools taken; empty = all
     * @param everySource whether sources are added up (clients of a workload); otherwise the first one that has it is
     *     taken, as two perf processes may well count the same events
     */
    record Event(Pattern name, Set<ValueKind> kinds, Set<Tool> tools, boolean everySource) {}

    /**
     * A way to get a signal.
     *
     * @param signal the signal
     * @param unit its unit
     * @param formula how it follows
     * @param numerator events added up
     * @param denominator events added up below the line; empty unless a ratio
     */
    record Rule(Signal signal, String unit, Formula formula, List<Event> numerator, List<Event> denominator) {}

    /** {@return the rules for a run, best first for each signal} */
    static List<Rule> rules(RunStarted run) {
        List<Rule> rules = new ArrayList<>();
        rules.add(rate(Signal.INTERRUPTS, event("interrupts", RATES)));
        rules.add(rate(Signal.INTERRUPTS_DEVICE, perf("irq:irq_handler_entry")));

        Event nodeLoads = perf("node-loads");
        Event nodeMisses = perf("node-load-misses");
        rules.add(ratio(
                Signal.REMOTE_ACCESS_RATIO,
                List.of(nodeMisses),
                loadsIncludeRemote(run) ? List.of(nodeLoads) : List.of(nodeLoads, nodeMisses)));
        Event localDram = perf("mem_load_(?:uops_)?l3_miss_retired\\.local_dram");
        Event remoteDram = perf("mem_load_(?:uops_)?l3_miss_retired\\.remote_dram");
        rules.add(ratio(Signal.REMOTE_ACCESS_RATIO, List.of(remoteDram), List.of(localDram, remoteDram)));
        rules.add(ratio(
                Signal.REMOTE_ACCESS_RATIO,
                List.of(perf("(hisi_sccl\\d+_hha\\d+)/rx_outer/")),
                List.of(perf("(hisi_sccl\\d+_hha\\d+)/rx_ops_num/"))));
        rules.add(ratio(
                Signal.REMOTE_ACCESS_RATIO,
                List.of(perf("uncore_hisi_hha\\.rx_outer")),
                List.of(perf("uncore_hisi_hha\\.rx_ops_num"))));

        String operation = run.getThroughputUnit().isEmpty() ? "op" : run.getThroughputUnit();
        rules.add(new Rule(
                Signal.THROUGHPUT,
                operation + "/s",
                Formula.RATE,
                List.of(new Event(Pattern.compile("operations"), COUNTS, EnumSet.of(Tool.WORKLOAD), true)),
                List.of()));
        if (!run.getOperationEvent().isEmpty()) {
            rules.add(new Rule(
                    Signal.THROUGHPUT,
                    operation + "/s",
                    Formula.RATE,
                    List.of(event(Pattern.quote(run.getOperationEvent()), COUNTS)),
                    List.of()));
        }

        rules.add(rate(Signal.CONTEXT_SWITCHES, event("context\\.switches", RATES)));
        rules.add(rate(Signal.CONTEXT_SWITCHES, event("context\\.switches", COUNTS)));
        rules.add(rate(Signal.CONTEXT_SWITCHES, perf("context-switches|cs")));
        rules.add(new Rule(
                Signal.CPU_BUSY,
                Signal.CPU_BUSY.unit(),
                Formula.BUSY,
                List.of(event("cpu\\.idle", SHARES), event("cpu\\.iowait", SHARES)),
                List.of()));
        rules.add(
                ratio(Signal.INSTRUCTIONS_PER_CYCLE, List.of(perf("instructions")), List.of(perf("(?:cpu-)?cycles"))));
        rules.add(ratio(
                Signal.FRONTEND_STALLS,
                List.of(perf("(?:stalled|idle)-cycles-frontend")),
                List.of(perf("(?:cpu-)?cycles"))));
        rules.add(rate(Signal.REMOTE_PAGES, event("(?:numa\\.|numastat\\.)?other[._]node", COUNTS)));
        return rules;
    }

    private static boolean loadsIncludeRemote(RunStarted run) {
        return LOADS_INCLUDE_REMOTE
                .matcher(run.getMachine().getCpuModel().toLowerCase(Locale.ROOT))
                .find();
    }

    private static Rule rate(Signal signal, Event event) {
        return new Rule(signal, signal.unit(), Formula.RATE, List.of(event), List.of());
    }

    private static Rule ratio(Signal signal, List<Event> numerator, List<Event> denominator) {
        return new Rule(signal, signal.unit(), Formula.RATIO, numerator, denominator);
    }

    private static Event event(String pattern, Set<ValueKind> kinds) {
        return new Event(Pattern.compile(pattern), kinds, EnumSet.noneOf(Tool.class), false);
    }

    private static Event perf(String pattern) {
        return event("(?:" + pattern + ")" + MODIFIERS, COUNTS);
    }
}
