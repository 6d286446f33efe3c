package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void shouldCountPagesAsNumastatDoes() {
        Interval interval = new Interval(4, 3);
        interval.pages(0, 0, 0, 5);
        interval.pages(1, 0, 0, 3);
        interval.pages(1, 1, 2, 2);
        assertThat(interval.pages(Interval.Pages.NUMA_HIT, 0)).isEqualTo(8);
        assertThat(interval.pages(Interval.Pages.LOCAL_NODE, 0)).isEqualTo(5);
        assertThat(interval.pages(Interval.Pages.OTHER_NODE, 0)).isEqualTo(3);
        assertThat(interval.pages(Interval.Pages.NUMA_FOREIGN, 1)).isEqualTo(2);
        assertThat(interval.pages(Interval.Pages.NUMA_MISS, 2)).isEqualTo(2);
        assertThat(interval.pages(Interval.Pages.OTHER_NODE, 2)).isEqualTo(2);
    }

    /** include/linux/mmzone.h: each page is a hit or a miss, and local or other; each miss is foreign elsewhere. */
    @Property(tries = 100)
    void shouldCountEachPageOnceEachWay(
            @ForAll @IntRange(max = 2) int ran,
            @ForAll @IntRange(max = 2) int wanted,
            @ForAll @IntRange(max = 2) int got,
            @ForAll @IntRange(min = 1, max = 1_000) int pages) {
        Interval interval = new Interval(4, 3);
        interval.pages(ran, wanted, got, pages);
        interval.pages(got, got, wanted, 7);
        for (int node = 0; node < 3; node++) {
            assertThat(interval.pages(Interval.Pages.NUMA_HIT, node) + interval.pages(Interval.Pages.NUMA_MISS, node))
                    .isEqualTo(interval.pages(Interval.Pages.LOCAL_NODE, node)
                            + interval.pages(Interval.Pages.OTHER_NODE, node));
        }
        assertThat(sum(interval, Interval.Pages.NUMA_MISS)).isEqualTo(sum(interval, Interval.Pages.NUMA_FOREIGN));
        assertThat(sum(interval, Interval.Pages.LOCAL_NODE) + sum(interval, Interval.Pages.OTHER_NODE))
                .isEqualTo(pages + 7L);
    }

    private static long sum(Interval interval, Interval.Pages kind) {
        long sum = 0;
        for (int node = 0; node < 3; node++) {
            sum += interval.pages(kind, node);
        }
        return sum;
    }

    @Test
    void shouldTakeCountsOverAndForgetThemButNotTheirNames() {
        Interval interval = new Interval(2, 1);
        long[] counts = {3, 4};
        interval.event("irq:softirq_entry", counts);
        interval.count("transferred", "B", 9);
        counts[0] = 100;
        assertThat(interval.events().get("irq:softirq_entry")).containsExactly(3, 4);
        interval.clear();
        assertThat(Arrays.stream(interval.events().get("irq:softirq_entry")).sum())
                .isZero();
        assertThat(interval.counts()).containsEntry("transferred", new Interval.Count("B", 0));
    }
}
