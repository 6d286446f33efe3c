package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
    @TempDir
    private Path directory;

    @Test
    void shouldShowThatShorterDeviceTimesMakeTheGainLarger() throws IOException {
        Path plot = directory.resolve("gain.svg");
        CommandLineRun run = CommandLineRun.of(
                "sweep",
                "lpi-balance-small",
                "--param",
                "device-time=50us..150us:50us",
                "--duration",
                "1s",
                "--noise",
                "off",
                "--plot",
                plot.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).hasSize(5);
        assertThat(run.out().get(0)).matches("device-time +baseline IO/s +candidate IO/s +gain %");
        double[] gains = run.out().subList(1, 4).stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .toArray();
        assertThat(gains[0]).isGreaterThan(gains[1]);
        assertThat(gains[1]).isGreaterThan(gains[2]);
        assertThat(run.out().get(4))
                .matches("param=device-time points=3 runs=6 gain_min=[\\d.]+ gain_min_at=150us gain_max=[\\d.]+"
                        + " gain_max_at=50us");
        assertThat(Files.readString(plot))
                .startsWith("<svg ")
                .contains(">lpi-balance-small: least-loaded against first-cpu<", ">50us<", ">100us<", ">150us<")
                .endsWith("</svg>\n");
    }

    @Test
    void shouldGiveTheSameAgainAndKeepTablesForProgramsWhole() {
        String[] args = {
            "sweep",
            "lpi-balance-small",
            "--param",
            "depth=1,2",
            "--duration",
            "1s",
            "--repeats",
            "2",
            "--output",
            "csv"
        };
        CommandLineRun run = CommandLineRun.of(args);
        assertThat(run.out())
                .hasSize(3)
                .first()
                .isEqualTo("depth,baseline IO/s,candidate IO/s,gain %,lowest %,highest %");
        assertThat(run.err()).singleElement().asString().startsWith("param=depth points=2 runs=8 gain_min=");
        assertThat(CommandLineRun.of(args)).isEqualTo(run);
    }

    @Test
    void shouldTakeTheSameRunsAsSimulateTells() {
        // a policy against itself gains nothing, whatever the parameter
        CommandLineRun run = CommandLineRun.of(
                "sweep",
                "lpi-balance-small",
                "--param",
                "device-time=90us..110us:20us",
                "--duration",
                "1s",
                "--policy",
                "first-cpu");
        assertThat(run.out().get(1)).endsWith(" 0");
        assertThat(run.out().get(2)).endsWith(" 0");
        assertThat(run.out().get(3)).contains("gain_min=0.00", "gain_max=0.00");
    }

    @Test
    void shouldReadRangesWithUnitsFactorsAndLists() {
        assertThat(ParameterRange.parse("t=80us..120us:20us").values()).containsExactly("80us", "100us", "120us");
        assertThat(ParameterRange.parse("t=80..120us:25").values()).containsExactly("80us", "105us");
        assertThat(ParameterRange.parse("t=0.1..0.3:0.1").values()).containsExactly("0.1", "0.2", "0.3");
        assertThat(ParameterRange.parse("t=-10..10:10").values()).containsExactly("-10", "0", "10");
        assertThat(ParameterRange.parse("n=1..100:x4").values()).containsExactly("1", "4", "16", "64");
        assertThat(ParameterRange.parse("ceiling=inf, 1200000").values()).containsExactly("inf", "1200000");
    }

    @Test
    void shouldPlaceNumbersByValueAndWordsInARow() {
        assertThat(ParameterRange.parse("n=1..100:x4").places()).containsExactly(1, 4, 16, 64);
        assertThat(ParameterRange.parse("n=inf,5,7").places()).containsExactly(0, 1, 2);
        assertThat(ParameterRange.parse("t=90us,1ms").places()).containsExactly(0, 1);
        assertThat(ParameterRange.parse("t=7,5").places()).isEqualTo(new double[] {0, 1});
    }

    @Test
    void shouldRefuseAPlotThatCannotBeWrittenBeforeItSimulates() {
        Path plot = directory.resolve("nowhere/x.svg");
        CommandLineRun run =
                CommandLineRun.of("sweep", "lpi-balance", "--param", "depth=1,2", "--plot", plot.toString());
        assertThat(run.err())
                .isEqualTo(List.of(
                        "farnode: cannot write --plot " + plot + "; name a file in a directory that can be written"));
        assertThat(run.code()).isEqualTo(1);
    }
}
