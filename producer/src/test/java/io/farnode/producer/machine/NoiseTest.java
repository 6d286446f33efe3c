package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class NoiseTest {
    @Test
    void shouldHaveTheSpreadAndTheCorrelationAskedFor() {
        Noise noise = new Noise(new RandomStream(3, "noise"), 0, 0.05, 0.8);
        int steps = 20_000;
        double[] factor = new double[steps];
        double sum = 0;
        for (int i = 0; i < steps; i++) {
            factor[i] = noise.factor() / (double) (1 << Noise.FRACTION_BITS);
            sum += factor[i];
            noise.step();
        }
        double mean = sum / steps;
        double variance = 0;
        double neighbours = 0;
        for (int i = 1; i < steps; i++) {
            variance += (factor[i] - mean) * (factor[i] - mean);
            neighbours += (factor[i] - mean) * (factor[i - 1] - mean);
        }
        assertThat(mean).isEqualTo(1, within(0.005));
        assertThat(Math.sqrt(variance / steps)).isEqualTo(0.05, within(0.003));
        assertThat(neighbours / variance).isEqualTo(0.8, within(0.02));
    }

    @Test
    void shouldDifferFromRunToRunByTheRunSpread() {
        double squares = 0;
        int runs = 2_000;
        for (int run = 0; run < runs; run++) {
            double off =
                    new Noise(new RandomStream(run, "noise"), 0.04, 0, 0).factor() / (double) (1 << Noise.FRACTION_BITS)
                            - 1;
            squares += off * off;
        }
        assertThat(Math.sqrt(squares / runs)).isEqualTo(0.04, within(0.002));
    }

    @Test
    void shouldStayOneWhenOff() {
        Noise noise = Noise.off();
        for (int i = 0; i < 100; i++) {
            noise.step();
            assertThat(noise.scale(123_456)).isEqualTo(123_456);
        }
    }

    @Test
    void shouldNeverMakeASpanNegative() {
        Noise noise = new Noise(new RandomStream(1, "wild"), 3, 3, 0.5);
        for (int i = 0; i < 1_000; i++) {
            noise.step();
            assertThat(noise.scale(1_000)).isPositive();
        }
    }
}
