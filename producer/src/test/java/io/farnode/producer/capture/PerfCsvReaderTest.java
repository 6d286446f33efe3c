package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Flag;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerfCsvReaderTest {
    private static final String STARTED = "# started on Mon Mar  2 09:00:00 2026\n\n";
    private static final Map<String, String> UTC = Map.of("zone", "UTC");

    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t", "|", "@", "~"})
    void shouldFindTheSeparatorByContent(String separator) {
        String text = STARTED
                + "     1.000210400,CPU0,5120,,irq:irq_handler_entry,1000211001,100.00,5.119,K/sec\n"
                        .replace(",", separator);
        Readings read = Readings.of(text, UTC);
        assertThat(read.value(0, "irq:irq_handler_entry", "cpu0")).isEqualByComparingTo("5120");
        assertThat(read.derived(0, "irq:irq_handler_entry", "K/sec")).isPresent();
    }

    @Test
    void shouldReadDecimalCommasBehindAnotherSeparator() {
        Readings read = Readings.of(
                STARTED + "1.000210400;CPU0;1000,21;msec;cpu-clock;1000210112;66,00;1,000;CPUs utilized\n", UTC);
        assertThat(read.value(0, "cpu-clock", "cpu0")).isEqualTo(new BigDecimal("1000.21"));
        assertThat(read.running(0, "cpu-clock", "cpu0")).isEqualTo(6600);
        assertThat(read.value(0, read.derived(0, "cpu-clock", "CPUs utilized"), "cpu0"))
                .isEqualTo(new BigDecimal("1.000"));
        assertThat(read.flags(0, "cpu-clock")).containsExactly(Flag.SCALED);
    }

    @ParameterizedTest
    @CsvSource({
        "CPU7, cpu7, false",
        "S0, socket0, true",
        "S1-D2, die1.2, true",
        "S1-D2-C9, core1.2.9, true",
        "S1-C9, core1.0.9, true",
        "S0-D0-L3-ID5, cache0.0.3.5, true",
        "S0-D0-CLS3, cluster0.0.3, true",
        "N3, node3, true",
        "my prog-1-4711, thread:my prog-1-4711, false"
    })
    void shouldKnowScopesByTheirShape(String id, String scope, boolean counted) {
        for (String tail : List.of(",1000211001,100.00,5.119,K/sec", ",1000211001,100.00", "")) {
            String text =
                    STARTED + "1.000210400," + id + (counted ? ",16" : "") + ",5120,,context-switches" + tail + "\n";
            Readings read = Readings.of(text, UTC);
            assertThat(read.sample(0).getScopes()).as(text).containsExactly(scope);
            assertThat(read.value(0, "context-switches", scope)).isEqualByComparingTo("5120");
            assertThat(read.counters(0, "context-switches", scope)).isEqualTo(counted ? 16 : SampleBuilder.UNKNOWN);
            assertThat(read.running(0, "context-switches", scope))
                    .isEqualTo(tail.isEmpty() ? SampleBuilder.UNKNOWN : 10_000);
        }
    }

    @Test
    void shouldReadACountOfOneCoreWithoutNumberOfCounters() {
        Readings read = Readings.of(STARTED + "1.000210400,S0-D0-C1,5120,,cycles,1000211001,100.00,,\n", UTC);
        assertThat(read.value(0, "cycles", "core0.0.1")).isEqualByComparingTo("5120");
    }

    @Test
    void shouldKeepCommasInEventNamesAndTellCgroupsAndVariances() {
        Readings read = Readings.of(STARTED + """
                        1.000210400,S0,1,77.50,MiB,uncore_imc_0/event=0x4,umask=0x3/,1000211001,100.00,,
                        1.000210400,S0,1,12,,cpu/event=0x3c,umask=0x0/u,/system.slice,1000211001,50.00,,
                        1.000210400,S0,1,13,,cycles,/,1.25%,1000211001,16.66,2.000,GHz
                        1.000210400,S0,1,14,,cycles,,1000211001,15.00,,
                        """, UTC);
        assertThat(read.account().errors()).isEmpty();
        Column uncore = read.column(0, "uncore_imc_0/event=0x4,umask=0x3/").orElseThrow();
        assertThat(uncore.getUnit()).isEqualTo("MiB");
        assertThat(uncore.getDimension()).isEmpty();
        assertThat(read.value(0, uncore.getRawName(), "socket0")).isEqualTo(new BigDecimal("77.50"));
        assertThat(read.column(0, "cpu/event=0x3c,umask=0x0/u").orElseThrow().getDimension())
                .isEqualTo("/system.slice");
        List<Column> cycles = read.sample(0).getColumns().stream()
                .filter(c -> c.getMetric().equals("cycles") && c.getUnit().equals("1"))
                .toList();
        assertThat(cycles).extracting(Column::getDimension).containsExactly("/", "");
        assertThat(cycles).extracting(c -> c.getRunning().get(0)).containsExactly(1666, 1500);
        assertThat(cycles.get(0).getFlags()).containsExactly(Flag.SCALED, Flag.LOW_COVERAGE);
        assertThat(read.value(0, read.derived(0, "cycles", "%"), "socket0")).isEqualTo(new BigDecimal("1.25"));
    }

    @Test
    void shouldHoldANumberCountedForNoTimeToBeNone() {
        Readings read =
                Readings.of(STARTED + "1.000210400,0,,cycles,0,100.00,,\n1.000210400,0,,instructions,5,1.00,,\n", UTC);
        assertThat(read.state(0, "cycles", "system")).isEqualTo(SampleBuilder.NOT_COUNTED);
        assertThat(read.value(0, "instructions", "system")).isEqualByComparingTo("0");
    }

    @Test
    void shouldTellTheSameEventTwiceApart() {
        Readings read =
                Readings.of(STARTED + "1.000210400,5,,cycles,9,100.00,,\n1.000210400,6,,cycles,9,100.00,,\n", UTC);
        assertThat(read.sample(0).getColumns())
                .extracting(Column::getDimension, c -> c.getValues().get(0))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("", 5L), org.assertj.core.groups.Tuple.tuple("#2", 6L));
    }

    @Test
    void shouldLeaveMissingRowsAbsent() {
        Readings read = Readings.of(STARTED + """
                        1.000210400,CPU0,5,,cycles,9,100.00,,
                        1.000210400,CPU1,6,,cycles,9,100.00,,
                        1.000210400,CPU1,0,,faults,9,100.00,,
                        """, UTC);
        assertThat(read.state(0, "faults", "cpu0")).isEqualTo(SampleBuilder.ABSENT);
        assertThat(read.value(0, "faults", "cpu1")).isEqualByComparingTo("0");
    }

    @Test
    void shouldReadStackedRunsOneAfterTheOther() {
        String rows = "1.000000001,5,,cycles,9,100.00,,\n2.000000001,6,,cycles,9,100.00,,\n";
        Readings read = Readings.of(STARTED + rows + STARTED.replace("09:00", "10:30") + rows, UTC);
        assertThat(read.samples()).hasSize(4);
        assertThat(read.start(2)).isEqualTo("2026-03-02T10:30:00Z");
        assertThat(read.end(3)).isEqualTo("2026-03-02T10:30:02.000000001Z");

        Readings unmarked = Readings.of(rows + rows, Map.of("start", "2026-03-02T09:00:00Z"));
        assertThat(unmarked.samples()).hasSize(2);
        assertThat(unmarked.account().errors())
                .first()
                .hasToString("line 3: time runs back to 1.000000001 s without a \"# started on\" line; cut the capture"
                        + " here and give the rest its own --start: \"1.000000001,5,,cycles,9,100.00,,\"");
    }

    @Test
    void shouldNotLetAStackedRunBeginBeforeTheOneAboveEnded() {
        String rows = "1.900000000,5,,cycles,9,100.00,,\n3.900000000,6,,cycles,9,100.00,,\n";
        Readings close = Readings.of(STARTED + rows + STARTED.replace("09:00:00", "09:00:03") + rows, UTC);
        assertThat(close.start(2)).isEqualTo("2026-03-02T09:00:03.900Z");
        assertThat(close.end(2)).isEqualTo("2026-03-02T09:00:05.800Z");

        Readings back = Readings.of(STARTED + rows + STARTED.replace("09:00:00", "08:00:00") + rows, UTC);
        assertThat(back.samples()).hasSize(2);
        assertThat(back.account().errors())
                .extracting(LineAccount.Remark::message)
                .containsExactly(
                        "this run of perf began at 2026-03-02T08:00:00Z, before the one above it ended; replay it as"
                                + " another run; row left out",
                        "of a run of perf that cannot be placed in time, see above; row left out");
    }

    @Test
    void shouldCallCutLinesErrors() {
        String row = "1.000000001,CPU0,5,,cycles,9,100.00,,\n";
        for (String cut : List.of(
                "2.000000001,CPU0,<not cou",
                "2.000000001,CPU0,5,,cycles,9",
                "2.000000001,CPU0,5,,cyc",
                "2.000000001,CPU0",
                "2.0000",
                "2.000000001,CPU0,5,,cycles,9,100.00")) {
            Readings read = Readings.of(STARTED + row + cut, UTC);
            assertThat(read.samples()).as(cut).hasSize(1);
            assertThat(read.account().errors()).as(cut).singleElement().satisfies(e -> {
                assertThat(e.line()).isEqualTo(4);
                assertThat(e.message()).startsWith("the capture is cut off here: ");
                assertThat(e.text()).isEqualTo(cut);
            });
        }
    }

    @Test
    void shouldFlagAHoleOfWholeIntervals() {
        Readings read = Readings.of(
                STARTED
                        + "1.000000000,5,,cycles,9,100.00,,\n2.000000000,6,,cycles,9,100.00,,\n5.000000000,7,,cycles,9,100.00,,\n6.600000000,7,,cycles,9,100.00,,\n",
                UTC);
        assertThat(read.flags(2)).containsExactly(Flag.GAP_BEFORE);
        assertThat(read.start(2)).isEqualTo("2026-03-02T09:00:04Z");
        assertThat(read.flags(3)).isEmpty();
        assertThat(read.start(3)).isEqualTo("2026-03-02T09:00:05Z");
    }

    @Test
    void shouldTreatTotalsWithoutATimeAsSummary() {
        Readings read =
                Readings.of(STARTED + "1.000000000,CPU0,5,,cycles,9,100.00,,\nCPU0,5,,cycles,9,100.00,,\n", UTC);
        assertThat(read.samples()).hasSize(2);
        assertThat(read.flags(1)).containsExactly(Flag.SUMMARY);
        assertThat(read.start(1)).isEqualTo("2026-03-02T09:00:00Z");
        assertThat(read.end(1)).isEqualTo("2026-03-02T09:00:01Z");
    }

    @Test
    void shouldReadACountOfAWholeRunWhenItsLengthIsGiven() {
        String text = "603.40,msec,cpu-clock,603402319,100.00,1.998,CPUs utilized\n";
        Readings read = Readings.of(STARTED + text, Map.of("zone", "UTC", "interval", "300ms"));
        assertThat(read.end(0)).isEqualTo("2026-03-02T09:00:00.300Z");
        assertThat(read.flags(0)).isEmpty();
        Readings timed = Readings.of(STARTED + text + "302183125,ns,duration_time,302183125,100.00,,\n", UTC);
        assertThat(timed.end(0)).isEqualTo("2026-03-02T09:00:00.302183125Z");
        assertThatThrownBy(() -> Readings.of(STARTED + text, UTC))
                .hasMessage("capture.txt: perf stat without -I does not say how long it ran: pass --interval, or record"
                        + " with -I 1000");
        assertThatThrownBy(() -> Readings.of(text, Map.of()))
                .hasMessage("capture.txt: perf stat without -I has no times: pass --start and --interval (how long it"
                        + " ran), or record with -I 1000");
    }

    @Test
    void shouldReadTablesOfMetricsOnly() {
        Readings read = Readings.of(STARTED + """
                         time,core,cpus,GHz,insn per cycle,
                             0.200328629,S0-D0-C0,1,2.25,0.80,
                             0.200328629,S0-D0-C1,1,nan,1.20,
                             0.401159655,S0-D0-C0,1,2.50,,
                        """, UTC);
        assertThat(read.account().count(LineAccount.Kind.HEADER)).isEqualTo(1);
        assertThat(read.value(0, read.derived(0, "GHz", ""), "core0.0.0")).isEqualTo(new BigDecimal("2.25"));
        assertThat(read.state(0, read.derived(0, "GHz", ""), "core0.0.1")).isEqualTo(SampleBuilder.NOT_COUNTED);
        assertThat(read.value(0, read.derived(0, "insn per cycle", ""), "core0.0.1"))
                .isEqualTo(new BigDecimal("1.20"));
        assertThat(read.value(1, read.derived(1, "GHz", ""), "core0.0.0")).isEqualTo(new BigDecimal("2.50"));
        assertThat(read.derived(1, "insn per cycle", "")).isEmpty();
    }

    @Test
    void shouldFallBackOnTheSystemsZoneAndSaySo() {
        byte[] text = (STARTED + "1.000000000,5,,cycles,9,100.00,,\n").getBytes(StandardCharsets.UTF_8);
        CaptureOptions options = CaptureOptions.parse("perf.csv");
        assertThatThrownBy(() -> Readings.of(text, options))
                .hasMessage("perf.csv:1: \"# started on\" is local time without a zone: pass --zone, for example --zone"
                        + " Europe/Berlin");
        Readings read = Readings.of(text, options.withSystemZone(ZoneId.of("Europe/Berlin")));
        assertThat(read.start(0)).isEqualTo("2026-03-02T08:00:00Z");
        assertThat(read.flags(0)).containsExactly(Flag.TIME_ASSUMED);
    }

    @Test
    void shouldCountNoiseBetweenTheRows() {
        Readings read = Readings.of(
                STARTED
                        + "server listening on port 80\n1.000000000,5,,cycles,9,100.00,,\n{\"a\" : 1, \"b\" : 2}\n....\n2.000000000,5,,cycles,9,100.00,,\n",
                UTC);
        assertThat(read.account()).hasToString("7 lines: 2 readings, 0 headers, 2 comments, 3 noise, 0 errors");
        assertThat(read.lineNotices()).singleElement().hasToString("line 6: rows left out here: \"....\"");
    }

    @Test
    void shouldReadALineOfOneMegabyte() {
        String event = "uncore/" + "e".repeat(1_000_000) + "/";
        Readings read = Readings.of(STARTED + "1.000000000,5,," + event + ",9,100.00,,\n", UTC);
        assertThat(read.value(0, event, "system")).isEqualByComparingTo("5");

        String tooLong = "x".repeat(LineSource.MAX_LINE + 1);
        Readings skipped = Readings.of(
                STARTED + "1.000000000,5,,cycles,9,100.00,,\n" + tooLong + "\n2.000000000,5,,cycles,9,100.00,,\n", UTC);
        assertThat(skipped.samples()).hasSize(2);
        assertThat(skipped.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(4);
            assertThat(e.message()).isEqualTo("line longer than 4194304 bytes; left out");
        });
        assertThat(skipped.account().lines()).isEqualTo(5);
    }
}
