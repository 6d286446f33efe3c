package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.telemetry.Tool;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CaptureFormatTest {
    /** One capture of each format; a format without one here fails the contract. */
    private static final Map<CaptureFormat, String> EXAMPLES = Map.of(
            CaptureFormat.VMSTAT, "cases/05-vmstat-dst-fold.in",
            CaptureFormat.PERF_CSV, "cases/09-perf-csv-percpu.in");

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheContractOfAFormat(CaptureFormat format) {
        assertThat(format.formatName()).matches("[a-z][a-z0-9-]*");
        assertThat(CaptureFormat.byName(format.formatName())).contains(format);
        assertThat(format.tool()).isNotEqualTo(Tool.OTHER);
        assertThat(format.description()).isNotBlank().doesNotContain("\n");
        assertThat(format.recordedBy()).isNotBlank().doesNotContain("\n");
        assertThat(EXAMPLES).containsKey(format);

        byte[] example = Readings.resource(EXAMPLES.get(format));
        assertThat(format.detect(example, 0, example.length)).isBetween(CaptureFormat.CERTAIN, 100);
        for (CaptureFormat other : CaptureFormat.values()) {
            if (other != format) {
                assertThat(other.detect(example, 0, example.length)).isLessThan(CaptureFormat.CERTAIN);
            }
        }
        byte[] prose = "Nothing to see here, or there; 1, 2, 3.\n".getBytes(StandardCharsets.UTF_8);
        assertThat(format.detect(prose, 0, prose.length)).isZero();
        assertThat(format.detect(prose, 0, 0)).isZero();

        Readings read = Readings.of(example, CaptureOptions.parse("example", Map.of("zone", "Europe/Berlin")));
        assertThat(read.format()).isEqualTo(format);
        assertThat(read.samples()).isNotEmpty().allSatisfy(s -> {
            assertThat(s.getTool()).isEqualTo(format.tool());
            assertThat(s.getFirstLine()).isPositive().isLessThanOrEqualTo(s.getLastLine());
        });
        assertThat(read.account().lines())
                .isEqualTo(new String(example, StandardCharsets.UTF_8).lines().count());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayThatACaptureWithoutReadingsIsNone(CaptureFormat format) {
        CaptureOptions options = CaptureOptions.parse(format.formatName() + ":notes.txt");
        assertThatThrownBy(() -> Readings.of("just\nnotes\n".getBytes(StandardCharsets.UTF_8), options))
                .isInstanceOf(CaptureException.class)
                .hasMessageStartingWith("notes.txt: no row of ")
                .hasMessageContaining("in 2 lines");
    }

    @Test
    void shouldRefuseWhatItCannotKnow() {
        assertThatThrownBy(() -> Readings.of("", Map.of())).hasMessage("capture.txt: empty; there is nothing to read");
        assertThatThrownBy(() -> Readings.of("\n \n", Map.of()))
                .hasMessage("capture.txt: empty; there is nothing to read");
        assertThatThrownBy(() -> Readings.of("a\0b", Map.of()))
                .hasMessage("capture.txt: binary file (zero byte at offset 1); farnode reads the text that tools print:"
                        + " vmstat, perf-csv");
        assertThatThrownBy(() -> Readings.of("hello\nworld\n", Map.of()))
                .hasMessage("capture.txt: format not recognised (it begins \"hello\"); known formats: vmstat, perf-csv;"
                        + " write FORMAT:capture.txt if it is one of them");
        assertThatThrownBy(() -> Readings.of(
                        "\uFEFFr b".getBytes(StandardCharsets.UTF_16LE), CaptureOptions.parse("capture.txt")))
                .hasMessage("capture.txt: UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zone   | Europe/Berln | zone \"Europe/Berln\" is unknown; write a name such as Europe/Berlin or UTC, or +01:00",
                "start  | yesterday    | start \"yesterday\" is no time; write 2026-03-02T09:00:00Z or @SECONDS since 1970",
                "start  | 2026-03-02T09:00:00 | start \"2026-03-02T09:00:00\" has no zone; write 2026-03-02T09:00:00Z, or pass --zone",
                "interval | often      | interval \"often\" is no length of time; write 1s, 500ms or 2m",
                "interval | 0s         | interval \"0s\" is not above zero",
                "offset | 99999999999999999d | offset \"99999999999999999d\" is no length of time; write 1s, 500ms or 2m",
                "date   | 2.3.2026     | date \"2.3.2026\" is no date; write 2026-03-02",
                "separator | comma,    | separator \"comma,\": write one character, or comma, semicolon, tab or pipe",
                "unit   | q            | unit \"q\": write what vmstat -S was given (k, K, m, M) or B, kB, KiB, MB, MiB",
                "first  | last         | first \"last\": write since-boot, or interval for vmstat -y",
                "colour | red          | option \"colour\" is unknown; there are date, first, interval, offset, separator, start, unit, zone"
            })
    void shouldSayWhichOptionIsWrong(String key, String value, String message) {
        assertThatThrownBy(() -> CaptureOptions.parse("a.txt", Map.of(key, value)))
                .isInstanceOf(CaptureException.class)
                .hasMessage("a.txt: " + message);
    }

    @Test
    void shouldReadTargetsOfTheCommandLine() {
        CaptureOptions plain = CaptureOptions.parse("dir/a,b:c.txt");
        assertThat(plain.path()).isEqualTo("dir/a,b:c.txt");
        assertThat(plain.format()).isEmpty();

        CaptureOptions named = CaptureOptions.parse(
                "perf-csv:a.csv,separator=,,start=2026-03-02T09:00:00+01:00,interval=250ms",
                Map.of("interval", "1s", "zone", "UTC"));
        assertThat(named.path()).isEqualTo("a.csv");
        assertThat(named.format()).contains(CaptureFormat.PERF_CSV);
        assertThat(named.separator()).isEqualTo(',');
        assertThat(named.start().orElseThrow()).isEqualTo("2026-03-02T08:00:00Z");
        assertThat(named.intervalNanos()).isEqualTo(250_000_000L);
        assertThat(named.given()).containsOnlyKeys("separator", "start", "interval", "zone");
        assertThat(named.with(Map.of("offset", "-1.5s")).offsetNanos()).isEqualTo(-1_500_000_000L);
        assertThat(CaptureOptions.parse("-").path()).isEqualTo(CaptureOptions.STANDARD_INPUT);
        assertThat(CaptureOptions.parse("a", Map.of("start", "@1772442000.5"))
                        .start()
                        .orElseThrow())
                .isEqualTo("2026-03-02T09:00:00.500Z");
        assertThat(CaptureOptions.parse("a", Map.of("start", "2026-03-02 09:00:00", "zone", "Europe/Berlin"))
                        .start()
                        .orElseThrow())
                .isEqualTo("2026-03-02T08:00:00Z");
    }
}
