package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.ClusterException;
import io.farnode.cli.terminal.Table;
import io.farnode.contract.Keys;
import io.farnode.contract.Scope;
import io.farnode.results.WindowResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the windows of a run. */
@Command(
        name = "windows",
        description = {
            "Show the closed windows of a run.",
            "",
            "As a table: the signals of the whole machine, one row a window; with --signal alone, that signal scope by"
                    + " scope. As csv or json: one row for each window, scope and quantity, counts with their exact sums.",
            "",
            "A window is incomplete when readings of some source cover less than 0.9 of it (coverage); it is never judged."
                    + " The row \"whole run\" is no window: it adds up all of them."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class WindowsCommand implements Callable<Integer> {
    private static final Pattern NUMBERED = Pattern.compile("([a-z]+)(\\d{1,9})");

    private final Surroundings surroundings;

    @Parameters(paramLabel = "RUN", description = "The run.")
    private String run;

    @Option(names = "--signal", paramLabel = "NAME", description = "Only this signal or event.")
    private String signal;

    @Option(names = "--scope", paramLabel = "SCOPE", description = "Only this scope: system, node1, cpu7.")
    private String scope;

    @Option(names = "--all", description = "Every event, not only signals.")
    private boolean all;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: table).")
    private Table.Format format;

    @Mixin
    private ClusterOptions clusterOptions;

    WindowsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        UsageException.checked(() -> Keys.runId(run));
        String wanted = scope == null
                ? null
                : UsageException.checked(() -> Scope.parse(scope)).text();
        ResultTables.Selection selection = new ResultTables.Selection(signal, wanted, all);
        Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.READ);
        Workbench.prepareTopics(cluster);
        List<WindowResult> windows = Workbench.results(cluster).windows(run);
        if (windows.isEmpty()) {
            throw new ClusterException("run " + run + " has no closed windows at " + cluster.bootstrapServers()
                    + "; farnode runs lists the runs");
        }
        if (signal != null
                && windows.stream().noneMatch(w -> w.getSeries().stream().anyMatch(selection::takes))) {
            throw new UsageException("run " + run + " has no signal or event \"" + signal + "\"; it has "
                    + windows.stream()
                            .flatMap(w -> w.getSeries().stream())
                            .map(s -> s.getName().replaceFirst("^event:", ""))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        if (wanted != null && windows.stream().noneMatch(w -> w.getScopes().contains(wanted))) {
            throw new UsageException("no scope " + wanted + " in run " + run + "; scopes are " + scopes(windows));
        }
        Table table = format == Table.Format.TABLE
                ? ResultTables.wide(windows, selection)
                : ResultTables.narrow(windows, selection);
        table.print(surroundings.out(), format);
        return 0;
    }

    /** All scopes, numbered ones as ranges: system, node0..node3, cpu0..cpu95. */
    static String scopes(List<WindowResult> windows) {
        Map<String, TreeSet<Long>> numbered = new LinkedHashMap<>();
        windows.stream().flatMap(w -> w.getScopes().stream()).forEach(text -> {
            Matcher number = NUMBERED.matcher(text);
            boolean counts = number.matches();
            TreeSet<Long> numbers = numbered.computeIfAbsent(counts ? number.group(1) : text, kind -> new TreeSet<>());
            if (counts) {
                numbers.add(Long.parseLong(number.group(2)));
            }
        });
        List<String> names = new ArrayList<>();
        numbered.forEach((kind, numbers) -> {
            if (numbers.isEmpty()) {
                names.add(kind);
            }
            for (Long first : numbers) {
                if (!numbers.contains(first - 1)) {
                    long last = first;
                    while (numbers.contains(last + 1)) {
                        last++;
                    }
                    names.add(kind + first + (last > first ? ".." + kind + last : ""));
                }
            }
        });
        return String.join(", ", names);
    }
}
