package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of results that are there, and what is asked in vain. */
class LookUpIT {
    @TempDir
    private Path directory;

    @Test
    void shouldSayWhatARunHasAndWhatItHasNot() throws Exception {
        StringBuilder text = new StringBuilder(BadInputTest.HEADER);
        for (int i = 0; i < 4; i++) {
            text.append(" 1  0      0 100 200 300    0    0     5     6   5")
                    .append(i)
                    .append("  60  1  2 97  0  0\n");
        }
        Path file = Files.writeString(directory.resolve("capture.txt"), text);
        for (String run : List.of("a", "b")) {
            CommandLineRun replay = farnode(
                    "replay", file.toString(), "--run", run, "--start", "2026-03-02T09:00:00Z", "--interval", "1s");
            assertThat(replay.code()).as(replay.toString()).isZero();
        }

        CommandLineRun scope = farnode("windows", "a", "--scope", "cpu99");
        assertThat(scope.err())
                .containsExactly("farnode: no scope cpu99 in run a; scopes are system (farnode windows --help)");
        assertThat(scope.code()).isEqualTo(2);

        CommandLineRun signal = farnode("windows", "a", "--signal", "nothing");
        assertThat(signal.err())
                .singleElement()
                .asString()
                .startsWith("farnode: run a has no signal or event \"nothing\"; it has [");
        assertThat(signal.code()).isEqualTo(2);

        CommandLineRun windows = farnode("windows", "a", "--signal", "interrupts", "--output", "csv");
        assertThat(windows.out()).hasSize(5);
        assertThat(windows.out().get(1)).startsWith("a,0,2026-03-02T09:00:00Z,").endsWith(",1.0,true");
        assertThat(windows.out().get(4)).startsWith("a,whole run,2026-03-02T09:00:00Z,");

        CommandLineRun nothing = farnode("windows", "c");
        assertThat(nothing.code()).isEqualTo(1);

        CommandLineRun compare = farnode("compare", "a", "b");
        assertThat(compare.code()).isEqualTo(2);
        assertThat(compare.out())
                .anyMatch(line -> line.startsWith("interrupts ") && line.contains(" system "))
                .anyMatch(line -> line.startsWith("interrupts stayed at 52.000 against 52.000 1/s")
                        && line.contains("inconclusive, "))
                .noneMatch(line -> line.contains(".."));
    }

    @Test
    void shouldFailWhenNobodyCanReadTheResult() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (FarnodeProcess shell = FarnodeProcess.run(
                Map.of(),
                Path.of("/bin/sh"),
                FarnodeProcess.root(),
                "-c",
                "'" + java + "' -jar cli/target/farnode.jar formats >/dev/full")) {
            assertThat(shell.exitCode(Duration.ofSeconds(30))).isEqualTo(1);
            assertThat(shell.err())
                    .containsExactly(
                            "farnode: standard output cannot be written; is the disk full, or has its reader ended?");
        }
    }

    private CommandLineRun farnode(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--data-dir", directory.resolve("data").toString()));
        return CommandLineRun.of(all.toArray(String[]::new));
    }
}
