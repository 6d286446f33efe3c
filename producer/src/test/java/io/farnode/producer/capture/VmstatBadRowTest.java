package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of vmstat that cannot be right: each one error line, and no time of theirs given to a neighbour. */
class VmstatBadRowTest {
    private static final Map<String, String> CLOCK = Map.of("start", "2026-03-02T09:00:00Z", "interval", "1s");
    private static final String NAMES =
            " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st";

    private static String row(String in) {
        return " 1  0      0 812344  20112 400120    0    0     1     2   " + in + "  77  1  0 99  0  0";
    }

    private static String timed(String in, int second) {
        return row(in) + String.format(" 2026-03-02 09:00:%02d\n", second);
    }

    private static Readings readTimed(String rows) {
        return Readings.of(NAMES + "     UTC\n" + rows, Map.of());
    }

    private static Readings readUntimed(String... ins) {
        StringBuilder text = new StringBuilder(NAMES + "\n");
        for (String in : ins) {
            text.append(row(in)).append('\n');
        }
        return Readings.of(text.toString(), CLOCK);
    }

    private static List<String> spans(Readings read) {
        return IntStream.range(0, read.samples().size())
                .mapToObj(i -> read.start(i).toString().substring(17) + " "
                        + read.end(i).toString().substring(17)
                        + (read.flags(i).contains(Flag.GAP_BEFORE) ? " gap" : ""))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "-5100, in = -5100 is negative",
        "abc, in = abc is no number",
        "1e9, in = 1e9 is no number",
        "NaN, in = NaN is no number",
        "18446744073709551615, in = 18446744073709551615 does not fit in 63 bits",
        "5.1234567890123456789, in = 5.1234567890123456789 does not fit in 63 bits",
        "'', 16 values for 17 columns",
        "1 2, 18 values for 17 columns"
    })
    void shouldNameTheFieldThatIsWrong(String in, String message) {
        Readings read = readTimed(timed("5", 0) + timed("5", 1) + timed(in, 2) + timed("7", 3) + timed("8", 4));
        assertThat(read.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(4);
            assertThat(e.message()).isEqualTo(message + "; row left out");
        });
        assertThat(spans(read)).containsExactly("00Z 00Z", "00Z 01Z", "02Z 03Z gap", "03Z 04Z");
        assertThat(read.system(2, "in")).isEqualTo("7");

        if (!in.isEmpty() && !in.contains(" ")) {
            Readings untimed = readUntimed("5", "6", in, "7", "8");
            assertThat(untimed.account().errors())
                    .singleElement()
                    .satisfies(e -> assertThat(e.message()).isEqualTo(message + "; row left out"));
            assertThat(spans(untimed)).containsExactly("00Z 00Z", "00Z 01Z", "02Z 03Z gap", "03Z 04Z");
        }
    }

    @Test
    void shouldNameEveryFieldThatIsNoNumberAndSharesAbove100() {
        Readings read = readTimed(
                timed("5", 0) + timed("x", 1).replace("77", "y") + timed("6", 2).replace("99", "140"));
        assertThat(read.account().errors())
                .extracting(LineAccount.Remark::message)
                .containsExactly(
                        "in = x, cs = y are no numbers; row left out", "id = 140 is above 100 %; row left out");
    }

    @Test
    void shouldHoldARowWithoutTheTimeOfItsNeighboursToBeCut() {
        for (String cut : List.of("", " 2026-03", " 2026-03-02", " 2026-03-02 09:0")) {
            Readings read = readTimed(timed("5", 0) + timed("6", 1) + row("7") + cut + "\n" + timed("8", 3));
            assertThat(read.account().errors())
                    .as(cut)
                    .singleElement()
                    .satisfies(e -> assertThat(e.message())
                            .isEqualTo(
                                    cut.isEmpty()
                                            ? "no time, where the rows above have one; row left out"
                                            : "\"" + cut.strip() + "\" is no time; row left out"));
            assertThat(spans(read)).as(cut).containsExactly("00Z 00Z", "00Z 01Z", "02Z 03Z gap");
        }
    }

    @Test
    void shouldNotTakeTheSecondRowForTheFirstWhenThatCouldNotBeRead() {
        Readings timed = readTimed(timed("x", 0) + timed("5", 1) + timed("6", 2));
        assertThat(spans(timed)).containsExactly("00Z 01Z gap", "01Z 02Z");
        assertThat(timed.flags(0, "in")).isEmpty();

        Readings untimed = readUntimed("x", "5", "6");
        assertThat(spans(untimed)).containsExactly("00Z 01Z gap", "01Z 02Z");
        assertThat(untimed.flags(0, "in")).isEmpty();
    }

    @Test
    void shouldCallASecondRowOfTheSameSecondAnError() {
        Readings read = readTimed(timed("5", 0) + timed("6", 1) + timed("7", 1) + timed("8", 2));
        assertThat(read.account().errors())
                .singleElement()
                .satisfies(e -> assertThat(e.message())
                        .startsWith("time runs back from 2026-03-02T09:00:01Z to 2026-03-02T09:00:01Z"));
        assertThat(spans(read)).containsExactly("00Z 00Z", "00Z 01Z", "01Z 02Z");
    }

    @Test
    void shouldCoverTheWholeSleepOfASlowVmstatAndCallOnlyLongerOnesAGap() {
        StringBuilder rows = new StringBuilder();
        for (int second : new int[] {0, 2, 4, 6, 10, 16, 18, 26}) {
            rows.append(timed("5", second));
        }
        assertThat(spans(readTimed(rows.toString())))
                .containsExactly(
                        "00Z 00Z", "00Z 02Z", "02Z 04Z", "04Z 06Z", "06Z 10Z", "10Z 16Z", "16Z 18Z", "24Z 26Z gap");
    }

    @Test
    void shouldGoOnBehindATimeTheZoneSkipped() {
        String hour = "2026-03-29 ";
        String text = NAMES + " CET\n" + row("5") + " " + hour + "01:59:58\n" + row("6") + " " + hour + "01:59:59\n"
                + row("7") + " " + hour + "03:00:00\n" + row("8") + " " + hour + "03:00:01\n" + row("9") + " " + hour
                + "02:30:02\n" + row("10") + " " + hour + "03:00:03\n";
        Readings read = Readings.of(text, Map.of("zone", "Europe/Berlin"));
        assertThat(read.account().errors()).singleElement().satisfies(e -> {
            assertThat(e.line()).isEqualTo(6);
            assertThat(e.message())
                    .isEqualTo("02:30:02 does not exist in Europe/Berlin on 2026-03-29 (clocks were put forward):"
                            + " wrong --zone?; row left out");
        });
        assertThat(spans(read)).containsExactly("58Z 58Z", "58Z 59Z", "59Z 00Z", "00Z 01Z", "02Z 03Z gap");
    }

    @Test
    void shouldAccountForAVeryLongRow() {
        String digits = "9".repeat(2_000_000);
        for (String bad : List.of(digits, row(digits), "5 ".repeat(1_000_000))) {
            Readings read = readTimed(timed("5", 0) + timed("6", 1) + bad + "\n" + timed("7", 3));
            assertThat(read.account().errors()).singleElement().satisfies(e -> {
                assertThat(e.line()).isEqualTo(4);
                assertThat(e.message()).matches("line of \\d+ bytes, longer than any row of vmstat; left out");
                assertThat(e.text()).hasSizeLessThan(100);
            });
            assertThat(spans(read)).containsExactly("00Z 00Z", "00Z 01Z", "02Z 03Z gap");
        }
    }

    @Test
    void shouldAskForStartAndIntervalAtOnceUnlessTheIntervalCanBeSeen() {
        String rows = NAMES + "\n" + row("5") + "\n" + row("6") + "\n";
        for (String front :
                List.of("", "$ vmstat\n", "$ vmstat k\n", "$ vmstat 99999999999999999999\n", "$ vmstat -w\n")) {
            assertThatThrownBy(() -> Readings.of(front + rows, Map.of()))
                    .as(front)
                    .hasMessage("capture.txt: vmstat without -t has no clock: pass --start and --interval");
        }
        assertThatThrownBy(() -> Readings.of("$ vmstat 2\n" + rows, Map.of()))
                .hasMessage("capture.txt: vmstat without -t has no clock: pass --start");
        assertThatThrownBy(() -> Readings.of(rows, Map.of("start", "@1772442000")))
                .hasMessage("capture.txt: vmstat without -t has no clock: pass --interval");
    }

    @Test
    void shouldGoOnBehindTimesNoClockCanReach() {
        Readings read = Readings.of(
                "$ vmstat 99999999\n" + NAMES + "\n" + (row("5") + "\n").repeat(100),
                Map.of("start", "2026-03-02T09:00:00Z"));
        assertThat(read.samples()).hasSize(75);
        assertThat(read.account().count(LineAccount.Kind.ERROR)).isEqualTo(25);
    }

    @Property(tries = 2000)
    void shouldReadOnWhateverTheDigitsOfAFieldAre(
            @ForAll @IntRange(min = 0, max = 18) int which,
            @ForAll @IntRange(min = 0, max = 45) int length,
            @ForAll @IntRange(min = 0, max = 9) int digit,
            @ForAll @IntRange(min = 0, max = 3) int kind) {
        String[] tokens = timed("5", 2).strip().split("\\s+");
        String digits = Integer.toString(digit).repeat(length);
        tokens[which] = List.of(digits, "-" + digits, digits + ":" + digits + ":" + digits, digits + "-" + digits)
                .get(kind);
        String bad = String.join(" ", tokens);
        Readings read = readTimed(timed("5", 0) + timed("6", 1) + bad + "\n" + timed("7", 3) + timed("8", 4));

        assertThat(read.account().lines()).isEqualTo(6);
        assertThat(read.account().count(LineAccount.Kind.READING)
                        + read.account().count(LineAccount.Kind.ERROR))
                .as(bad)
                .isEqualTo(5);
        assertThat(read.samples()).isNotEmpty();
        for (Sample sample : read.samples()) {
            assertThat(sample.getEndNanos() - sample.getStartNanos()).as(bad).isBetween(0L, 3_000_000_000L);
        }
    }
}
