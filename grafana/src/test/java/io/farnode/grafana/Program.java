package io.farnode.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.FarnodeProcess;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Commands of the built program on one data directory, each in a process of its own, run to their end. */
final class Program {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path directory;

    Program(Path directory) {
        this.directory = directory;
    }

    /** Runs a command that must succeed; gives what it printed. */
    List<String> run(String... args) {
        try (FarnodeProcess process = start(args)) {
            int code = process.exitCode(PATIENCE);
            assertThat(code).as("%s: %s", List.of(args), process.err()).isZero();
            return process.out();
        }
    }

    /** Starts a command on the directory. */
    FarnodeProcess start(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--data-dir", directory.toString()));
        return FarnodeProcess.start(all.toArray(String[]::new));
    }

    /** The rows of a command's CSV, by column. */
    List<Map<String, String>> csv(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--output", "csv"));
        List<String> lines = run(all.toArray(String[]::new));
        String[] header = lines.get(0).split(",");
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            assertThat(cells).as(line).hasSameSizeAs(header);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < header.length; i++) {
                row.put(header[i], cells[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    /** The row of a run in the catalogue, once it is finished. */
    Map<String, String> awaitFinished(String runId) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<Map<String, String>> runs = csv("runs");
            for (Map<String, String> run : runs) {
                if (run.get("run").equals(runId) && run.get("state").equals("finished")) {
                    return run;
                }
            }
            assertThat(System.nanoTime())
                    .as("run %s has not finished: %s", runId, runs)
                    .isLessThan(end);
            Thread.sleep(300);
        }
    }

    /** Exact sums of counts over the windows of a run, by scope and name. */
    static Map<String, BigDecimal> sums(List<Map<String, String>> windows) {
        Map<String, BigDecimal> sums = new HashMap<>();
        for (Map<String, String> row : windows) {
            if (!row.get("size_seconds").equals("0.0") && !row.get("sum").isEmpty()) {
                sums.merge(row.get("scope") + " " + row.get("name"), new BigDecimal(row.get("sum")), BigDecimal::add);
            }
        }
        return sums;
    }
}
