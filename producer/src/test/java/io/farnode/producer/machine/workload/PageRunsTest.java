package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PageRunsTest {
    private static final int MOST = 12;

    /** Page by page, a deque says what should happen: 0-2 add pages of a node, 3 takes old ones, 4 takes new ones. */
    @Property
    void shouldBehaveAsADequeOfSinglePages(
            @ForAll @Size(max = 60) List<@IntRange(max = 4) Integer> actions, @ForAll @IntRange(max = 5) int many) {
        PageRuns runs = new PageRuns(MOST);
        Deque<Integer> pages = new ArrayDeque<>();
        for (int action : actions) {
            if (action <= 2) {
                int count = Math.min(many, MOST - pages.size());
                runs.add(action, count);
                for (int i = 0; i < count; i++) {
                    pages.addLast(action);
                }
            } else {
                boolean oldest = action == 3;
                int node = pages.isEmpty() ? -1 : oldest ? runs.firstNode() : runs.lastNode();
                int taken = oldest ? runs.takeFirst(many) : runs.takeLast(many);
                assertThat(taken > 0).isEqualTo(!pages.isEmpty() && many > 0);
                for (int i = 0; i < taken; i++) {
                    assertThat(oldest ? pages.removeFirst() : pages.removeLast())
                            .isEqualTo(node);
                }
                if (taken < many && !pages.isEmpty() && taken > 0) {
                    assertThat(oldest ? pages.getFirst() : pages.getLast()).isNotEqualTo(node);
                }
            }
            assertThat(runs.size()).isEqualTo(pages.size());
        }
    }

    @Test
    void shouldRefuseMoreThanItHolds() {
        PageRuns runs = new PageRuns(MOST);
        runs.add(0, MOST);
        assertThatThrownBy(() -> runs.add(0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no room for 1 more than 12 pages");
    }
}
