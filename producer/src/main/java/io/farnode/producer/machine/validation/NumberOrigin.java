package io.farnode.producer.machine.validation;

import java.util.Locale;

/** Where a parameter's value comes from, as the first such word behind its {@code #} says. */
public enum NumberOrigin {
    /** Set on cells before a series; never on those after. */
    CALIBRATED("calibrated"),
    /** From a public source: post, kernel, manual, measurement of others. */
    PUBLIC("source"),
    /** A guess without a source. */
    ESTIMATE("estimate"),
    /** Of no importance to the result, such as a seed. */
    FREE("");

    private final String word;

    NumberOrigin(String word) {
        this.word = word;
    }

    /**
     * {@return the kind that an origin tells of}
     *
     * @param origin what stands behind the {@code #}
     */
    public static NumberOrigin of(String origin) {
        NumberOrigin first = FREE;
        int at = origin.length();
        for (NumberOrigin kind : values()) {
            int found = kind == FREE ? -1 : origin.indexOf(kind.word);
            if (found >= 0 && found < at) {
                first = kind;
                at = found;
            }
        }
        return first;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
