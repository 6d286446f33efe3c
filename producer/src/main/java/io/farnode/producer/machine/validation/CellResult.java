package io.farnode.producer.machine.validation;

/**
 * A cell before and after a series, posted and simulated. Gains are changes of throughput as a part of 1 (0.5 = half as much
 * again), so that better is positive whatever the post's unit.
 *
 * @param key the cell's name in the files of posted cells
 * @param origin where the cell after stands
 * @param scenario the scenario that it was simulated with
 * @param unit the post's unit
 * @param lessIsBetter whether a smaller value is the better one
 * @param calibrated whether a parameter was set on the cell before; never on the one after
 * @param postedBefore posted without the series
 * @param postedAfter posted with the series
 * @param simulatedBefore simulated under the baseline
 * @param simulatedAfter simulated under the candidate
 * @param postedGain gain that was posted
 * @param postedLow least gain that the post could mean, by the digits it prints and the spread it states
 * @param postedHigh largest gain that the post could mean
 * @param gain simulated gain
 * @param low least gain over seeds and over the values that unknown parameters could have
 * @param lowBy what gave the least gain: {@code parameter = value} or {@code seed = number}
 * @param high largest gain over the same
 * @param highBy what gave the largest gain
 */
public record CellResult(
        String key,
        String origin,
        String scenario,
        String unit,
        boolean lessIsBetter,
        boolean calibrated,
        double postedBefore,
        double postedAfter,
        double simulatedBefore,
        double simulatedAfter,
        double postedGain,
        double postedLow,
        double postedHigh,
        double gain,
        double low,
        String lowBy,
        double high,
        String highBy) {
    /** A simulated change smaller than this is none. */
    private static final double NO_CHANGE = 0.0005;

    private static final String POST = "source: the post";
    private static final double BAND_POINTS = 0.03;
    private static final double BAND_PART = 0.25;

    /** {@return whether the cell is of the post itself, and not of a table that the series has elsewhere} */
    public boolean ofThePost() {
        return origin.startsWith(POST);
    }

    /** {@return simulated before to posted before, as a part of 1 above or below} */
    public double errorBefore() {
        return simulatedBefore / postedBefore - 1;
    }

    /** {@return simulated after to posted after, as a part of 1 above or below} */
    public double errorAfter() {
        return simulatedAfter / postedAfter - 1;
    }

    /**
     * {@return whether the direction is right} It is if both gains have the same sign. Where the post itself cannot tell its
     * gain from none, it is also if the simulated gain is one that the post could mean.
     */
    public boolean signRight() {
        boolean open = postedLow <= 0 && postedHigh >= 0;
        return open && gain >= postedLow && gain <= postedHigh
                || Math.abs(gain) >= NO_CHANGE && Math.signum(gain) == Math.signum(postedGain);
    }

    /** {@return half the width of the band around the posted gain: 3 percentage points, or a quarter of it if that is more} */
    public double band() {
        return bandAround(postedGain);
    }

    /**
     * {@return half the width of the band around a gain}
     *
     * @param gain the posted gain
     */
    public static double bandAround(double gain) {
        return Math.max(BAND_POINTS, BAND_PART * Math.abs(gain));
    }

    /** {@return whether the simulated gain is in the band around the posted one} */
    public boolean inBand() {
        return Math.abs(gain - postedGain) <= band();
    }

    /** {@return whether the posted gain is one that the simulation could have with other values of unknown parameters} */
    public boolean covered() {
        return postedGain >= low && postedGain <= high;
    }
}
