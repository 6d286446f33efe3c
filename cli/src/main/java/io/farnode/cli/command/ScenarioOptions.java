package io.farnode.cli.command;

import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.Machine;
import io.farnode.producer.machine.workload.Scenario;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which scenario, and what the user wants otherwise than it says. */
final class ScenarioOptions {
    private static final String MACHINE = "machine";

    @Parameters(paramLabel = "SCENARIO", description = "Name or file.")
    private String name;

    @Option(
            names = "--machine",
            paramLabel = "NAME|FILE",
            description = "Another machine: a bundled one (farnode machines) or a file of your own.")
    private String machine;

    @Option(names = "--policy", paramLabel = "NAME", description = "Policy (default: the scenario's candidate).")
    private String policy;

    @Option(names = "--seed", paramLabel = "N", description = "Seed (default: the scenario's).")
    private Long seed;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = StreamsOptions.Length.class,
            description = "Simulated time: 60s, 5m (default: the scenario's).")
    private Duration duration;

    @Option(names = "--noise", paramLabel = "on|off", description = "Whether costs wander (default: the scenario's).")
    private String noise;

    @Option(
            names = "--threaded",
            negatable = true,
            description = "Threaded interrupts of the drives (default: the scenario's).")
    private Boolean threaded;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any parameter of the scenario; may be given often.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    /** {@return the policy that the user named, or null} */
    String policy() {
        return policy;
    }

    /**
     * {@return the scenario as the user wants it}
     *
     * @throws IOException if a file cannot be read
     * @throws DataException if there is no such scenario or machine, or what is wanted cannot be
     */
    Scenario scenario() throws IOException {
        Map<String, String> changes = new LinkedHashMap<>();
        put(changes, MACHINE, machine);
        put(changes, "policy", policy);
        put(changes, "seed", seed);
        put(changes, "duration", duration == null ? null : text(duration.toNanos()));
        put(changes, "noise", noise);
        put(changes, "threaded", threaded == null ? null : threaded ? "on" : "off");
        changes.putAll(parameters);
        return changed(scenario(name), changes);
    }

    /** A span as it would stand in a scenario. */
    private static String text(long nanos) {
        long size = 1_000_000_000L;
        for (String unit : List.of("s", "ms", "us")) {
            if (nanos % size == 0) {
                return nanos / size + unit;
            }
            size /= 1000;
        }
        return nanos + "ns";
    }

    private static void put(Map<String, String> changes, String key, Object value) {
        if (value != null) {
            changes.put(key, value.toString());
        }
    }

    /**
     * Changes a scenario.
     *
     * @param scenario the scenario
     * @param changes values by parameter; a machine may be a file
     * @return a copy
     * @throws IOException if the machine's file cannot be read
     * @throws DataException if the machine's file is none
     * @throws UsageException if the values cannot be
     */
    static Scenario changed(Scenario scenario, Map<String, String> changes) throws IOException {
        if (!changes.containsKey(MACHINE)) {
            return UsageException.checked(() -> scenario.with(changes));
        }
        Map<String, String> others = new LinkedHashMap<>(changes);
        Machine other = machine(others.remove(MACHINE));
        return UsageException.checked(() -> scenario.withMachine(other, others));
    }

    /**
     * Finds a scenario.
     *
     * @param name name of a bundled one, or a file
     * @return the scenario
     * @throws IOException if the file cannot be read
     * @throws DataException if there is no such scenario, or the text is none
     */
    static Scenario scenario(String name) throws IOException {
        if (!isFile(name, Scenario.names())) {
            return UsageException.checked(() -> Scenario.named(name)); // says which there are
        }
        try (Reader text = open(name, "scenarios", Scenario.names())) {
            return Scenario.read(name, text, machine -> {
                try {
                    return machine(besides(name, machine));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (MalformedInputException e) {
            throw new DataException(name + ": not UTF-8 text");
        }
    }

    /**
     * Finds a machine.
     *
     * @param name name of a bundled one, or a file
     * @return the machine
     * @throws IOException if the file cannot be read
     * @throws DataException if there is no such machine, or the text is none
     */
    static Machine machine(String name) throws IOException {
        if (!isFile(name, Machine.names())) {
            return UsageException.checked(() -> Machine.named(name)); // says which there are
        }
        try (Reader text = open(name, "machines", Machine.names())) {
            return Machine.read(name, text);
        } catch (MalformedInputException e) {
            throw new DataException(name + ": not UTF-8 text");
        }
    }

    private static boolean isFile(String name, List<String> bundled) {
        return !bundled.contains(name) && (name.contains("/") || name.contains("."));
    }

    /** A file that another file names is looked for beside it. */
    private static String besides(String file, String named) {
        return isFile(named, Machine.names())
                ? Path.of(file).resolveSibling(named).toString()
                : named;
    }

    private static Reader open(String name, String what, List<String> bundled) throws IOException {
        Path path = Path.of(name);
        if (!Files.exists(path)) {
            throw new DataException(name + ": no such file; bundled " + what + " are " + String.join(", ", bundled));
        }
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new DataException(name + ": cannot be read; give a text file of key = value");
        }
        return Files.newBufferedReader(path);
    }
}
