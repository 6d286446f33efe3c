package io.farnode.streams.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.farnode.contract.Signal;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.TestRun;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Source;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WindowReportTest {
    private static final long START = 1_600_000_000_000_000_000L;

    private final SeriesDictionary dictionary = new SeriesDictionary();

    @Test
    void shouldMakeCountsARateAndKeepTheExactSum() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run, run.sample("perf", 0, 0.5, c -> c.set("cpu-clock", "ms", ValueKind.DELTA, "system", 50_025, 2)));
        WindowSeries series = series(result, "event:cpu-clock").orElseThrow();
        assertThat(series.getUnit()).isEqualTo("ms/s");
        assertThat(series.getSums()).containsExactly(50_025L);
        assertThat(series.getScale()).isEqualTo(2);
        assertThat(series.getValues().get(0)).isEqualTo(1_000.5, within(1e-9));
        assertThat(series.getCoverage()).containsExactly(0.5f);
        assertThat(result.getCoverage()).isEqualTo(0.5);
        assertThat(result.getComplete()).isFalse();
    }

    @Test
    void shouldAddUpNumbersOfDifferentDecimalPlaces() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample("perf", 0, 0.5, c -> c.set("cpu-clock", "ms", ValueKind.DELTA, "system", 5_001, 1)),
                run.sample("perf", 0.5, 1, c -> c.set("cpu-clock", "ms", ValueKind.DELTA, "system", 50_025, 2)));
        WindowSeries series = series(result, "event:cpu-clock").orElseThrow();
        assertThat(series.getSums()).containsExactly(100_035L);
        assertThat(series.getValues().get(0)).isEqualTo(1_000.35, within(1e-9));
        assertThat(series.getCoverage()).as("covered whole").isEmpty();
    }

    @Test
    void shouldWeightLevelsByTime() {
        TestRun run = new TestRun("r", START, Map.of("vmstat", Tool.VMSTAT));
        WindowResult result = report(
                run,
                run.sample("vmstat", 0, 0.25, c -> c.rate("interrupts", "system", 4_000)),
                run.sample("vmstat", 0.25, 1, c -> c.rate("interrupts", "system", 8_000)));
        assertThat(value(result, Signal.INTERRUPTS, "system")).isEqualTo(7_000);
        assertThat(series(result, "event:interrupts").orElseThrow().getUnit()).isEqualTo("1/s");
        assertThat(series(result, "event:interrupts").orElseThrow().getSums()).isEmpty();
    }

    @Test
    void shouldAddCpusUpToNodesAndSystem() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("irq:irq_handler_entry", "cpu0", 100)
                                .count("irq:irq_handler_entry", "cpu1", 0)
                                .count("irq:irq_handler_entry", "cpu2", 20)
                                .count("irq:irq_handler_entry", "cpu3", 40)));
        assertThat(result.getScopes()).containsExactly("system", "node0", "node1", "cpu0", "cpu1", "cpu2", "cpu3");
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "system")).isEqualTo(160);
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "node0")).isEqualTo(100);
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "node1")).isEqualTo(60);
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "cpu1")).isZero();
        assertThat(value(result, Signal.INTERRUPT_IMBALANCE, "system")).isEqualTo(2.5);
        WindowSeries event = series(result, "event:irq:irq_handler_entry").orElseThrow();
        assertThat(event.getScopeIndex()).as("all scopes in order").isEmpty();
        assertThat(event.getSums()).containsExactly(160L, 100L, 60L, 100L, 0L, 20L, 40L);
    }

    /** One CPU's count covers a sliver of the window: it must not be blown up to a rate and added to the others'. */
    @Test
    void shouldNotExtrapolatePartsThatWereCountedForLess() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        0.001,
                        c -> c.count("irq:irq_handler_entry", "cpu0", 5).count("irq:irq_handler_entry", "cpu1", 5)),
                run.sample(
                        "perf",
                        0.001,
                        1,
                        c -> c.count("irq:irq_handler_entry", "cpu0", 1_995)
                                .notCounted("irq:irq_handler_entry", "cpu1")));
        WindowSeries event = series(result, "event:irq:irq_handler_entry").orElseThrow();
        assertThat(event.getSums().get(0)).isEqualTo(2_005L);
        assertThat(event.getValues().get(0))
                .as("sum over the time of the CPU covered longest")
                .isEqualTo(2_005, within(1e-6));
        assertThat(event.getCoverage().get(0)).as("of the CPU covered least").isEqualTo(0.001f, within(1e-6f));
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "system")).isEqualTo(2_005, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "/, user.slice, system.slice, 100", // the root holds the others
        "user.slice, user.slice/a, system.slice, 160", // two side by side, one inside one of them
        "'', user.slice, system.slice, 100", // the whole machine, counted beside its cgroups
        "'', #2, #3, 100" // the same event asked for three times
    })
    void shouldNotAddWhatIsInsideSomethingThatIsCountedToo(String outer, String a, String b, long expected) {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("context.switches", "system", outer, 100)
                                .count("context.switches", "system", a, 40)
                                .count("context.switches", "system", b, 60)));
        assertThat(value(result, Signal.CONTEXT_SWITCHES, "system")).isEqualTo(expected);
    }

    @Test
    void shouldNotAddUpASystemWhenACpuHasNoValue() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("irq:irq_handler_entry", "cpu0", 100)
                                .notCounted("irq:irq_handler_entry", "cpu1")
                                .count("irq:irq_handler_entry", "cpu2", 20)));
        assertThat(find(result, Signal.INTERRUPTS_DEVICE, "system")).isEmpty();
        assertThat(find(result, Signal.INTERRUPTS_DEVICE, "node0")).isEmpty();
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "node1")).isEqualTo(20);
        assertThat(find(result, Signal.INTERRUPTS_DEVICE, "cpu1")).isEmpty();
    }

    @Test
    void shouldGiveAWholeTheCoverageOfItsLeastCoveredCpu() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        0.5,
                        c -> c.count("irq:irq_handler_entry", "cpu0", 100).count("irq:irq_handler_entry", "cpu1", 50)),
                run.sample(
                        "perf",
                        0.5,
                        1,
                        c -> c.count("irq:irq_handler_entry", "cpu0", 100)
                                .notCounted("irq:irq_handler_entry", "cpu1")));
        WindowSeries device =
                series(result, Signal.INTERRUPTS_DEVICE.signalName()).orElseThrow();
        assertThat(device.getValues().get(0))
                .as("250 counted in the second that cpu0 covers")
                .isEqualTo(250);
        assertThat(device.getCoverage().get(0)).isEqualTo(0.5f);
    }

    @Test
    void shouldNotAddASystemUpWhenTheToolReportsIt() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("irq:irq_handler_entry", "system", 7).count("irq:irq_handler_entry", "cpu0", 3)));
        assertThat(value(result, Signal.INTERRUPTS_DEVICE, "system")).isEqualTo(7);
        assertThat(series(result, "event:irq:irq_handler_entry").orElseThrow().getSums())
                .containsExactly(7L, 3L, 3L);
    }

    @ParameterizedTest
    @CsvSource({"haswell,0.25", "'',0.25", "nehalem,0.3333333333333333", "Ivy Bridge,0.3333333333333333"})
    void shouldReadNodeLoadsByTheRuleOfTheCpu(String cpuModel, double ratio) {
        TestRun run = TestRun.perf("r", START);
        run.started().getMachine().setCpuModel(cpuModel);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("node-loads", "system", 300).count("node-load-misses", "system", 100)));
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "system")).isEqualTo(ratio, within(1e-12));
    }

    @Test
    void shouldTakeRatiosOfSumsNotMeansOfRatios() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("node-loads", "cpu0", 900)
                                .count("node-loads", "cpu1", 0)
                                .count("node-load-misses", "cpu0", 0)
                                .count("node-load-misses", "cpu1", 100)));
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "cpu0")).isZero();
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "cpu1")).isEqualTo(1);
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "node0")).isEqualTo(0.1, within(1e-12));
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "system")).isEqualTo(0.1, within(1e-12));
    }

    @Test
    void shouldLeaveOutARatioOfNothing() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf", 0, 1, c -> c.count("node-loads", "system", 0).count("node-load-misses", "system", 0)));
        assertThat(find(result, Signal.REMOTE_ACCESS_RATIO, "system")).isEmpty();
    }

    @Test
    void shouldPairHomeAgentsByTheirUnit() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("hisi_sccl1_hha0/rx_outer/", "system", 10)
                                .count("hisi_sccl1_hha0/rx_ops_num/", "system", 100)
                                .count("hisi_sccl3_hha1/rx_outer/", "system", 30)
                                .count("hisi_sccl3_hha1/rx_ops_num/", "system", 100)
                                .count("hisi_sccl5_hha0/rx_ops_num/", "system", 1_000)));
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "system")).isEqualTo(0.2, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({
        "uncore_hisi_hha.rx_outer,uncore_hisi_hha.rx_ops_num,0.25",
        "mem_load_l3_miss_retired.remote_dram,mem_load_l3_miss_retired.local_dram,0.2",
        "mem_load_uops_l3_miss_retired.remote_dram:u,mem_load_uops_l3_miss_retired.local_dram:u,0.2"
    })
    void shouldKnowOtherRemoteCounters(String remote, String other, double ratio) {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run, run.sample("perf", 0, 1, c -> c.count(remote, "system", 25).count(other, "system", 100)));
        assertThat(value(result, Signal.REMOTE_ACCESS_RATIO, "system")).isEqualTo(ratio, within(1e-12));
    }

    @Test
    void shouldPreferTheWorkloadsOwnCountForThroughput() {
        Map<String, Tool> sources = new LinkedHashMap<>();
        sources.put("perf", Tool.PERF_STAT);
        sources.put("fio", Tool.WORKLOAD);
        TestRun run = new TestRun("r", START, sources);
        run.started().setOperationEvent("block:block_rq_complete");
        Sample perf = run.sample("perf", 0, 1, c -> c.count("block:block_rq_complete", "system", 90));
        WindowResult onlyEvent = report(run, perf);
        assertThat(value(onlyEvent, Signal.THROUGHPUT, "system")).isEqualTo(90);
        WindowResult both = report(run, perf, run.sample("fio", 0, 1, c -> c.count("operations", "system", 100)));
        assertThat(value(both, Signal.THROUGHPUT, "system")).isEqualTo(100);
        assertThat(series(both, "throughput").orElseThrow().getUnit()).isEqualTo("IO/s");
    }

    @Test
    void shouldReadBusyTimeAndCyclesAndSwitches() {
        Map<String, Tool> sources = new LinkedHashMap<>();
        sources.put("vmstat", Tool.VMSTAT);
        sources.put("perf", Tool.PERF_STAT);
        TestRun run = new TestRun("r", START, sources);
        WindowResult result = report(
                run,
                run.sample(
                        "vmstat",
                        0,
                        1,
                        c -> c.share("cpu.idle", "system", 60)
                                .share("cpu.iowait", "system", 15)
                                .rate("context.switches", "system", 500)),
                run.sample(
                        "perf",
                        0,
                        1,
                        c -> c.count("instructions", "system", 300)
                                .count("cycles", "system", 200)
                                .count("stalled-cycles-frontend", "system", 50)
                                .count("context.switches", "system", 7)));
        assertThat(value(result, Signal.CPU_BUSY, "system")).isEqualTo(0.25, within(1e-12));
        assertThat(value(result, Signal.INSTRUCTIONS_PER_CYCLE, "system")).isEqualTo(1.5);
        assertThat(value(result, Signal.FRONTEND_STALLS, "system")).isEqualTo(0.25);
        assertThat(value(result, Signal.CONTEXT_SWITCHES, "system")).isEqualTo(500);
        assertThat(result.getSeries().stream().map(WindowSeries::getName))
                .contains("event:context.switches", "event:context.switches@perf")
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldLeaveOutASumThatNoLongHolds() {
        TestRun run = TestRun.perf("r", START);
        WindowResult result = report(
                run,
                run.sample(
                        "perf",
                        0,
                        0.5,
                        c -> c.count("a", "cpu0", Long.MAX_VALUE).count("a", "cpu1", 1)),
                run.sample(
                        "perf",
                        0.5,
                        1,
                        c -> c.count("a", "cpu0", Long.MAX_VALUE).count("a", "cpu1", 1)));
        WindowSeries series = series(result, "event:a").orElseThrow();
        assertThat(series.getSums()).containsExactly(2L);
        assertThat(scope(result, series, 0)).isEqualTo("cpu1");
        assertThat(series.getValues()).hasSize(1);
    }

    @Test
    void shouldJudgeAWindowByItsLeastCoveredSource() {
        Map<String, Tool> sources = new LinkedHashMap<>();
        sources.put("a", Tool.PERF_STAT);
        sources.put("b", Tool.PERF_STAT);
        TestRun run = new TestRun("r", START, sources);
        WindowResult result = report(run, run.sample("a", 0, 1, c -> c.count("x", "system", 1)));
        assertThat(result.getCoverage()).isZero();
        assertThat(result.getComplete()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void shouldHaveARuleForEverySignal(Signal signal) {
        TestRun run = TestRun.perf("r", START);
        List<Signal> ruled = SignalTable.rules(run.started()).stream()
                .map(SignalTable.Rule::signal)
                .toList();
        // the imbalance follows from the device interrupts
        assertThat(ruled).contains(signal == Signal.INTERRUPT_IMBALANCE ? Signal.INTERRUPTS_DEVICE : signal);
    }

    private WindowResult report(TestRun run, Sample... samples) {
        WindowGrid grid = new WindowGrid(START, 1_000_000_000);
        SampleSpreader spreader = new SampleSpreader();
        byte[][] window = {Accumulators.create(run.started().getSources().size(), 0)};
        List<String> names =
                run.started().getSources().stream().map(Source::getName).toList();
        for (Sample sample : samples) {
            spreader.spread(
                    sample,
                    names.indexOf(sample.getSource()),
                    dictionary,
                    grid,
                    Long.MIN_VALUE,
                    new SampleSpreader.Windows() {
                        @Override
                        public byte[] open(long number, int series) {
                            assertThat(number).isZero();
                            return Accumulators.grow(window[0], series);
                        }

                        @Override
                        public void save(long number, byte[] changed) {
                            window[0] = changed;
                        }
                    });
        }
        return new WindowReport(run.started(), dictionary)
                .report(window[0], START, START + 1_000_000_000, 1_000_000_000, 0.9);
    }

    private static Optional<WindowSeries> series(WindowResult result, String name) {
        return result.getSeries().stream().filter(s -> s.getName().equals(name)).findFirst();
    }

    private static double value(WindowResult result, Signal signal, String scope) {
        return find(result, signal, scope).orElseThrow();
    }

    private static Optional<Double> find(WindowResult result, Signal signal, String scope) {
        return series(result, signal.signalName()).flatMap(series -> {
            for (int i = 0; i < series.getValues().size(); i++) {
                if (scope(result, series, i).equals(scope)) {
                    return Optional.of(series.getValues().get(i));
                }
            }
            return Optional.empty();
        });
    }

    private static String scope(WindowResult result, WindowSeries series, int i) {
        return result.getScopes()
                .get(
                        series.getScopeIndex().isEmpty()
                                ? i
                                : series.getScopeIndex().get(i));
    }
}
