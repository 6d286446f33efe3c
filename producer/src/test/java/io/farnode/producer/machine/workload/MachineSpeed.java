package io.farnode.producer.machine.workload;

import io.farnode.telemetry.Sample;
import java.util.Locale;

/**
 * How fast machines are simulated: simulated seconds per second of wall clock on one core, for every bundled scenario
 * under every policy, telling included. A program, no test. An argument picks the scenarios whose names contain it.
 */
final class MachineSpeed {
    private static final long WARM_NANOS = 1_000_000_000L;
    private static final long MEASURED_NANOS = 2_000_000_000L;

    private MachineSpeed() {}

    public static void main(String[] arguments) {
        for (String name : Scenario.names()) {
            if (arguments.length > 0 && !name.contains(arguments[0])) {
                continue;
            }
            for (String policy : Scenario.named(name).policies()) {
                SimulatedRun run = SimulatedRun.of(Scenario.named(name)
                        .withPolicy(policy)
                        .with("interval", "100ms")
                        .with("duration", "24h"));
                run(run, WARM_NANOS);
                double[] told = run(run, MEASURED_NANOS);
                System.out.printf(
                        Locale.ROOT,
                        "%-20s %-18s %8.1f simulated s per s, %10.0f operations a simulated s%n",
                        name,
                        policy,
                        told[0],
                        told[1]);
            }
        }
    }

    /** Lets a run go on for some wall-clock time. Returns its speed and its operations per simulated second. */
    private static double[] run(SimulatedRun run, long wallNanos) {
        long begin = System.nanoTime();
        long wall = 0;
        double simulated = 0;
        double operations = 0;
        while (wall < wallNanos) {
            Sample sample = run.next();
            if (sample.getSource().equals("workload")) {
                simulated += (sample.getEndNanos() - sample.getStartNanos()) / 1e9;
                operations += sample.getColumns().get(0).getValues().get(0);
            }
            wall = System.nanoTime() - begin;
        }
        return new double[] {simulated * 1e9 / wall, operations / simulated};
    }
}
