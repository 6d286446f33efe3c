package io.farnode.producer.machine.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.producer.machine.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ItsTablesTest {
    private static final Machine BOARD = Machine.named("d06-96").with("memory-nodes", "0 3");

    /** The board of the post: ITS on node 0, memory on nodes 0 and 3, 24 CPUs a node. */
    @ParameterizedTest
    @CsvSource({"0, 0", "23, 0", "24, 0", "48, 3", "71, 3", "72, 3", "95, 3"})
    void shouldFollowTheProbeBeforeAndTheItsAfter(int probeCpu, int before) {
        assertThat(ItsTables.FIRST_TOUCH.home(BOARD, 0, probeCpu)).isEqualTo(before);
        assertThat(ItsTables.ITS_NODE.home(BOARD, 0, probeCpu)).isZero();
        assertThat(ItsTables.ALL_LOCAL.home(BOARD, 0, probeCpu)).isZero();
    }

    @Test
    void shouldFallBackWhereTheItsHasNoMemory() {
        Machine far = BOARD.with("its.0", "1").with("memory-nodes", "3");
        assertThat(ItsTables.ITS_NODE.home(far, 0, 0)).isEqualTo(3);
        assertThat(ItsTables.ALL_LOCAL.home(far, 0, 0))
                .as("no kernel can do this")
                .isEqualTo(1);
    }

    @Test
    void shouldDoAsBeforeWhereTheFirmwareDoesNotSayTheNode() {
        Machine silent = BOARD.with("its.0", "-1");
        assertThat(ItsTables.ITS_NODE.home(silent, 0, 50)).isEqualTo(3);
        assertThat(ItsTables.ITS_NODE.home(silent, 0, 30)).isZero();
    }

    @Test
    void shouldListTheKnownOnesWhenAskedForAnother() {
        assertThatThrownBy(() -> ItsTables.named("near"))
                .hasMessage("unknown policy \"near\": known are first-touch, its-node, all-local");
    }
}
