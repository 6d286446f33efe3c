package io.farnode.producer.capture;

import static io.farnode.contract.SampleBuilder.NOT_COUNTED;
import static io.farnode.contract.SampleBuilder.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Small captures in the tools' layouts, each with one trap, and exactly what must come out of them. */
class CaptureCasesTest {
    @Test
    void shouldReadHandTrimmedVmstatWithoutAClock() {
        Readings read = Readings.ofResource(
                "cases/01-vmstat-seed-trimmed.in", Map.of("start", "2026-03-02T09:00:00Z", "interval", "1s"));

        assertThat(read.format()).isEqualTo(CaptureFormat.VMSTAT);
        assertThat(read.samples()).hasSize(4);
        assertThat(read.start(0)).isEqualTo(read.end(0)).isEqualTo("2026-03-02T09:00:00Z");
        assertThat(read.start(3)).isEqualTo("2026-03-02T09:00:02Z");
        assertThat(read.end(3)).isEqualTo("2026-03-02T09:00:03Z");
        String[][] expected = {
            {"3", "0", "0", "41200516", "61034"},
            {"7", "1", "0", "41188240", "118450"},
            {"12", "0", "0", "41190112", "131902"},
            {"9", "0", "0", "41185764", "127316"}
        };
        String[] names = {"r", "b", "swpd", "free", "in"};
        for (int row = 0; row < 4; row++) {
            assertThat(read.sample(row).getColumns()).hasSize(5);
            assertThat(read.flags(row)).containsExactly(Flag.TIME_ASSUMED);
            for (int i = 0; i < names.length; i++) {
                assertThat(read.system(row, names[i])).isEqualTo(expected[row][i]);
            }
            assertThat(read.flags(row, "free")).containsExactly(Flag.UNIT_ASSUMED);
            assertThat(read.flags(row, "swpd")).containsExactly(Flag.UNIT_ASSUMED);
            assertThat(read.flags(row, "r")).isEmpty();
            assertThat(read.column(row, "free").orElseThrow().getUnit()).isEqualTo("KiB");
            assertThat(read.column(row, "cs")).isEmpty();
        }
        assertThat(read.flags(0, "in")).containsExactly(Flag.SINCE_BOOT);
        assertThat(read.flags(1, "in")).isEmpty();
        BigDecimal sum = BigDecimal.ZERO;
        for (int row = 1; row < 4; row++) {
            sum = sum.add(read.value(row, "in", "system"));
        }
        assertThat(sum.divide(BigDecimal.valueOf(3), 2, RoundingMode.HALF_UP)).isEqualByComparingTo("125889.33");
        assertThat(read.account().count(LineAccount.Kind.ERROR)).isZero();
        assertThat(read.account().lineNumbers(LineAccount.Kind.NOISE)).isEqualTo("8");
        assertThat(read.lineNotices()).singleElement().satisfies(n -> {
            assertThat(n.line()).isEqualTo(8);
            assertThat(n.message()).contains("left out");
        });
        assertThat(read.reader().timeAssumed()).isTrue();
    }

    @Test
    void shouldRefuseVmstatWithoutAClockWhenNoStartIsGiven() {
        assertThatThrownBy(() -> Readings.ofResource("cases/01-vmstat-seed-trimmed.in", Map.of()))
                .isInstanceOf(CaptureException.class)
                .hasMessage("01-vmstat-seed-trimmed.in: vmstat without -t has no clock: pass --start");
        assertThatThrownBy(() -> Readings.ofResource("cases/03-vmstat-active-quoted-mail.in", Map.of()))
                .hasMessage(
                        "03-vmstat-active-quoted-mail.in: vmstat without -t has no clock: pass --start and --interval");
    }

