package io.farnode.streams.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.farnode.contract.SchemaCatalog;
import io.farnode.results.Better;
import io.farnode.results.Outcome;
import io.farnode.results.RunSummary;
import io.farnode.results.SignalSeries;
import io.farnode.results.Verdict;
import io.farnode.telemetry.Machine;
import io.farnode.telemetry.RunStarted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
    static {
        SchemaCatalog.trustGeneratedClasses();
    }

    private static final long SECOND = 1_000_000_000L;

    private static RunSummary run(String id, String arm, SignalSeries... signals) {
        RunStarted started = RunStarted.newBuilder()
                .setRunId(id)
                .setMachine(Machine.newBuilder().build())
                .setStartNanos(0)
                .setSources(List.of())
                .setArm(arm)
                .build();
        return RunSummary.newBuilder()
                .setRunId(id)
                .setStarted(started)
                .setSizeNanos(SECOND)
                .setSignals(List.of(signals))
                .build();
    }

    private static SignalSeries series(String name, Better better, double... values) {
        return SignalSeries.newBuilder()
                .setName(name)
                .setUnit("IO/s")
                .setBetter(better)
                .setWindows(IntStream.range(0, values.length).boxed().toList())
                .setValues(Arrays.stream(values).boxed().toList())
                .build();
    }

    /** AR(1) noise around a mean with unit spread. */
    private static double[] autoregressive(SplittableRandom random, int n, double rho, double mean) {
        double[] values = new double[n];
        double state = random.nextGaussian();
        for (int i = 0; i < n; i++) {
            values[i] = mean + state;
            state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
        }
        return values;
    }

    private static Verdict only(RunSummary a, RunSummary b) {
        List<Verdict> verdicts = Comparison.compare("e", List.of(a), List.of(b));
        assertThat(verdicts).hasSize(1);
        return verdicts.get(0);
    }

    private static Verdict compare(Better better, double[] a, double[] b) {
        return only(
                run("a", "baseline", series("throughput", better, a)),
                run("b", "candidate", series("throughput", better, b)));
    }

    /** Both series alternate, so rho is 0. Printed t tables: 2.110 at 17 degrees of freedom, 2.101 at 18; here 17.56. */
    @Test
    void shouldAgreeWithWelchWhenWindowsAreIndependent() {
        double[] a = {10.1, 9.8, 10.3, 9.9, 10.2, 9.7, 10.0, 10.4, 9.6, 10.0};
        double[] b = {11.0, 10.6, 11.2, 10.7, 11.3, 10.5, 10.9, 11.4, 10.8, 11.1};
        Verdict verdict = compare(Better.UP, a, b);
        assertThat(verdict.getBaseline().getRho()).isZero();
        assertThat(verdict.getCandidate().getRho()).isZero();
        assertThat(verdict.getDifference()).isCloseTo(0.95, within(1e-9));
        assertThat(verdict.getOutcome()).isEqualTo(Outcome.IMPROVED);
        // standard error sqrt(s_a^2/10 + s_b^2/10) with s_a^2 = 0.0666667, s_b^2 = 0.0916667
        double error = Math.sqrt(0.06666666667 / 10 + 0.09166666667 / 10);
        double half = (verdict.getDifferenceHigh() - verdict.getDifferenceLow()) / 2;
        assertThat(half / error).as("t quantile for 17.56 degrees of freedom").isCloseTo(2.105, within(0.002));
    }

    @Test
    void shouldSayWhatItFoundInOneSentence() {
        double[] a = {100, 101, 99, 102, 98, 100, 101, 99, 102, 98, 100, 99};
        double[] b = {115, 116, 114, 117, 113, 115, 116, 114, 117, 113, 115, 114};
        assertThat(compare(Better.UP, a, b).getSentence())
                .isEqualTo(
                        "throughput rose from 99.917 to 114.9 IO/s (+15.01 %, 95 % interval +13.75 % to +16.27 %; 1 run"
                                + " and 1 run, 12.0 and 12.0 effective windows): improved.");
    }

    @Test
    void shouldJudgeByDirection() {
        SplittableRandom random = new SplittableRandom(1);
        double[] low = autoregressive(random, 100, 0, 50);
        double[] high = autoregressive(random, 100, 0, 60);
        assertThat(compare(Better.UP, low, high).getOutcome()).isEqualTo(Outcome.IMPROVED);
        assertThat(compare(Better.UP, high, low).getOutcome()).isEqualTo(Outcome.REGRESSED);
        assertThat(compare(Better.DOWN, low, high).getOutcome()).isEqualTo(Outcome.REGRESSED);
        assertThat(compare(Better.NEUTRAL, low, high).getOutcome()).isEqualTo(Outcome.CHANGED);
    }

    @Test
    void shouldShowEqualityOnlyWhenTheIntervalIsInsideTheMargin() {
        SplittableRandom random = new SplittableRandom(2);
        double[] a = autoregressive(random, 400, 0.2, 1000);
        double[] b = autoregressive(random, 400, 0.2, 1000);
        assertThat(compare(Better.UP, a, b).getOutcome()).isEqualTo(Outcome.EQUIVALENT);
        double[] few = autoregressive(random, 30, 0, 10);
        double[] others = autoregressive(random, 30, 0, 10);
        assertThat(compare(Better.UP, few, others).getOutcome()).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void shouldRefuseToJudgeStronglyCorrelatedWindows() {
        SplittableRandom random = new SplittableRandom(3);
        Verdict verdict =
                compare(Better.UP, autoregressive(random, 300, 0.97, 10), autoregressive(random, 300, 0.97, 30));
        assertThat(verdict.getOutcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(verdict.getReason()).contains("too strongly correlated");
    }

    @Test
    void shouldCompareRunMeansWhenThereAreThreeRunsInEachArm() {
        List<RunSummary> a = new ArrayList<>();
        List<RunSummary> b = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 5; i++) {
            a.add(run("a" + i, "baseline", series("throughput", Better.UP, autoregressive(random, 60, 0.9, 100))));
            b.add(run("b" + i, "candidate", series("throughput", Better.UP, autoregressive(random, 60, 0.9, 110))));
        }
        Verdict verdict = Comparison.compare("e", a, b).get(0);
        assertThat(verdict.getMethod()).isEqualTo("welch-run-means");
        assertThat(verdict.getBaseline().getEffectiveSamples()).isEqualTo(5);
        assertThat(verdict.getOutcome()).isEqualTo(Outcome.IMPROVED);
        assertThat(verdict.getNoiseFloor()).isPositive();
        assertThat(verdict.getSentence()).contains("5 and 5 runs");
    }

    @ParameterizedTest
    @CsvSource({"2,only 2 complete windows of the baseline", "0,no complete window of the baseline has this signal"})
    void shouldSayWhyThereIsNotEnoughData(int windows, String reason) {
        double[] few = new double[windows];
        Arrays.setAll(few, i -> i);
        Verdict verdict = compare(Better.UP, few, new double[] {1, 2, 3, 4, 5});
        assertThat(verdict.getOutcome()).isEqualTo(Outcome.NOT_ENOUGH_DATA);
        assertThat(verdict.getReason()).isEqualTo(reason);
        assertThat(verdict.getPValue()).isEqualTo(1);
    }

    @Test
    void shouldNotTestConstantSeries() {
        double[] ones = new double[50];
        Arrays.fill(ones, 1);
        double[] twos = new double[50];
        Arrays.fill(twos, 2);
        assertThat(compare(Better.UP, ones, ones).getReason()).isEqualTo("constant and equal in both arms");
        assertThat(compare(Better.UP, ones, twos).getOutcome()).isEqualTo(Outcome.NOT_ENOUGH_DATA);
    }

    @Test
    void shouldNotCompareDifferentWorkloadsOrUnits() {
        SignalSeries throughput = series("throughput", Better.UP, 1, 2, 3, 2, 1, 3);
        RunSummary a = run("a", "baseline", throughput);
        RunSummary b = run("b", "candidate", throughput);
        a.getStarted().setWorkload("randread");
        b.getStarted().setWorkload("randwrite");
        assertThat(only(a, b).getReason()).isEqualTo("the arms ran different workloads, randread and randwrite");
        SignalSeries requests = series("throughput", Better.UP, 1, 2, 3, 2, 1, 3);
        requests.setUnit("request/s");
        assertThat(only(run("a", "", throughput), run("b", "", requests)).getReason())
                .isEqualTo("units differ: IO/s and request/s");
    }

    @Test
    void shouldNameSignalsThatOneArmLacks() {
        List<Verdict> verdicts = Comparison.compare(
                "e",
                List.of(run("a", "baseline", series("throughput", Better.UP, 1, 2, 3, 2, 1, 3))),
                List.of(run("b", "candidate", series("ipc", Better.UP, 1, 2, 3, 2, 1, 3))));
        assertThat(verdicts).extracting(Verdict::getSignal).containsExactly("ipc", "throughput");
        assertThat(verdicts).allMatch(v -> v.getOutcome() == Outcome.NOT_ENOUGH_DATA);
    }

    @Test
    void shouldRefuseImpossibleOptions() {
        assertThatThrownBy(() -> new Comparison.Options(0, 0.01))
                .hasMessage("level 0.0: use a number between 0 and 0.5");
        assertThatThrownBy(() -> new Comparison.Options(0.05, 0)).hasMessage("margin 0.0: use a number above 0");
    }

    /** A/A on autocorrelated windows: 600 trials a row, so the Monte-Carlo error is below .011 (one sigma). */
    @ParameterizedTest
    @CsvSource({"0,0.08", "0.3,0.08", "0.5,0.08", "0.7,0.08"})
    void shouldRarelyFindADifferenceThatIsNotThere(double rho, double most) {
        SplittableRandom random = new SplittableRandom(5);
        int found = 0;
        int trials = 600;
        for (int i = 0; i < trials; i++) {
            Outcome outcome = compare(
                            Better.UP, autoregressive(random, 60, rho, 20), autoregressive(random, 60, rho, 20))
                    .getOutcome();
            if (outcome == Outcome.IMPROVED || outcome == Outcome.REGRESSED) {
                found++;
            }
        }
        assertThat(found / (double) trials).isLessThan(most);
    }

    @ParameterizedTest
    @CsvSource({"0", "0.3", "0.6"})
    void shouldEstimateTheCorrelationOfLongSeries(double rho) {
        double[] series = autoregressive(new SplittableRandom(6), 20_000, rho, 0);
        assertThat(Autocorrelation.rho(series)).isCloseTo(rho, within(0.06));
    }

    @Property(tries = 300)
    void shouldNeverFindMoreAtAStricterLevel(@ForAll long seed, @ForAll @DoubleRange(min = 0, max = 1.5) double shift) {
        SplittableRandom random = new SplittableRandom(seed);
        RunSummary a = run("a", "baseline", series("throughput", Better.UP, autoregressive(random, 60, 0.3, 20)));
        RunSummary b =
                run("b", "candidate", series("throughput", Better.UP, autoregressive(random, 60, 0.3, 20 + shift)));
        boolean loose = found(a, b, 0.10);
        boolean strict = found(a, b, 0.01);
        assertThat(!strict || loose).isTrue();
    }

    private static boolean found(RunSummary a, RunSummary b, double level) {
        Outcome outcome = Comparison.compare("e", List.of(a), List.of(b), new Comparison.Options(level, 1e-6))
                .get(0)
                .getOutcome();
        return outcome == Outcome.IMPROVED || outcome == Outcome.REGRESSED;
    }
}
