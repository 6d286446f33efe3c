package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.telemetry.Flag;
import io.farnode.telemetry.ValueKind;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of perf stat that cannot be right: each one error line, and no time of theirs given to a neighbour. */
class PerfCsvBadRowTest {
    private static final String STARTED = "# started on Mon Mar  2 09:00:00 2026\n\n";
    private static final Map<String, String> UTC = Map.of("zone", "UTC");

    private static Readings read(String rows) {
        return Readings.of(STARTED + rows, UTC);
    }

    private static String row(int second, String id, String value) {
        return "     " + second + ".000000000," + id + "," + value + ",,context-switches,1000211001,100.00,,\n";
    }

    private static List<String> spans(Readings read) {
        return IntStream.range(0, read.samples().size())
                .mapToObj(i -> read.start(i).toString().substring(17) + " "
                        + read.end(i).toString().substring(17)
                        + (read.flags(i).contains(Flag.GAP_BEFORE) ? " gap" : ""))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CPU99999999999,5,,cycles,1,100.00,,   | \"CPU99999999999\" has a number above 65535",
                "CPU65536,5,,cycles,1,100.00,,         | \"CPU65536\" has a number above 65535",
                "S99999999999,2,5,,cycles,1,100.00,,   | \"S99999999999\" has a number above 2147483647",
                "S0-D99999999999,2,5,,cycles,1,100.00,, | \"S0-D99999999999\" has a number above 2147483647",
                "S0-D0-C99999999999,2,5,,cycles,1,100.00,, | \"S0-D0-C99999999999\" has a number above 2147483647",
                "S0-D0-CLS99999999999,2,5,,cycles,1,100.00,, | \"S0-D0-CLS99999999999\" has a number above 2147483647",
                "S0-D0-L9-ID99999999999,2,5,,cycles,1,100.00,, | \"S0-D0-L9-ID99999999999\" has a number above 2147483647",
                "N99999999999,2,5,,cycles,1,100.00,,   | \"N99999999999\" has a number above 65535",
                "CPU-1,5,,cycles,1,100.00,,            | \"CPU-1\" has a negative number",
                "N-1,5,,cycles,1,100.00,,              | \"N-1\" has a negative number",
                "CPU0,-5,,cycles,1,100.00,,            | value = -5 is negative",
                "CPU0,-0.25,Joules,energy,1,100.00,,   | value = -0.25 is negative",
                "CPU0,5,,cycles,-1,100.00,,            | run time = -1 is negative",
                "CPU0,5,,cycles,-1,100.00              | run time = -1 is negative",
                "CPU0,5,,cycles,1,140.00,,             | percent = 140.00 is above 100",
                "CPU0,5,,cycles,1,100.01,2.0,GHz       | percent = 100.01 is above 100",
                "CPU0,5,,cycles,-1.25%,1,100.00,,      | variance = -1.25% is negative",
                "CPU0,9223372036854775808,,cycles,1,100.00,, | value = 9223372036854775808 does not fit in 63 bits",
                "CPU0,92233720368547759,07,msec,cpu-clock,1,100,00,, | value = 92233720368547759,07 does not fit in 63 bits",
                "CPU0,garb,,cycles,1,100.00,,          | \"garb\" where a value was expected"
            })
    void shouldLeaveOutARowThatCannotBeRightAndGoOn(String bad, String message) {
        Readings read = read(row(1, "CPU0", "7") + "     1.000000000," + bad + "\n" + row(2, "CPU0", "8"));

        assertThat(read.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(4);
            assertThat(e.message()).isEqualTo(message + "; row left out");
        });
        assertThat(read.samples()).hasSize(2);
        assertThat(read.sample(0).getScopes()).containsExactly("cpu0");
        assertThat(read.sample(0).getColumns()).hasSize(1);
        assertThat(read.value(1, "context-switches", "cpu0")).isEqualByComparingTo("8");
        assertThat(spans(read)).containsExactly("00Z 01Z", "01Z 02Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-2.000000000", "2.0", "99999999999999999999.000000000", "9999999999.000000000", "2", "+2.5"})
    void shouldCallATimeThatIsNoneAnError(String time) {
        Readings read = read(row(1, "CPU0", "7") + time + ",CPU0,10,,context-switches,1000000,100.00,,\n"
                + row(3, "CPU0", "8") + row(4, "CPU0", "9"));

        assertThat(read.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(4);
            assertThat(e.message())
                    .isEqualTo("\"" + time + "\" is no time of perf stat -I (seconds, nine decimals); row left out");
        });
        assertThat(spans(read)).containsExactly("00Z 01Z", "02Z 03Z gap", "03Z 04Z");
    }

    @Test
    void shouldCallATimeThatIsNotBehindTheOneBeforeAnError() {
        for (String second : List.of("1.500000000", "0.000000000")) {
            Readings read = read(row(1, "CPU0", "7") + row(2, "CPU0", "7") + second
                    + ",CPU0,10,,context-switches,1000000,100.00,,\n" + row(3, "CPU0", "8"));
            assertThat(read.account().errors())
                    .singleElement()
                    .satisfies(e -> assertThat(e.message()).startsWith("time runs back to " + second + " s"));
            assertThat(spans(read)).containsExactly("00Z 01Z", "01Z 02Z", "02Z 03Z");
        }
        Readings summary = read(row(1, "CPU0", "7") + "     summary,CPU0,7,,context-switches,1000211001,100.00,,\n"
                + row(1, "CPU0", "7"));
        assertThat(summary.account().errors())
                .singleElement()
                .satisfies(e -> assertThat(e.message()).startsWith("time runs back to 1.000000000 s"));
        assertThat(read("0.000000000,CPU0,7,,context-switches,1,100.00,,\n" + row(1, "CPU0", "8"))
                        .samples())
                .hasSize(1);
    }

    @Test
    void shouldNotStretchAnIntervalOverOneThatCouldNotBeRead() {
        String good = row(1, "CPU0", "100");
        assertThat(spans(read(good + row(2, "CPU0", "garb") + row(3, "CPU0", "300"))))
                .as("the bad row's time is known")
                .containsExactly("00Z 01Z", "02Z 03Z gap");
        assertThat(spans(read(
                        good + row(2, "CPU0", "garb").replace("2.000000000", "x.000000000") + row(3, "CPU0", "300"))))
                .as("and where it is not, the interval is as long as usual")
                .containsExactly("00Z 01Z", "02Z 03Z gap");
        assertThat(spans(read(good + row(2, "CPU0", "garb") + row(3, "CPU0", "garb") + row(5, "CPU0", "300"))))
                .as("nothing at all is left of the fourth second")
                .containsExactly("00Z 01Z", "04Z 05Z gap");
        assertThat(spans(read(good + row(2, "CPU0", "5") + row(2, "CPU1", "garb") + row(3, "CPU0", "300"))))
                .as("another row of the interval could be read")
                .containsExactly("00Z 01Z", "01Z 02Z", "02Z 03Z");
        assertThat(spans(read(good
                        + row(2, "CPU0", "5")
                        + row(2, "CPU1", "6").replace("2.000000000", "2x00000000")
                        + row(2, "CPU2", "5")
                        + row(3, "CPU0", "300"))))
                .as("a row that lost its time stood inside an interval")
                .containsExactly("00Z 01Z", "01Z 02Z", "02Z 03Z");
    }

    @Test
    void shouldNotBeginAtZeroWhenTheFirstRowCouldNotBeRead() {
        String rest = row(2, "CPU0", "100") + row(3, "CPU0", "100");
        assertThat(spans(read(row(1, "CPU0", "oops") + rest))).containsExactly("01Z 02Z gap", "02Z 03Z");
        assertThat(spans(read(row(1, "CPU0", "oops") + row(7, "CPU0", "oops") + rest)))
                .as("an unreadable row from the future changes nothing")
                .containsExactly("01Z 02Z gap", "02Z 03Z");
        assertThat(spans(read("1.0,CPU0,5,,context-switches,1000,100.00,,\n" + rest)))
                .containsExactly("01Z 02Z gap", "02Z 03Z");
    }

    @Test
    void shouldKeepCountsUpTo63BitsExactly() {
        Readings read = read(row(1, "CPU0", "9223372036854775807")
                + row(1, "CPU1", "1000000000000000000")
                + row(1, "CPU2", "0009223372036854775807")
                + row(1, "CPU3", "18446744073709551615")
                + row(2, "CPU0", "999999999999999999"));
        assertThat(List.of("cpu0", "cpu1", "cpu2"))
                .extracting(c -> read.value(0, "context-switches", c).toPlainString())
                .containsExactly("9223372036854775807", "1000000000000000000", "9223372036854775807");
        assertThat(read.account().errors())
                .extracting(LineAccount.Remark::message)
                .containsExactly("value = 18446744073709551615 does not fit in 63 bits; row left out");
        assertThat(read.value(1, "context-switches", "cpu0")).isEqualByComparingTo("999999999999999999");
    }

    @Test
    void shouldPlaceNoRunAtATimeTheZoneSkipped() {
        Readings read = Readings.of(
                STARTED.replace("Mon Mar  2 09:00:00", "Sun Mar 29 02:30:00")
                        + row(1, "CPU0", "5")
                        + STARTED
                        + row(1, "CPU0", "6"),
                Map.of("zone", "Europe/Berlin"));
        assertThat(read.samples()).hasSize(1);
        assertThat(read.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(3);
            assertThat(e.message())
                    .isEqualTo("line 1: 02:30:00 does not exist in Europe/Berlin on 2026-03-29 (clocks were put"
                            + " forward): wrong --zone?; row left out");
        });
        Readings far = Readings.of(
                STARTED.replace("2026", "9999").replace("Mon", "Tue")
                        + row(1, "CPU0", "5")
                        + STARTED
                        + row(1, "CPU0", "6"),
                UTC);
        assertThat(far.samples()).hasSize(1);
        assertThat(far.account().errors())
                .singleElement()
                .satisfies(e ->
                        assertThat(e.message()).contains("9999-03-02T09:00:00Z is outside the years 1678 to 2262"));
    }

    @Test
    void shouldCallALastLineWithANewEventCut() {
        String rows = "     1.000000000,CPU0,100,,context-switches\n     2.000000000,CPU0,100,,context-switches\n";
        Readings cut = read(rows + "     3.000000000,CPU0,100,,context-swi");
        assertThat(cut.samples()).hasSize(2);
        assertThat(cut.account().errors())
                .extracting(LineAccount.Remark::message)
                .containsExactly(
                        "the capture is cut off here: no row above has an event \"context-swi\"; row left out");
        assertThat(read(rows + "     3.000000000,CPU0,100,,context-switches").samples())
                .hasSize(3);
        assertThat(read("     1.000000000,CPU0,100,,context-switches").samples())
                .hasSize(1);
    }

    @Test
    void shouldAccountForAVeryLongRow() {
        String digits = "9".repeat(2_000_000);
        for (String row : List.of(
                digits,
                "2.000000000,CPU0," + digits + ",,context-switches,1,100.00,,",
                digits + ".0,CPU0,5,,cycles,1,100.00,,")) {
            Readings read = read(row(1, "CPU0", "5") + row + "\n" + row(2, "CPU0", "5"));
            assertThat(read.samples()).hasSize(2);
            assertThat(read.account().errors()).singleElement().satisfies(e -> {
                assertThat(e.line()).isEqualTo(4);
                assertThat(e.toString()).hasSizeLessThan(300);
            });
        }
    }

    @Property(tries = 3000)
    void shouldReadOnWhateverTheDigitsOfAFieldAre(
            @ForAll @IntRange(min = 0, max = 15) int which,
            @ForAll @IntRange(min = 0, max = 45) int length,
            @ForAll @IntRange(min = 0, max = 9) int digit,
            @ForAll boolean negative) {
        // each row has one run of digits marked, which is replaced by others
        List<String> rows = List.of(
                "#.000000000,CPU0,5,,cycles,1,100.00,2.0,GHz",
                "2.#,CPU0,5,,cycles,1,100.00,2.0,GHz",
                "2.000000000,CPU#,5,,cycles,1,100.00,2.0,GHz",
                "2.000000000,CPU0,#,,cycles,1,100.00,2.0,GHz",
                "2.000000000,CPU0,#,50,msec,cpu-clock,1,100,00,2,GHz",
                "2.000000000,CPU0,5.#,,cycles,1,100.00,2.0,GHz",
                "2.000000000,CPU0,5,,cycles,#,100.00,2.0,GHz",
                "2.000000000,CPU0,5,,cycles,1,#.00,2.0,GHz",
                "2.000000000,CPU0,5,,cycles,1,100.#,2.0,GHz",
                "2.000000000,CPU0,5,,cycles,1,100.00,#.0,GHz",
                "2.000000000,CPU0,5,,cycles,#.00%,1,100.00,,",
                "2.000000000,CPU0,5,,cycles,#,25%,1,100,00,,",
                "2.000000000,S#,2,5,,cycles,1,100.00,,",
                "2.000000000,S0-D#-C0,2,5,,cycles,1,100.00,,",
                "2.000000000,S0,#,5,,cycles,1,100.00,,",
                "2.000000000,thread-#,5,,cycles,1,100.00,,");
        String bad = rows.get(which)
                .replace("#", (negative ? "-" : "") + Integer.toString(digit).repeat(length));
        Readings read = read(row(1, "CPU0", "7") + bad + "\n" + row(3, "CPU0", "8") + row(4, "CPU0", "9"));

        assertThat(read.account().lines()).isEqualTo(6);
        assertThat(read.account().count(LineAccount.Kind.READING)
                        + read.account().count(LineAccount.Kind.ERROR))
                .as(bad)
                .isEqualTo(4);
        assertThat(read.samples()).isNotEmpty().allSatisfy(s -> {
            assertThat(s.getStartNanos()).isLessThanOrEqualTo(s.getEndNanos());
            assertThat(s.getColumns())
                    .filteredOn(c -> c.getKind() == ValueKind.DELTA)
                    .allSatisfy(c -> assertThat(c.getValues())
                            .allSatisfy(v -> assertThat(v).isNotNegative()));
        });
    }
}