    @Test
    void shouldReadActiveMemoryOutOfAQuotedMail() {
        Readings read = Readings.ofResource(
                "cases/03-vmstat-active-quoted-mail.in", Map.of("start", "2026-03-02T10:00:00Z", "interval", "2s"));

        assertThat(read.samples()).hasSize(3);
        assertThat(read.end(0)).isEqualTo("2026-03-02T10:00:00Z");
        assertThat(read.start(1)).isEqualTo("2026-03-02T10:00:00Z");
        assertThat(read.end(1)).isEqualTo("2026-03-02T10:00:02Z");
        assertThat(read.end(2)).isEqualTo("2026-03-02T10:00:04Z");
        assertThat(read.system(0, "in")).isEqualTo("120");
        assertThat(read.system(0, "cs")).isEqualTo("233");
        assertThat(read.flags(0, "in")).contains(Flag.SINCE_BOOT);
        assertThat(read.flags(0, "us")).contains(Flag.SINCE_BOOT);
        assertThat(read.flags(0, "inact")).doesNotContain(Flag.SINCE_BOOT);
        assertThat(read.column(0, "inact").orElseThrow().getMetric()).isEqualTo("memory.inactive");
        assertThat(read.system(0, "inact")).isEqualTo("1500340");
        assertThat(read.column(0, "active").orElseThrow().getMetric()).isEqualTo("memory.active");
        assertThat(read.system(0, "active")).isEqualTo("610224");
        assertThat(List.of("r", "in", "cs", "us", "sy", "id", "bo"))
                .extracting(n -> read.system(1, n))
                .containsExactly("6", "9041", "15220", "38", "22", "40", "88");
        assertThat(List.of("r", "b", "in", "cs", "bi", "wa"))
                .extracting(n -> read.system(2, n))
                .containsExactly("5", "1", "8875", "14990", "16", "1");
        assertThat(read.flags(2, "in")).isEmpty();
        assertThat(read.column(1, "bo").orElseThrow().getUnit()).isEqualTo("KiB/s");
        assertThat(read.flags(1, "bo")).isEmpty();
        assertThat(read.samples())
                .allSatisfy(s -> assertThat(s.getColumns())
                        .noneMatch(c -> c.getMetric().equals("memory.buffers")
                                || c.getMetric().equals("memory.cache")));
        assertThat(read.account().count(LineAccount.Kind.ERROR)).isZero();
        assertThat(read.account().count(LineAccount.Kind.HEADER)).isEqualTo(4);
        assertThat(read.account().lines()).isEqualTo(12);
    }

    @Test
    void shouldNotRunBackAtTheEndOfSummerTime() {
        Readings read = Readings.ofResource("cases/05-vmstat-dst-fold.in", Map.of("zone", "Europe/Berlin"));

        assertThat(List.of(read.end(0), read.end(1), read.end(2), read.end(3)))
                .containsExactly(
                        Instant.parse("2025-10-26T00:59:58Z"),
                        Instant.parse("2025-10-26T00:59:59Z"),
                        Instant.parse("2025-10-26T01:00:00Z"),
                        Instant.parse("2025-10-26T01:00:01Z"));
        assertThat(read.start(2)).isEqualTo(read.end(1));
        assertThat(read.flags(0, "in")).contains(Flag.SINCE_BOOT);
        assertThat(read.flags(0)).isEmpty();
        assertThat(read.flags(1)).isEmpty();
        assertThat(read.flags(2)).containsExactly(Flag.TIME_DISAMBIGUATED);
        assertThat(read.flags(3)).isEmpty();
        assertThat(List.of(1, 2, 3)).extracting(i -> read.system(i, "in")).containsExactly("5100", "5050", "5200");
        assertThat(List.of(1, 2, 3)).extracting(i -> read.system(i, "cs")).containsExactly("8000", "7900", "8100");
        assertThat(read.reader().timeAssumed()).isFalse();
    }

    @Test
    void shouldReadAWrappersTimeColumnOverMidnight() {
        Readings read = Readings.ofResource("cases/07-vmstat-wrapper-time-midnight.in", Map.of("zone", "UTC"));

        assertThat(read.samples()).hasSize(4);
        assertThat(read.end(0)).isEqualTo("2025-12-31T23:59:50Z");
        assertThat(read.flags(0, "in")).contains(Flag.SINCE_BOOT);
        assertThat(read.start(1)).isEqualTo("2025-12-31T23:59:50Z");
        assertThat(read.end(1)).isEqualTo("2025-12-31T23:59:55Z");
        assertThat(read.start(2)).isEqualTo("2025-12-31T23:59:55Z");
        assertThat(read.end(2)).isEqualTo("2026-01-01T00:00:01Z");
        assertThat(read.end(3)).isEqualTo("2026-01-01T00:00:06Z");
        assertThat(List.of(1, 2, 3)).extracting(i -> read.system(i, "in")).containsExactly("36567", "32547", "37448");
        assertThat(read.system(1, "cs")).isEqualTo("40997");
        assertThat(read.system(2, "bi")).isEqualTo("45");
        assertThat(read.system(2, "r")).isEqualTo("3");
        Sample third = read.sample(2);
        assertThat(read.value(2, "in", "system")
                        .multiply(BigDecimal.valueOf(third.getEndNanos() - third.getStartNanos(), 9)))
                .isEqualByComparingTo("195282");
        assertThat(read.account().count(LineAccount.Kind.ERROR)).isZero();
    }

