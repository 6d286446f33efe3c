package io.farnode.producer.capture;

import io.farnode.telemetry.ValueKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The one table of canonical metric names. What it does not name keeps the tool's own name.
 *
 * <p>Two tools share a name only where they count the same thing: context switches do; vmstat's {@code in} (all
 * interrupts of /proc/stat) and perf's {@code irq:irq_handler_entry} (device handlers only) do not.
 */
public final class MetricNames {
    /** Context switches: vmstat {@code cs} as a rate, perf {@code context-switches} as a count. */
    public static final String CONTEXT_SWITCHES = "context.switches";

    /** All interrupts of /proc/stat: vmstat {@code in}. */
    public static final String INTERRUPTS = "interrupts";

    /** Unit of a plain count. */
    public static final String ONE = "1";

    /**
     * How a column of vmstat is to be understood.
     *
     * @param metric canonical name
     * @param kind kind of number
     * @param unit unit; for scaled columns the one vmstat uses unless told otherwise
     * @param scaled whether {@code vmstat -S} changes the unit, which the output does not say
     */
    public record VmstatColumn(String metric, ValueKind kind, String unit, boolean scaled) {}

    private static final Map<String, VmstatColumn> VMSTAT = vmstatColumns();
    private static final Map<String, String> TRANSLATED = translatedNames();

    private MetricNames() {}

    /**
     * {@return how a column of vmstat is to be understood; nothing for a column that is not in the table}
     *
     * @param name the name as printed, also in the translations of procps-ng
     */
    public static Optional<VmstatColumn> vmstat(String name) {
        VmstatColumn column = VMSTAT.get(name);
        return Optional.ofNullable(column != null ? column : VMSTAT.get(original(name)));
    }

    /** {@return the whole table of vmstat, by the names vmstat(8) gives} */
    public static Map<String, VmstatColumn> vmstat() {
        return Collections.unmodifiableMap(VMSTAT);
    }

    /**
     * {@return the canonical name of a perf event}
     *
     * @param event the name as printed, modifiers included
     */
    public static String perf(String event) {
        return event.equals("context-switches") || event.equals("cs") ? CONTEXT_SWITCHES : event;
    }

    /**
     * {@return the unit of a perf count: "1" when none is printed, "ms" for perf's "msec", else as printed}
     *
     * @param unit the unit as printed
     */
    public static String perfUnit(String unit) {
        return switch (unit) {
            case "" -> ONE;
            case "msec" -> "ms";
            default -> unit;
        };
    }

    private static String original(String name) {
        return TRANSLATED.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    private static Map<String, VmstatColumn> vmstatColumns() {
        Map<String, VmstatColumn> table = new LinkedHashMap<>();
        table.put("r", new VmstatColumn("procs.running", ValueKind.GAUGE, ONE, false));
        table.put("b", new VmstatColumn("procs.blocked", ValueKind.GAUGE, ONE, false));
        table.put("swpd", new VmstatColumn("memory.swapped", ValueKind.GAUGE, "KiB", true));
        table.put("free", new VmstatColumn("memory.free", ValueKind.GAUGE, "KiB", true));
        table.put("buff", new VmstatColumn("memory.buffers", ValueKind.GAUGE, "KiB", true));
        table.put("cache", new VmstatColumn("memory.cache", ValueKind.GAUGE, "KiB", true));
        table.put("inact", new VmstatColumn("memory.inactive", ValueKind.GAUGE, "KiB", true));
        table.put("active", new VmstatColumn("memory.active", ValueKind.GAUGE, "KiB", true));
        table.put("si", new VmstatColumn("swap.in", ValueKind.RATE, "KiB/s", true));
        table.put("so", new VmstatColumn("swap.out", ValueKind.RATE, "KiB/s", true));
        table.put("bi", new VmstatColumn("block.in", ValueKind.RATE, "KiB/s", false));
        table.put("bo", new VmstatColumn("block.out", ValueKind.RATE, "KiB/s", false));
        table.put("in", new VmstatColumn(INTERRUPTS, ValueKind.RATE, "/s", false));
        table.put("cs", new VmstatColumn(CONTEXT_SWITCHES, ValueKind.RATE, "/s", false));
        table.put("us", new VmstatColumn("cpu.user", ValueKind.SHARE, "%", false));
        table.put("sy", new VmstatColumn("cpu.system", ValueKind.SHARE, "%", false));
        table.put("id", new VmstatColumn("cpu.idle", ValueKind.SHARE, "%", false));
        table.put("wa", new VmstatColumn("cpu.iowait", ValueKind.SHARE, "%", false));
        table.put("st", new VmstatColumn("cpu.steal", ValueKind.SHARE, "%", false));
        table.put("gu", new VmstatColumn("cpu.guest", ValueKind.SHARE, "%", false));
        return table;
    }

    /**
     * Column names of vmstat in the languages of procps-ng 4.0.2 that differ from the English ones. Left out: Korean
     * si/so/bi/bo, where two columns have the same name.
     */
    private static Map<String, String> translatedNames() {
        Map<String, String> names = new LinkedHashMap<>();
        String[][] table = {
            {"r", "dz", "k"},
            {"b", "bl"},
            {"swpd", "스왑", "swap", "växl", "交换"},
            {"free", "frei", "libre", "თავისუფალია", "가용", "wolna", "livre", "liber", "fritt", "trống", "空闲"},
            {"inact", "inakt", "비활", "nieakt", "inativ", "不活动"},
            {"active", "aktiv", "activo", "actif", "აქტიური", "활성", "akt", "ativo", "activă", "aktivt", "активно"},
            {"active", "hđộng", "活动"},
            {"buff", "búf", "tampon", "버퍼", "bufor", "缓冲"},
            {"cache", "cache", "caché", "캐시", "кеш", "nhớtạm", "缓存"},
            {"si", "sin", "vi"},
            {"so", "vu"},
            {"bi", "bin"},
            {"bo", "bu"},
            {"in", "avb"},
            {"cs", "ktxb"},
            {"us", "uż", "an"},
            {"id", "be", "ia"},
            {"wa", "io", "vä"},
            {"st", "sk"},
            {"gu", "go", "gä"}
        };
        for (String[] row : table) {
            for (int i = 1; i < row.length; i++) {
                names.put(row[i], row[0]);
            }
        }
        return names;
    }
}
