package io.farnode.streams.metrics;

import io.farnode.contract.Scope;
import io.farnode.contract.Signal;
import io.farnode.results.Outcome;
import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.results.SourceCounts;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.topology.DropReason;
import io.farnode.telemetry.RunStarted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Keeps the meters of {@link MeterNames} from results as they come. Shows a limited number of runs, the ones heard of
 * last, and forgets a finished run after a while, so that no frozen gauge stays behind. Safe for use by several threads.
 */
public final class RunMeters {
    /** Runs shown at once unless said otherwise. */
    public static final int MAX_RUNS = 50;
    /** How long a finished run is shown unless said otherwise. */
    public static final Duration KEEP_FINISHED = Duration.ofMinutes(10);
    /** Comparisons whose verdicts are shown at once. */
    private static final int MAX_VERDICTS = 500;

    private final int maxRuns;
    private final long keepFinishedMillis;
    private final Map<MeterNames, MultiGauge> gauges = new EnumMap<>(MeterNames.class);
    private final Map<String, Counter> dropped = new TreeMap<>();
    private final Counter missing;
    private final Counter values;
    private final Counter windows;
    private final Counter cut;
    /** Runs shown, the one heard of longest ago first. */
    private final Map<String, Shown> shown = new LinkedHashMap<>(16, 0.75f, true);
    /** What counters have been told of each run. */
    private final Map<String, Told> told = new LinkedHashMap<>();

    private final Map<String, Verdict> verdicts = new LinkedHashMap<>();
    private final Map<String, String> policies = new LinkedHashMap<>();
    private volatile InfoSnapshot runInfo = info(List.of());

    private static final class Shown {
        private RunInfo info;
        private WindowResult window;
        private long finishedMillis = -1;
    }

    private record Told(long duplicates, long missing, long values, long windows) {
        private static final Told NOTHING = new Told(0, 0, 0, 0);
    }

    /**
     * Registers the meters.
     *
     * @param registry where
     * @param maxRuns runs shown at once; positive
     * @param keepFinished how long a finished run is shown
     * @param running whether the stream processing runs
     */
    public RunMeters(PrometheusMeterRegistry registry, int maxRuns, Duration keepFinished, BooleanSupplier running) {
        this.maxRuns = maxRuns;
        this.keepFinishedMillis = keepFinished.toMillis();
        for (Signal signal : Signal.values()) {
            gauge(registry, MeterNames.of(signal));
        }
        gauge(registry, MeterNames.WINDOW_COVERAGE);
        gauge(registry, MeterNames.WINDOW_END);
        gauge(registry, MeterNames.RUN_ACTIVE);
        gauge(registry, MeterNames.REGRESSION_ACTIVE);
        registry.getPrometheusRegistry().register((Collector) () -> runInfo);
        for (DropReason reason : DropReason.values()) {
            dropped.put(
                    reason.text(),
                    Counter.builder(MeterNames.RECORDS_DROPPED.meterName())
                            .description(MeterNames.RECORDS_DROPPED.description())
                            .tag(MeterNames.REASON, reason.text())
                            .register(registry));
        }
        missing = counter(registry, MeterNames.SAMPLES_MISSING);
        values = counter(registry, MeterNames.VALUES_TAKEN);
        windows = counter(registry, MeterNames.WINDOWS_CLOSED);
        cut = counter(registry, MeterNames.RUNS_CUT);
        Gauge.builder(MeterNames.PIPELINE_RUNNING.meterName(), running, is -> is.getAsBoolean() ? 1 : 0)
                .description(MeterNames.PIPELINE_RUNNING.description())
                .strongReference(true)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, MeterNames name) {
        gauges.put(
                name,
                MultiGauge.builder(name.meterName())
                        .description(name.description())
                        .register(registry));
    }

    private static Counter counter(MeterRegistry registry, MeterNames name) {
        return Counter.builder(name.meterName()).description(name.description()).register(registry);
    }

    /**
     * Takes a closed window. Older ones than the last and those of whole runs are passed over.
     *
     * @param window the window
     */
    public synchronized void window(WindowResult window) {
        if (window.getSizeNanos() == 0) {
            return;
        }
        Shown run = show(window.getRunId());
        if (run.window == null || run.window.getEndNanos() < window.getEndNanos()) {
            run.window = window;
        }
    }

    /**
     * Takes a run's entry of the catalogue.
     *
     * @param info the entry
     * @param old whether it was written before this program began; then finished runs are counted but not shown
     * @param nowMillis the wall clock, ms since 1970
     */
    public synchronized void run(RunInfo info, boolean old, long nowMillis) {
        Told before = told.getOrDefault(info.getRunId(), Told.NOTHING);
        Told now = new Told(
                info.getSources().values().stream()
                        .mapToLong(SourceCounts::getDuplicates)
                        .sum(),
                info.getSources().values().stream()
                        .mapToLong(SourceCounts::getMissing)
                        .sum(),
                info.getValues(),
                info.getWindows());
        told.put(info.getRunId(), now);
        add(dropped.get(DropReason.DUPLICATE.text()), now.duplicates - before.duplicates);
        add(missing, now.missing - before.missing);
        add(values, now.values - before.values);
        add(windows, now.windows - before.windows);
        if (info.getStarted() != null) {
            policies.put(info.getRunId(), info.getStarted().getPolicy());
        }
        if (old && info.getState() != RunState.RUNNING) {
            shown.remove(info.getRunId());
            return;
        }
        Shown run = show(info.getRunId());
        run.info = info;
        if (info.getState() == RunState.RUNNING) {
            run.finishedMillis = -1;
        } else if (run.finishedMillis < 0) {
            run.finishedMillis = nowMillis;
        }
    }