    @Test
    void shouldTakeTheDateFromAnOptionWhenOnlyTheTimeOfDayIsPrinted() {
        String text =
                new String(Readings.resource("cases/07-vmstat-wrapper-time-midnight.in")).replaceAll("(?m)^#.*\n", "");
        Readings read = Readings.of(text, Map.of("zone", "UTC", "date", "2025-12-31"));

        assertThat(read.end(0)).isEqualTo("2025-12-31T23:59:50Z");
        assertThat(read.end(3)).isEqualTo("2026-01-01T00:00:06Z");
        assertThatThrownBy(() -> Readings.of(text, Map.of("zone", "UTC")))
                .hasMessage("capture.txt:3: time of day without a date: pass --date, for example --date 2026-03-02");
    }

    @Test
    void shouldReadPerfPerCpuWithAShortLastInterval() {
        Readings read = Readings.ofResource("cases/09-perf-csv-percpu.in", Map.of("zone", "UTC"));

        assertThat(read.format()).isEqualTo(CaptureFormat.PERF_CSV);
        assertThat(read.samples()).hasSize(2);
        assertThat(read.start(0)).isEqualTo("2026-03-02T09:00:00Z");
        assertThat(read.end(0)).isEqualTo("2026-03-02T09:00:01.000210400Z");
        assertThat(read.start(1)).isEqualTo("2026-03-02T09:00:01.000210400Z");
        assertThat(read.end(1)).isEqualTo("2026-03-02T09:00:01.400611020Z");
        assertThat(read.flags(0)).isEmpty();
        assertThat(read.flags(1)).containsExactly(Flag.PARTIAL_SPAN);
        assertThat(read.value(0, "context-switches", "cpu0")).isEqualByComparingTo("5120");
        assertThat(read.value(0, "context-switches", "cpu1")).isEqualByComparingTo("740");
        assertThat(read.value(1, "context-switches", "cpu0")).isEqualByComparingTo("2050");
        assertThat(read.state(1, "context-switches", "cpu1")).isEqualTo(NOT_COUNTED);
        assertThat(read.flags(1, "context-switches")).containsExactly(Flag.NOT_COUNTED);
        assertThat(read.column(0, "context-switches").orElseThrow().getMetric()).isEqualTo("context.switches");
        assertThat(read.column(0, "cpu-clock").orElseThrow().getUnit()).isEqualTo("ms");
        assertThat(read.value(0, "cpu-clock", "cpu0")).isEqualTo(new BigDecimal("1000.21"));
        assertThat(read.value(0, "cpu-clock", "cpu1")).isEqualTo(new BigDecimal("1000.19"));
        assertThat(read.value(1, "cpu-clock", "cpu0")).isEqualTo(new BigDecimal("400.41"));
        assertThat(read.value(1, "cpu-clock", "cpu1")).isEqualTo(new BigDecimal("400.40"));
        for (int i = 0; i < 2; i++) {
            assertThat(read.state(i, "cycles", "cpu0")).isEqualTo(NOT_SUPPORTED);
            assertThat(read.state(i, "cycles", "cpu1")).isEqualTo(NOT_SUPPORTED);
            assertThat(read.running(i, "cycles", "cpu0")).isZero();
            assertThat(read.running(i, "cpu-clock", "cpu0")).isEqualTo(SampleBuilder.ALWAYS);
        }
        assertThat(read.value(0, read.derived(0, "context-switches", "K/sec"), "cpu0"))
                .isEqualTo(new BigDecimal("5.119"));
        assertThat(read.value(0, read.derived(0, "context-switches", "/sec"), "cpu1"))
                .isEqualTo(new BigDecimal("739.858"));
        assertThat(read.value(1, read.derived(1, "cpu-clock", "CPUs utilized"), "cpu1"))
                .isEqualTo(new BigDecimal("0.400"));
        assertThat(read.derived(0, "cycles", "")).isEmpty();
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(12);
        assertThat(read.account().count(LineAccount.Kind.COMMENT)).isEqualTo(2);
        assertThat(read.account().lines()).isEqualTo(14);
    }

