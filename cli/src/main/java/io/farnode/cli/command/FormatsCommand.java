package io.farnode.cli.command;

import io.farnode.cli.terminal.Table;
import io.farnode.producer.capture.CaptureFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the capture formats. */
@Command(
        name = "formats",
        description = "List the capture formats that replay reads, and how each is recorded.",
        mixinStandardHelpOptions = true)
final class FormatsCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: table).")
    private Table.Format format;

    FormatsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Table table = new Table("format", "what it is", "recorded by");
        for (CaptureFormat capture : CaptureFormat.values()) {
            table.row(capture.formatName(), capture.description(), capture.recordedBy());
        }
        table.print(surroundings.out(), format);
        return 0;
    }
}
