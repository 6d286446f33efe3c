package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.telemetry.Flag;
import io.farnode.telemetry.ValueKind;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VmstatReaderTest {
    private static final Map<String, String> CLOCK = Map.of("start", "2026-03-02T09:00:00Z", "interval", "1s");
    private static final String HEADER = """
            procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
             r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
            """;
    private static final String FIRST = " 1  0      0 100 20 40    0    0     1     2   90  150  1  0 99  0  0\n";
    private static final String SECOND = " 3  0      0 101 20 40    0    0     0     0 5100 8000 12  6 82  0  0\n";

    @Test
    void shouldCallACutLineAnErrorWithItsNumber() {
        Readings read = Readings.of(HEADER + FIRST + SECOND + " 3  0      0 101 2", CLOCK);

        assertThat(read.samples()).hasSize(2);
        assertThat(read.account().errors())
                .extracting(LineAccount.Remark::toString)
                .containsExactly("line 5: 5 fields for 17 columns; the capture is cut off here; row left out:"
                        + " \"3  0      0 101 2\"");
        assertThat(read.account()).hasToString("5 lines: 2 readings, 2 headers, 0 comments, 0 noise, 1 errors");
    }

    @Test
    void shouldSayWhichNumberIsTooLarge() {
        Readings read = Readings.of(HEADER + FIRST + FIRST.replace("100 20", "18446744073709551615 20"), CLOCK);
        assertThat(read.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(4);
            assertThat(e.message()).isEqualTo("free = 18446744073709551615 does not fit in 63 bits; row left out");
        });
    }

    @Test
    void shouldKeepColumnsItDoesNotKnow() {
        Readings read = Readings.of("""
                 r  b   swpd   free   in   cs us sy id wa st gu zz
                 1  0      0 100 90 150 1 0 99 0 0 0 7
                 1  0      0 100 91 151 1 0 98 0 0 1 8
                """, CLOCK);
        assertThat(read.system(1, "zz")).isEqualTo("8");
        assertThat(read.column(1, "zz").orElseThrow().getMetric()).isEqualTo("zz");
        assertThat(read.column(1, "zz").orElseThrow().getKind()).isEqualTo(ValueKind.OTHER);
        assertThat(read.column(1, "gu").orElseThrow().getMetric()).isEqualTo("cpu.guest");
        assertThat(read.system(1, "gu")).isEqualTo("1");
    }

    @Test
    void shouldMapTranslatedNames() {
        Readings read = Readings.of("""
                procs ----------mémoire---------- -échange- -----io---- -système- ------cpu-----
                 r  b   swpd  libre tampon  cache   si   so    bi    bo   in   cs us sy id wa st
                 1  0      0 100 20 40    0    0     1     2   90  150  1  0 99  0  0
                procs -----------Speicher---------- ---Swap-- -----E/A---- -System-- ------CPU-----
                 r  b   swpd   frei   buff  Cache   si   so    bi    bo   in   cs us sy id wa st
                 3  0      0 101 21 41    0    0     0     0 5100 8000 12  6 82  0  0
                """, CLOCK);
        assertThat(List.of("libre", "tampon", "cache"))
                .extracting(n -> read.column(0, n).orElseThrow().getMetric())
                .containsExactly("memory.free", "memory.buffers", "memory.cache");
        assertThat(List.of("frei", "buff", "Cache"))
                .extracting(n -> read.column(1, n).orElseThrow().getMetric())
                .containsExactly("memory.free", "memory.buffers", "memory.cache");
        assertThat(read.system(1, "frei")).isEqualTo("101");
    }

    @Test
    void shouldStepOverOtherTablesOfVmstat() {
        Readings read = Readings.of(HEADER + FIRST + SECOND + """
                        disk- ------------reads------------ ------------writes----------- -----IO------
                               total merged sectors      ms  total merged sectors      ms    cur    sec
                        vda    27000   9000 2000000   12000  36000  41000 5000000  200000      0     60
                             16303428 K total memory
                              2342340 K used memory
                        Cache                       Num  Total   Size  Pages
                        nf_conntrack                 52     52    320     52
                        """ + HEADER + SECOND, CLOCK);
        assertThat(read.samples()).hasSize(3);
        assertThat(read.account().count(LineAccount.Kind.NOISE)).isEqualTo(7);
        assertThat(read.account().errors()).isEmpty();
    }

    @Test
    void shouldTakeUnitIntervalAndFirstRowFromTheCommandLine() {
        Readings read = Readings.of(
                "$ vmstat -y -S M 2 5\n" + HEADER + FIRST + SECOND, Map.of("start", "2026-03-02T09:00:00Z"));

        assertThat(read.column(0, "free").orElseThrow().getUnit()).isEqualTo("MiB");
        assertThat(read.flags(0, "free")).isEmpty();
        assertThat(read.column(0, "si").orElseThrow().getUnit()).isEqualTo("MiB/s");
        assertThat(read.column(0, "bi").orElseThrow().getUnit()).isEqualTo("KiB/s");
        assertThat(read.flags(0, "in")).isEmpty();
        assertThat(read.start(0)).isEqualTo("2026-03-02T09:00:00Z");
        assertThat(read.end(0)).isEqualTo("2026-03-02T09:00:02Z");
        assertThat(read.end(1)).isEqualTo("2026-03-02T09:00:04Z");
    }

    @Test
    void shouldBeginAnotherRunAtEachCommandOrDate() {
        String text = "Mon Mar  2 09:00:00 UTC 2026\n" + HEADER + FIRST + SECOND + "Mon Mar  2 10:00:00 UTC 2026\n"
                + HEADER + FIRST + SECOND;
        Readings read = Readings.of(text, Map.of("interval", "5"));

        assertThat(read.samples()).hasSize(4);
        assertThat(read.end(1)).isEqualTo("2026-03-02T09:00:05Z");
        assertThat(read.flags(2, "in")).contains(Flag.SINCE_BOOT);
        assertThat(read.end(2)).isEqualTo("2026-03-02T10:00:00Z");
        assertThat(read.end(3)).isEqualTo("2026-03-02T10:00:05Z");
        assertThat(read.account().count(LineAccount.Kind.COMMENT)).isEqualTo(2);
    }

    @Test
    void shouldFlagAHoleAndNotStretchTheRowBehindItOverTheHole() {
        String row = " 3 0 0 101 20 40 0 0 0 0 5100 8000 12 6 82 0 0 2026-03-02 09:00:";
        Readings read = Readings.of(
                HEADER.stripTrailing() + "   UTC\n" + row + "00\n" + row + "01\n" + row + "02\n" + row + "03\n" + row
                        + "04\n....\n" + row + "34\n",
                Map.of());
        assertThat(read.flags(5)).containsExactly(Flag.GAP_BEFORE);
        assertThat(read.start(5)).isEqualTo("2026-03-02T09:00:33Z");
        assertThat(read.end(5)).isEqualTo("2026-03-02T09:00:34Z");
        assertThat(read.flags(4)).isEmpty();
    }

    @Test
    void shouldCallTimeThatRunsBackAnError() {
        String row = " 3 0 0 101 20 40 0 0 0 0 5100 8000 12 6 82 0 0 2026-03-02 ";
        Readings read = Readings.of(
                HEADER.stripTrailing() + " UTC\n" + row + "09:00:00\n" + row + "09:00:01\n" + row + "08:00:00\n" + row
                        + "09:00:02\n" + row + "25:00:00\n",
                Map.of());
        assertThat(read.samples()).hasSize(3);
        assertThat(read.account().errors())
                .extracting(LineAccount.Remark::message)
                .containsExactly(
                        "time runs back from 2026-03-02T09:00:01Z to 2026-03-02T08:00:00Z; cut the capture here and"
                                + " replay the rest as another run",
                        "no such date or time (Invalid value for HourOfDay (valid values 0 - 23): 25); row left out");
    }

    @Test
    void shouldAskForTheZoneUnlessTheHeaderOrTheSystemTellsIt() {
        String text = HEADER.stripTrailing() + "                CEST\n"
                + " 3 0 0 101 20 40 0 0 0 0 5100 8000 12 6 82 0 0 2026-07-02 09:00:00\n";
        assertThatThrownBy(() -> Readings.of(text, Map.of()))
                .hasMessage("capture.txt:3: vmstat prints local time of zone \"CEST\": pass --zone, for example --zone"
                        + " Europe/Berlin");
        CaptureOptions options = CaptureOptions.parse("capture.txt");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Readings.of(bytes, options.withSystemZone(ZoneId.of("UTC"))))
                .hasMessageContaining("pass --zone");
        Readings read = Readings.of(bytes, options.withSystemZone(ZoneId.of("Europe/Berlin")));
        assertThat(read.end(0)).isEqualTo("2026-07-02T07:00:00Z");
        assertThat(read.flags(0)).containsExactly(Flag.TIME_ASSUMED);
        assertThat(Readings.of(text.replace("CEST", "+03"), Map.of()).end(0)).isEqualTo("2026-07-02T06:00:00Z");
    }

    @Test
    void shouldReadTimesThatWrappersPutInFront() {
        for (String front : List.of(
                "2026-03-02 09:00:00",
                "2026-03-02T09:00:00Z",
                "2026-03-02T10:00:00+0100",
                "1772442000",
                "[1772442000.000]",
                "host1 2026-03-02 09:00:00:")) {
            Readings read = Readings.of(HEADER + front + FIRST, Map.of("zone", "UTC"));
            assertThat(read.end(0)).as(front).isEqualTo("2026-03-02T09:00:00Z");
            assertThat(read.system(0, "in")).isEqualTo("90");
        }
        Readings named = Readings.of(
                HEADER.replace(" r  b", "Time  r  b") + "09:00:00" + FIRST,
                Map.of("zone", "UTC", "date", "2026-03-02"));
        assertThat(named.end(0)).isEqualTo("2026-03-02T09:00:00Z");
    }

    @Test
    void shouldReadTimesThatWrappersPutOnEveryLine() {
        for (String stamp : List.of(
                "2026-03-02 09:00:00 ",
                "Mar 02 09:00:00 ",
                "Mar  2 09:00:00 host1 ",
                "Mon Mar  2 09:00:00 2026 ",
                "20260302 09:00:00 ",
                "2026/03/02 09:00:00 ",
                "2026-03-02T09:00:00 ",
                "09:00:00 AM ",
                "09:00:00 | ")) {
            String text =
                    (HEADER + FIRST).lines().map(l -> stamp + l + "\n").collect(java.util.stream.Collectors.joining());
            Readings read = Readings.of(text, Map.of("zone", "UTC", "date", "2026-03-02"));
            assertThat(read.end(0)).as(stamp).isEqualTo("2026-03-02T09:00:00Z");
            assertThat(read.system(0, "in")).isEqualTo("90");
            assertThat(read.account().count(LineAccount.Kind.HEADER)).as(stamp).isEqualTo(2);
            assertThat(read.account().count(LineAccount.Kind.NOISE)).isZero();
        }
        for (String stamp : List.of(" 09:00:00", " 1772442000", " 1772442000000", " 2026-03-02 09:00:00")) {
            String text =
                    (HEADER + FIRST).lines().map(l -> l + stamp + "\n").collect(java.util.stream.Collectors.joining());
            Readings read = Readings.of(text, Map.of("zone", "UTC", "date", "2026-03-02"));
            assertThat(read.end(0)).as(stamp).isEqualTo("2026-03-02T09:00:00Z");
        }
    }

    @Test
    void shouldReadATwelveHourClockOverMidnight() {
        Readings read = Readings.of(
                HEADER + "11:59:55 PM" + FIRST + "12:00:00 AM" + SECOND, Map.of("zone", "UTC", "date", "2025-12-31"));
        assertThat(read.end(0)).isEqualTo("2025-12-31T23:59:55Z");
        assertThat(read.end(1)).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void shouldAskForTheYear() {
        assertThatThrownBy(() -> Readings.of(HEADER + "Mar 02 09:00:00" + FIRST, Map.of("zone", "UTC")))
                .hasMessage("capture.txt:3: a date without a year: pass --date, for example --date 2026-03-02");
    }

    @Test
    void shouldReadSnapshotsBehindMarkedDates() {
        String text = "zzz ***Mon Mar 2 09:00:00 UTC 2026\n" + HEADER + FIRST + SECOND
                + "zzz ***Mon Mar 2 09:00:30 UTC 2026\n" + HEADER + FIRST + SECOND;
        Readings read = Readings.of(text, Map.of("interval", "1s"));
        assertThat(List.of(read.end(0), read.end(1), read.end(2), read.end(3)).toString())
                .isEqualTo("[2026-03-02T09:00:00Z, 2026-03-02T09:00:01Z, 2026-03-02T09:00:30Z, 2026-03-02T09:00:31Z]");
        assertThat(read.flags(2, "in")).contains(Flag.SINCE_BOOT);
    }
}