    private static void add(Counter counter, long amount) {
        // a log that was deleted and written anew starts again from nought
        if (amount > 0) {
            counter.increment(amount);
        }
    }

    /**
     * Takes a verdict; only those on the whole system are shown.
     *
     * @param verdict the verdict
     */
    public synchronized void verdict(Verdict verdict) {
        if (!verdict.getScope().equals(Scope.SYSTEM.text())) {
            return;
        }
        String key = verdict.getExperiment() + "|" + verdict.getSignal();
        verdicts.remove(key);
        verdicts.put(key, verdict);
        if (verdicts.size() > MAX_VERDICTS) {
            verdicts.remove(verdicts.keySet().iterator().next());
        }
    }

    /**
     * Counts a dead letter.
     *
     * @param reason its {@link DropReason#text()}; an unknown one counts as undecodable
     */
    public synchronized void deadLetter(String reason) {
        dropped.getOrDefault(reason, dropped.get(DropReason.UNDECODABLE.text())).increment();
    }

    /**
     * Brings the gauges up to date and forgets runs that finished long ago.
     *
     * @param nowMillis the wall clock, ms since 1970
     */
    public synchronized void refresh(long nowMillis) {
        shown.values().removeIf(run -> run.finishedMillis >= 0 && nowMillis - run.finishedMillis > keepFinishedMillis);
        Map<MeterNames, List<MultiGauge.Row<?>>> rows = new EnumMap<>(MeterNames.class);
        gauges.keySet().forEach(name -> rows.put(name, new ArrayList<>()));
        List<InfoSnapshot.InfoDataPointSnapshot> infos = new ArrayList<>();
        shown.forEach((runId, run) -> {
            RunStarted started = run.info == null ? null : run.info.getStarted();
            if (started == null) {
                return;
            }
            Tags tags = Tags.of(MeterNames.RUN, runId, MeterNames.POLICY, started.getPolicy());
            infos.add(InfoSnapshot.InfoDataPointSnapshot.builder()
                    .labels(Labels.of(
                            MeterNames.RUN,
                            runId,
                            MeterNames.POLICY,
                            started.getPolicy(),
                            MeterNames.SOURCE,
                            started.getOrigin().name().toLowerCase(Locale.ROOT),
                            MeterNames.MACHINE,
                            started.getMachine().getName()))
                    .build());
            rows.get(MeterNames.RUN_ACTIVE)
                    .add(MultiGauge.Row.of(tags, run.info.getState() == RunState.RUNNING ? 1 : 0));
            if (run.window != null) {
                windowRows(rows, tags, run.window);
            }
        });
        for (Verdict verdict : verdicts.values()) {
            String policy = verdict.getCandidate().getRuns().stream()
                    .map(policies::get)
                    .filter(p -> p != null)
                    .findFirst()
                    .orElse("");
            rows.get(MeterNames.REGRESSION_ACTIVE)
                    .add(MultiGauge.Row.of(
                            Tags.of(
                                    MeterNames.EXPERIMENT,
                                    verdict.getExperiment(),
                                    MeterNames.SIGNAL,
                                    verdict.getSignal(),
                                    MeterNames.POLICY,
                                    policy),
                            verdict.getOutcome() == Outcome.REGRESSED ? 1 : 0));
        }
        rows.forEach((name, of) -> gauges.get(name).register(of, true));
        runInfo = info(infos);
    }

    /** An info metric of Prometheus' own: Micrometer would strip the suffix off a gauge of that name. */
    private static InfoSnapshot info(List<InfoSnapshot.InfoDataPointSnapshot> points) {
        String name = MeterNames.RUN_INFO.meterName();
        return new InfoSnapshot(
                new MetricMetadata(
                        name.substring(0, name.length() - "_info".length()), MeterNames.RUN_INFO.description()),
                points);
    }

    private static void windowRows(Map<MeterNames, List<MultiGauge.Row<?>>> rows, Tags tags, WindowResult window) {
        rows.get(MeterNames.WINDOW_COVERAGE).add(MultiGauge.Row.of(tags, Math.min(1, window.getCoverage())));
        rows.get(MeterNames.WINDOW_END).add(MultiGauge.Row.of(tags, window.getEndNanos() / 1e9));
        for (WindowSeries series : window.getSeries()) {
            Optional<Signal> signal = Signal.byName(series.getName());
            if (signal.isEmpty()) {
                continue;
            }
            for (int i = 0; i < series.getValues().size(); i++) {
                int position = series.getScopeIndex().isEmpty()
                        ? i
                        : series.getScopeIndex().get(i);
                String node = nodeLabel(window.getScopes().get(position));
                if (node != null) {
                    rows.get(MeterNames.of(signal.get()))
                            .add(MultiGauge.Row.of(
                                    tags.and(MeterNames.NODE, node),
                                    series.getValues().get(i)));
                }
            }
        }
    }

    /** The label of a scope that is shown: system and nodes; a label per CPU would make too many series. */
    private static String nodeLabel(String scope) {
        if (scope.equals(Scope.SYSTEM.text())) {
            return MeterNames.ALL_NODES;
        }
        return scope.startsWith("node") ? scope.substring("node".length()) : null;
    }

    private Shown show(String runId) {
        Shown run = shown.computeIfAbsent(runId, id -> new Shown());
        if (shown.size() > maxRuns) {
            shown.remove(shown.keySet().iterator().next());
            cut.increment();
        }
        return run;
    }
}
