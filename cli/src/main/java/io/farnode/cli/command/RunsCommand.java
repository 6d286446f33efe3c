package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.terminal.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the runs. */
@Command(
        name = "runs",
        description = {
            "List the runs: what they are, how they stand, what was late, duplicate or missing.",
            "",
            "incomplete: windows of which readings cover less than 0.9; they are never judged."
        },
        mixinStandardHelpOptions = true)
final class RunsCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: table).")
    private Table.Format format;

    @Mixin
    private ClusterOptions clusterOptions;

    RunsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Cluster cluster = clusterOptions.open(surroundings, Cluster.Use.READ);
        Workbench.prepareTopics(cluster);
        ResultTables.runs(Workbench.results(cluster).runs()).print(surroundings.out(), format);
        return 0;
    }
}
