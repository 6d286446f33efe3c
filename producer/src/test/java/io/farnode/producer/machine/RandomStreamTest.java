package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RandomStreamTest {
    @Test
    void shouldBeTheSameForSeedAndPurposeAndOtherOtherwise() {
        assertThat(first(new RandomStream(7, "device"))).isEqualTo(first(new RandomStream(7, "device")));
        assertThat(first(new RandomStream(7, "device"))).isNotEqualTo(first(new RandomStream(8, "device")));
        assertThat(first(new RandomStream(7, "device"))).isNotEqualTo(first(new RandomStream(7, "start")));
    }

    private static long first(RandomStream stream) {
        return stream.below(Long.MAX_VALUE);
    }

    @Test
    void shouldHaveTheMeansOfItsDistributions() {
        RandomStream random = new RandomStream(1, "test");
        int count = 200_000;
        double exponential = 0;
        double normal = 0;
        double squares = 0;
        long below = 0;
        long longest = 0;
        for (int i = 0; i < count; i++) {
            long span = random.exponential(90_000);
            longest = Math.max(longest, span);
            exponential += span;
            double value = random.normal();
            normal += value;
            squares += value * value;
            below += random.below(11);
        }
        assertThat(exponential / count).isEqualTo(90_000, within(700.0));
        assertThat(longest).isBetween(7 * 90_000L, 9_100 * 90L);
        assertThat(normal / count).isEqualTo(0, within(0.01));
        assertThat(squares / count).isEqualTo(1, within(0.02));
        assertThat(below / (double) count).isEqualTo(5, within(0.05));
    }

    @Test
    void shouldHappenOnceInSoManyTimes() {
        RandomStream random = new RandomStream(3, "test");
        int often = 0;
        int always = 0;
        for (int i = 0; i < 1_280_000; i++) {
            often += random.oneIn(128) ? 1 : 0;
            always += random.oneIn(1) ? 1 : 0;
        }
        assertThat(often).isCloseTo(10_000, within(400));
        assertThat(always).isEqualTo(1_280_000);
    }
}
