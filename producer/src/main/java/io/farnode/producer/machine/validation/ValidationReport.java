package io.farnode.producer.machine.validation;

import io.farnode.producer.machine.DataFile;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What a validation found.
 *
 * @param families the families in the order of the index
 * @param parameters the validation's own parameters
 * @param machines what accesses cost on the machines in use, by machine, in the order of use
 * @param digest SHA-256 of all parameters in use: same digest and same program, same report
 */
public record ValidationReport(
        List<FamilyResult> families, DataFile parameters, List<MachineNumbers> machines, String digest) {
    private static final double SHARE_IN_BAND = 0.85;
    private static final int FAMILIES_BEATING_NAIVE = 4;

    /**
     * What accesses cost on a machine.
     *
     * @param machine its name
     * @param entries the lines of its text on memory, cache lines and bandwidth
     */
    public record MachineNumbers(String machine, List<DataFile.Entry> entries) {}

    /** {@return all cells} */
    public List<CellResult> cells() {
        return families.stream().flatMap(family -> family.cells().stream()).toList();
    }

    /** {@return cells with the right direction} */
    public long signRight() {
        return sum(FamilyResult::signRight);
    }

    /** {@return cells whose gain is in the band} */
    public long inBand() {
        return sum(FamilyResult::inBand);
    }

    private long sum(ToLongFunction<FamilyResult> count) {
        return families.stream().mapToLong(count).sum();
    }

    /** {@return families in which the simulation beats both naive forecasts} */
    public long familiesBeatingNaive() {
        return families.stream().filter(FamilyResult::beatsNaive).count();
    }

    /**
     * {@return whether the aim holds: right direction in every cell, gain in the band in at least 85 % of them, and better
     * than both naive forecasts in at least four families}
     */
    public boolean aimHolds() {
        int cells = cells().size();
        return signRight() == cells
                && inBand() >= SHARE_IN_BAND * cells
                && familiesBeatingNaive() >= FAMILIES_BEATING_NAIVE;
    }

    /** {@return the report in one line, such as {@code cells=4 sign_right=4 in_band=3 families_beating_naive=1}} */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "cells=%d sign_right=%d in_band=%d families_beating_naive=%d",
                cells().size(),
                signRight(),
                inBand(),
                familiesBeatingNaive());
    }
}
