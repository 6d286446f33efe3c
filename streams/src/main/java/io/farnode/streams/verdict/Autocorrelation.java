package io.farnode.streams.verdict;

/**
 * How much each window resembles the one before, and how many independent samples a series is therefore worth. Metrics
 * of real machines are correlated from second to second; tests that take every second for a fresh sample find
 * differences that are not there.
 */
final class Autocorrelation {
    /** Largest correlation the estimate gives. */
    static final double MAX_RHO = 0.99;

    private Autocorrelation() {}

    /**
     * Estimates the lag-1 correlation: the usual ratio of sums r, corrected for its bias -(1 + 3 rho) / n in short
     * series (Marriott and Pope, Biometrika 41, 1954). A level shift inside the series raises the estimate, which errs
     * on the side of fewer findings. Estimates from medians of differences withstand outliers better but scatter three
     * times as much at 60 windows, enough to leave plain differences unjudged (docs/decisions.md).
     *
     * @param series values in order of time
     * @return the estimate, 0 to {@link #MAX_RHO}; 0 for fewer than 4 values and for constant ones
     */
    static double rho(double[] series) {
        int n = series.length;
        if (n < 4) {
            return 0;
        }
        double mean = 0;
        for (double value : series) {
            mean += value;
        }
        mean /= n;
        double variance = 0;
        double covariance = 0;
        for (int i = 0; i < n; i++) {
            variance += (series[i] - mean) * (series[i] - mean);
            if (i > 0) {
                covariance += (series[i] - mean) * (series[i - 1] - mean);
            }
        }
        if (variance == 0) {
            return 0;
        }
        double corrected = (n * covariance / variance + 1) / (n - 3);
        return Math.min(MAX_RHO, Math.max(0, corrected));
    }

    /**
     * {@return how many independent samples n correlated ones are worth: n (1 - rho) / (1 + rho)}
     *
     * @param n number of samples
     * @param rho their lag-1 correlation, 0 to below 1
     */
    static double effective(int n, double rho) {
        return n * (1 - rho) / (1 + rho);
    }
}
