package io.farnode.streams.window;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Column;
import java.nio.ByteBuffer;

/** Which cells of a column have a value. */
final class Cells {
    private final ByteBuffer states;
    private final int base;
    private final boolean all;

    Cells(Column column) {
        states = column.getStates();
        base = states.position();
        all = states.remaining() == 0;
    }

    /** {@return whether every cell has a value} */
    boolean haveAllValues() {
        return all;
    }

    /** {@return whether a cell has a value} */
    boolean hasValue(int scope) {
        return all || states.get(base + scope) == SampleBuilder.VALUE;
    }

    /** {@return whether the tool did not print a cell} */
    boolean isAbsent(int scope) {
        return !all && states.get(base + scope) == SampleBuilder.ABSENT;
    }
}
