package io.farnode.cli.command;

import io.farnode.contract.Keys;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that say what a run is and where it stands in a comparison. */
final class RunOptions {
    @Option(
            names = "--run",
            paramLabel = "ID",
            description =
                    "Name of the run: 1 to 128 of A-Z a-z 0-9 . _ - (simulate: made of scenario, policy and seed).")
    String run;

    @Option(
            names = "--experiment",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Comparison the run belongs to; finished runs of it are compared arm by arm.")
    String experiment;

    @Option(
            names = "--arm",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Side of the comparison, such as baseline or candidate.")
    String arm;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of the repetition within the arm, from 1 (default: 1).")
    int repeat;

    @Option(names = "--label", paramLabel = "KEY=VALUE", description = "A label of your own; may be given often.")
    Map<String, String> labels = new LinkedHashMap<>();

    /**
     * Checks what can be checked before anything is read.
     *
     * @throws UsageException if a value is refused
     */
    void check() {
        if (run != null) {
            UsageException.checked(() -> Keys.runId(run));
        }
        if (repeat < 1) {
            throw new UsageException("--repeat " + repeat + ": write a number from 1");
        }
    }
}
