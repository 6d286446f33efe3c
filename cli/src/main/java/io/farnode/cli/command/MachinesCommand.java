package io.farnode.cli.command;

import io.farnode.cli.terminal.Table;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the bundled machines, and shows one. */
@Command(
        name = "machines",
        description = {
            "List the bundled machines.",
            "",
            "To simulate one of your own: farnode machines show small-2node > my.machine, edit it, and pass"
                    + " --machine my.machine to farnode simulate or farnode sweep."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class MachinesCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: table).")
    private Table.Format format;

    private MachinesCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** {@return the command with its own one} */
    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new MachinesCommand(surroundings)).addSubcommand(new Show(surroundings));
    }

    @Override
    public Integer call() {
        Table table = new Table(
                "machine",
                "architecture",
                "CPU model",
                "sockets",
                "nodes",
                "CPUs",
                "with memory",
                "sourced",
                "estimated");
        for (String name : Machine.names()) {
            Machine machine = Machine.named(name);
            long memory = 0;
            for (int node = 0; node < machine.nodes(); node++) {
                memory += machine.hasMemory(node) ? 1 : 0;
            }
            List<DataFile.Entry> values = machine.data().entries();
            long estimated = values.stream()
                    .filter(e -> e.origin().startsWith("estimate"))
                    .count();
            long sourced =
                    values.stream().filter(e -> e.origin().startsWith("source")).count();
            table.row(
                    name,
                    machine.architecture(),
                    machine.cpuModel(),
                    machine.sockets(),
                    machine.nodes(),
                    machine.cpus(),
                    memory,
                    sourced,
                    estimated);
        }
        table.print(surroundings.out(), format);
        return 0;
    }

    /** Shows the text of a machine. */
    @Command(
            name = "show",
            description =
                    "Print a machine as its file is, with the origin of every number; or check a file of your own.",
            mixinStandardHelpOptions = true)
    static final class Show implements Callable<Integer> {
        private final Surroundings surroundings;

        @Parameters(paramLabel = "NAME|FILE", description = "A bundled machine, or a file of your own.")
        private String name;

        Show(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() throws IOException {
            ScenarioOptions.machine(name); // whoever copies it gets a machine
            PrintWriter out = surroundings.out();
            out.print(Machine.names().contains(name) ? Machine.text(name) : Files.readString(Path.of(name)));
            out.flush();
            return 0;
        }
    }
}
