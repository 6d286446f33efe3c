package io.farnode.producer.replay;

import io.farnode.producer.Run;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.LongSupplier;

/**
 * Maps event time to wall time: at speed 2 an hour of events takes half an hour. Each deadline is reckoned from the
 * first event, not from the one before, so that waiting times do not add up their errors; a replay that fell behind
 * catches up. Used by one thread.
 */
public final class Pacer {
    /** Speed at which nothing is waited for. */
    public static final double MAX = Double.POSITIVE_INFINITY;

    /** Longest single wait in ns, so that a progress bar moves and an end is noticed: 200 ms. */
    static final long SLICE_NANOS = 200_000_000L;

    /** Waits. */
    @FunctionalInterface
    public interface Sleeper {
        /**
         * Waits about so long.
         *
         * @param nanos ns, above 0
         * @throws InterruptedException if the thread was interrupted
         */
        void sleep(long nanos) throws InterruptedException;
    }

    private final double speed;
    private final LongSupplier clock;
    private final Sleeper sleeper;
    private final Runnable whileWaiting;
    private boolean anchored;
    private long firstEvent;
    private long firstClock;
    private long behind;

    /**
     * A pacer with its own clock, for tests and for other notions of time.
     *
     * @param speed event seconds a wall second, above 0; {@link #MAX} = do not wait
     * @param clock a clock in ns that only runs forward
     * @param sleeper how to wait
     * @param whileWaiting called before each wait, at least every 200 ms while waiting
     * @throws IllegalArgumentException if the speed is not above 0
     */
    public Pacer(double speed, LongSupplier clock, Sleeper sleeper, Runnable whileWaiting) {
        if (!(speed > 0)) {
            throw new IllegalArgumentException("speed " + speed + " is not above 0; write a number such as 1, or max");
        }
        this.speed = speed;
        this.clock = clock;
        this.sleeper = sleeper;
        this.whileWaiting = whileWaiting;
    }

    /**
     * {@return a pacer on the machine's clock}
     *
     * @param speed event seconds a wall second, above 0; {@link #MAX} = do not wait
     * @param whileWaiting called before each wait, at least every 200 ms while waiting
     */
    public static Pacer atSpeed(double speed, Runnable whileWaiting) {
        return new Pacer(
                speed,
                System::nanoTime,
                nanos -> Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000)),
                whileWaiting);
    }

    /**
     * Reads a speed.
     *
     * @param text a number above 0, with or without "x" behind it, or "max"
     * @return the speed
     * @throws IllegalArgumentException if the text is no speed; the message is for the user
     */
    public static double parseSpeed(String text) {
        if (text.equalsIgnoreCase("max")) {
            return MAX;
        }
        try {
            double speed = Double.parseDouble(text.endsWith("x") ? text.substring(0, text.length() - 1) : text);
            if (speed > 0 && Double.isFinite(speed)) {
                return speed;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException("speed \"" + text + "\": write a number above 0 such as 1 or 0.5, or max");
    }

    /**
     * Waits until an event is due. The first event is due at once and fixes the others.
     *
     * @param eventNanos event time, ns since 1970
     * @throws InterruptedException if the thread was interrupted
     */
    public void await(long eventNanos) throws InterruptedException {
        if (speed == MAX) {
            return;
        }
        if (!anchored) {
            anchored = true;
            firstEvent = eventNanos;
            firstClock = clock.getAsLong();
        }
        long due = (long) ((eventNanos - firstEvent) / speed);
        long left = due - (clock.getAsLong() - firstClock);
        behind = Math.max(0, -left);
        while (left > 0) {
            whileWaiting.run();
            sleeper.sleep(Math.min(left, SLICE_NANOS));
            left = due - (clock.getAsLong() - firstClock);
        }
    }

    /** {@return how late the last event was, in ns of wall time; 0 = in time} */
    public long behindNanos() {
        return behind;
    }

    /**
     * {@return the same run, whose samples come when they are due; the start of the run is due at once}
     *
     * @param run the run
     */
    public Run pace(Run run) {
        return new Run() {
            private boolean begun;

            @Override
            public RunStarted started() {
                return run.started();
            }

            @Override
            public Sample next() throws IOException {
                Sample sample = run.next();
                if (sample == null) {
                    return null;
                }
                try {
                    if (!begun) {
                        begun = true;
                        Pacer.this.await(run.started().getStartNanos());
                    }
                    Pacer.this.await(sample.getEndNanos());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted while waiting for the next sample to be due");
                }
                return sample;
            }

            @Override
            public RunFinished finished() {
                return run.finished();
            }

            @Override
            public void close() throws IOException {
                run.close();
            }
        };
    }
}
