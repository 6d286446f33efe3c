package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.Machine;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioTest {
    static Stream<String> names() {
        return Scenario.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldSayOfEveryParameterWhereItComesFrom(String name) {
        Scenario scenario = Scenario.named(name);
        assertThat(scenario.settings().entries())
                .filteredOn(entry -> entry.value().matches("\\d.*|inf"))
                .hasSizeGreaterThan(20)
                .allSatisfy(entry -> assertThat(entry.origin())
                        .as(entry.key())
                        .containsAnyOf("source", "estimate", "calibrated", "any whole number"));
        assertThat(scenario.summary()).isNotBlank();
        assertThat(scenario.policies()).contains(scenario.baseline(), scenario.candidate(), "all-local");
    }

    @Test
    void shouldCarryWhatIsAskedFor() {
        Scenario scenario = Scenario.named("lpi-balance-small")
                .withPolicy("first-cpu")
                .withSeed(-7)
                .withDuration(Duration.ofSeconds(5))
                .withInterval(Duration.ofMillis(50))
                .withNoise(false)
                .with("drives", "2")
                .startingAt(Instant.EPOCH);
        assertThat(scenario.policy()).isEqualTo("first-cpu");
        assertThat(scenario.seed()).isEqualTo(-7);
        assertThat(scenario.duration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(scenario.interval()).isEqualTo(Duration.ofMillis(50));
        assertThat(scenario.settings().text("noise")).isEqualTo("off");
        assertThat(scenario.start()).isEqualTo(Instant.EPOCH);
        assertThat(scenario.machine().name()).isEqualTo("small-2node");
        assertThat(scenario.withMachine(Machine.named("d06-128")).machine().cpus())
                .isEqualTo(128);
    }

    @Test
    void shouldReadAFileThatSaysOnlyWhatDiffers() throws IOException {
        Scenario scenario =
                Scenario.read("mine.scenario", new StringReader("base = lpi-balance-small\nqueues = 4 # four\n"));
        assertThat(scenario.name()).isEqualTo("mine.scenario");
        assertThat(scenario.settings().text("queues")).isEqualTo("4");
        assertThat(scenario.machine().name()).isEqualTo("small-2node");
        assertThat(scenario.settings().text("block-kib")).isEqualTo("4");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        policy        | worst | unknown policy "worst": known are first-cpu, least-loaded, least-loaded-v3, all-local
        machine       | d07   | unknown machine "d07": known are d06-96, d06-128, thunderx2-224, x5-4-144, e5-2603v4-12, small-2node
        drives        | 0     | lpi-balance-small.scenario: drives = 0: must be a whole number from 1 to 16
        queues        | 17    | lpi-balance-small.scenario: queues = 17: must be a whole number from 1 to 16
        jobs          | many  | lpi-balance-small.scenario: jobs = many: must be a whole number from 0 to 16
        duration      | 10    | lpi-balance-small.scenario: duration = 10: must be a span from 10ms to 86400s, such as 90us or 60s
        duration      | 500ms | lpi-balance-small.scenario: duration = 500ms: must be at least one interval of 1s
        interval      | 1us   | lpi-balance-small.scenario: interval = 1us: must be a span from 10ms to 3600s, such as 90us or 60s
        device-time   | -1us  | lpi-balance-small.scenario: device-time = -1us: must be a span from 1ns to 1s, such as 90us or 60s
        ceiling       | none  | lpi-balance-small.scenario: ceiling = none: must be inf, or IO/s from 1 to 1000000000
        user-share    | 2     | lpi-balance-small.scenario: user-share = 2: must be a number from 0.0 to 1.0
        warm-up       | 1m    | lpi-balance-small.scenario: warm-up = 1m: must be a span from 0ms to 10s, such as 90us or 60s
        noise         | maybe | lpi-balance-small.scenario: noise = maybe: must be on or off
        seed          | x     | must be a whole number from -9223372036854775808 to 9223372036854775807
        family        | lock  | lpi-balance-small.scenario: family = lock: must be a known family: lpi-balance, its-tables, dma-placement, page-pool, spinlock
        """)
    void shouldNameParameterAndValueOfWhatIsWrong(String key, String value, String message) {
        Scenario scenario = Scenario.named("lpi-balance-small");
        assertThatThrownBy(() -> scenario.with(key, value))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldListTheKnownOnesWhenAskedForAnother() {
        assertThatThrownBy(() -> Scenario.named("lpi"))
                .hasMessage("unknown scenario \"lpi\": known are " + String.join(", ", Scenario.names()));
        assertThatThrownBy(() -> Scenario.named("lpi-balance").with("drive", "1"))
                .hasMessageStartingWith(
                        "lpi-balance.scenario: unknown parameter \"drive\": known are family, summary,");
    }

    @Test
    void shouldRefuseMoreQueuesThanTheMachineCanSimulate() throws IOException {
        String text = String.join(
                        "\n",
                        Machine.named("small-2node").data().entries().stream()
                                .map(entry -> entry.key() + " = " + entry.value())
                                .toList())
                .replace("node.0 = 0-7", "node.0 = 0-255")
                .replace("node.1 = 8-15", "node.1 = 256-511");
        Machine large = Machine.read("large.machine", new StringReader(text));
        Scenario scenario = Scenario.named("lpi-balance").withMachine(large).withPolicy("all-local");
        assertThatThrownBy(() -> scenario.with("drives", "16"))
                .hasMessage("lpi-balance.scenario: drives = 16: must be such that 512 CPUs and 8192 queues are at most"
                        + " 4094 together");
    }

    @Test
    void shouldNameTheLineOfAUsersFile() {
        assertThatThrownBy(() -> Scenario.read(
                        "mine.scenario", new StringReader("# mine\nbase = lpi-balance-small\nqueues = 99\n")))
                .hasMessage("mine.scenario:3: queues = 99: must be a whole number from 1 to 16");
    }

    @Test
    void shouldCheckSeveralChangesTogether() {
        Scenario scenario = Scenario.named("its-tables");
        Map<String, String> fits = Map.of(
                "memory-nodes", "all", "nic-node", "1", "nic-probe-cpu", "8", "disk-node", "1", "disk-probe-cpu", "8");
        Machine small = Machine.named("small-2node");
        assertThatThrownBy(() -> scenario.withMachine(small)).isInstanceOf(DataException.class);
        assertThat(scenario.withMachine(small, fits).machine().cpus()).isEqualTo(16);
        Map<String, String> all = new HashMap<>(fits);
        all.put("machine", "small-2node");
        assertThat(scenario.with(all).machine().name()).isEqualTo("small-2node");
    }

    @Test
    void shouldKeepRepeatsAndArmsApartFromWhatTheMachineDoes() throws IOException {
        String text = "base = lpi-balance-small\n";
        Scenario plain = Scenario.read("mine", new StringReader(text));
        Scenario experiment =
                Scenario.read("mine", new StringReader(text + "repeats = 5\narms = all-local baseline candidate\n"));
        assertThat(plain.isExperiment()).isFalse();
        assertThat(plain.repeats()).isOne();
        assertThat(plain.arms()).containsExactly("baseline", "candidate");
        assertThat(experiment.isExperiment()).isTrue();
        assertThat(experiment.repeats()).isEqualTo(5);
        assertThat(experiment.arms()).containsExactly("all-local", "baseline", "candidate");
        assertThat(experiment.arms().stream().map(arm -> experiment.inArm(arm).policy()))
                .containsExactly("all-local", "first-cpu", "least-loaded");
        assertThat(experiment.with("repeats", "7").repeats()).isEqualTo(7);
        assertThat(SimulatedRun.of(experiment).started().getInputDigest())
                .isEqualTo(SimulatedRun.of(plain).started().getInputDigest());
    }

    @Test
    void shouldAskForTheMachineThatAFileNames() throws IOException {
        Scenario scenario = Scenario.read(
                "mine",
                new StringReader("base = lpi-balance-small\nmachine = rack.machine\n"),
                name -> Machine.named("small-2node").with("name", name + "-7"));
        assertThat(scenario.machine().name()).isEqualTo("rack.machine-7");
    }
}
