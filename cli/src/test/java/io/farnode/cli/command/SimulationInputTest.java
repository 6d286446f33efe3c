package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.workload.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines, scenarios and parameters that cannot be are told by line, field and value; before a broker starts. */
class SimulationInputTest {
    @TempDir
    private Path directory;

    @Test
    void shouldNameTheMachinesThereAre() {
        String known = "known are " + String.join(", ", Machine.names());
        refused("farnode: unknown machine \"d06-129\": " + known, "simulate", "lpi-balance", "--machine", "d06-129");
        refused("farnode: unknown machine \"d06-129\": " + known, "machines", "show", "d06-129");
        refused(
                "farnode: unknown machine \"d06-129\": " + known,
                "simulate",
                "lpi-balance",
                "--set",
                "machine=d06-129");
        refused("farnode: unknown machine \"x\": " + known, "sweep", "lpi-balance", "--param", "machine=d06-128,x");
    }

    @Test
    void shouldNameTheScenariosThereAre() {
        String known = String.join(", ", Scenario.names());
        refused("farnode: unknown scenario \"lpi\": known are " + known, "simulate", "lpi");
        Path file = directory.resolve("no.scenario");
        refused("farnode: " + file + ": no such file; bundled scenarios are " + known, "simulate", file.toString());
        refused(
                "farnode: " + directory + ": cannot be read; give a text file of key = value",
                "simulate",
                directory + "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
            node.1       | 8-9999  | 8: node.1 = 8-9999: must be a CPU list such as 0-31 ("8-9999" is no CPU list: "9999" is no CPU number from 0 to 1023; write 0-3,8)
            node.1       | 7-15    | 8: node.1 = 7-15: must be CPUs of no other node; 7 stands in two
            node.1       | 9-15    | 7: node.0 = 0-7: must be such that all nodes together hold the CPUs 0, 1, 2, ... without gaps, not "0-7,9-15"
            memory-ns.1  | -1 117  | 16: memory-ns.1 = -1 117: must be a number from 1.0 to 100000.0
            line-ns.0    | 72 -155 | 17: line-ns.0 = 72 -155: must be a number from 1.0 to 100000.0
            distance.1   | 20      | 14: distance.1 = 20: must be 2 numbers with blanks between
            its.0        | 7       | 20: its.0 = 7: must be a whole number from -1 to 1
            device-nodes | 0 2     | 21: device-nodes = 0 2: must be a number from -1.0 to 1.0
            tick-hz      | often   | 25: tick-hz = often: must be a whole number from 1 to 10000
            """)
    void shouldNameLineAndFieldOfAWrongMachine(String key, String value, String message) throws IOException {
        Path file = machine(key, key + " = " + value);
        refused("farnode: " + file + ":" + message, "simulate", "lpi-balance-small", "--machine", file.toString());
        refused("farnode: " + file + ":" + message, "machines", "show", file.toString());
    }

    @Test
    void shouldRefuseAMachineWithoutAName() throws IOException {
        Path file = machine("name", "name =");
        refused("farnode: " + file + ":3: name = : must be a name", "machines", "show", file.toString());
    }

    @Test
    void shouldNameWhatAMachineLacksOrHasTooMuch() throws IOException {
        Path file = machine("clock-mhz", "");
        refused(
                "farnode: " + file + ": clock-mhz is missing; add a line clock-mhz = ...",
                "machines",
                "show",
                file.toString());
        file = machine("clock-mhz", "clock = 3");
        refused(
                "farnode: " + file + ":27: clock = 3: must be a key of a machine; clock is none",
                "machines",
                "show",
                file.toString());
        file = machine("clock-mhz", "clock-mhz 3");
        refused(
                "farnode: " + file
                        + ":27: \"clock-mhz 3\" is no setting; write key = value # where the value comes from",
                "machines",
                "show",
                file.toString());
    }

    @Test
    void shouldRefuseAMachineThatTheScenarioDoesNotFit() {
        refused(
                "farnode: its-tables.scenario: nic-probe-cpu = 96: must be a whole number from 0 to 95",
                "simulate",
                "its-tables",
                "--set",
                "nic-probe-cpu=96");
        refused(
                "farnode: lpi-balance-small.scenario: machine = e5-2603v4-12: must be a machine with an ITS, which is what"
                        + " routes LPIs",
                "simulate",
                "lpi-balance-small",
                "--machine",
                "e5-2603v4-12");
    }

    @Test
    void shouldRefuseImpossibleTimes() {
        String file = "farnode: lpi-balance-small.scenario: ";
        refused(
                file + "device-time = -5us: must be a span from 1ns to 1s, such as 90us or 60s",
                "simulate",
                "lpi-balance-small",
                "--set",
                "device-time=-5us");
        refused(
                file + "duration = 500ms: must be at least one interval of 1s",
                "simulate",
                "lpi-balance-small",
                "--duration",
                "500ms");
        refused(
                file + "duration = 1440000s: must be a span from 10ms to 86400s, such as 90us or 60s",
                "simulate",
                "lpi-balance-small",
                "--duration",
                "400h");
        refused(
                file + "interval = 1ms: must be a span from 10ms to 3600s, such as 90us or 60s",
                "simulate",
                "lpi-balance-small",
                "--set",
                "interval=1ms");
    }

    @Test
    void shouldNameLineAndFieldOfAWrongScenario() throws IOException {
        Path file = directory.resolve("my.scenario");
        Files.writeString(file, "base = lpi-balance-small\n\ndepht = 3\n");
        CommandLineRun run = CommandLineRun.of("simulate", file.toString());
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("farnode: " + file + ":3: unknown parameter \"depht\": known are family, summary,");
        Files.writeString(file, "base = lpi-balance-small\nrepeats = 0\n");
        refused(
                "farnode: " + file + ":2: repeats = 0: must be a whole number from 1 to 1000",
                "simulate",
                file.toString());
        Files.writeString(file, "base = lpi-balance-small\narms = candidate\n");
        refused(
                "farnode: " + file + ":2: arms = candidate: must be baseline and at least one other, each once",
                "simulate",
                file.toString());
        Files.writeString(file, "base = lpi-balance-small\narms = baseline new\n");
        CommandLineRun unknown = CommandLineRun.of("simulate", file.toString());
        assertThat(unknown.err())
                .singleElement()
                .asString()
                .startsWith("farnode: " + file
                        + ":2: arm \"new\": must be baseline, candidate or a policy: first-cpu, least-loaded");
    }

    @Test
    void shouldNameTheParametersThereAreInASweep() {
        CommandLineRun run = CommandLineRun.of("sweep", "lpi-balance-small", "--param", "depht=1..8:1");
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith(
                        "farnode: lpi-balance-small.scenario: unknown parameter \"depht\": known are family, summary,");
        assertThat(run.code()).isEqualTo(2);
        refused(
                "farnode: lpi-balance-small.scenario: depth = 0: must be a whole number from 1 to 1024",
                "sweep",
                "lpi-balance-small",
                "--param",
                "depth=0..8:1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            depth         | write name=a..b:step such as device-time=80us..120us:10us, name=a..b:x2, or name=x,y,z
            depth=1..8    | there is no step; write name=a..b:step such as device-time=80us..120us:10us, name=a..b:x2, or name=x,y,z
            depth=8..1:1  | 8 is above 1; write the smaller end first
            depth=1..8:0  | step 0 must be above 0
            depth=1..8:-1 | step -1 must be above 0
            depth=1..8:x1 | a factor must be above 1 and the first value above 0
            depth=0..8:x2 | a factor must be above 1 and the first value above 0
            depth=a..8:1  | "a" is no number; write name=a..b:step such as device-time=80us..120us:10us, name=a..b:x2, or name=x,y,z
            t=1us..2ms:1  | us and ms in one range; write one unit
            t=0..9:0.001  | more than 1000 values; take a wider step
            t=1,,2        | a value is empty; write name=a..b:step such as device-time=80us..120us:10us, name=a..b:x2, or name=x,y,z
            """)
    void shouldSayWhatIsWrongWithARange(String range, String why) {
        CommandLineRun run = CommandLineRun.of("sweep", "lpi-balance-small", "--param", range);
        assertThat(run.err()).containsExactly("farnode: --param \"" + range + "\": " + why + " (farnode sweep --help)");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldExplainWrongUsageOfSimulate() {
        usage("--format needs --out DIR", "--format", "vmstat");
        usage("--out needs --format", "--out", "x");
        usage("--repeats needs --pair", "--repeats", "3");
        usage(
                "--pair runs the scenario's baseline and candidate: leave --policy out, or --set candidate=",
                "--pair",
                "--policy",
                "all-local");
        usage("--format prints one run: leave --pair out", "--pair", "--format", "vmstat", "--out", "x");
        usage(
                "an experiment names its runs itself, as EXPERIMENT-ARM-REPEAT: leave --run, --arm and --repeat out;"
                        + " --experiment names it",
                "--pair",
                "--run",
                "x");
        refused(
                "farnode: format \"sar\" cannot be printed: known are vmstat, perf-csv, interrupts",
                "simulate",
                "lpi-balance-small",
                "--format",
                "sar",
                "--out",
                "x");
    }

    private static void usage(String message, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "simulate";
        args[1] = "lpi-balance-small";
        System.arraycopy(options, 0, args, 2, options.length);
        CommandLineRun run = CommandLineRun.of(args);
        assertThat(run.err()).containsExactly("farnode: " + message + " (farnode simulate --help)");
        assertThat(run.code()).isEqualTo(2);
    }

    /** 1 where a file is at fault, 2 and a hint where the command line is. */
    private static void refused(String line, String... args) {
        CommandLineRun run = CommandLineRun.of(args);
        boolean file = Arrays.stream(args).anyMatch(arg -> arg.contains("/"));
        String command = args[0].equals("machines") ? "machines show" : args[0];
        assertThat(run.err()).containsExactly(file ? line : line + " (farnode " + command + " --help)");
        assertThat(run.code()).isEqualTo(file ? 1 : 2);
        assertThat(run.out()).isEmpty();
    }

    private Path machine(String key, String line) throws IOException {
        List<String> lines = Machine.text("small-2node")
                .lines()
                .map(old -> old.matches(key.replace(".", "\\.") + " *=.*") ? line : old)
                .toList();
        return Files.write(directory.resolve("my.machine"), lines);
    }
}
