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

    @ParameterizedTest
    @CsvSource({
        "d06-96, 96, 4, 2, 1, 1",
        "d06-128, 128, 4, 2, 1, 2",
        "thunderx2-224, 224, 2, 2, 4, 2",
        "x5-4-144, 144, 4, 4, 2, 0",
        "e5-2603v4-12, 12, 2, 2, 1, 0",
        "small-2node, 16, 2, 2, 1, 1"
    })
    void shouldHaveTheShapeOfTheMachine(String name, int cpus, int nodes, int sockets, int threads, int services) {
        Machine machine = Machine.named(name);
        assertThat(machine.cpus()).isEqualTo(cpus);
        assertThat(machine.nodes()).isEqualTo(nodes);
        assertThat(machine.sockets()).isEqualTo(sockets);
        assertThat(machine.itsCount()).isEqualTo(services);
        for (int cpu = 0; cpu < cpus; cpu++) {
            int node = machine.nodeOf(cpu);
            assertThat(machine.siblingsOf(cpu).stream().boxed())
                    .hasSize(threads)
                    .contains(cpu)
                    .allSatisfy(sibling -> assertThat(machine.nodeOf(sibling)).isEqualTo(node));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldMoveLessTheFartherAway(String name) {
        Machine machine = Machine.named(name);
        for (int from = 0; from < machine.nodes(); from++) {
            for (int to = 0; to < machine.nodes(); to++) {
                assertThat(machine.bandwidth(from, to)).isEqualTo(machine.bandwidth(to, from));
                if (from != to && machine.bandwidth(from, to) > 0) {
                    assertThat(machine.bandwidth(from, to)).isLessThan(machine.bandwidth(from, from));
                }
            }
        }
    }

    @Test
    void shouldRefuseCoresThatStandOnTwoNodes() {
        assertThatThrownBy(() -> Machine.named("thunderx2-224").with("thread-numbers", "apart"))
                .hasMessage(
                        "thunderx2-224.machine: thread-numbers = apart: must be such that the threads of a core are on"
                                + " one node; those of a core here are CPUs 0,56,112,168");
    }

    @Test
    void shouldTakeMemoryFromTheNearestNodeThatHasSome() {
        Machine all = Machine.named("d06-96");
        Machine some = all.with("memory-nodes", "0 3");
        for (int node = 0; node < 4; node++) {
            assertThat(all.hasMemory(node)).isTrue();
            assertThat(all.memoryNodeFor(node)).isEqualTo(node);
        }
        assertThat(some.hasMemory(0)).isTrue();
        assertThat(some.hasMemory(1)).isFalse();
        assertThat(some.memoryNodeFor(1)).isZero();
        assertThat(some.memoryNodeFor(2)).isEqualTo(3);
        assertThat(some.memoryNodeFor(3)).isEqualTo(3);
        // on ties the lowest number: nodes 1 and 3 are as far from node 0 as each other on this one
        assertThat(Machine.named("x5-4-144").with("memory-nodes", "3 1").memoryNodeFor(0))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        memory-nodes      | 0 4     | d06-96.machine: memory-nodes = 0 4: must be a number from 0.0 to 3.0
        memory-nodes      | 0 0     | d06-96.machine: memory-nodes = 0 0: must be node numbers, each once
        memory-nodes      | 0.5     | d06-96.machine: memory-nodes = 0.5: must be node numbers, each once
        bandwidth.2       | 1 2 3   | d06-96.machine: bandwidth.2 = 1 2 3: must be 4 numbers with blanks between
        bandwidth.2       | 1 2 3 0 | d06-96.machine: bandwidth.2 = 1 2 3 0: must be a number from 0.001 to 100000.0
        home-agent-events | a b c d | d06-96.machine: home-agent-events = a b c d: must be up to 3 names: all requests, of another die, of another socket
        its.2             | 0       | d06-96.machine: its.2 = 0: must be numbered its.0, its.1, ... without gaps
        colour            | red     | d06-96.machine: colour = red: must be a key of a machine; colour is none
        """)
    void shouldRefuseChangesThatCannotBe(String key, String value, String message) {
        Machine machine = Machine.named("d06-96");
        assertThatThrownBy(() -> machine.with(key, value))
                .isInstanceOf(DataException.class)
                .hasMessage(message);
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
