package io.farnode.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.farnode.contract.Signal;
import io.farnode.contract.Topics;
import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.results.SignalSeries;
import io.farnode.results.SourceCounts;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.streams.TestRun;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunProcessorTest {
    private static final long START = 1_780_000_000_000_000_000L;
    private static final long NINE_MONTHS = 275L * 86_400 * TestRun.SECOND;
    private static final WindowSettings TEN_SECONDS =
            new WindowSettings(Duration.ofSeconds(10), Duration.ofSeconds(2), 0.9);

    private Driver driver = new Driver();

    @AfterEach
    @AfterProperty
    void close() {
        driver.close();
    }

    private void use(WindowSettings settings) {
        driver.close();
        driver = new Driver(settings);
    }

    private enum Interleaving {
        LIVE_FIRST,
        OLD_FIRST,
        IN_TURN
    }

    /** The table of what windows of Kafka Streams lose: a run nine months older behind or beside a live one. */
    @ParameterizedTest
    @EnumSource
    void shouldLoseNothingOfAnOldRunInThePartitionOfALiveOne(Interleaving interleaving) {
        use(TEN_SECONDS);
        List<SpecificRecord> live = sixty("live", START);
        List<SpecificRecord> old = sixty("old", START - NINE_MONTHS);
        switch (interleaving) {
            case LIVE_FIRST -> driver.put(live).put(old);
            case OLD_FIRST -> driver.put(old).put(live);
            case IN_TURN -> {
                for (int i = 0; i < live.size(); i++) {
                    driver.put(live.get(i)).put(old.get(i));
                }
            }
        }
        for (String run : List.of("live", "old")) {
            assertThat(driver.windows(run)).hasSize(6);
            assertThat(driver.windows(run)).allSatisfy(window -> {
                assertThat(sum(window, "event:a")).isEqualTo(10);
                assertThat(window.getComplete()).isTrue();
            });
            assertThat(sum(driver.whole(run), "event:a")).isEqualTo(60);
            assertThat(driver.info(run).getSources().get("perf"))
                    .isEqualTo(new SourceCounts(
                            60L, 60L, 0L, 0L, 0L, driver.info(run).getEndNanos()));
        }
        assertThat(driver.sent.get(Topics.DEAD_LETTERS)).isEmpty();
    }

    private static List<SpecificRecord> sixty(String id, long start) {
        TestRun run = TestRun.perf(id, start);
        List<SpecificRecord> records = new ArrayList<>(List.of(run.started()));
        for (int i = 0; i < 60; i++) {
            records.add(run.sample("perf", i, i + 1, c -> c.count("a", "system", 1)));
        }
        records.add(run.finished());
        return records;
    }

    @Test
    void shouldHoldTheTailUntilTheRunFinishes() {
        List<SpecificRecord> records = sixty("r", START);
        driver.put(records.subList(0, records.size() - 1));
        assertThat(driver.windows("r")).as("all but the allowed lateness").hasSize(58);
        assertThat(driver.info("r").getState()).isEqualTo(RunState.RUNNING);
        driver.put(records.get(records.size() - 1));
        assertThat(driver.windows("r")).hasSize(60);
        assertThat(driver.info("r").getState()).isEqualTo(RunState.FINISHED);
        assertThat(driver.info("r").getWindows()).isEqualTo(60);
    }

    @Test
    void shouldLeaveOnlyASmallEntryOfAFinishedRun() {
        driver.put(sixty("r", START));
        assertThat(driver.entries(Names.SERIES_STORE)).isZero();
        assertThat(driver.entries(Names.WINDOWS_STORE)).isZero();
        assertThat(driver.entries(Names.SIGNALS_STORE)).isZero();
        assertThat(driver.entries(Names.RUNS_STORE)).isEqualTo(1);
        assertThat(driver.entries(Names.STARTS_STORE)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 30, 61, 62})
    void shouldAddNothingTwiceWhenAReplayIsRunAgain(int before) {
        List<SpecificRecord> records = sixty("r", START);
        Map<String, String> once;
        try (Driver alone = new Driver()) {
            once = windows(alone.put(records).latest("r"));
        }
        driver.put(records.subList(0, before)).put(records);
        assertThat(windows(driver.latest("r"))).isEqualTo(once);
        RunInfo info = driver.info("r");
        assertThat(info.getRepeatedStarts()).isEqualTo(1);
        assertThat(info.getValues()).isEqualTo(60);
        SourceCounts counts = info.getSources().get("perf");
        assertThat(counts.getSamples()).isEqualTo(60);
        assertThat(counts.getDuplicates()).isEqualTo(Math.min(before - 1, 60));
        assertThat(counts.getMissing()).isZero();
        assertThat(driver.sent.get(Topics.DEAD_LETTERS)).isEmpty();
    }

    private static Map<String, String> windows(Map<String, String> results) {
        Map<String, String> windows = new TreeMap<>(results);
        windows.keySet().removeIf(key -> key.startsWith(Topics.RUNS.name()));
        return windows;
    }

    @Test
    void shouldCountWhatNeverCame() {
        TestRun run = TestRun.perf("r", START);
        driver.put(run.started());
        driver.put(run.sample("perf", 0, 1, c -> c.count("a", "system", 1)));
        run.lose("perf");
        run.lose("perf");
        driver.put(run.sample("perf", 3, 4, c -> c.count("a", "system", 1)));
        run.lose("perf");
        driver.put(run.finished());
        assertThat(driver.info("r").getSources().get("perf").getMissing()).isEqualTo(3);
        assertThat(driver.info("r").getSources().get("perf").getSamples()).isEqualTo(2);
        assertThat(driver.whole("r").getCoverage()).isEqualTo(0.5);
        assertThat(driver.windows("r")).hasSize(2);
    }

    @Test
    void shouldTakeWhatIsLateWithinTheAllowance() {
        TestRun run = TestRun.perf("r", START);
        driver.put(run.started());
        driver.put(run.sample("perf", 4, 5, c -> c.count("a", "system", 1)));
        driver.put(run.sample("perf", 3, 4, c -> c.count("a", "system", 2)));
        driver.put(run.finished());
        assertThat(driver.windows("r"))
                .extracting(window -> sum(window, "event:a"))
                .containsExactly(2L, 1L);
        assertThat(driver.info("r").getSources().get("perf").getLate()).isZero();
    }

    @Test
    void shouldSetAsideWhatIsTooLateAndTakeTheRest() {
        TestRun run = TestRun.perf("r", START);
        driver.put(run.started());
        driver.put(run.sample("perf", 0, 1, c -> c.count("a", "system", 1)));
        driver.put(run.sample("perf", 5, 6, c -> c.count("a", "system", 1)));
        Sample late = run.sample("perf", 3, 5, c -> c.count("a", "system", 10));
        driver.put(late);
        driver.put(run.finished());
        // windows before 4 s had closed: half of the late count is left out
        assertThat(driver.windows("r"))
                .extracting(window -> sum(window, "event:a"))
                .containsExactly(1L, 5L, 1L);
        assertThat(driver.info("r").getSources().get("perf").getLate()).isEqualTo(1);
        TestRecord<byte[], byte[]> letter = driver.sent.get(Topics.DEAD_LETTERS).get(0);
        assertThat(letter.value()).isEqualTo(driver.encode(late));
        assertThat(Driver.header(letter, DeadLetters.REASON))
                .isEqualTo("late: sample 3 of perf, 1780000003000000000..1780000005000000000 ns reaches into windows"
                        + " that closed at 1780000004000000000 ns");
    }

    @Test
    void shouldWaitForTheSlowestSource() {
        Map<String, Tool> sources = new LinkedHashMap<>();
        sources.put("fast", Tool.PERF_STAT);
        sources.put("slow", Tool.PERF_STAT);
        TestRun run = new TestRun("r", START, sources);
        driver.put(run.started());
        for (int i = 0; i < 20; i++) {
            driver.put(run.sample("fast", i, i + 1, c -> c.count("a", "system", 1)));
        }
        assertThat(driver.windows("r")).as("one source has said nothing").isEmpty();
        driver.put(run.sample("slow", 0, 10, c -> c.count("b", "system", 10)));
        assertThat(driver.windows("r")).hasSize(8);
        assertThat(driver.windows("r")).allMatch(WindowResult::getComplete);
    }

    @Test
    void shouldKeepAveragesSinceBootAndSummariesOutOfSeries() {
        TestRun run = TestRun.perf("r", START);
        Sample boot = run.sample("perf", 0, 1, c -> c.count("a", "system", 1_000));
        boot.setFlags(List.of(Flag.SINCE_BOOT));
        Sample real = run.sample("perf", 1, 2, c -> c.count("a", "system", 3));
        Sample total = run.sample("perf", 0, 2, c -> c.count("a", "system", 1_003));
        total.setFlags(List.of(Flag.SUMMARY));
        driver.put(run.started(), boot, real, total, run.finished());
        assertThat(driver.windows("r")).hasSize(1);
        assertThat(sum(driver.whole("r"), "event:a")).isEqualTo(3);
        assertThat(driver.info("r").getOutOfSeries()).isEqualTo(2);
        assertThat(driver.info("r").getValues()).isEqualTo(3);
    }

    @Test
    void shouldGoOnAfterARecordThatIsNoAvro() {
        byte[] key = {'r'};
        byte[] value = {1, 2, 3};
        driver.put(key, value, -5);
        driver.put(sixty("r", START));
        TestRecord<byte[], byte[]> letter = driver.sent.get(Topics.DEAD_LETTERS).get(0);
        assertThat(letter.key()).isEqualTo(key);
        assertThat(letter.value()).isEqualTo(value);
        assertThat(Driver.header(letter, DeadLetters.KIND)).isEqualTo("undecodable");
        assertThat(Driver.header(letter, DeadLetters.REASON))
                .isEqualTo("not an Avro single-object record: 3 bytes that do not begin with c3 01 and a schema"
                        + " fingerprint");
        assertThat(Driver.header(letter, DeadLetters.MESSAGE)).isEqualTo(Driver.header(letter, DeadLetters.REASON));
        assertThat(Driver.header(letter, DeadLetters.EXCEPTION)).isEqualTo("io.farnode.contract.UndecodableException");
        assertThat(Driver.header(letter, DeadLetters.TOPIC)).isEqualTo("farnode.telemetry");
        assertThat(Driver.header(letter, DeadLetters.PARTITION)).isEqualTo("0");
        assertThat(Driver.header(letter, DeadLetters.OFFSET)).isEqualTo("0");
        assertThat(driver.windows("r")).hasSize(60);
    }

    @Test
    void shouldSetAsideWhatDoesNotBelongHere() {
        TestRun run = TestRun.perf("r", START);
        Sample first = run.sample("perf", 0, 1, c -> c.count("a", "system", 1));
        driver.put(first);
        driver.put(new byte[] {'x'}, driver.encode(run.started()), 1);
        driver.put(null, driver.encode(run.started()), 1);
        driver.put(new byte[] {'x'}, null, 1);
        driver.put(run.finished());
        assertThat(driver.deadLetterKinds())
                .containsExactly("no-run-started", "misplaced", "misplaced", "undecodable", "no-run-started");
        assertThat(driver.sent.get(Topics.RUNS)).isEmpty();
    }

    @Test
    void shouldRefuseAnotherRunOfTheSameName() {
        TestRun run = TestRun.perf("r", START);
        TestRun other = TestRun.perf("r", START + 1);
        other.started().setInputDigest("another");
        driver.put(run.started(), other.started());
        assertThat(Driver.header(driver.sent.get(Topics.DEAD_LETTERS).get(0), DeadLetters.REASON))
                .isEqualTo("run id \"r\" exists with other input: digest digest of r, this one another");
        assertThat(driver.info("r").getStartNanos()).isEqualTo(START);
    }

    @Test
    void shouldSetAsideMalformedSamplesAndUnknownSources() {
        TestRun run = TestRun.perf("r", START);
        Sample backwards = run.sample("perf", 2, 1, c -> c.count("a", "system", 1));
        Sample stranger = run.sample("perf", 1, 2, c -> c.count("a", "system", 1));
        stranger.setSource("vmstat");
        driver.put(run.started(), backwards, stranger);
        assertThat(driver.deadLetterKinds()).containsExactly("malformed", "malformed");
        assertThat(Driver.header(driver.sent.get(Topics.DEAD_LETTERS).get(1), DeadLetters.REASON))
                .isEqualTo("source \"vmstat\" is none of those that RunStarted names: [perf]");
    }

    @Test
    void shouldLeaveOutWhatComesAfterTheEnd() {
        TestRun run = TestRun.perf("r", START);
        driver.put(run.started());
        driver.put(run.sample("perf", 0, 1, c -> c.count("a", "system", 1)));
        driver.put(run.finished());
        driver.put(run.sample("perf", 1, 2, c -> c.count("a", "system", 1)));
        assertThat(driver.info("r").getAfterFinish()).isEqualTo(1);
        assertThat(driver.info("r").getState()).isEqualTo(RunState.FINISHED);
        assertThat(driver.deadLetterKinds()).containsExactly("after-finish");
        assertThat(sum(driver.whole("r"), "event:a")).isEqualTo(1);
    }

    @Test
    void shouldSummariseOnlyCompleteWindowsOfSystemAndNodes() {
        TestRun run = TestRun.perf("r", START);
        run.started().setExperiment("e");
        run.started().setArm("baseline");
        driver.put(run.started());
        for (int i = 0; i < 3; i++) {
            driver.put(run.sample(
                    "perf",
                    i,
                    i + 1,
                    c -> c.count("irq:irq_handler_entry", "cpu0", 10).count("irq:irq_handler_entry", "cpu3", 20)));
        }
        driver.put(run.sample(
                "perf",
                3,
                3.5,
                c -> c.count("irq:irq_handler_entry", "cpu0", 10).count("irq:irq_handler_entry", "cpu3", 20)));
        driver.put(run.finished());
        assertThat(driver.summaries()).hasSize(1);
        assertThat(driver.summaries().get(0).getSignals())
                .extracting(SignalSeries::getName, SignalSeries::getScope)
                .containsExactly(
                        tuple("interrupts.device", "node0"),
                        tuple("interrupts.device", "node1"),
                        tuple("interrupts.device", "system"),
                        tuple("interrupts.imbalance", "system"));
        SignalSeries system = driver.summaries().get(0).getSignals().get(2);
        assertThat(system.getValues()).containsExactly(30.0, 30.0, 30.0);
        assertThat(system.getWindows()).containsExactly(0, 1, 2);
        assertThat(system.getLeftOut()).isEqualTo(1);
        assertThat(system.getBetter()).isEqualTo(Signal.INTERRUPTS_DEVICE.better());
    }

    @Property(tries = 25)
    void shouldGiveEachRunTheSameBytesAsAloneHoweverRunsInterleave(@ForAll long seed) {
        checkInterleaved(new Random(seed), 2 + (int) (Math.abs(seed % 4)), 25);
    }

    /** More runs than are kept on the heap: most are read back from the stores at every record. */
    @Test
    void shouldGiveTheSameBytesWhenRunsAreReadBackFromTheStores() {
        checkInterleaved(new Random(11), 300, 6);
    }

    private void checkInterleaved(Random random, int runs, int samples) {
        List<List<SpecificRecord>> logs = new ArrayList<>();
        for (int r = 0; r < runs; r++) {
            logs.add(log("run-" + r, START - (long) r * NINE_MONTHS / runs, samples, random));
        }
        List<Integer> turns = new ArrayList<>();
        for (int r = 0; r < runs; r++) {
            turns.addAll(Collections.nCopies(logs.get(r).size(), r));
        }
        Collections.shuffle(turns, random);
        int[] next = new int[runs];
        try (Driver together = new Driver()) {
            for (int r : turns) {
                together.put(logs.get(r).get(next[r]++));
            }
            for (int r = 0; r < runs; r += Math.max(1, runs / 20)) {
                try (Driver alone = new Driver()) {
                    assertThat(together.latest("run-" + r))
                            .isEqualTo(alone.put(logs.get(r)).latest("run-" + r));
                }
            }
        }
    }

    private static List<SpecificRecord> log(String id, long start, int samples, Random random) {
        Map<String, Tool> sources = new LinkedHashMap<>();
        sources.put("perf", Tool.PERF_STAT);
        sources.put("vmstat", Tool.VMSTAT);
        TestRun run = new TestRun(id, start, sources);
        run.started().setExperiment("e");
        run.started().setArm(random.nextBoolean() ? "baseline" : "candidate");
        List<SpecificRecord> records = new ArrayList<>(List.of(run.started()));
        double at = 0;
        for (int i = 0; i < samples; i++) {
            // spans of uneven length, some of them late, some doubled
            double from = at - (random.nextInt(5) == 0 ? random.nextInt(6) : 0);
            double to = from + 0.2 + random.nextDouble() * 2;
            at = Math.max(at, to);
            records.add(
                    random.nextBoolean()
                            ? run.sample(
                                    "perf",
                                    Math.max(0, from),
                                    to + 6,
                                    c -> c.count(
                                                    "irq:irq_handler_entry",
                                                    "cpu" + random.nextInt(4),
                                                    random.nextInt(1_000))
                                            .count("b", "system", random.nextLong()))
                            : run.sample(
                                    "vmstat",
                                    Math.max(0, from),
                                    to + 6,
                                    c -> c.rate("interrupts", "system", random.nextInt(1_000_000))));
            if (random.nextInt(6) == 0) {
                records.add(records.get(1 + random.nextInt(records.size() - 1)));
            }
        }
        records.add(run.finished());
        return records;
    }

    private static long sum(WindowResult window, String name) {
        WindowSeries series = window.getSeries().stream()
                .filter(s -> s.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return series.getSums().get(0);
    }
}
