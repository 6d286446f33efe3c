package io.farnode.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.contract.Signal;
import io.farnode.results.Arm;
import io.farnode.results.Better;
import io.farnode.results.Outcome;
import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.results.SourceCounts;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.TestRun;
import io.farnode.streams.topology.DropReason;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.ValueKind;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunMetersTest {
    private static final long START = 1_780_000_000_000_000_000L;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RunMeters meters = new RunMeters(registry, 3, Duration.ofSeconds(60), () -> true);

    @Test
    void shouldShowTheLastClosedWindowOfARun() {
        meters.run(info("r", RunState.RUNNING, 0), false, 0);
        meters.window(window("r", 2, "interrupts.device", 5));
        meters.window(window("r", 1, "interrupts.device", 99));
        meters.refresh(0);
        assertThat(registry.scrape())
                .contains("numa_window_device_interrupts_per_second{node=\"all\",policy=\"p\",run=\"r\"} 5.0")
                .contains("numa_window_device_interrupts_per_second{node=\"1\",policy=\"p\",run=\"r\"} 6.0")
                .contains("numa_window_end_timestamp_seconds{policy=\"p\",run=\"r\"} 1.780000003E9")
                .contains("numa_window_coverage_ratio{policy=\"p\",run=\"r\"} 1.0")
                .contains("numa_run_info{machine=\"m\",policy=\"p\",run=\"r\",source=\"simulated\"} 1")
                .contains("numa_run_active{policy=\"p\",run=\"r\"} 1.0")
                .as("no label per CPU")
                .doesNotContain("cpu0", "NaN");
    }

    @Test
    void shouldTakeChangedValuesAndForgetFinishedRuns() {
        meters.run(info("r", RunState.RUNNING, 0), false, 0);
        meters.window(window("r", 1, "throughput", 5));
        meters.refresh(0);
        meters.window(window("r", 2, "throughput", 7));
        meters.run(info("r", RunState.FINISHED, 0), false, 1_000);
        meters.refresh(1_000);
        assertThat(registry.scrape())
                .contains("numa_window_throughput_operations_per_second{node=\"all\",policy=\"p\",run=\"r\"} 7.0")
                .contains("numa_run_active{policy=\"p\",run=\"r\"} 0.0");
        meters.refresh(61_001);
        assertThat(registry.scrape()).doesNotContain("run=\"r\"");
    }

    @Test
    void shouldShowOnlySoManyRunsAndCountTheRest() {
        for (int i = 0; i < 5; i++) {
            meters.run(info("r" + i, RunState.RUNNING, 0), false, 0);
        }
        meters.refresh(0);
        assertThat(registry.scrape())
                .contains("run=\"r2\"", "run=\"r3\"", "run=\"r4\"", "numa_runs_cut_total 2.0")
                .doesNotContain("run=\"r0\"", "run=\"r1\"");
    }

    @Test
    void shouldCountByDifferenceSoThatUpsertsDoNotCountTwice() {
        meters.run(info("r", RunState.RUNNING, 3), false, 0);
        meters.run(info("r", RunState.RUNNING, 5), false, 0);
        meters.run(info("r", RunState.RUNNING, 5), false, 0);
        meters.deadLetter("late");
        meters.deadLetter("what?");
        assertThat(registry.scrape())
                .contains("numa_records_dropped_total{reason=\"duplicate\"} 5.0")
                .contains("numa_records_dropped_total{reason=\"late\"} 1.0")
                .contains("numa_records_dropped_total{reason=\"undecodable\"} 1.0")
                .contains("numa_samples_missing_total 10.0")
                .contains("numa_values_taken_total 50.0");
    }

    @Test
    void shouldCountButNotShowRunsThatFinishedBeforeTheProgramBegan() {
        meters.run(info("r", RunState.FINISHED, 4), true, 0);
        meters.refresh(0);
        assertThat(registry.scrape()).contains("numa_samples_missing_total 8.0").doesNotContain("run=\"r\"");
    }

    @Test
    void shouldShowWhetherARegressionStands() {
        meters.run(info("c", RunState.FINISHED, 0), false, 0);
        meters.verdict(verdict(Outcome.REGRESSED, "system"));
        meters.verdict(verdict(Outcome.REGRESSED, "node0"));
        meters.refresh(0);
        assertThat(registry.scrape())
                .contains("numa_regression_active{experiment=\"e\",policy=\"p\",signal=\"throughput\"} 1.0");
        meters.verdict(verdict(Outcome.EQUIVALENT, "system"));
        meters.refresh(0);
        assertThat(registry.scrape())
                .contains("numa_regression_active{experiment=\"e\",policy=\"p\",signal=\"throughput\"} 0.0");
    }

    @ParameterizedTest
    @EnumSource(DropReason.class)
    void shouldRegisterEveryReasonAtNought(DropReason reason) {
        assertThat(registry.scrape()).contains("numa_records_dropped_total{reason=\"" + reason.text() + "\"} 0.0");
    }

    @ParameterizedTest
    @EnumSource(MeterNames.class)
    void shouldNameMetersAsPrometheusShowsThem(MeterNames name) {
        meters.run(info("r", RunState.RUNNING, 0), false, 0);
        for (Signal signal : Signal.values()) {
            meters.window(window("r", signal.ordinal(), signal.signalName(), 1));
            if (MeterNames.of(signal) == name) {
                break;
            }
        }
        meters.verdict(verdict(Outcome.REGRESSED, "system"));
        meters.refresh(0);
        assertThat(name.meterName()).matches("numa_[a-z_]+");
        assertThat(name.description()).endsWith(".");
        assertThat(registry.scrape().lines())
                .as("help and value of " + name.meterName())
                .anyMatch(line -> line.startsWith("# HELP " + name.meterName() + " "))
                .anyMatch(line -> line.startsWith(name.meterName() + " ") || line.startsWith(name.meterName() + "{"));
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void shouldHaveAGaugeOfItsOwnForEverySignal(Signal signal) {
        assertThat(Arrays.stream(Signal.values()).filter(s -> MeterNames.of(s) == MeterNames.of(signal)))
                .hasSize(1);
        assertThat(MeterNames.of(signal).meterName()).startsWith("numa_window_");
    }

    private static RunInfo info(String id, RunState state, long duplicates) {
        RunStarted started = TestRun.perf(id, START).started();
        started.setPolicy("p");
        return new RunInfo(
                id,
                state,
                started,
                START,
                START,
                Map.of("perf", new SourceCounts(1L, 1L, duplicates, duplicates * 2, 0L, START)),
                duplicates * 10,
                0L,
                0L,
                0L,
                0L,
                0L,
                0L);
    }

    private static WindowResult window(String id, int number, String signal, double value) {
        return new WindowResult(
                id,
                START + number * TestRun.SECOND,
                START + (number + 1) * TestRun.SECOND,
                TestRun.SECOND,
                1.0,
                true,
                1L,
                List.of("system", "node1", "cpu0"),
                List.of(
                        new WindowSeries(
                                signal,
                                "1/s",
                                ValueKind.RATE,
                                0,
                                List.of(),
                                List.of(value, value + 1, value + 2),
                                List.of(),
                                List.of()),
                        new WindowSeries(
                                "event:x",
                                "1/s",
                                ValueKind.DELTA,
                                0,
                                List.of(0),
                                List.of(1.0),
                                List.of(1L),
                                List.of())));
    }

    private static Verdict verdict(Outcome outcome, String scope) {
        Arm baseline = new Arm("baseline", List.of("b"), 0.0, 0.0, 0, 0, 0.0, 0.0);
        Arm candidate = new Arm("candidate", List.of("c"), 0.0, 0.0, 0, 0, 0.0, 0.0);
        Verdict verdict = new Verdict();
        verdict.setExperiment("e");
        verdict.setSignal("throughput");
        verdict.setScope(scope);
        verdict.setUnit("IO/s");
        verdict.setBetter(Better.UP);
        verdict.setBaseline(baseline);
        verdict.setCandidate(candidate);
        verdict.setOutcome(outcome);
        return verdict;
    }
}
