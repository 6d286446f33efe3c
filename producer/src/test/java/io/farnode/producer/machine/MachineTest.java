package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MachineTest {
    static Stream<String> names() {
        return Machine.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldSayOfEveryNumberWhereItComesFrom(String name) {
        assertThat(Machine.named(name).data().entries())
                .filteredOn(entry ->
                        entry.value().matches(".*\\d.*") && !entry.key().equals("name"))
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.origin()).as(entry.key()).containsAnyOf("source", "estimate"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldCostMoreTheFartherAway(String name) {
        Machine machine = Machine.named(name);
        assertThat(machine.name()).isEqualTo(name);
        for (int from = 0; from < machine.nodes(); from++) {
            for (int to = 0; to < machine.nodes(); to++) {
                assertThat(machine.distance(from, to)).isEqualTo(machine.distance(to, from));
                for (int other = 0; other < machine.nodes(); other++) {
                    if (machine.distance(from, to) < machine.distance(from, other)) {
                        assertThat(machine.memoryNanos(from, to)).isLessThan(machine.memoryNanos(from, other));
                        assertThat(machine.lineNanos(from, to)).isLessThan(machine.lineNanos(from, other));
                    }
                }
            }
        }
    }

    @Test
    void shouldBeTheBoardOfThePost() {
        Machine machine = Machine.named("d06-128");
        assertThat(machine.cpus()).isEqualTo(128);
        assertThat(machine.nodes()).isEqualTo(4);
        assertThat(machine.sockets()).isEqualTo(2);
        assertThat(machine.cpusOf(1)).hasToString("32-63");
        assertThat(machine.memoryNanos(0, 3)).isEqualTo(219.4);
        assertThat(machine.itsNear(3)).isEqualTo(1);
        assertThat(machine.itsNear(1)).isZero();
        assertThat(machine.itsNear(-1)).isZero();
        assertThat(machine.describe().getCpuNode()).hasSize(128).endsWith(3);
        assertThat(machine.describe().getDistances()).startsWith(10, 12, 20, 22).hasSize(16);
    }

    @Test
    void shouldListTheKnownOnesWhenAskedForAnother() {
        assertThatThrownBy(() -> Machine.named("d07"))
                .isInstanceOf(DataException.class)
                .hasMessage(
                        "unknown machine \"d07\": known are d06-96, d06-128, thunderx2-224, x5-4-144, e5-2603v4-12, small-2node");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        node.1 = 8-15          | node.1 = 4-15        | node.1 = 4-15: must be CPUs of no other node; 4-7 stands in two
        node.1 = 8-15          | node.1 = 9-15        | node.0 = 0-7: must be such that all nodes together hold the CPUs 0, 1, 2, ... without gaps, not "0-7,9-15"
        node.1 = 8-15          | node.1 = 8-x         | "x" is no CPU number from 0 to 1023
        node.1 = 8-15          | node.2 = 8-15        | node.2 = 8-15: must be numbered node.0, node.1, ... without gaps
        memory-ns.0 = 117.3 19 | memory-ns.0 = -1 19  | must be a number from 1.0 to 100000.0
        memory-ns.0 = 117.3 19 | memory-ns.0 = 1 2 19 | must be 2 numbers with blanks between
        distance.0 = 10 20     | distance.0 = 11 20   | distance.0 = 11 20: must be whole numbers, 10 for the node itself and more for others
        its.0 = 0              | its.0 = 2            | its.0 = 2: must be a whole number from -1 to 1
        its.0 = 0              | colour = 2           | colour = 2: must be a key of a machine; colour is none
        tick-hz = 250          | tick-hz              | "tick-hz" is no setting; write key = value # where the value comes from
        ticks-traced = on      | ticks-traced = yes   | ticks-traced = yes: must be on or off
        clock-mhz = 2600       | name = again         | name stands in line 3 already; keep one of the two
        threads-per-core = 1   | threads-per-core = 3 | threads-per-core = 3: must be a divisor of the 16 CPUs
        """)
    void shouldNameLineFieldAndValueOfWhatIsWrong(String good, String bad, String message) throws IOException {
        String text = String.join(
                "\n",
                Machine.named("small-2node").data().entries().stream()
                        .map(entry -> entry.key() + " = " + entry.value())
                        .toList());
        assertThat(text).contains(good);
        String broken = "# a copy\n\n" + text.replace(good, bad);
        assertThatThrownBy(() -> Machine.read("mine.machine", new StringReader(broken)))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("mine.machine:")
                .hasMessageContaining(message);
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThatThrownBy(() -> Machine.read("mine.machine", new StringReader("name = x\n")))
                .hasMessage("mine.machine: architecture is missing; add a line architecture = ...");
    }
}
