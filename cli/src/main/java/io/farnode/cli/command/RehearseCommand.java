package io.farnode.cli.command;

import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.terminal.Table;
import io.farnode.producer.machine.workload.RunLabels;
import io.farnode.producer.machine.workload.Scenario;
import io.farnode.producer.machine.workload.SimulatedRun;
import io.farnode.streams.topology.FarnodeTopology;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Does once, in a temporary directory, what most commands do, so that the launcher script can keep the classes it took
 * for class data sharing.
 */
@Command(name = "rehearse", description = "Load what other commands need; for the launcher script.", hidden = true)
final class RehearseCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    RehearseCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        ClusterOptions clusterOptions = new ClusterOptions();
        clusterOptions.preferEphemeral();
        StreamsOptions streamsOptions = new StreamsOptions();
        Workbench bench = Workbench.open(surroundings, clusterOptions, Cluster.Use.PUBLISH, streamsOptions, 0);
        Scenario scenario = Scenario.named("lpi-balance-small").withDuration(Duration.ofSeconds(2));
        RunLabels labels = new RunLabels("rehearsal", "rehearsal", FarnodeTopology.BASELINE, 1, Map.of());
        try (SimulatedRun run = SimulatedRun.of(scenario, labels)) {
            bench.tellResult(bench.publish(run, sample -> {}, null));
        }
        ResultTables.wide(
                        Workbench.results(bench.cluster()).windows("rehearsal"),
                        new ResultTables.Selection(null, null, false))
                .print(surroundings.out(), Table.Format.TABLE);
        return 0;
    }
}
