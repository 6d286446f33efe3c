package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.producer.machine.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MachinesCommandTest {
    @Test
    void shouldListEveryBundledMachine() {
        CommandLineRun run = CommandLineRun.of("machines", "--output", "csv");
        assertThat(run.out().subList(1, run.out().size()).stream().map(line -> line.split(",")[0]))
                .containsExactlyElementsOf(Machine.names());
        assertThat(run.out()).anyMatch(line -> line.startsWith("d06-96,aarch64,kunpeng920,2,4,96,"));
        assertThat(run.code()).isZero();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldShowAMachineAsItsFileIs(String name) {
        CommandLineRun run = CommandLineRun.of("machines", "show", name);
        assertThat(run.out())
                .containsExactlyElementsOf(Machine.text(name).lines().toList());
        assertThat(run.out()).anyMatch(line -> line.matches("memory-ns\\.0 .*# (source|estimate).*"));
    }

    static Iterable<String> names() {
        return Machine.names();
    }
}
