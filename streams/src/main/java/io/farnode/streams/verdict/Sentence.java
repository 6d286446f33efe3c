package io.farnode.streams.verdict;

import io.farnode.results.Arm;
import io.farnode.results.Outcome;
import io.farnode.results.Verdict;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Puts a verdict into one sentence a person can act on. */
final class Sentence {
    private Sentence() {}

    /**
     * {@return signal, both values, relative change with its interval, what it rests on, and the outcome}
     *
     * @param verdict a concluded verdict
     */
    static String of(Verdict verdict) {
        String where = verdict.getScope().equals("system") ? "" : " on " + verdict.getScope();
        String subject = verdict.getSignal() + where;
        Arm a = verdict.getBaseline();
        Arm b = verdict.getCandidate();
        if (verdict.getOutcome() == Outcome.NOT_ENOUGH_DATA) {
            return subject + ": not enough data, " + verdict.getReason() + ".";
        }
        StringBuilder text = new StringBuilder(subject);
        String verb = verdict.getOutcome() == Outcome.EQUIVALENT || verdict.getDifference() == 0
                ? " stayed at "
                : verdict.getDifference() > 0 ? " rose from " : " fell from ";
        text.append(verb).append(number(a.getMean()));
        text.append(verb.startsWith(" stayed") ? " against " : " to ");
        text.append(number(b.getMean())).append(unit(verdict.getUnit()));
        text.append(" (");
        if (a.getMean() == 0) {
            text.append("the baseline is 0, so no relative change");
        } else {
            text.append(percent(verdict.getRelative()));
            if (verdict.getTested() > 0) {
                text.append(", ")
                        .append(plain(100 * (1 - verdict.getLevel())))
                        .append(" % interval ")
                        .append(percent(verdict.getRelativeLow()))
                        .append(" to ")
                        .append(percent(verdict.getRelativeHigh()));
            }
        }
        text.append("; ").append(basis(verdict, a, b)).append("): ");
        text.append(
                switch (verdict.getOutcome()) {
                    case IMPROVED -> "improved";
                    case REGRESSED -> "regressed";
                    case CHANGED -> "changed";
                    case EQUIVALENT -> "equivalent within " + plain(100 * verdict.getMargin()) + " %";
                    default -> "inconclusive, " + verdict.getReason();
                });
        return text.append('.').toString();
    }

    private static String basis(Verdict verdict, Arm a, Arm b) {
        if (verdict.getMethod().equals("welch-run-means")) {
            return a.getRuns().size() + " and " + b.getRuns().size() + " runs";
        }
        return String.format(
                Locale.ROOT,
                "%s and %s, %.1f and %.1f effective windows",
                runs(a.getRuns().size()),
                runs(b.getRuns().size()),
                a.getEffectiveSamples(),
                b.getEffectiveSamples());
    }

    private static String runs(int count) {
        return count == 1 ? "1 run" : count + " runs";
    }

    private static String unit(String unit) {
        return unit.equals("ratio") ? "" : " " + unit;
    }

    private static String percent(double relative) {
        return String.format(Locale.ROOT, "%+.2f %%", 100 * relative);
    }

    /** A setting as a person would write it: at most three decimals, no trailing zeros. */
    private static String plain(double value) {
        return BigDecimal.valueOf(value)
                .setScale(3, RoundingMode.HALF_EVEN)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Five significant digits, thousands grouped; never an exponent for what a person would write out. */
    private static String number(double value) {
        double size = Math.abs(value);
        if (size >= 10_000) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 100) {
            return String.format(Locale.ROOT, "%,.1f", value);
        }
        if (size >= 1 || size == 0) {
            return String.format(Locale.ROOT, "%.3f", value);
        }
        return size >= 0.0001 ? String.format(Locale.ROOT, "%.5f", value) : String.format(Locale.ROOT, "%.3e", value);
    }
}
