package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Flags that a user should hear of: one line for each kind, with how often. */
class NoticesTest {
    private static final String STARTED = "# started on Mon Mar  2 09:00:00 2026\n\n";

    @Test
    void shouldSayWhatTimesAndUnitsRestOn() {
        assertThat(Readings.ofResource(
                                "cases/01-vmstat-seed-trimmed.in",
                                Map.of("start", "2026-03-02T09:00:00Z", "interval", "1.5s"))
                        .wholeNotices())
                .containsExactly(
                        "times rest on --start and an interval of 1.5 s; the capture has no clock, so drift is not"
                                + " seen",
                        "unit KiB assumed for memory and swap; pass --unit if vmstat ran with -S");
        byte[] perf = (STARTED + "1.000000000,5,,cycles,9,100.00,,\n").getBytes(StandardCharsets.UTF_8);
        assertThat(Readings.of(perf, CaptureOptions.parse("p").withSystemZone(ZoneId.of("America/New_York")))
                        .wholeNotices())
                .containsExactly("zone America/New_York of this machine assumed for local times; pass --zone");
        assertThat(Readings.of(perf, CaptureOptions.parse("p", Map.of("zone", "UTC")))
                        .wholeNotices())
                .isEmpty();
        assertThat(Readings.of("1.000000000,5,,cycles,9,100.00,,\n", Map.of("start", "@1772442000"))
                        .wholeNotices())
                .containsExactly("times rest on --start; the capture has only seconds since perf began");
        String timeOfDay = new String(
                        Readings.resource("cases/07-vmstat-wrapper-time-midnight.in"), StandardCharsets.UTF_8)
                .replaceAll("(?m)^#.*\n", "");
        assertThat(Readings.of(timeOfDay, Map.of("zone", "UTC", "date", "2025-12-31", "unit", "K"))
                        .wholeNotices())
                .containsExactly("dates rest on --date; the capture has only times of day, or dates without a year");
    }

    @Test
    void shouldCountRepairsAndTimesThatExistTwice() {
        assertThat(Readings.ofResource("cases/15-perf-csv-locale-comma.in", Map.of("start", "@1772442000"))
                        .wholeNotices())
                .containsExactly(
                        "times rest on --start; the capture has only seconds since perf began",
                        "1 count without a value: the tool printed <not counted>, no number, or no run time",
                        "numbers of 4 rows put together again that a decimal comma had split; record with LC_ALL=C",
                        "3 derived figures cut at the decimal comma by the tool");
        assertThat(Readings.ofResource("cases/05-vmstat-dst-fold.in", Map.of("zone", "Europe/Berlin", "unit", "K"))
                        .wholeNotices())
                .containsExactly("1 time printed in an hour that exists twice; read so that time does not run back");
    }

    @Test
    void shouldCountWhatWasHardlyCountedOrNotAtAll() {
        Readings read = Readings.of(STARTED + """
                        1.000000000,CPU0,5,,cycles,9,5.00,,
                        1.000000000,CPU1,5,,cycles,9,19.99,,
                        1.000000000,CPU2,5,,cycles,9,20.00,,
                        1.000000000,CPU3,<not counted>,,cycles,0,0.00,,
                        1.000000000,CPU3,<not supported>,,faults,0,100.00,,
                        2.000000000,CPU3,<not supported>,,faults,0,100.00,,
                        """, Map.of("zone", "UTC"));
        assertThat(read.wholeNotices())
                .containsExactly(
                        "1 count without a value: the tool printed <not counted>, no number, or no run time",
                        "2 counts without a value: this machine has no such counter (<not supported>)",
                        "2 counts measured for less than a fifth of the interval and scaled up; record fewer events"
                                + " at once");
    }

    @Test
    void shouldAddUpWhatIsMissing() {
        StringBuilder perf = new StringBuilder(STARTED);
        for (int second : new int[] {1, 2, 5, 6, 8}) {
            perf.append(second).append(".000000000,5,,cycles,9,100.00,,\n");
        }
        assertThat(Readings.of(perf.toString(), Map.of("zone", "UTC")).wholeNotices())
                .containsExactly("2 gaps, 3.000 s missing in all");
        StringBuilder vmstat = new StringBuilder("r b free in cs us sy id UTC\n");
        for (int second : new int[] {10, 12, 14, 24, 26, 40}) {
            vmstat.append("1 0 100 5 6 0 0 99 2026-03-02 09:00:").append(second).append('\n');
        }
        assertThat(Readings.of(vmstat.toString(), Map.of("unit", "K")).wholeNotices())
                .containsExactly("2 gaps, 20.000 s missing in all");
    }
}