    @Test
    void shouldKeepCoresOfDifferentSocketsApart() {
        Readings read = Readings.ofResource("cases/11-perf-csv-percore.in", Map.of("zone", "UTC"));

        assertThat(read.samples()).hasSize(1);
        List<String> cores = List.of("core0.0.0", "core0.1.9", "core1.0.0");
        assertThat(read.sample(0).getScopes()).containsExactlyElementsOf(cores);
        assertThat(cores)
                .extracting(c -> read.value(0, "instructions", c).longValueExact())
                .containsExactly(4_000_000L, 6_000_000L, 1_000_000L);
        assertThat(cores)
                .extracting(c -> read.value(0, "cycles", c).longValueExact())
                .containsExactly(5_000_000L, 5_000_000L, 5_000_000L);
        assertThat(cores).extracting(c -> read.counters(0, "instructions", c)).containsExactly(2, 2, 2);
        assertThat(cores).extracting(c -> read.counters(0, "cycles", c)).containsExactly(2, 2, 1);
        assertThat(cores)
                .extracting(c -> read.value(0, read.derived(0, "instructions", "insn per cycle"), c))
                .containsExactly(new BigDecimal("0.80"), new BigDecimal("1.20"), new BigDecimal("0.20"));
        assertThat(read.account().errors()).isEmpty();
        assertThat(read.lineNotices()).singleElement().satisfies(n -> {
            assertThat(n.line()).isEqualTo(8);
            assertThat(n.message()).isEqualTo("S1-D0-C0: cycles was added up from 1 counters, other events from 2");
        });
    }

    @Test
    void shouldReadPerfFromBeforeThereWereUnits() {
        Readings read = Readings.ofResource("cases/13-perf-csv-old-formats.in", Map.of("zone", "UTC"));

        assertThat(read.samples()).hasSize(2);
        assertThat(read.start(0)).isEqualTo("2013-11-12T10:20:30Z");
        assertThat(read.end(0)).isEqualTo("2013-11-12T10:20:31.000113905Z");
        assertThat(read.end(1)).isEqualTo("2013-11-12T10:20:32.000267331Z");
        assertThat(read.value(0, "context-switches", "cpu0")).isEqualByComparingTo("412");
        assertThat(read.value(0, "context-switches", "cpu1")).isEqualByComparingTo("97");
        assertThat(read.value(1, "context-switches", "cpu0")).isEqualByComparingTo("433");
        assertThat(read.value(1, "context-switches", "cpu1")).isEqualByComparingTo("101");
        assertThat(read.state(0, "cache-misses", "cpu0")).isEqualTo(NOT_COUNTED);
        assertThat(read.value(0, "cache-misses", "cpu1")).isEqualByComparingTo("20411");
        assertThat(read.value(1, "cache-misses", "cpu0")).isEqualByComparingTo("18877");
        assertThat(read.value(1, "cache-misses", "cpu1")).isEqualByComparingTo("20950");
        assertThat(read.running(0, "context-switches", "cpu0")).isEqualTo(SampleBuilder.UNKNOWN);
        assertThat(read.column(0, "context-switches").orElseThrow().getUnit()).isEqualTo("1");
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(8);
    }

    @Test
    void shouldRepairNumbersThatADecimalCommaHasSplit() {
        Readings read =
                Readings.ofResource("cases/15-perf-csv-locale-comma.in", Map.of("start", "2026-03-02T09:00:00Z"));

        assertThat(read.samples()).hasSize(2);
        assertThat(read.end(0)).isEqualTo("2026-03-02T09:00:00.500201771Z");
        assertThat(read.value(0, "cpu-clock", "system")).isEqualTo(new BigDecimal("998.41"));
        assertThat(read.column(0, "cpu-clock").orElseThrow().getUnit()).isEqualTo("ms");
        assertThat(read.running(0, "cpu-clock", "system")).isEqualTo(10_000);
        assertThat(read.flags(0, "cpu-clock")).containsExactly(Flag.LOCALE_REPAIRED);
        assertThat(read.value(0, "context-switches", "system")).isEqualByComparingTo("176");
        assertThat(read.running(0, "context-switches", "system")).isEqualTo(10_000);
        assertThat(read.flags(0, "context-switches")).containsExactly(Flag.LOCALE_REPAIRED);
        assertThat(read.value(1, "cpu-clock", "system")).isEqualTo(new BigDecimal("1001.07"));
        assertThat(read.running(1, "cpu-clock", "system")).isEqualTo(6_600);
        assertThat(read.flags(1, "cpu-clock")).containsExactlyInAnyOrder(Flag.SCALED, Flag.LOCALE_REPAIRED);
        assertThat(read.state(1, "cycles", "system")).isEqualTo(NOT_COUNTED);
        assertThat(read.running(1, "cycles", "system")).isZero();
        assertThat(read.derived(0, "cpu-clock", "CPUs utilized").orElseThrow().getFlags())
                .containsExactlyInAnyOrder(Flag.LOCALE_REPAIRED, Flag.METRIC_TRUNCATED);
        assertThat(read.flags(0)).containsExactly(Flag.TIME_ASSUMED);
        assertThatThrownBy(() -> Readings.ofResource("cases/15-perf-csv-locale-comma.in", Map.of()))
                .hasMessage("15-perf-csv-locale-comma.in: perf stat without a \"# started on\" line (it comes with -o)"
                        + " has no clock: pass --start");
    }

