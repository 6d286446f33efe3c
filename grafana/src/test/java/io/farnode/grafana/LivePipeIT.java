package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code vmstat -t 1 | farnode replay -}, ended by a signal as people end it. */
class LivePipeIT {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    @TempDir
    private Path directory;

    @Test
    void shouldCloseTheRunAndItsWindowsOnSigterm() throws Exception {
        Program program = new Program(directory);
        try (FarnodeProcess replay = program.start("replay", "-", "--run", "live", "--zone", "UTC")) {
            OutputStream in = replay.in();
            write(
                    in,
                    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----"
                            + " -----timestamp-----\n"
                            + " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st"
                            + "                 UTC\n");
            Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            int rows = 8;
            for (int i = 0; i < rows; i++) {
                write(
                        in,
                        " 1  0      0 100 200 300    0    0     4     5  " + (100 + i) + "  60  1  2 97  0  0 "
                                + STAMP.format(start.plusSeconds(i)) + "\n");
                Thread.sleep(1_000);
            }
            replay.terminate();
            assertThat(replay.exitCode(Duration.ofSeconds(20))).isEqualTo(143);
            assertThat(replay.out())
                    .contains(
                            "windows: " + (rows - 1) + " closed, 0 of them incomplete; late 0, duplicate 0, missing 0");
            assertThat(replay.err()).allMatch(line -> line.startsWith("farnode: note: "));
        }
        assertThat(program.csv("runs"))
                .singleElement()
                .satisfies(run ->
                        assertThat(run).containsEntry("state", "finished").containsEntry("origin", "live"));
    }

    private static void write(OutputStream in, String text) throws Exception {
        in.write(text.getBytes(StandardCharsets.US_ASCII));
        in.flush();
    }
}
