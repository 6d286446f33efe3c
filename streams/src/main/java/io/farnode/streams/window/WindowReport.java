package io.farnode.streams.window;

import io.farnode.contract.Scope;
import io.farnode.contract.Signal;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.ValueKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;

/**
 * Turns the sums of a window into its result: each event under its own name, and the signals of the {@link SignalTable}.
 *
 * <p>Counts become a rate over the time their readings cover; levels, rates and shares a mean weighted by time. What has
 * no value is left out, scope by scope: a result never holds NaN, infinity, or a zero that nobody measured. A whole
 * (node, system) is added up from its CPUs only when the tool did not report it and every CPU that the run has seen has a
 * value; its coverage is then that of the CPU covered least. Ratios are ratios of such sums, never means of ratios.
 *
 * <p>Plans once which sums go where, and again when the run's dictionary has grown. Not safe for use by several threads.
 */
public final class WindowReport {
    /** What stands before the tool's own name of an event in {@link WindowSeries#getName()}. */
    public static final String EVENT_PREFIX = "event:";

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double[] POWERS = new double[19];

    static {
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = Double.parseDouble("1e" + i);
        }
    }

    private final RunStarted run;
    private final SeriesDictionary dictionary;
    private final List<SignalTable.Rule> rules;
    private int planned = -1;
    private List<String> scopes = List.of(Scope.SYSTEM.text());
    private List<EventPlan> events = List.of();
    private List<SignalPlan> signals = List.of();

    /**
     * A report on the windows of one run.
     *
     * @param run how the run began
     * @param dictionary its series; may grow between calls
     */
    public WindowReport(RunStarted run, SeriesDictionary dictionary) {
        this.run = run;
        this.dictionary = dictionary;
        this.rules = SignalTable.rules(run);
    }

    /**
     * Makes the result of a window.
     *
     * @param window its sums
     * @param startNanos its start, ns since 1970
     * @param endNanos its end, exclusive, ns since 1970
     * @param sizeNanos size to be stated: the windows' size, or 0 for the whole run
     * @param threshold least coverage of a complete window, 0..1
     * @return the result
     */
    public WindowResult report(byte[] window, long startNanos, long endNanos, long sizeNanos, double threshold) {
        if (planned != dictionary.size()) {
            plan();
            planned = dictionary.size();
        }
        long span = Math.max(1, endNanos - startNanos);
        double coverage = 1;
        for (int source = 0; source < Accumulators.sources(window); source++) {
            coverage = Math.min(coverage, (double) Accumulators.sourceCovered(window, source) / span);
        }
        List<WindowSeries> ofEvents = new ArrayList<>(events.size() + signals.size());
        for (EventPlan event : events) {
            event.evaluate(window, span);
        }
        for (SignalPlan signal : signals) {
            WindowSeries series = signal.evaluate();
            if (series != null) {
                ofEvents.add(series);
            }
        }
        for (EventPlan event : events) {
            WindowSeries series = event.series(scopes.size());
            if (series != null) {
                ofEvents.add(series);
            }
        }
        return new WindowResult(
                run.getRunId(),
                startNanos,
                endNanos,
                sizeNanos,
                coverage,
                coverage >= threshold,
                Accumulators.samples(window),
                scopes,
                ofEvents);
    }

    private void plan() {
        int[] cpuNode = run.getMachine().getCpuNode().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < dictionary.size(); i++) {
            seen.add(dictionary.get(i).scope());
        }
        Set<String> all = new TreeSet<>(SCOPE_ORDER);
        all.add(Scope.SYSTEM.text());
        for (String scope : seen) {
            all.add(scope);
            int node = nodeOf(scope, cpuNode);
            if (node >= 0) {
                all.add(Scope.node(node).text());
            }
        }
        scopes = List.copyOf(all);
        Parts parts = new Parts(scopes, cpuNode);

        Map<SeriesId, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < dictionary.size(); i++) {
            SeriesId id = dictionary.get(i);
            SeriesId group = new SeriesId(
                    id.source(), id.metric(), id.unit(), id.kind(), id.dimension(), Scope.SYSTEM.text(), 0);
            groups.computeIfAbsent(group, g -> new ArrayList<>()).add(i);
        }
        List<Map.Entry<SeriesId, List<Integer>>> ordered = new ArrayList<>(groups.entrySet());
        // in order of sources, so that the first source's events carry the plain names
        ordered.sort(Comparator.comparingInt(entry -> entry.getKey().source()));
        Set<String> names = new HashSet<>();
        events = new ArrayList<>();
        for (Map.Entry<SeriesId, List<Integer>> group : ordered) {
            SeriesId id = group.getKey();
            String name = EVENT_PREFIX + id.metric() + (id.dimension().isEmpty() ? "" : "{" + id.dimension() + "}");
            if (names.contains(name)) {
                name += "@" + run.getSources().get(id.source()).getName();
            }
            if (names.contains(name)) {
                name += "[" + id.unit() + "]";
            }
            names.add(name);
            events.add(new EventPlan(id, name, group.getValue(), parts, dictionary));
        }

        signals = new ArrayList<>();
        Set<Signal> have = new HashSet<>();
        for (SignalTable.Rule rule : rules) {
            if (!have.contains(rule.signal())) {
                SignalPlan plan = SignalPlan.of(rule, events, run, parts);
                if (plan != null) {
                    have.add(rule.signal());
                    signals.add(plan);
                    if (rule.signal() == Signal.INTERRUPTS_DEVICE) {
                        signals.add(plan.imbalance());
                    }
                }
            }
        }
    }

    /** For coverages, which are never NaN nor negative nought: half the cost of Math.min, which minds both. */
    private static double smaller(double a, double b) {
        return a < b ? a : b;
    }

    private static int nodeOf(String scope, int[] cpuNode) {
        Scope parsed = parse(scope);
        if (parsed != null && parsed.kind() == Scope.Kind.CPU && parsed.number() < cpuNode.length) {
            return cpuNode[parsed.number()];
        }
        return -1;
    }

    private static Scope parse(String text) {
        try {
            return Scope.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** System, nodes, ..., CPUs, each kind by its numbers; what is no scope of ours at the end. */
    private static final Comparator<String> SCOPE_ORDER = Comparator.<String>comparingInt(text -> {
                Scope scope = parse(text);
                return scope == null ? Scope.Kind.values().length : scope.kind().ordinal();
            })
            .thenComparing(WindowReport::padded)
            .thenComparing(Comparator.naturalOrder());

    private static String padded(String text) {
        StringBuilder padded = new StringBuilder();
        int digits = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                digits++;
            } else {
                for (; digits > 0 && digits < 10; digits++) {
                    padded.append('0');
                }
                digits = 0;
            }
            padded.append(c);
        }
        return padded.reverse().toString();
    }

    /** Which scopes make up which whole. */
    private static final class Parts {
        private static final List<Scope.Kind> LEVELS =
                List.of(Scope.Kind.CPU, Scope.Kind.CORE, Scope.Kind.DIE, Scope.Kind.NODE, Scope.Kind.SOCKET);

        private final Map<String, Integer> index = new HashMap<>();
        private final Scope.Kind[] kinds;
        /** Position of the node a CPU belongs to, or -1. */
        private final int[] nodeOf;

        Parts(List<String> scopes, int[] cpuNode) {
            kinds = new Scope.Kind[scopes.size()];
            nodeOf = new int[scopes.size()];
            for (int i = 0; i < kinds.length; i++) {
                index.put(scopes.get(i), i);
                Scope scope = parse(scopes.get(i));
                kinds[i] = scope == null ? null : scope.kind();
            }
            for (int i = 0; i < kinds.length; i++) {
                int node = WindowReport.nodeOf(scopes.get(i), cpuNode);
                nodeOf[i] = node < 0 ? -1 : index.get(Scope.node(node).text());
            }
        }

        int size() {
            return kinds.length;
        }

        /** The parts the system is made of: those of the finest level that is reported. Parts are never nested. */
        private int[] ofSystem(boolean[] reported) {
            if (reported[0]) {
                return new int[0];
            }
            for (Scope.Kind level : LEVELS) {
                int[] parts = positions(reported, i -> kinds[i] == level);
                if (parts.length > 0) {
                    return parts;
                }
            }
            return new int[0];
        }

        /** The parts of the system or of a node; none for anything else, or when the whole itself is reported. */
        int[] ofWhole(int position, boolean[] reported) {
            if (position == 0) {
                return ofSystem(reported);
            }
            return kinds[position] != Scope.Kind.NODE || reported[position]
                    ? new int[0]
                    : positions(reported, i -> nodeOf[i] == position);
        }

        private int[] positions(boolean[] reported, IntPredicate wanted) {
            int[] found = new int[reported.length];
            int count = 0;
            for (int i = 0; i < reported.length; i++) {
                if (reported[i] && wanted.test(i)) {
                    found[count++] = i;
                }
            }
            return Arrays.copyOf(found, count);
        }
    }

    /** One event of one source over its scopes. Evaluated once a window; signals read what it found. */
    private static final class EventPlan {
        private final SeriesId id;
        private final String name;
        private final String unit;
        private final boolean counts;
        private final int scale;
        /** Positions of the scopes reported, ascending. */
        private final int[] scope;
        /** Series of each scope: numbers[from[i]..from[i + 1]), with their decimal places. */
        private final int[] from;

        private final int[] numbers;
        private final int[] scales;
        /** Positions of the scopes in the result, ascending: those reported, and wholes added up from CPUs. */
        private final int[] rows;
        /** For each row, places in scope of what it consists of: itself, or the parts of a whole. */
        private final int[][] parts;

        private final double[] value;
        private final double[] coverage;
        private final long[] sum;
        private final boolean[] present;
        /** What turns a sum over the whole window into a rate. */
        private double wholeDivisor;

        EventPlan(SeriesId id, String name, List<Integer> series, Parts scopes, SeriesDictionary dictionary) {
            this.id = id;
            this.name = name;
            this.counts = id.kind() == ValueKind.DELTA;
            this.unit = resultUnit(id);
            List<Integer> sorted = new ArrayList<>(series);
            sorted.sort(Comparator.<Integer>comparingInt(
                            n -> scopes.index.get(dictionary.get(n).scope()))
                    .thenComparingInt(n -> n));
            numbers = sorted.stream().mapToInt(Integer::intValue).toArray();
            scales = Arrays.stream(numbers).map(n -> dictionary.get(n).scale()).toArray();
            scale = Arrays.stream(scales).max().orElse(0);
            int[] positions = Arrays.stream(numbers)
                    .map(n -> scopes.index.get(dictionary.get(n).scope()))
                    .toArray();
            scope = Arrays.stream(positions).distinct().toArray();
            from = new int[scope.length + 1];
            int at = 0;
            for (int i = 0; i < scope.length; i++) {
                from[i] = at;
                while (at < positions.length && positions[at] == scope[i]) {
                    at++;
                }
            }
            from[scope.length] = at;
            boolean[] reported = new boolean[scopes.size()];
            for (int position : scope) {
                reported[position] = true;
            }
            int[] rowsFound = new int[scopes.size()];
            int[][] partsFound = new int[scopes.size()][];
            int count = 0;
            for (int position = 0; position < reported.length; position++) {
                int[] of = reported[position]
                        ? new int[] {position}
                        : counts ? scopes.ofWhole(position, reported) : new int[0];
                if (of.length > 0) {
                    rowsFound[count] = position;
                    partsFound[count++] = Arrays.stream(of)
                            .map(part -> Arrays.binarySearch(scope, part))
                            .toArray();
                }
            }
            rows = Arrays.copyOf(rowsFound, count);
            parts = Arrays.copyOf(partsFound, count);
            value = new double[scope.length];
            coverage = new double[scope.length];
            sum = new long[scope.length];
            present = new boolean[scope.length];
        }

        void evaluate(byte[] window, long span) {
            int known = Accumulators.series(window);
            wholeDivisor = POWERS[scale] * (span / NANOS_PER_SECOND);
            for (int i = 0; i < scope.length; i++) {
                int first = from[i];
                if (from[i + 1] - first == 1
                        && numbers[first] < known
                        && scales[first] == scale
                        && Accumulators.fitsLong(window, numbers[first])) {
                    long covered = Accumulators.covered(window, numbers[first]);
                    long low = Accumulators.lowSum(window, numbers[first]);
                    put(i, low, low, covered, span);
                } else {
                    evaluateSlowly(window, span, i, known);
                }
            }
        }

        private void put(int i, long exact, double approximate, long covered, long span) {
            coverage[i] = covered >= span ? 1 : (double) covered / span;
            sum[i] = exact;
            if (counts) {
                // counts at instants cover nothing: they are spread over the window
                double divisor =
                        covered == span || covered == 0 ? wholeDivisor : POWERS[scale] * (covered / NANOS_PER_SECOND);
                value[i] = approximate / divisor;
                present[i] = covered > 0 || exact != 0;
            } else {
                value[i] = approximate / POWERS[scale] / covered;
                present[i] = covered > 0;
            }
        }

        private void evaluateSlowly(byte[] window, long span, int i, int known) {
            BigInteger total = BigInteger.ZERO;
            long covered = 0;
            for (int p = from[i]; p < from[i + 1]; p++) {
                if (numbers[p] < known) {
                    covered += Accumulators.covered(window, numbers[p]);
                    total = total.add(
                            Accumulators.sum(window, numbers[p]).multiply(BigInteger.TEN.pow(scale - scales[p])));
                }
            }
            boolean fits = total.bitLength() < Long.SIZE;
            put(i, fits ? total.longValue() : 0, new BigDecimal(total).doubleValue(), covered, span);
            // a count that 64 bits cannot hold is no exact sum
            present[i] &= fits || !counts;
        }

        WindowSeries series(int scopeCount) {
            Rows result = new Rows(rows.length, counts);
            for (int row = 0; row < rows.length; row++) {
                int[] of = parts[row];
                if (of.length == 1) {
                    if (present[of[0]]) {
                        result.add(rows[row], value[of[0]], coverage[of[0]], sum[of[0]]);
                    }
                } else {
                    addWhole(result, rows[row], of);
                }
            }
            return result.count == 0 ? null : result.series(name, unit, id.kind(), counts ? scale : 0, scopeCount);
        }

        private void addWhole(Rows result, int position, int[] of) {
            Whole whole = new Whole();
            long total = 0;
            for (int part : of) {
                long added = total + sum[part];
                boolean overflow = ((total ^ added) & (sum[part] ^ added)) < 0;
                if (!present[part] || overflow) {
                    return;
                }
                total = added;
                whole.add(value[part], coverage[part]);
            }
            result.add(position, whole.rate(), whole.least, total);
        }

        /** Counts become counts per second; vmstat's bare "/s" means events. */
        private static String resultUnit(SeriesId id) {
            if (id.kind() == ValueKind.DELTA) {
                return id.unit() + "/s";
            }
            return id.unit().equals("/s") ? "1/s" : id.unit();
        }
    }

    /**
     * Rates of parts on their way to the rate of their whole. Parts that were covered for different times are not
     * extrapolated to a common one: the whole is what was counted, over the time of the part covered longest. So it is
     * the least that can have happened, it agrees with the exact sum, and its coverage, that of the part covered least,
     * says how far it can be relied on.
     */
    private static final class Whole {
        private double plain;
        private double counted;
        private double least = 1;
        private double most;

        void add(double rate, double coverage) {
            // counts at instants cover nothing and have been spread over the whole window
            double weight = coverage == 0 ? 1 : coverage;
            plain += rate;
            counted += rate * weight;
            least = smaller(least, coverage);
            most = Math.max(most, weight);
        }

        double rate() {
            return least == most || most == 0 ? plain : counted / most;
        }
    }

    /** Results of one series, growing; then as the lists of a record, without copies. */
    private static final class Rows {
        private final int[] scopes;
        private final double[] values;
        private final double[] coverage;
        private final long[] sums;
        private int count;
        private boolean covers = true;

        Rows(int capacity, boolean counts) {
            scopes = new int[capacity];
            values = new double[capacity];
            coverage = new double[capacity];
            sums = new long[counts ? capacity : 0];
        }

        void add(int scope, double value, double covered, long sum) {
            scopes[count] = scope;
            values[count] = value;
            coverage[count] = covered;
            if (sums.length > 0) {
                sums[count] = sum;
            }
            covers &= covered == 1;
            count++;
        }

        WindowSeries series(String name, String unit, ValueKind kind, int scale, int scopeCount) {
            // every scope once and in order, so as many as there are means all of them
            return new WindowSeries(
                    name,
                    unit,
                    kind,
                    scale,
                    count == scopeCount ? List.of() : new Numbers.Ints(scopes, count),
                    new Numbers.Doubles(values, count),
                    sums.length > 0 ? new Numbers.Longs(sums, count) : List.of(),
                    covers ? List.of() : new Numbers.Floats(coverage, count));
        }
    }

    /** Events added up over instances, for every scope, wholes included. */
    private static final class Term {
        private final List<EventPlan> events;
        private final boolean[] reported;
        private final boolean mean;
        private final int[] wholes;
        private final int[][] partsOf;
        private final double[] value;
        private final double[] coverage;
        private final boolean[] present;

        Term(List<EventPlan> events, Parts parts, boolean mean) {
            this.events = events;
            this.mean = mean;
            int size = parts.size();
            reported = new boolean[size];
            for (EventPlan event : events) {
                for (int position : event.scope) {
                    reported[position] = true;
                }
            }
            List<Integer> whole = new ArrayList<>();
            List<int[]> made = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int[] of = parts.ofWhole(i, reported);
                if (of.length > 0) {
                    whole.add(i);
                    made.add(of);
                }
            }
            wholes = whole.stream().mapToInt(Integer::intValue).toArray();
            partsOf = made.toArray(new int[0][]);
            value = new double[size];
            coverage = new double[size];
            present = new boolean[size];
        }

        void evaluate() {
            Arrays.fill(value, 0);
            Arrays.fill(coverage, 1);
            System.arraycopy(reported, 0, present, 0, present.length);
            for (EventPlan event : events) {
                for (int i = 0; i < event.scope.length; i++) {
                    int position = event.scope[i];
                    value[position] += event.value[i];
                    coverage[position] = smaller(coverage[position], event.coverage[i]);
                    present[position] &= event.present[i];
                }
            }
            for (int w = 0; w < wholes.length; w++) {
                int whole = wholes[w];
                Whole sum = new Whole();
                boolean complete = true;
                for (int part : partsOf[w]) {
                    sum.add(value[part], coverage[part]);
                    complete &= present[part];
                }
                value[whole] = mean ? sum.plain / partsOf[w].length : sum.rate();
                coverage[whole] = sum.least;
                present[whole] = complete;
            }
        }
    }

    /** One signal over all scopes. */
    private static final class SignalPlan {
        /** Parts the dimension and the groups of an event's name inside an instance. */
        private static final char GROUP = '|';

        private final Signal signal;
        private final String unit;
        private final SignalTable.Formula formula;
        private final Term numerator;
        private final Term denominator;
        private final Parts parts;
        private final boolean busiestOverMean;

        private SignalPlan(
                Signal signal,
                String unit,
                SignalTable.Formula formula,
                Term numerator,
                Term denominator,
                Parts parts,
                boolean busiestOverMean) {
            this.signal = signal;
            this.unit = unit;
            this.formula = formula;
            this.numerator = numerator;
            this.denominator = denominator;
            this.parts = parts;
            this.busiestOverMean = busiestOverMean;
        }

        /** The plan of a rule, or null if the run lacks its events. */
        static SignalPlan of(SignalTable.Rule rule, List<EventPlan> events, RunStarted run, Parts parts) {
            List<SignalTable.Event> wanted = new ArrayList<>(rule.numerator());
            wanted.addAll(rule.denominator());
            // instances that have every event
            Set<String> instances = null;
            for (SignalTable.Event event : wanted) {
                Set<String> of = found(event, events, run).keySet();
                if (instances == null) {
                    instances = new TreeSet<>(of);
                } else {
                    instances.retainAll(of);
                }
            }
            if (instances == null || instances.isEmpty()) {
                return null;
            }
            instances = outermost(instances);
            boolean mean = rule.formula() == SignalTable.Formula.BUSY;
            Term numerator = new Term(collect(rule.numerator(), events, run, instances), parts, mean);
            Term denominator = new Term(collect(rule.denominator(), events, run, instances), parts, mean);
            return new SignalPlan(rule.signal(), rule.unit(), rule.formula(), numerator, denominator, parts, false);
        }

        /**
         * The instances that are not part of another one: a cgroup inside a cgroup that is counted too, and an event
         * that the tool was asked to count twice.
         */
        private static Set<String> outermost(Set<String> instances) {
            Set<String> kept = new TreeSet<>();
            for (String inner : instances) {
                if (instances.stream().noneMatch(outer -> isInside(inner, outer))) {
                    kept.add(inner);
                }
            }
            return kept;
        }

        private static boolean isInside(String inner, String outer) {
            String in = dimension(inner);
            String out = dimension(outer);
            boolean sameEvent = inner.substring(in.length()).equals(outer.substring(out.length()));
            return sameEvent
                    && !in.equals(out)
                    && (out.isEmpty() || !in.isEmpty() && out.equals("/") || in.startsWith(out + "/"));
        }

        private static String dimension(String instance) {
            int groups = instance.indexOf(GROUP);
            return groups < 0 ? instance : instance.substring(0, groups);
        }

        /** The busiest CPU's rate over the mean CPU's, from the rates of this signal. */
        SignalPlan imbalance() {
            return new SignalPlan(
                    Signal.INTERRUPT_IMBALANCE,
                    Signal.INTERRUPT_IMBALANCE.unit(),
                    formula,
                    numerator,
                    denominator,
                    parts,
                    true);
        }

        private static List<EventPlan> collect(
                List<SignalTable.Event> wanted, List<EventPlan> events, RunStarted run, Set<String> instances) {
            List<EventPlan> collected = new ArrayList<>();
            for (SignalTable.Event event : wanted) {
                found(event, events, run).forEach((instance, plans) -> {
                    if (instances.contains(instance)) {
                        collected.addAll(plans);
                    }
                });
            }
            return collected;
        }

        private static Map<String, List<EventPlan>> found(
                SignalTable.Event event, List<EventPlan> events, RunStarted run) {
            Map<String, List<EventPlan>> found = new LinkedHashMap<>();
            int source = -1;
            for (EventPlan plan : events) {
                Matcher matcher = event.name().matcher(plan.id.metric());
                if (!event.kinds().contains(plan.id.kind())
                        || !event.tools().isEmpty()
                                && !event.tools()
                                        .contains(run.getSources()
                                                .get(plan.id.source())
                                                .getTool())
                        || !matcher.matches()) {
                    continue;
                }
                if (source < 0) {
                    source = plan.id.source();
                }
                if (event.everySource() || source == plan.id.source()) {
                    StringBuilder instance = new StringBuilder(plan.id.dimension());
                    for (int g = 1; g <= matcher.groupCount(); g++) {
                        instance.append(GROUP).append(matcher.group(g));
                    }
                    found.computeIfAbsent(instance.toString(), i -> new ArrayList<>())
                            .add(plan);
                }
            }
            return found;
        }

        WindowSeries evaluate() {
            if (busiestOverMean) {
                return imbalanceSeries();
            }
            numerator.evaluate();
            denominator.evaluate();
            Rows rows = new Rows(parts.size(), false);
            for (int i = 0; i < parts.size(); i++) {
                boolean present = numerator.present[i];
                double value = numerator.value[i];
                double coverage = numerator.coverage[i];
                switch (formula) {
                    case RATE -> {}
                    case BUSY -> value = Math.max(0, Math.min(1, 1 - value / 100));
                    case RATIO -> {
                        present &= denominator.present[i] && denominator.value[i] > 0;
                        value /= denominator.value[i];
                        coverage = smaller(coverage, denominator.coverage[i]);
                    }
                }
                if (present && Double.isFinite(value)) {
                    rows.add(i, value, coverage, 0);
                }
            }
            return rows.count == 0 ? null : rows.series(signal.signalName(), unit, kind(), 0, parts.size());
        }

        private ValueKind kind() {
            return formula == SignalTable.Formula.RATE && !busiestOverMean ? ValueKind.RATE : ValueKind.DERIVED;
        }

        private WindowSeries imbalanceSeries() {
            double total = 0;
            double busiest = 0;
            double least = 1;
            int cpus = 0;
            // the rates themselves were evaluated by the plan this one was made from, which stands before it
            for (int i = 0; i < parts.size(); i++) {
                if (parts.kinds[i] == Scope.Kind.CPU && numerator.present[i]) {
                    total += numerator.value[i];
                    busiest = Math.max(busiest, numerator.value[i]);
                    least = smaller(least, numerator.coverage[i]);
                    cpus++;
                }
            }
            if (cpus < 2 || total <= 0) {
                return null;
            }
            Rows rows = new Rows(1, false);
            rows.add(0, busiest * cpus / total, least, 0);
            return rows.series(signal.signalName(), unit, kind(), 0, parts.size());
        }
    }
}