    @Test
    void shouldAttachMetricRowsAndKeepSummariesOutOfTheSeries() {
        Readings read = Readings.ofResource("cases/17-perf-csv-metric-rows-summary.in", Map.of("zone", "UTC"));

        assertThat(read.samples()).hasSize(3);
        assertThat(List.of(0, 1, 2))
                .extracting(i -> read.value(i, "cycles", "socket0").longValueExact())
                .containsExactly(9_000_000_000L, 9_100_000_000L, 18_100_000_000L);
        assertThat(List.of(0, 1, 2))
                .extracting(i -> read.value(i, "instructions", "socket0").longValueExact())
                .containsExactly(7_200_000_000L, 4_550_000_000L, 11_750_000_000L);
        assertThat(read.flags(0)).isEmpty();
        assertThat(read.flags(1)).isEmpty();
        assertThat(read.flags(2)).containsExactly(Flag.SUMMARY);
        assertThat(read.start(2)).isEqualTo("2026-03-02T17:00:00Z");
        assertThat(read.end(2)).isEqualTo("2026-03-02T17:00:02.000400Z");
        assertThat(read.value(0, read.derived(0, "instructions", "stalled cycles per insn"), "socket0"))
                .isEqualTo(new BigDecimal("0.25"));
        assertThat(read.value(0, read.derived(0, "instructions", "%  backend bound"), "socket0"))
                .isEqualTo(new BigDecimal("31.5"));
        assertThat(read.value(1, read.derived(1, "instructions", "stalled cycles per insn"), "socket0"))
                .isEqualTo(new BigDecimal("0.75"));
        assertThat(read.derived(1, "instructions", "%  backend bound")).isEmpty();
        assertThat(read.counters(0, "cycles", "socket0")).isEqualTo(8);
        assertThat(read.samples())
                .allSatisfy(s ->
                        assertThat(s.getColumns()).noneMatch(c -> c.getRawName().isEmpty()));
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(9);
        assertThat(read.account().count(LineAccount.Kind.ERROR)).isZero();
    }

    @Test
    void shouldFindTheRowsInAWholeMail() {
        // eight rows as they were posted to linux-kernel in 2018, quoted three times, in a made-up mail
        Readings read =
                Readings.ofResource("mail/its-numa.txt", Map.of("start", "2019-01-11T09:00:00Z", "interval", "1s"));

        assertThat(read.format()).isEqualTo(CaptureFormat.VMSTAT);
        assertThat(read.samples()).hasSize(8);
        assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 7))
                .extracting(i -> read.system(i, "in"))
                .containsExactly("102794", "171148", "207185", "175691", "145250", "201879", "192391", "168880");
        assertThat(read.system(7, "free")).isEqualTo("30133632");
        assertThat(read.sample(0).getFirstLine()).isEqualTo(43);
        assertThat(read.account().errors()).isEmpty();
        assertThat(read.account().lines()).isEqualTo(63);
        assertThat(read.account().count(LineAccount.Kind.READING)).isEqualTo(8);
        assertThat(read.account().lineNumbers(LineAccount.Kind.HEADER)).isEqualTo("41-42");
        assertThat(read.account().lineNumbers(LineAccount.Kind.COMMENT))
                .isEqualTo("2, 4, 10, 13, 15, 17, 21, 25, 30, 37, 39-40, 52, 54, 56, 58, 60");
        assertThat(read.account().lineNumbers(LineAccount.Kind.NOISE))
                .isEqualTo("1, 3, 5-9, 11-12, 14, 16, 18-20, 22-24, 26-29, 31-36, 38, 51, 53, 55, 57, 59, 61-63");
    }
}
