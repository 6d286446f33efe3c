package io.farnode.producer.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.contract.SchemaCatalog;
import io.farnode.producer.capture.CaptureOptions;
import io.farnode.producer.replay.CaptureRun;
import io.farnode.telemetry.RunStarted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublisherTest {
    private static final String VMSTAT = """
            procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
             r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
             1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0
             1  0      0 100 200 300    0    0     5     6   51  60  1  2 97  0  0
            """;
    private static final String LOCAL_START = "2026-03-02T09:00:00";
    private static final String START = LOCAL_START + "Z";

    static {
        // trust for the generated classes is given when this class is loaded
        assertThat(SchemaCatalog.current()).isNotEmpty();
    }

    @TempDir
    private Path directory;

    @Test
    void shouldTakeTheSameRunAgain() throws IOException {
        String file = file("ny.txt", VMSTAT);
        assertThat(Publisher.conflict(started(start(file)), started(start(file))))
                .isEmpty();
    }

    @Test
    void shouldNameTheOptionsInWhichRunsOfTheSameFileDiffer() throws IOException {
        String file = file("ny.txt", VMSTAT);
        RunStarted utc = started(options(file, Map.of("start", LOCAL_START, "interval", "1s", "zone", "UTC")));
        assertThat(Publisher.conflict(
                        utc,
                        started(options(
                                file, Map.of("start", LOCAL_START, "interval", "1s", "zone", "America/New_York")))))
                .isEqualTo("other options (" + file + ": zone=UTC, now zone=America/New_York)");
        assertThat(Publisher.conflict(
                        utc, started(options(file, Map.of("start", START, "interval", "2s", "offset", "5s")))))
                .isEqualTo("other options (" + file + ": interval=1s, now interval=2s; no offset, now offset=5s;"
                        + " start=2026-03-02T09:00:00, now start=2026-03-02T09:00:00Z; zone=UTC, now no zone)");
    }

    @Test
    void shouldTellOnlyOfTheFilesThatHaveOtherOptions() throws IOException {
        String one = file("one.txt", VMSTAT);
        String two = file("two.txt", VMSTAT.replace("51", "52"));
        assertThat(Publisher.conflict(
                        started(start(one), start(two)),
                        started(start(one), options(two, Map.of("start", START, "interval", "3s")))))
                .isEqualTo("other options (" + two + ": interval=1s, now interval=3s)");
    }

    @Test
    void shouldSayThatTheZoneOfTheMachineDiffers() throws IOException {
        // "CST" is printed in Shanghai and in Chicago
        String file = file("t.txt", """
                procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
                 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 CST
                 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0 2026-03-02 09:00:00
                 1  0      0 100 200 300    0    0     5     6   51  60  1  2 97  0  0 2026-03-02 09:00:01
                """);
        CaptureOptions options = options(file, Map.of());
        String conflict = Publisher.conflict(
                started(options.withSystemZone(ZoneId.of("Asia/Shanghai"))),
                started(options.withSystemZone(ZoneId.of("America/Chicago"))));
        assertThat(conflict)
                .startsWith("other options (another time zone of this machine, by which it began at 2026-03-02T0")
                .contains(", now 2026-03-02T1")
                .endsWith(": give --zone)");
    }

    @Test
    void shouldNameTheFileThatTheRunIsMadeOf() throws IOException {
        String file = file("ny.txt", VMSTAT);
        String other = file("other.txt", VMSTAT.replace("51", "99"));
        assertThat(Publisher.conflict(started(start(file)), started(start(other))))
                .isEqualTo("other input (" + file + ")");
        assertThat(Publisher.conflict(started(start(file), start(other)), started(start(file))))
                .isEqualTo("other input (" + file + ", " + other + ")");
    }

    @Test
    void shouldTellOfAnotherPlaceInTheComparison() throws IOException {
        String file = file("ny.txt", VMSTAT);
        RunStarted owner = started(start(file));
        owner.setArm("a");
        RunStarted now = started(start(file));
        now.setArm("b");
        assertThat(Publisher.conflict(owner, now)).isEqualTo("another arm (a, now b)");
        now.setArm("");
        assertThat(Publisher.conflict(owner, now)).isEqualTo("another arm (a, now none)");
        now.setArm("a");
        now.setRepeat(2);
        assertThat(Publisher.conflict(owner, now)).isEqualTo("another repeat (1, now 2)");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static CaptureOptions start(String file) {
        return options(file, Map.of("start", START, "interval", "1s"));
    }

    private static CaptureOptions options(String file, Map<String, String> options) {
        return CaptureOptions.parse(file, options);
    }

    private static RunStarted started(CaptureOptions... captures) throws IOException {
        List<CaptureOptions> files = new ArrayList<>(List.of(captures));
        try (CaptureRun run = CaptureRun.open(CaptureRun.Settings.of("r", files))) {
            return run.started();
        }
    }
}
