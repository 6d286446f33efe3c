package io.farnode.producer.machine;

import java.util.SplittableRandom;

/**
 * Random numbers for one purpose. Streams of the same seed and other purposes are independent, so that a policy that draws
 * once more for one purpose does not shift what another sees. Only integer steps of {@link SplittableRandom} and
 * {@link StrictMath} are used: the same numbers on every JDK.
 */
public final class RandomStream {
    private static final int QUANTILES = 4096;
    private static final int FRACTION_BITS = 16;
    private static final int[] EXPONENTIAL = new int[QUANTILES];

    static {
        for (int i = 0; i < QUANTILES; i++) {
            double quantile = -StrictMath.log(1 - (i + 0.5) / QUANTILES);
            EXPONENTIAL[i] = (int) StrictMath.round(quantile * (1 << FRACTION_BITS));
        }
    }

    private final SplittableRandom random;

    /**
     * The stream of a purpose.
     *
     * @param seed the run's seed
     * @param purpose what it is for
     */
    public RandomStream(long seed, String purpose) {
        long mixed = seed * 0x9E3779B97F4A7C15L;
        for (int i = 0; i < purpose.length(); i++) {
            mixed = (mixed ^ purpose.charAt(i)) * 0x100000001B3L;
        }
        this.random = new SplittableRandom(mixed);
    }

    /**
     * An evenly distributed number.
     *
     * @param bound the first number that cannot come, at least 1
     * @return 0 .. bound-1
     */
    public long below(long bound) {
        return (random.nextLong() >>> 1) % bound;
    }

    /**
     * Whether something happens that happens once in a number of times, to within 2^-32.
     *
     * @param times the number, at least 1
     * @return true once in so many times
     */
    public boolean oneIn(int times) {
        // a product in place of the division of below, for rules that ask at every event
        return (random.nextLong() >>> Integer.SIZE) * times >>> Integer.SIZE == 0;
    }

    /**
     * An exponentially distributed span, from a table of 4096 quantiles; at most nine times the mean.
     *
     * @param mean the mean, 0 or more, below 2^40
     * @return the span, in the mean's unit
     */
    public long exponential(long mean) {
        return mean * EXPONENTIAL[(int) (random.nextLong() >>> (Long.SIZE - 12))] >> FRACTION_BITS;
    }

    /** {@return a number with mean 0 and variance 1, nearly normal: the sum of twelve even ones} */
    public double normal() {
        long sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += random.nextLong() >>> 32;
        }
        return sum / (double) (1L << 32) - 6;
    }
}
