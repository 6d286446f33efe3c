package io.farnode.producer.machine.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.farnode.producer.machine.DataFile;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as right, and how errors are put together. */
class CellResultTest {
    static CellResult cell(double posted, double postedLow, double postedHigh, double gain) {
        return new CellResult(
                "a.b",
                "source: the post",
                "scenario",
                "unit",
                false,
                true,
                1,
                1 + posted,
                1,
                1 + gain,
                posted,
                postedLow,
                postedHigh,
                gain,
                gain - 0.1,
                "x = 1",
                gain + 0.1,
                "x = 2");
    }

    private static FamilyResult family(double[] posted, double[] simulated) {
        CellResult[] cells = new CellResult[posted.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cell(posted[i], posted[i], posted[i], simulated[i]);
        }
        return new FamilyResult(
                "f", "s", List.of(cells), 0.5, Map.of(), Map.of("naive", "why", "a", "because"), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        // posted, what it could mean, simulated, right
        "0.10, 0.09, 0.11, 0.01, true",
        "0.10, 0.09, 0.11, -0.01, false",
        "-0.10, -0.11, -0.09, -0.5, true",
        // a change this small is none
        "0.10, 0.09, 0.11, 0.0004, false",
        // the post cannot tell its gain from none
        "0.02, -0.04, 0.08, 0, true",
        "0.02, -0.04, 0.08, -0.03, true",
        "0.02, -0.04, 0.08, -0.05, false",
        "0.02, -0.04, 0.08, 0.20, true",
        "0, -0.01, 0.01, 0, true",
        "0, -0.01, 0.01, 0.02, false"
    })
    void shouldSayWhetherTheSignIsRight(double posted, double low, double high, double gain, boolean right) {
        assertThat(cell(posted, low, high, gain).signRight()).isEqualTo(right);
    }

    @ParameterizedTest
    @CsvSource({
        "0.01, 0.0399, true",
        "0.01, 0.0401, false",
        "0.01, -0.0199, true",
        "0.40, 0.4999, true",
        "0.40, 0.5001, false",
        "0.40, 0.3001, true",
        "-0.40, -0.3001, true",
        "-0.40, -0.2999, false"
    })
    void shouldTakeThreePointsOrAQuarterAsBand(double posted, double gain, boolean in) {
        assertThat(cell(posted, posted, posted, gain).inBand()).isEqualTo(in);
    }

    @Test
    void shouldPutErrorsTogetherByTheirSquares() {
        FamilyResult family = family(new double[] {0.1, 0.3}, new double[] {0.13, 0.26});
        assertThat(family.error()).isEqualTo(Math.sqrt((0.03 * 0.03 + 0.04 * 0.04) / 2), within(1e-12));
        assertThat(family.errorOfNoChange()).isEqualTo(Math.sqrt(0.05), within(1e-12));
        assertThat(family.errorOfMean()).isEqualTo(0.1, within(1e-12));
        assertThat(family.errorOfMeanOfRest()).isEqualTo(0.2, within(1e-12));
        assertThat(family.errorOfMeanOfOthers()).isEqualTo(Math.sqrt((0.16 + 0.04) / 2), within(1e-12));
        assertThat(family.beatsNaive()).isTrue();
        assertThat(family.naiveRemark()).isEmpty();
        assertThat(family.remark(family.cells().get(0))).isEqualTo("because");
    }

    @Test
    void shouldNotBeatNaiveForecastsThatAreAsGood() {
        assertThat(family(new double[] {0.1, 0.3}, new double[] {0.2, 0.2}).beatsNaive())
                .isFalse();
        FamilyResult nothing = family(new double[] {0, 0.02}, new double[] {0.2, 0.2});
        assertThat(nothing.beatsNaive()).isFalse();
        assertThat(nothing.naiveRemark()).isEqualTo("why");
    }

    /** What makes the family's own mean so strong: no other forecast that is the same for all cells is as near. */
    @Property
    void shouldNeverBeatTheOwnMeanWithOneNumberForAll(
            @ForAll @Size(min = 2, max = 8) List<@DoubleRange(min = -0.5, max = 2) Double> gains,
            @ForAll @DoubleRange(min = -0.5, max = 2) double gain) {
        double[] posted = gains.stream().mapToDouble(Double::doubleValue).toArray();
        double[] same = new double[posted.length];
        Arrays.fill(same, gain);
        FamilyResult family = family(posted, same);
        assertThat(family.error()).isGreaterThanOrEqualTo(family.errorOfMean() - 1e-12);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0.1 0.2 0.3 0.4 | 0.1 0.2 0.3 0.4   | true
        0.1 0.2 0.3 0.4 | 0.1 0.2 0.3 -0.01 | false
        """)
    void shouldHoldTheAimOnlyWithEverySignRight(String posted, String simulated, boolean holds) throws IOException {
        FamilyResult family = family(numbers(posted), numbers(simulated));
        ValidationReport report = new ValidationReport(
                List.of(family, family, family, family, family),
                DataFile.read("p", new StringReader("")),
                List.of(),
                "0");
        assertThat(report.aimHolds()).isEqualTo(holds);
        assertThat(report.summary())
                .isEqualTo(
                        holds
                                ? "cells=20 sign_right=20 in_band=20 families_beating_naive=5"
                                : "cells=20 sign_right=15 in_band=15 families_beating_naive=0");
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    @Test
    void shouldAskForFourFamilies() throws IOException {
        FamilyResult good = family(new double[] {0.1, 0.3}, new double[] {0.11, 0.29});
        FamilyResult naive = family(new double[] {0.1, 0.12}, new double[] {0.12, 0.13});
        DataFile none = DataFile.read("p", new StringReader(""));
        assertThat(new ValidationReport(List.of(good, good, good, good, naive), none, List.of(), "").aimHolds())
                .isTrue();
        assertThat(new ValidationReport(List.of(good, good, good, naive, naive), none, List.of(), "").aimHolds())
                .isFalse();
    }
}
