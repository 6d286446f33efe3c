package io.farnode.producer.machine.validation;

import io.farnode.producer.machine.DataFile;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The cells of one family, and how far off the simulation is beside forecasts that know nothing of the mechanism.
 *
 * @param family name of the family
 * @param source where the cells were posted
 * @param cells the cells in the post's order
 * @param meanOfOthers mean gain of the other families' posts, each counted once
 * @param notes what is inconsistent or missing in the post, by name
 * @param remarks why cells are missed, by the first parts of their keys; {@code naive}: why the family loses to a naive forecast
 * @param scenarios parameters of the scenarios in use, by scenario; a variant holds only what differs from the first
 */
public record FamilyResult(
        String family,
        String source,
        List<CellResult> cells,
        double meanOfOthers,
        Map<String, String> notes,
        Map<String, String> remarks,
        Map<String, List<DataFile.Entry>> scenarios) {
    /** {@return mean of the posted gains} */
    public double meanGain() {
        return cells.stream().mapToDouble(CellResult::postedGain).average().orElseThrow();
    }

    /** {@return root-mean-square error of the simulated gains, as a part of 1} */
    public double error() {
        return rms(CellResult::gain);
    }

    /** {@return root-mean-square error of the forecast that nothing changes} */
    public double errorOfNoChange() {
        return rms(cell -> 0);
    }

    /**
     * {@return root-mean-square error of the forecast that every cell gains the mean of the posted gains of this family} It
     * knows the answers: nobody can make it before the series is measured.
     */
    public double errorOfMean() {
        return rms(cell -> meanGain());
    }

    /**
     * {@return root-mean-square error of the forecast that every cell gains the mean of the posted gains of the other cells
     * of this family} It knows all answers but the one asked for.
     */
    public double errorOfMeanOfRest() {
        int count = cells.size();
        return rms(cell -> (count * meanGain() - cell.postedGain()) / (count - 1));
    }

    /** {@return root-mean-square error of the forecast that every cell gains what the other families gain in the mean} */
    public double errorOfMeanOfOthers() {
        return rms(cell -> meanOfOthers);
    }

    private double rms(ToDoubleFunction<CellResult> forecast) {
        double sum = 0;
        for (CellResult cell : cells) {
            double error = forecast.applyAsDouble(cell) - cell.postedGain();
            sum += error * error;
        }
        return Math.sqrt(sum / cells.size());
    }

    /** {@return whether the simulation beats both naive forecasts, no change and the family's own mean} */
    public boolean beatsNaive() {
        return error() < errorOfNoChange() && error() < errorOfMean();
    }

    /** {@return cells with the right direction} */
    public long signRight() {
        return cells.stream().filter(CellResult::signRight).count();
    }

    /** {@return cells whose gain is in the band} */
    public long inBand() {
        return cells.stream().filter(CellResult::inBand).count();
    }

    /**
     * Why a cell is missed.
     *
     * @param cell the cell
     * @return the remark; empty if there is none
     */
    public String remark(CellResult cell) {
        return remarks.entrySet().stream()
                .filter(remark ->
                        cell.key().equals(remark.getKey()) || cell.key().startsWith(remark.getKey() + "."))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** {@return why the family loses to a naive forecast; empty if it does not} */
    public String naiveRemark() {
        return beatsNaive() ? "" : remarks.getOrDefault("naive", "");
    }
}
