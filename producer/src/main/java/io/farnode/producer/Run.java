package io.farnode.producer;

import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.io.Closeable;
import java.io.IOException;

/**
 * A run that is being told: how it began, its samples one after the other, how it ended. Captured files, live pipes and
 * the simulated machine all are runs; whoever takes one cannot tell which.
 *
 * <p>A run is a function of its input: told again, it gives the same run id, the same samples and the same sequence
 * numbers. Used by one thread.
 */
public interface Run extends Closeable {
    /**
     * {@return how the run began; the same at every call}
     */
    RunStarted started();

    /**
     * Tells the next sample. Samples come in ascending order of their end; they carry run id, source and sequence
     * number (1, 2, 3, ... in each source).
     *
     * @return the sample, or null when there are no more
     * @throws IOException if the input cannot be read; the message names it
     */
    Sample next() throws IOException;

    /**
     * {@return how the run ended}
     *
     * @throws IllegalStateException before {@link #next()} has returned null
     */
    RunFinished finished();
}
