package io.farnode.cli.command;

import io.farnode.cli.terminal.ProgressBar;
import io.farnode.cli.validation.ValidationPage;
import io.farnode.cli.validation.ValidationPlot;
import io.farnode.producer.machine.DataException;
import io.farnode.producer.machine.validation.Validation;
import io.farnode.producer.machine.validation.ValidationReport;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Simulates every posted cell and compares. */
@Command(
        name = "validate",
        description = {
            "Simulate every before/after cell of the posts and compare, family by family.",
            "",
            "The last line is cells=N sign_right=N in_band=N families_beating_naive=N; with --output json it is a field,"
                    + " and the line is on standard error.",
            "Exit code 0: the aim holds (every sign right, 85 % of the gains in band, four families better than both naive"
                    + " forecasts); 1: it does not, or an error; 2: wrong usage."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, json or markdown (default: table).")
    private ValidationPage.Format format;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Draw measured against simulated gains into this file.")
    private Path plot;

    ValidateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (plot != null) {
            if (!plot.toString().endsWith(".svg")) {
                throw new DataException(plot + ": the plot is an SVG file; give it a name that ends with .svg");
            }
            // found out now and not after all simulations; what stands there stays until there is something better
            write("", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        ValidationReport report;
        try (ProgressBar bar = new ProgressBar(
                surroundings.err(),
                surroundings.terminal().err(),
                surroundings.terminal().columns())) {
            report = Validation.bundled()
                    .run(
                            Runtime.getRuntime().availableProcessors(),
                            (done, all) ->
                                    bar.update(done / (double) all, done + " of " + all + " comparisons simulated"));
        }
        if (plot != null) {
            write(ValidationPlot.draw(report));
        }
        new ValidationPage(report)
                .print(
                        surroundings.out(),
                        format,
                        plot == null ? "" : plot.getFileName().toString());
        if (format == ValidationPage.Format.JSON) {
            surroundings.err().println(report.summary());
            surroundings.err().flush();
        }
        return report.aimHolds() ? 0 : 1;
    }

    private void write(String text, OpenOption... options) {
        try {
            Files.writeString(plot, text, options);
        } catch (NoSuchFileException e) {
            throw new DataException(plot + ": its directory does not exist");
        } catch (AccessDeniedException e) {
            throw new DataException(plot + ": may not be written");
        } catch (IOException e) {
            throw new DataException(plot + ": cannot be written: " + e.getMessage());
        }
    }
}
