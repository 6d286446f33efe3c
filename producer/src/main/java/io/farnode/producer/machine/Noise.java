package io.farnode.producer.machine;

/**
 * A factor near 1 that wanders: an AR(1) process around a level that is drawn once a run. It acts on costs and service
 * times, never on counts, so what is counted stays consistent.
 */
public final class Noise {
    /** Bits behind the binary point of {@link #factor()}. */
    public static final int FRACTION_BITS = 16;

    private static final double FLOOR = 0.25;

    private final RandomStream random;
    private final double level;
    private final double spread;
    private final double correlation;
    private double state;
    private long factor;

    /**
     * A process in its steady state.
     *
     * @param random its random numbers
     * @param runSpread standard deviation of the level between runs, as a part of 1; 0 = no difference
     * @param spread standard deviation inside a run, as a part of 1; 0 = constant
     * @param correlation correlation of a step with the step before, 0..1
     */
    public Noise(RandomStream random, double runSpread, double spread, double correlation) {
        this.random = random;
        this.level = 1 + runSpread * random.normal();
        this.spread = spread;
        this.correlation = correlation;
        this.state = spread * random.normal();
        update();
    }

    /**
     * The process of a signal as a scenario describes it: {@code noise}, {@code SIGNAL-run-spread},
     * {@code SIGNAL-spread} and {@code SIGNAL-correlation}.
     *
     * @param settings the scenario's parameters
     * @param seed the run's seed
     * @param signal name of the signal
     * @return the process; constant if noise is off
     * @throws DataException if a parameter is missing or out of range
     */
    public static Noise of(DataFile settings, long seed, String signal) {
        double runSpread = settings.number(signal + "-run-spread", 0, 0.2);
        double spread = settings.number(signal + "-spread", 0, 0.2);
        double correlation = settings.number(signal + "-correlation", 0, 0.9999);
        return settings.flag("noise")
                ? new Noise(new RandomStream(seed, "noise." + signal), runSpread, spread, correlation)
                : off();
    }

    /** {@return a factor that stays 1} */
    public static Noise off() {
        return new Noise(new RandomStream(0, "off"), 0, 0, 0);
    }

    /** Goes on by one step. */
    public void step() {
        state = correlation * state + spread * StrictMath.sqrt(1 - correlation * correlation) * random.normal();
        update();
    }

    private void update() {
        factor = StrictMath.round(Math.max(FLOOR, level + state) * (1 << FRACTION_BITS));
    }

    /** {@return the factor, times 2^{@value #FRACTION_BITS}} */
    public long factor() {
        return factor;
    }

    /**
     * A span under the current factor.
     *
     * @param nanos the span, below 2^40
     * @return the span times the factor
     */
    public long scale(long nanos) {
        return nanos * factor >> FRACTION_BITS;
    }
}
