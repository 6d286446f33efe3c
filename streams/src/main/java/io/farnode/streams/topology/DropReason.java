package io.farnode.streams.topology;

/** Why a record, or a share of it, did not reach a result. The texts stand in headers of dead letters and in meters. */
public enum DropReason {
    /** The bytes are no record of farnode's. */
    UNDECODABLE("undecodable"),
    /** A record that does not belong into this log: no key, key of another run, or another record type. */
    MISPLACED("misplaced"),
    /** The run has no RunStarted before this record. */
    NO_RUN_STARTED("no-run-started"),
    /** The run id exists with other input. */
    OTHER_INPUT("other-input"),
    /** The record contradicts itself or its run. */
    MALFORMED("malformed"),
    /** Some share fell into windows that are closed; the rest of the record was taken. */
    LATE("late"),
    /** A new sample after the run had finished. */
    AFTER_FINISH("after-finish"),
    /** A result that no topic takes because it is too large. */
    TOO_LARGE("too-large"),
    /** A sample whose sequence number had been seen; counted in the run, no dead letter. */
    DUPLICATE("duplicate");

    private final String text;

    DropReason(String text) {
        this.text = text;
    }

    /** {@return the reason as it stands in headers and labels} */
    public String text() {
        return text;
    }
}
