package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ItsTest {
    private static final Machine D06 = Machine.named("d06-96");
    private static final Its.Caches NONE = new Its.Caches(0, 0, 0);
    private static final long LOCAL = 117;
    private static final long FAR = 219;

    @Test
    void shouldReadOneEntryOfEachTableOneAfterTheOther() {
        Its its = new Its(D06, 0, NONE, -1, 0);
        int device = its.map(3, 3, 8);
        assertThat(its.translate(device, 5, 17)).isEqualTo(2 * FAR + LOCAL);
        assertThat(its.reads(3)).isEqualTo(2);
        assertThat(its.reads(0)).isEqualTo(1);
        assertThat(its.missed()).isEqualTo(3);
    }

    @Test
    void shouldReadBothLevelsOfADeviceTable() {
        Its its = new Its(D06, 0, NONE, 0, 0);
        int device = its.map(3, 3, 8);
        assertThat(its.translate(device, 5, 17)).isEqualTo(2 * FAR + 2 * LOCAL);
        assertThat(its.missed()).isEqualTo(4);
    }

    @Test
    void shouldReadNothingThatItHolds() {
        Its its = new Its(D06, 0, new Its.Caches(1, 2, 1), -1, 3);
        int device = its.map(3, 3, 8);
        int other = its.map(0, 0, 8);
        assertThat(its.translate(device, 5, 17)).isEqualTo(3 * FAR);
        assertThat(its.translate(device, 5, 17)).isZero();
        assertThat(its.translate(device, 6, 17)).as("another event").isEqualTo(FAR);
        assertThat(its.translate(device, 5, 18)).as("another CPU").isEqualTo(FAR);
        assertThat(its.translate(other, 5, 18))
                .as("another device, its event 5")
                .isEqualTo(2 * LOCAL);
        assertThat(its.translations()).isEqualTo(5);
        assertThat(its.lookUps()).isEqualTo(15);
    }

    @Test
    void shouldRefuseMoreEventsThanItHasRoomFor() {
        Its its = new Its(D06, 0, NONE, -1, 0);
        its.map(0, 0, 8_000);
        assertThatThrownBy(() -> its.map(0, 0, 193))
                .hasMessage("an ITS maps up to 64 devices and 8192 events; 1 and 8000 are mapped, 193 more do not fit");
    }
}
