package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.terminal.Terminal;
import io.farnode.producer.capture.CaptureFormat;
import io.farnode.producer.capture.CaptureOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user does wrong is told in one line that says what, where, the value and what to do; before a broker starts. */
class BadInputTest {
    static final String HEADER = """
            procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
             r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
            """;
    private static final String ROWS = HEADER
            + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n"
            + " 1  0      0 100 200 300    0    0     5     6   50  60  1  2 97  0  0\n";
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
        wrong(
                replay(file.toString(), "--zone", "Europe/Berln"),
                "farnode: " + file
                        + ": zone \"Europe/Berln\" is unknown; write a name such as Europe/Berlin or UTC, or +01:00"
                        + " (farnode replay --help)");
    }

    @Test
    void shouldSayWhichOptionACaptureWithoutAClockNeeds() throws IOException {
        Path file = file(ROWS);
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
        wrong(
                CommandLineRun.of("replay", file.toString(), "--run", "a b", "--ephemeral"),
                "farnode: run id \"a b\": use 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit"
                        + " (farnode replay --help)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--speed | fast | speed \"fast\": write a number above 0 such as 1 or 0.5, or max",
                "--speed | 0 | speed \"0\": write a number above 0 such as 1 or 0.5, or max",
                "--speed | -1 | speed \"-1\": write a number above 0 such as 1 or 0.5, or max",
                "--start | yesterday | FILE: start \"yesterday\" is no time; write 2026-03-02T09:00:00Z or @SECONDS since 1970",
                "--interval | 0s | FILE: interval \"0s\" is not above zero",
                "--offset | bla | FILE: offset \"bla\" is no length of time; write 1s, 500ms or 2m",
                "--unit | X | FILE: unit \"X\": write what vmstat -S was given (k, K, m, M) or B, kB, KiB, MB, MiB",
                "--first | x | FILE: first \"x\": write since-boot, or interval for vmstat -y",
                "--repeat | 0 | --repeat 0: write a number from 1",
                "--http-port | 70000 | --http-port 70000 is not within 0..65535",
                "--window | 0s | Invalid value for option '--window': \"0s\" is not above zero; write 500ms, 10s or 2m",
                "--window | -5s | Invalid value for option '--window': \"-5s\" is no length of time; write 500ms, 10s or 2m",
            })
    void shouldRefuseAWrongValueOfAReplayAsWrongUsage(String option, String value, String message) throws IOException {
        Path file = file(ROWS);
        List<String> args = new ArrayList<>(List.of("replay", file.toString(), "--run", "x", "--ephemeral"));
        if (!option.equals("--start")) {
            args.addAll(List.of("--start", "2026-03-02T09:00:00Z"));
        }
        if (!option.equals("--interval")) {
            args.addAll(List.of("--interval", "1s"));
        }
        args.addAll(List.of(option, value));
        wrong(
                CommandLineRun.of(args.toArray(String[]::new)),
                "farnode: " + message.replace("FILE", file.toString()) + " (farnode replay --help)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "simulate lpi-balanse | unknown scenario \"lpi-balanse\": known are ",
                "simulate lpi-balance-small --policy nope | unknown policy \"nope\"",
                "simulate lpi-balance-small --set nope=1 | unknown parameter \"nope\": known are ",
                "simulate lpi-balance-small --noise loud | noise",
                "simulate lpi-balance-small --duration 0s | Invalid value for option '--duration': \"0s\" is not",
                "simulate lpi-balance-small --repeat 0 | --repeat 0: write a number from 1",
                "simulate lpi-balance-small --speed 0 | speed \"0\": write a number above 0",
                "simulate lpi-balance-small --run a/b | run id \"a/b\": use 1 to 128",
                "demo --scenario lpi-balanse | unknown scenario \"lpi-balanse\": known are ",
                "demo --speed 0 | speed \"0\": write a number above 0",
                "windows a/b | run id \"a/b\": use 1 to 128",
                "windows x --scope nodule | \"nodule\" is no scope; write system, node1, cpu7",
                "compare x y --level 2 | level 2.0: use a number between 0 and 0.5",
                "compare x y --level 0 | level 0.0: use a number between 0 and 0.5",
                "compare x y --margin -1 | margin -1.0: use a number above 0",
                "compare x x | run x cannot be compared with itself; name two runs",
                "streams --window 0s | Invalid value for option '--window': \"0s\" is not above zero",
                "streams --http-port -1 | --http-port -1 is not within 0..65535",
            })
    void shouldRefuseAWrongValueAsWrongUsage(String command, String message) {
        CommandLineRun run = CommandLineRun.of(command.split(" "));
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("farnode: ")
                .contains(message)
                .endsWith(" (farnode " + command.split(" ")[0] + " --help)");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldNotTakeAMissingScenarioFileForWrongUsage() {
        Path file = directory.resolve("my.scenario");
        CommandLineRun run = CommandLineRun.of("simulate", file.toString());
        assertThat(run.err()).singleElement().asString().startsWith("farnode: " + file + ": no such file");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void shouldSayThatNobodyCouldReadTheResult() {
        StringWriter err = new StringWriter();
        PrintWriter errors = new PrintWriter(err);
        Writer full = new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        int code = Commands.run(
                new Surroundings(
                        InputStream.nullInputStream(),
                        new PrintWriter(full),
                        errors,
                        Terminal.NONE,
                        new Lifecycle(errors)),
                "formats");
        assertThat(err.toString().lines())
                .containsExactly(
                        "farnode: standard output cannot be written; is the disk full, or has its reader ended?");
        assertThat(code).isEqualTo(1);
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws IOException {
        Path file = file(ROWS);
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
        wrong(
                CommandLineRun.of("topics", "list", "--bootstrap-server", address),
                "farnode: --bootstrap-server \"" + address
                        + "\" is no host:port, such as localhost:9092 (farnode topics list --help)");
    }

    @Test
    void shouldRefuseACommandConfigThatIsNotThere() {
        refused(
                CommandLineRun.of(
                        "topics", "list", "--bootstrap-server", "localhost:1", "--command-config", "/nowhere/x"),
                "farnode: cannot read --command-config /nowhere/x: no such file or directory");
    }

    @Test
    void shouldRefuseADataDirectoryThatCannotBe() throws IOException {
        Path file = file("");
        CommandLineRun run = CommandLineRun.of("topics", "list", "--data-dir", file.toString());
        refused(
                run,
                "farnode: cannot make the data directory " + file
                        + ": there is a file in its place; give another --data-dir");
    }

    @Test
    void shouldSayInPlainWordsWhyADataDirectoryCannotBeMade() {
        // Linux lets nobody make a directory there
        refused(
                CommandLineRun.of("runs", "--data-dir", "/proc/farnode"),
                "farnode: cannot make the data directory /proc/farnode: no such file or directory; give another"
                        + " --data-dir");
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
                "farnode: --ephemeral and --data-dir exclude each other (farnode demo --help)",
                "demo",
                "--ephemeral",
                "--data-dir",
                "x");
        usage(
                "farnode: --bootstrap-server \"bla\" is no host:port, such as localhost:9092 (farnode replay --help)",
                "replay",
                "-",
                "--run",
                "x",
                "--bootstrap-server",
                "bla");
        usage(
                "farnode: --command-config needs --bootstrap-server (farnode topics list --help)",
                "topics",
                "list",
                "--command-config",
                "x");
    }

    @ParameterizedTest
    @CsvSource({
        "broker, --bootstrap-server",
        "broker, --command-config",
        "runs, --ephemeral",
        "runs, --port",
        "windows, --ephemeral",
        "windows, --port",
        "compare a b, --ephemeral",
        "compare a b, --port",
        "topics list, --ephemeral",
        "topics list, --port",
        "topics create, --ephemeral",
        "topics create, --port",
    })
    void shouldNotOfferAnOptionThatMakesNoSense(String command, String option) {
        List<String> args = new ArrayList<>(List.of(command.split(" ")));
        args.add("--help");
        CommandLineRun help = CommandLineRun.of(args.toArray(String[]::new));
        assertThat(help.code()).isZero();
        assertThat(help.out()).noneMatch(line -> line.contains(option)).anyMatch(line -> line.contains("--data-dir"));
        args.set(args.size() - 1, option);
        args.add("1");
        CommandLineRun run = CommandLineRun.of(args.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).singleElement().asString().startsWith("farnode: ").contains(option);
    }

    @Test
    void shouldSayThatTheDemoKeepsNothing() {
        String help =
                String.join(" ", CommandLineRun.of("demo", "--help").out()).replaceAll("\\s+", " ");
        assertThat(help)
                .contains("without it, farnode's own broker in a temporary directory")
                .contains("(default: a temporary directory, deleted at the end)")
                .contains("the demo's default");
        assertThat(String.join(" ", CommandLineRun.of("replay", "--help").out()).replaceAll("\\s+", " "))
                .contains("(default: ${XDG_DATA_HOME:-~/.local/share}/farnode)");
    }

    @Test
    void shouldOfferEveryOptionOfACapture() {
        List<String> help = CommandLineRun.of("replay", "--help").out();
        assertThat(CaptureOptions.keys().keySet())
                .allSatisfy(key -> assertThat(help).anyMatch(line -> line.contains("--" + key + "=")));
    }

    private static void usage(String line, String... args) {
        wrong(CommandLineRun.of(args), line);
    }

    private static void wrong(CommandLineRun run, String line) {
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
