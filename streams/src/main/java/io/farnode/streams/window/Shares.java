package io.farnode.streams.window;

import java.math.BigInteger;

/**
 * Splits a count over parts of its span so that the parts add up to the count exactly. A part's share is the difference
 * of two cumulative values, each rounded down, so the shares of neighbouring parts telescope: nothing is lost or made up,
 * wherever the cuts are and in whatever order the parts are added.
 */
public final class Shares {
    /** Below these bounds an estimate in floating point is at most one off and its remainder fits 64 bits. */
    private static final long FAST_VALUE = 1L << 50;

    private static final long FAST_SPAN = 1L << 60;

    private Shares() {}

    /**
     * The count up to a moment of its span, if it came evenly: {@code floor(count * part / span)}, exact.
     *
     * @param count the count, any sign
     * @param part time from the span's start to the moment, 0..span
     * @param span length of the span; positive
     * @return the cumulative count
     */
    public static long upTo(long count, long part, long span) {
        if (count > -FAST_VALUE && count < FAST_VALUE && span < FAST_SPAN) {
            return estimated(count, part, span, (double) part / span);
        }
        return exact(count, part, span);
    }

    /**
     * Fills in the count up to a moment for many counts of the same span.
     *
     * @param counts the counts
     * @param from first position
     * @param to position after the last
     * @param part time from the span's start to the moment, 0..span
     * @param span length of the span; positive
     * @param result where the cumulative counts go, at the same positions
     */
    static void upTo(long[] counts, int from, int to, long part, long span, long[] result) {
        double fraction = (double) part / span;
        boolean shortSpan = span < FAST_SPAN;
        for (int i = from; i < to; i++) {
            long count = counts[i];
            result[i] = shortSpan && count > -FAST_VALUE && count < FAST_VALUE
                    ? estimated(count, part, span, fraction)
                    : exact(count, part, span);
        }
    }

    /**
     * A floating-point guess put right by its remainder. The remainder is computed modulo 2^64, which is exact because
     * the true one is smaller than 2^63.
     */
    private static long estimated(long count, long part, long span, double fraction) {
        long quotient = (long) (count * fraction);
        long remainder = count * part - quotient * span;
        while (remainder < 0) {
            quotient--;
            remainder += span;
        }
        while (remainder >= span) {
            quotient++;
            remainder -= span;
        }
        return quotient;
    }

    private static long exact(long count, long part, long span) {
        if (part == span) {
            return count;
        }
        BigInteger[] result = BigInteger.valueOf(count)
                .multiply(BigInteger.valueOf(part))
                .divideAndRemainder(BigInteger.valueOf(span));
        long quotient = result[0].longValueExact();
        return result[1].signum() < 0 ? quotient - 1 : quotient;
    }
}
