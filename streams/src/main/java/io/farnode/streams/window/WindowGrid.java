package io.farnode.streams.window;

/**
 * Windows of one size that tumble from a run's own start: window n covers {@code [start + n * size, start + (n + 1) *
 * size)}. Windows before the run's start have negative numbers.
 *
 * @param originNanos start of window 0; event time, ns since 1970
 * @param sizeNanos size of each window in ns; positive
 */
public record WindowGrid(long originNanos, long sizeNanos) {
    /**
     * Checks the size.
     *
     * @param originNanos start of window 0; event time, ns since 1970
     * @param sizeNanos size of each window in ns; positive
     * @throws IllegalArgumentException if the size is not positive
     */
    public WindowGrid {
        if (sizeNanos <= 0) {
            throw new IllegalArgumentException("window size " + sizeNanos + " ns: must be positive");
        }
    }

    /**
     * {@return the number of the window that holds an instant}
     *
     * @param nanos the instant, ns since 1970
     */
    public long number(long nanos) {
        return Math.floorDiv(nanos - originNanos, sizeNanos);
    }

    /**
     * {@return the start of a window, ns since 1970}
     *
     * @param number its number
     */
    public long start(long number) {
        return originNanos + number * sizeNanos;
    }

    /**
     * {@return the end of a window, exclusive, ns since 1970}
     *
     * @param number its number
     */
    public long end(long number) {
        return start(number) + sizeNanos;
    }
}
