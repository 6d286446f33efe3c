package io.farnode.streams.verdict;

import io.farnode.results.Arm;
import io.farnode.results.Better;
import io.farnode.results.Outcome;
import io.farnode.results.RunSummary;
import io.farnode.results.SignalSeries;
import io.farnode.results.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Compares two arms of an experiment, signal by signal.
 *
 * <p>The run is the unit of replication: with three or more runs in each arm, Welch's t test compares run means. With
 * fewer, windows inside the runs have to serve; then their number is replaced by how many independent samples they are
 * worth, n (1 - rho) / (1 + rho), in the standard error and in the degrees of freedom. Where that leaves fewer than
 * {@value #MIN_EFFECTIVE} samples in an arm, or rho is {@value #MAX_USABLE_RHO} or more, no test keeps its promise and
 * the outcome is INCONCLUSIVE. Probabilities of all signals of the comparison are adjusted by Benjamini and Hochberg's
 * procedure. A change whose interval of two one-sided tests lies inside the margin is EQUIVALENT, be it significant or
 * not.
 */
public final class Comparison {
    /** Runs in each arm from which on run means are compared. */
    public static final int MIN_RUNS = 3;

    private static final double MIN_EFFECTIVE = 10;
    private static final double MAX_USABLE_RHO = 0.8;

    private Comparison() {}

    /**
     * What a comparison rests on.
     *
     * @param level probability of a false difference that is accepted, between 0 and 0.5, such as 0.05
     * @param margin relative change that counts as none, above 0, such as 0.01
     */
    public record Options(double level, double margin) {
        /** Level 0.05, margin 1 %. */
        public static final Options DEFAULT = new Options(0.05, 0.01);

        /**
         * Checks the ranges.
         *
         * @param level probability of a false difference that is accepted
         * @param margin relative change that counts as none
         */
        public Options {
            if (!(level > 0 && level < 0.5)) {
                throw new IllegalArgumentException("level " + level + ": use a number between 0 and 0.5");
            }
            if (!(margin > 0)) {
                throw new IllegalArgumentException("margin " + margin + ": use a number above 0");
            }
        }
    }

    /**
     * Compares with the default options.
     *
     * @param experiment name of the comparison
     * @param baseline runs of the arm compared against, at least one
     * @param candidate runs of the arm under test, at least one
     * @return one verdict for each signal and scope of either arm, sorted by signal and scope
     */
    public static List<Verdict> compare(String experiment, List<RunSummary> baseline, List<RunSummary> candidate) {
        return compare(experiment, baseline, candidate, Options.DEFAULT);
    }

    /**
     * Compares.
     *
     * @param experiment name of the comparison
     * @param baseline runs of the arm compared against, at least one
     * @param candidate runs of the arm under test, at least one
     * @param options level and margin
     * @return one verdict for each signal and scope of either arm, sorted by signal and scope
     */
    public static List<Verdict> compare(
            String experiment, List<RunSummary> baseline, List<RunSummary> candidate, Options options) {
        List<RunSummary> baselineRuns = ordered(baseline);
        List<RunSummary> candidateRuns = ordered(candidate);
        Map<String, SignalSeries> signals = new TreeMap<>();
        for (List<RunSummary> arm : List.of(baselineRuns, candidateRuns)) {
            for (RunSummary run : arm) {
                for (SignalSeries series : run.getSignals()) {
                    signals.putIfAbsent(series.getName() + "|" + series.getScope(), series);
                }
            }
        }
        String workloads = incomparable(baselineRuns, candidateRuns);
        List<Tested> tested = new ArrayList<>();
        for (SignalSeries signal : signals.values()) {
            Side a = new Side(signal, baselineRuns, "baseline");
            Side b = new Side(signal, candidateRuns, "candidate");
            tested.add(test(experiment, signal, a, b, workloads, options));
        }
        adjust(tested);
        return tested.stream().map(t -> t.conclude(options)).toList();
    }

    private static List<RunSummary> ordered(List<RunSummary> runs) {
        return runs.stream().sorted(Comparator.comparing(RunSummary::getRunId)).toList();
    }

    /** Why the arms cannot be compared at all, or "". */
    private static String incomparable(List<RunSummary> baseline, List<RunSummary> candidate) {
        for (RunSummary a : baseline) {
            for (RunSummary b : candidate) {
                String workloadA = a.getStarted().getWorkload();
                String workloadB = b.getStarted().getWorkload();
                if (!workloadA.isEmpty() && !workloadB.isEmpty() && !workloadA.equals(workloadB)) {
                    return "the arms ran different workloads, " + workloadA + " and " + workloadB;
                }
                if (a.getSizeNanos() != b.getSizeNanos()) {
                    return "the runs have windows of different sizes";
                }
            }
        }
        return "";
    }

    private static Tested test(
            String experiment, SignalSeries signal, Side a, Side b, String workloads, Options options) {
        Verdict verdict = new Verdict();
        verdict.setExperiment(experiment);
        verdict.setSignal(signal.getName());
        verdict.setScope(signal.getScope());
        verdict.setUnit(signal.getUnit());
        verdict.setBetter(signal.getBetter());
        verdict.setBaseline(a.arm());
        verdict.setCandidate(b.arm());
        verdict.setDifference(0);
        verdict.setDifferenceLow(0);
        verdict.setDifferenceHigh(0);
        verdict.setRelative(0);
        verdict.setRelativeLow(0);
        verdict.setRelativeHigh(0);
        verdict.setPValue(1);
        verdict.setAdjustedPValue(1);
        verdict.setTested(0);
        verdict.setLevel(options.level());
        verdict.setMargin(options.margin());
        verdict.setNoiseFloor(Math.max(a.noiseFloor(), b.noiseFloor()));
        verdict.setProvisional(false);
        verdict.setOutcome(Outcome.UNKNOWN);
        verdict.setReason("");
        verdict.setMethod("");
        verdict.setSentence("");
        Tested tested = new Tested(verdict);

        if (!workloads.isEmpty()) {
            return tested.notEnough(workloads);
        }
        for (Side side : List.of(a, b)) {
            if (side.windows() == 0) {
                return tested.notEnough("no complete window of the " + side.name + " has this signal");
            }
            if (!side.unit.equals(signal.getUnit())) {
                return tested.notEnough("units differ: " + signal.getUnit() + " and " + side.unit);
            }
            if (side.windows() < 3 && side.means.length < MIN_RUNS) {
                return tested.notEnough("only " + side.windows() + " complete windows of the " + side.name);
            }
        }
        boolean byRuns = a.means.length >= MIN_RUNS && b.means.length >= MIN_RUNS;
        double varianceA = byRuns ? a.varianceOfMeanByRuns() : a.varianceOfMeanByWindows();
        double varianceB = byRuns ? b.varianceOfMeanByRuns() : b.varianceOfMeanByWindows();
        double samplesA = byRuns ? a.means.length : a.effective;
        double samplesB = byRuns ? b.means.length : b.effective;
        double difference = b.mean - a.mean;
        verdict.setMethod(byRuns ? "welch-run-means" : "welch-effective-n");
        verdict.setDifference(difference);
        if (a.mean != 0) {
            verdict.setRelative(difference / a.mean);
        }
        double error = Math.sqrt(varianceA + varianceB);
        if (error == 0) {
            return tested.notEnough(
                    difference == 0
                            ? "constant and equal in both arms"
                            : "constant in both arms, so chance cannot be judged");
        }
        if (!byRuns) {
            double rho = Math.max(a.rho, b.rho);
            if (rho >= MAX_USABLE_RHO) {
                return tested.inconclusive(String.format(
                        Locale.ROOT,
                        "windows are too strongly correlated (rho %.2f); compare several runs of each arm",
                        rho));
            }
            if (Math.min(samplesA, samplesB) < MIN_EFFECTIVE) {
                return tested.inconclusive(String.format(
                        Locale.ROOT,
                        "only %.1f effective windows, %.0f are needed; run longer or compare several runs",
                        Math.min(samplesA, samplesB),
                        MIN_EFFECTIVE));
            }
        }
        double freedom = (varianceA + varianceB)
                * (varianceA + varianceB)
                / (varianceA * varianceA / (samplesA - 1) + varianceB * varianceB / (samplesB - 1));
        TDistribution t = new TDistribution(null, freedom);
        verdict.setPValue(Math.min(1, 2 * t.cumulativeProbability(-Math.abs(difference) / error)));
        double wide = t.inverseCumulativeProbability(1 - options.level() / 2);
        verdict.setDifferenceLow(difference - wide * error);
        verdict.setDifferenceHigh(difference + wide * error);
        if (a.mean != 0) {
            // error of the ratio of two means, to first order
            double ratio = b.mean / a.mean;
            double relativeError = Math.sqrt(varianceB + ratio * ratio * varianceA) / Math.abs(a.mean);
            double low = ratio - 1 - wide * relativeError;
            double high = ratio - 1 + wide * relativeError;
            verdict.setRelativeLow(low);
            verdict.setRelativeHigh(high);
            double narrow = t.inverseCumulativeProbability(1 - options.level());
            tested.equivalent = ratio - 1 - narrow * relativeError > -options.margin()
                    && ratio - 1 + narrow * relativeError < options.margin();
        }
        tested.testable = true;
        return tested;
    }

    /** Benjamini and Hochberg (1995): p(i) n / i, made monotone from the largest down. */
    private static void adjust(List<Tested> all) {
        List<Verdict> byP = all.stream()
                .filter(t -> t.testable)
                .map(t -> t.verdict)
                .sorted(Comparator.comparingDouble(Verdict::getPValue))
                .toList();
        double smallest = 1;
        for (int i = byP.size() - 1; i >= 0; i--) {
            smallest = Math.min(smallest, byP.get(i).getPValue() * byP.size() / (i + 1));
            byP.get(i).setAdjustedPValue(smallest);
            byP.get(i).setTested(byP.size());
        }
    }

    /** A verdict in the making. */
    private static final class Tested {
        private final Verdict verdict;
        private boolean testable;
        private boolean equivalent;

        Tested(Verdict verdict) {
            this.verdict = verdict;
        }

        Tested notEnough(String reason) {
            verdict.setOutcome(Outcome.NOT_ENOUGH_DATA);
            verdict.setReason(reason);
            return this;
        }

        Tested inconclusive(String reason) {
            verdict.setOutcome(Outcome.INCONCLUSIVE);
            verdict.setReason(reason);
            return this;
        }

        Verdict conclude(Options options) {
            if (testable) {
                boolean different = verdict.getAdjustedPValue() <= options.level();
                boolean withinNoise = verdict.getNoiseFloor() > 0
                        && "welch-effective-n".equals(verdict.getMethod())
                        && Math.abs(verdict.getRelative()) <= verdict.getNoiseFloor();
                if (equivalent) {
                    verdict.setOutcome(Outcome.EQUIVALENT);
                } else if (!different) {
                    verdict.setOutcome(Outcome.INCONCLUSIVE);
                    verdict.setReason("neither a difference nor equality is shown");
                } else if (withinNoise) {
                    verdict.setOutcome(Outcome.INCONCLUSIVE);
                    verdict.setReason("runs of one arm differ as much among themselves");
                } else if (verdict.getBetter() == Better.NEUTRAL) {
                    verdict.setOutcome(Outcome.CHANGED);
                } else {
                    boolean up = verdict.getDifference() > 0;
                    verdict.setOutcome(up == (verdict.getBetter() == Better.UP) ? Outcome.IMPROVED : Outcome.REGRESSED);
                }
            }
            verdict.setSentence(Sentence.of(verdict));
            return verdict;
        }
    }

    /** One arm of the comparison, for one signal. */
    private static final class Side {
        private final String name;
        private final List<String> runs = new ArrayList<>();
        private final List<double[]> series = new ArrayList<>();
        private final double[] means;
        private final double mean;
        private final double rho;
        private final double effective;
        private final String unit;
        private int leftOut;

        Side(SignalSeries signal, List<RunSummary> summaries, String role) {
            String foundUnit = signal.getUnit();
            String foundName = role;
            for (RunSummary run : summaries) {
                runs.add(run.getRunId());
                if (!run.getStarted().getArm().isEmpty()) {
                    foundName = run.getStarted().getArm();
                }
                for (SignalSeries candidate : run.getSignals()) {
                    if (candidate.getName().equals(signal.getName())
                            && candidate.getScope().equals(signal.getScope())) {
                        leftOut += candidate.getLeftOut();
                        foundUnit = candidate.getUnit();
                        double[] values = candidate.getValues().stream()
                                .mapToDouble(Double::doubleValue)
                                .filter(Double::isFinite)
                                .toArray();
                        if (values.length > 0) {
                            series.add(values);
                        }
                    }
                }
            }
            name = foundName;
            unit = foundUnit;
            means = series.stream().mapToDouble(Side::mean).toArray();
            mean = mean(means);
            double worst = 0;
            double samples = 0;
            for (double[] values : series) {
                double own = Autocorrelation.rho(values);
                worst = Math.max(worst, own);
                samples += Autocorrelation.effective(values.length, own);
            }
            rho = worst;
            effective = samples;
        }

        int windows() {
            return series.stream().mapToInt(values -> values.length).sum();
        }

        double varianceOfMeanByRuns() {
            return variance(means, mean) / means.length;
        }

        /** Variance of the mean of run means when only windows tell: the runs' own variances of their means, added up. */
        double varianceOfMeanByWindows() {
            double sum = 0;
            for (double[] values : series) {
                double samples = Math.max(1, Autocorrelation.effective(values.length, Autocorrelation.rho(values)));
                sum += variance(values, mean(values)) / samples;
            }
            return sum / (series.size() * (double) series.size());
        }

        /** Largest relative distance between two runs of this arm, or -1. */
        double noiseFloor() {
            if (means.length < 2 || mean == 0) {
                return -1;
            }
            double low = Arrays.stream(means).min().orElse(mean);
            double high = Arrays.stream(means).max().orElse(mean);
            return (high - low) / Math.abs(mean);
        }

        Arm arm() {
            double deviation = 0;
            if (means.length >= MIN_RUNS) {
                deviation = Math.sqrt(variance(means, mean));
            } else if (!series.isEmpty()) {
                double sum = 0;
                for (double[] values : series) {
                    sum += variance(values, mean(values));
                }
                deviation = Math.sqrt(sum / series.size());
            }
            Arm arm = new Arm();
            arm.setName(name);
            arm.setRuns(List.copyOf(runs));
            arm.setMean(mean);
            arm.setStandardDeviation(deviation);
            arm.setWindows(windows());
            arm.setLeftOut(leftOut);
            arm.setEffectiveSamples(means.length >= MIN_RUNS ? means.length : effective);
            arm.setRho(rho);
            return arm;
        }

        private static double mean(double[] values) {
            return values.length == 0 ? 0 : Arrays.stream(values).sum() / values.length;
        }

        private static double variance(double[] values, double mean) {
            if (values.length < 2) {
                return 0;
            }
            double sum = 0;
            for (double value : values) {
                sum += (value - mean) * (value - mean);
            }
            return sum / (values.length - 1);
        }
    }
}
