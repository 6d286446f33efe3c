package io.farnode.streams.window;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The sums of one window of one run as plain bytes, changed in place: what a state store holds is what is added to, so
 * no count costs an object or a conversion. All numbers little-endian:
 *
 * <pre>
 *   0  long      samples that contributed
 *   8  int       number of sources
 *  12  int       number of series
 *  16  long      per source: covered time in ns
 *   .  3 long    per series: covered time in ns, low and high half of a 128-bit sum
 * </pre>
 *
 * The sum is the counts' for DELTA, and value times ns for levels and rates. With windows of at most a day every addend
 * is below 2^110, so 128 bits hold the sum of any run.
 */
public final class Accumulators {
    private static final int HEADER_BYTES = 16;
    private static final int SLOT_BYTES = 24;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final double TWO_64 = 0x1p64;

    private Accumulators() {}

    /**
     * {@return the bytes of a window to which nothing has been added}
     *
     * @param sources number of sources of the run
     * @param series number of series
     */
    public static byte[] create(int sources, int series) {
        byte[] window = new byte[HEADER_BYTES + Long.BYTES * sources + SLOT_BYTES * series];
        INT.set(window, 8, sources);
        INT.set(window, 12, series);
        return window;
    }

    /**
     * Makes room for more series.
     *
     * @param window the window
     * @param series number of series wanted
     * @return the same bytes when there is room, else a larger copy
     */
    public static byte[] grow(byte[] window, int series) {
        if (series <= series(window)) {
            return window;
        }
        byte[] larger = Arrays.copyOf(window, slot(window, series));
        INT.set(larger, 12, series);
        return larger;
    }

    /**
     * Adds one window to another.
     *
     * @param into the window added to
     * @param window the window added; of the same run
     * @return {@code into}, or a larger copy if it had fewer series
     */
    public static byte[] merge(byte[] into, byte[] window) {
        int series = series(window);
        byte[] result = grow(into, series);
        LONG.set(result, 0, samples(result) + samples(window));
        for (int source = 0; source < sources(window); source++) {
            addSourceCovered(result, source, sourceCovered(window, source));
        }
        int to = slot(result, 0);
        int from = slot(window, 0);
        for (int i = 0; i < series; i++) {
            add(result, to, (long) LONG.get(window, from), (long) LONG.get(window, from + 8), (long)
                    LONG.get(window, from + 16));
            to += SLOT_BYTES;
            from += SLOT_BYTES;
        }
        return result;
    }

    /**
     * {@return how many samples contributed}
     *
     * @param window the window
     */
    public static long samples(byte[] window) {
        return (long) LONG.get(window, 0);
    }

    /**
     * {@return how many sources the run has}
     *
     * @param window the window
     */
    public static int sources(byte[] window) {
        return (int) INT.get(window, 8);
    }

    /**
     * {@return how many series there is room for}
     *
     * @param window the window
     */
    public static int series(byte[] window) {
        return (int) INT.get(window, 12);
    }

    /**
     * {@return the time in ns that a source's samples cover}
     *
     * @param window the window
     * @param source position of the source
     */
    public static long sourceCovered(byte[] window, int source) {
        return (long) LONG.get(window, HEADER_BYTES + Long.BYTES * source);
    }

    /**
     * {@return the time in ns that values of a series cover; 0 for a series the window does not know}
     *
     * @param window the window
     * @param number number of the series
     */
    public static long covered(byte[] window, int number) {
        return number < series(window) ? (long) LONG.get(window, slot(window, number)) : 0;
    }

    /**
     * {@return the sum of a series, exact}
     *
     * @param window the window
     * @param number number of the series
     */
    public static BigInteger sum(byte[] window, int number) {
        if (number >= series(window)) {
            return BigInteger.ZERO;
        }
        int slot = slot(window, number);
        BigInteger high = BigInteger.valueOf((long) LONG.get(window, slot + 16));
        long low = (long) LONG.get(window, slot + 8);
        return high.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low)));
    }

    /** {@return whether the sum of a series, which must be there, fits 64 bits} */
    static boolean fitsLong(byte[] window, int number) {
        int slot = slot(window, number);
        return (long) LONG.get(window, slot + 16) == (long) LONG.get(window, slot + 8) >> 63;
    }

    /** {@return the low 64 bits of the sum of a series, which must be there} */
    static long lowSum(byte[] window, int number) {
        return (long) LONG.get(window, slot(window, number) + 8);
    }

    /** {@return the sum of a series as floating point} */
    static double approximateSum(byte[] window, int number) {
        int slot = slot(window, number);
        long low = (long) LONG.get(window, slot + 8);
        long high = (long) LONG.get(window, slot + 16);
        if (high == low >> 63) {
            return low;
        }
        double unsignedLow = (low >>> 1) * 2.0 + (low & 1);
        return high * TWO_64 + unsignedLow;
    }

    static void addSample(byte[] window) {
        LONG.set(window, 0, samples(window) + 1);
    }

    static void addSourceCovered(byte[] window, int source, long nanos) {
        LONG.set(window, HEADER_BYTES + Long.BYTES * source, sourceCovered(window, source) + nanos);
    }

    /** Adds a count that covers some time. */
    static void addCount(byte[] window, int slots, int number, long count, long nanos) {
        add(window, slots + SLOT_BYTES * number, nanos, count, count >> 63);
    }

    /** Adds a level that held for some time. */
    static void addLevel(byte[] window, int slots, int number, long level, long nanos) {
        add(window, slots + SLOT_BYTES * number, nanos, level * nanos, Math.multiplyHigh(level, nanos));
    }

    /** {@return where the series of a window begin} */
    static int slots(byte[] window) {
        return slot(window, 0);
    }

    private static int slot(byte[] window, int number) {
        return HEADER_BYTES + Long.BYTES * sources(window) + SLOT_BYTES * number;
    }

    private static void add(byte[] window, int slot, long nanos, long low, long high) {
        LONG.set(window, slot, (long) LONG.get(window, slot) + nanos);
        long before = (long) LONG.get(window, slot + 8);
        long after = before + low;
        long carry = Long.compareUnsigned(after, before) < 0 ? 1 : 0;
        LONG.set(window, slot + 8, after);
        LONG.set(window, slot + 16, (long) LONG.get(window, slot + 16) + high + carry);
    }
}
