package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole validation, once: what it prints is what stands in the documentation. */
class ValidateCommandTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String RENEW =
            "out of date; run: farnode validate --output markdown --plot docs/validation.svg > docs/validation.md";

    @TempDir
    private Path directory;

    @Test
    @Timeout(300)
    void shouldPrintWhatStandsInTheDocumentation() throws IOException {
        Path plot = directory.resolve("validation.svg");
        CommandLineRun run = CommandLineRun.of("validate", "--output", "markdown", "--plot", plot.toString());
        List<String> page = Files.readAllLines(DOCS.resolve("validation.md"));
        assertThat(run.out()).as("docs/validation.md is %s", RENEW).containsExactlyElementsOf(page);
        assertThat(Files.readAllLines(plot))
                .as("docs/validation.svg is %s", RENEW)
                .containsExactlyElementsOf(Files.readAllLines(DOCS.resolve("validation.svg")));
        assertThat(run.err()).isEmpty();

        String last = run.out().get(run.out().size() - 1);
        assertThat(last).matches("cells=69 sign_right=\\d+ in_band=\\d+ families_beating_naive=[0-5]");
        int[] counts = Arrays.stream(last.replaceAll("[a-z_]+=", "").split(" "))
                .mapToInt(Integer::parseInt)
                .toArray();
        boolean holds = counts[1] == counts[0] && counts[2] >= 0.85 * counts[0] && counts[3] >= 4;
        assertThat(run.code()).isEqualTo(holds ? 0 : 1);

        // cells that something was calibrated on come out as they were posted, as far as the fit goes
        List<String> calibrated = page.stream()
                .filter(line -> line.matches("\\| \\S+ \\|.*\\d\\* \\|.*"))
                .toList();
        assertThat(calibrated).hasSize(2 + 2 + 43 + 7 + 5).allSatisfy(line -> {
            double error = Double.parseDouble(line.split("\\|")[5].strip());
            assertThat(Math.abs(error)).as(line).isLessThanOrEqualTo(line.matches("\\| (ecb|cbc).*") ? 5.6 : 1.0);
        });
    }

    @Test
    void shouldRefuseAPlotThatItCannotDraw() {
        refused(directory.resolve("plot.png"), ": the plot is an SVG file; give it a name that ends with .svg");
        refused(directory.resolve("none").resolve("plot.svg"), ": its directory does not exist");
    }

    private static void refused(Path plot, String message) {
        CommandLineRun run = CommandLineRun.of("validate", "--plot", plot.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).containsExactly("farnode: " + plot + message);
    }

    @Test
    void shouldNameTheFormatsThereAre() {
        CommandLineRun run = CommandLineRun.of("validate", "--output", "pdf");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).singleElement().asString().contains("[TABLE, JSON, MARKDOWN]");
    }
}
