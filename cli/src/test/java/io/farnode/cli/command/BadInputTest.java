package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.producer.capture.CaptureFormat;
import io.farnode.producer.capture.CaptureOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user does wrong is told in one line that says what, where, the value and what to do; before a broker starts. */
class BadInputTest {
    static final String HEADER = """
            procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
             r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
            """;
    private static final String FORMATS =
            Arrays.stream(CaptureFormat.values()).map(CaptureFormat::formatName).collect(Collectors.joining(", "));

    @TempDir
    private Path directory;

    @Test
    void shouldRefuseAnUnknownFormat() throws IOException {
        Path file = file("hello\nworld\n");
        refused(
                replay(file.toString()),
                "farnode: " + file + ": format not recognised (it begins \"hello\"); known formats: " + FORMATS
                        + "; write FORMAT:" + file + " if it is one of them");
    }

    @Test
    void shouldRefuseAFormatNameThatDoesNotExist() throws IOException {
        String target = "perf-cvs:" + file("hello\n");
        refused(
                replay(target),
                "farnode: " + target + ": no such file; if \"perf-cvs\" is meant as a format, the known ones are "
                        + FORMATS);
    }

    @Test
    void shouldRefuseAnEmptyFile() throws IOException {
        Path file = file("");
        refused(replay(file.toString()), "farnode: " + file + ": empty; there is nothing to read");
    }

    @Test
    void shouldRefuseABinaryFile() throws IOException {
        Path file = file("\u007fELF\u0002\u0000\u0000");
        refused(
                replay(file.toString()),
                "farnode: " + file + ": binary file (zero byte at offset 5); farnode reads the text that tools print: "
                        + FORMATS);
    }

    @Test
    void shouldRefuseAFileThatIsNotThere() {
        Path file = directory.resolve("nothing");
        refused(replay(file.toString()), "farnode: " + file + ": no such file");
    }

    @Test
    void shouldRefuseAHeaderWithoutRows() throws IOException {
        Path file = file(HEADER);
        refused(
                replay(file.toString()),
                "farnode: " + file
                        + ": no row of vmstat in 2 lines; a name row such as \"r b swpd free ...\" and rows of"
                        + " numbers are needed");
    }

    @Test
    void shouldRefuseAWrongZoneName() throws IOException {
        Path file = file(HEADER);
        refused(
                replay(file.toString(), "--zone", "Europe/Berln"),
                "farnode: " + file
                        + ": zone \"Europe/Berln\" is unknown; write a name such as Europe/Berlin or UTC, or +01:00");
    }

    @Test
    void shouldSayWhichOptionACaptureWithoutAClockNeeds() throws IOException {
        Path file = file(HEADER + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n"
                + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n");
        CommandLineRun run = CommandLineRun.of("replay", file.toString(), "--run", "x", "--ephemeral");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("farnode: " + file + ": ")
                .contains("--start");
    }

    @Test
    void shouldRefuseARunIdThatIsNone() throws IOException {
        Path file = file(HEADER);
        refused(
                CommandLineRun.of("replay", file.toString(), "--run", "a b", "--ephemeral"),
                "farnode: run id \"a b\": use 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit");
    }

    @Test
    void shouldRefuseASpeedThatIsNone() throws IOException {
        refused(
                replay(file(HEADER).toString(), "--speed", "fast"),
                "farnode: speed \"fast\": write a number above 0 such as 1 or 0.5, or max");
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws IOException {
        Path file = file(HEADER + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n"
                + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n");
        CommandLineRun run = CommandLineRun.of(
                "replay",
                file.toString(),
                "--run",
                "x",
                "--start",
                "2026-03-02T09:00:00Z",
                "--interval",
                "1s",
                "--bootstrap-server",
                "localhost:1");
        refused(run, "farnode: no Kafka broker answers at localhost:1: Connection refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "host:", ":9092", "host:99999", "host:x"})
    void shouldRefuseAnAddressThatIsNone(String address) {
        refused(
                CommandLineRun.of("topics", "list", "--bootstrap-server", address),
                "farnode: --bootstrap-server \"" + address + "\" is no host:port, such as localhost:9092");
    }

    @Test
    void shouldRefuseACommandConfigThatIsNotThere() {
        refused(
                CommandLineRun.of(
                        "topics", "list", "--bootstrap-server", "localhost:1", "--command-config", "/nowhere/x"),
                "farnode: cannot read --command-config /nowhere/x: NoSuchFileException /nowhere/x");
    }

    @Test
    void shouldRefuseADataDirectoryThatCannotBe() throws IOException {
        Path file = file("");
        CommandLineRun run = CommandLineRun.of("topics", "list", "--data-dir", file.toString());
        refused(
                run,
                "farnode: cannot make the data directory " + file + ": FileAlreadyExists " + file
                        + "; give another --data-dir");
    }

    @Test
    void shouldExplainWrongUsageInOneLineWithExitCodeTwo() {
        usage("farnode: no command; try farnode demo, or farnode --help (farnode --help)");
        usage("farnode: Unmatched argument at index 0: 'replai'; did you mean replay? (farnode --help)", "replai");
        usage(
                "farnode: say what to do: farnode topics create, or farnode topics list (farnode topics --help)",
                "topics");
        usage("farnode: Missing required option: '--run=ID' (farnode replay --help)", "replay", "x.txt");
        usage("farnode: --port 99999 is not within 0..65535 (farnode broker --help)", "broker", "--port", "99999");
        usage(
                "farnode: --ephemeral and --data-dir exclude each other (farnode broker --help)",
                "broker",
                "--ephemeral",
                "--data-dir",
                "x");
        usage(
                "farnode: --command-config needs --bootstrap-server (farnode topics list --help)",
                "topics",
                "list",
                "--command-config",
                "x");
    }

    @Test
    void shouldOfferEveryOptionOfACapture() {
        List<String> help = CommandLineRun.of("replay", "--help").out();
        assertThat(CaptureOptions.keys().keySet())
                .allSatisfy(key -> assertThat(help).anyMatch(line -> line.contains("--" + key + "=")));
    }

    private static void usage(String line, String... args) {
        CommandLineRun run = CommandLineRun.of(args);
        assertThat(run.err()).containsExactly(line);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    private static void refused(CommandLineRun run, String line) {
        assertThat(run.err()).containsExactly(line);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
    }

    private static CommandLineRun replay(String file, String... more) {
        List<String> args = new ArrayList<>(
                List.of("replay", file, "--run", "x", "--ephemeral", "--start", "2026-03-02T09:00:00Z"));
        args.addAll(List.of(more));
        return CommandLineRun.of(args.toArray(String[]::new));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("capture.txt"), text);
    }
}
