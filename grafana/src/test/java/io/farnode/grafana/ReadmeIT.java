package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import io.farnode.cli.broker.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command that stands in a {@code sh} block of the README and of the pages in {@code docs}, in order, with
 * the built program, in a directory that holds the files they name.
 */
class ReadmeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Path REAL = FarnodeProcess.root().resolve("producer/src/test/resources/captures/real");

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;

    @BeforeEach
    void prepare() throws IOException {
        Files.createSymbolicLink(
                directory.resolve("farnode"), FarnodeProcess.root().toRealPath().resolve("farnode"));
        // vmstat without -t: the two header lines, the row since boot, and rows without their times
        List<String> vmstat = unpacked("vmstat.txt.gz").stream()
                .map(line -> line.replaceFirst(
                                " (-----timestamp-----|UTC|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)$", "")
                        .stripTrailing())
                .toList();
        Files.write(directory.resolve("before.txt"), vmstat.subList(0, 80));
        List<String> after = new ArrayList<>(vmstat.subList(0, 3));
        after.addAll(vmstat.subList(200, 280).stream()
                .filter(line -> line.matches("[ \\d]+"))
                .toList());
        Files.write(directory.resolve("after.txt"), after);
        Files.write(
                directory.resolve("perf.csv"),
                unpacked("perf.csv.gz").stream()
                        .filter(line -> !line.startsWith("#"))
                        .limit(841)
                        .toList());
        Files.writeString(directory.resolve("client.properties"), "client.dns.lookup=use_all_dns_ips\n");
        broker = EmbeddedBroker.start(directory.resolve("another-kafka"), 0, Map.of(), line -> {
            throw new AssertionError(line);
        });
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
        Files.deleteIfExists(directory.resolve("farnode"));
    }

    @Test
    void shouldHoldOnlyCommandsThatWork() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(FarnodeProcess.root().resolve("README.md")));
        try (Stream<Path> docs = Files.list(FarnodeProcess.root().resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        int run = 0;
        for (Path page : pages) {
            for (String command : commands(page)) {
                run += run(page, command);
            }
        }
        assertThat(run).as("commands found and run").isGreaterThan(12);
    }

    private int run(Path page, String written) {
        String command = written.replaceFirst("^apt-get update && apt-get install .*? && ", "")
                .replace("localhost:9092", broker.bootstrapServers())
                .replaceFirst("farnode demo$", "farnode demo --exit --duration 10s --speed max --http-port 0");
        if (command.equals("mvn verify")) {
            return 0; // that is what runs this test
        }
        try (FarnodeProcess shell = FarnodeProcess.run(
                Map.of("XDG_DATA_HOME", directory.resolve("data").toString()),
                Path.of("sh"),
                directory,
                "-c",
                command)) {
            int code = shell.exitCode(PATIENCE);
            List<String> complaints = shell.err().stream()
                    .filter(line -> line.startsWith("farnode: ") && !line.startsWith("farnode: note: "))
                    // what the launcher script says the first time
                    .filter(line -> !line.equals("farnode: preparing quick starts (once)"))
                    .toList();
            assertThat(complaints).as("%s: %s", page, command).isEmpty();
            if (command.contains("farnode compare")) {
                assertThat(code).as("%s: %s", page, command).isBetween(0, 2);
            } else if (command.contains("farnode validate")) {
                // 1 says that its aim is missed, which is a finding and no failure
                assertThat(code).as("%s: %s", page, command).isBetween(0, 1);
            } else {
                assertThat(code).as("%s: %s: %s", page, command, shell.err()).isZero();
            }
            return 1;
        }
    }

    private static List<String> commands(Path page) throws IOException {
        List<String> commands = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("```")) {
                inside = line.equals("```sh");
            } else if (inside && !line.isBlank() && !line.startsWith("#")) {
                commands.add(line);
            }
        }
        return commands;
    }

    private static List<String> unpacked(String file) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(REAL.resolve(file))), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}
