package io.farnode.streams.topology;

import java.time.Duration;

/**
 * What decides how windows come out. Two applications with the same settings make the same results of the same log.
 *
 * @param size size of the windows; positive, at most a day
 * @param allowedLateness how far a source may run behind its own latest span before its shares are late; not negative
 * @param completeness least coverage of a window that is judged, 0..1
 */
public record WindowSettings(Duration size, Duration allowedLateness, double completeness) {
    /** One second, two seconds, nine tenths. */
    public static final WindowSettings DEFAULT = new WindowSettings(Duration.ofSeconds(1), Duration.ofSeconds(2), 0.9);

    /**
     * Checks the ranges.
     *
     * @param size size of the windows; positive, at most a day
     * @param allowedLateness how far a source may run behind its own latest span; not negative, at most 365 days
     * @param completeness least coverage of a window that is judged, 0..1
     * @throws IllegalArgumentException if a value is out of its range; the message says which
     */
    public WindowSettings {
        if (size.isNegative() || size.isZero() || size.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("window size " + size + ": must be above 0 and at most a day");
        }
        if (allowedLateness.isNegative() || allowedLateness.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException(
                    "allowed lateness " + allowedLateness + ": must be between 0 and 365 days");
        }
        if (!(completeness >= 0 && completeness <= 1)) {
            throw new IllegalArgumentException("completeness " + completeness + ": must be between 0 and 1");
        }
    }
}
