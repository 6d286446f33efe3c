package io.farnode.producer.print;

import io.farnode.telemetry.Sample;
import java.io.IOException;

/** Prints the samples of one source. */
@FunctionalInterface
interface SamplePrinter {
    /**
     * Prints a sample.
     *
     * @param sample the sample
     * @throws IOException if it cannot be written
     */
    void print(Sample sample) throws IOException;
}
