package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.farnode.cli.FarnodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A vmstat excerpt as it stands quoted in a patch mail: through the built program to windows. */
class MailReplayIT {
    private static final Path MAIL =
            FarnodeProcess.root().resolve("grafana/src/test/resources/captures/mail-vmstat.txt");

    @TempDir
    private Path directory;

    @Test
    void shouldBringTheNumbersOfAMailIntoWindows() {
        Program program = new Program(directory);
        List<String> said = program.run("replay", MAIL.toString(), "--run", "mail", "--start", "2018-12-13T10:59:00Z");
        assertThat(said)
                .contains(
                        "vmstat (" + MAIL
                                + "): 8 samples from 14 lines: 8 readings, 2 headers, 2 comments, 2 noise, 0 errors",
                        "windows: 7 closed, 0 of them incomplete; late 0, duplicate 0, missing 0",
                        "see: farnode windows mail");

        List<Map<String, String>> windows = program.csv("windows", "mail", "--signal", "interrupts");

        // the first row of the mail, 102794, is vmstat's average since boot and belongs to no window
        assertThat(windows)
                .filteredOn(w -> !w.get("size_seconds").equals("0.0"))
                .extracting(w -> w.get("start"), w -> Double.valueOf(w.get("value")))
                .containsExactly(
                        tuple("2018-12-13T10:59:00Z", 171148.0),
                        tuple("2018-12-13T10:59:01Z", 207185.0),
                        tuple("2018-12-13T10:59:02Z", 175691.0),
                        tuple("2018-12-13T10:59:03Z", 145250.0),
                        tuple("2018-12-13T10:59:04Z", 201879.0),
                        tuple("2018-12-13T10:59:05Z", 192391.0),
                        tuple("2018-12-13T10:59:06Z", 168880.0));

        // the same command again adds nothing twice
        assertThat(program.run("replay", MAIL.toString(), "--run", "mail", "--start", "2018-12-13T10:59:00Z"))
                .contains("windows: 7 closed, 0 of them incomplete; late 0, duplicate 8, missing 0");
        assertThat(program.csv("windows", "mail", "--signal", "interrupts")).isEqualTo(windows);
    }

    @Test
    void shouldRefuseARunIdThatExistsWithOtherOptions() {
        Program program = new Program(directory);
        program.run("replay", MAIL.toString(), "--run", "mail", "--start", "2018-12-13T10:59:00Z");
        try (FarnodeProcess second =
                program.start("replay", MAIL.toString(), "--run", "mail", "--start", "2019-01-11T09:01:30Z")) {
            assertThat(second.exitCode(Duration.ofMinutes(1))).isEqualTo(1);
            assertThat(second.err())
                    .last()
                    .isEqualTo(
                            "farnode: run mail exists with other options (" + MAIL + ": start=2018-12-13T10:59:00Z, now"
                                    + " start=2019-01-11T09:01:30Z); choose another --run");
        }
    }
}
