package io.farnode.cli.validation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.farnode.cli.terminal.Table;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.validation.CellResult;
import io.farnode.producer.machine.validation.FamilyResult;
import io.farnode.producer.machine.validation.NumberOrigin;
import io.farnode.producer.machine.validation.ValidationReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A validation report as text: for a terminal, as a page in Markdown, or as JSON. Same report, same bytes. */
public final class ValidationPage {
    private static final Set<String> NAMES =
            Set.of("family", "summary", "base", "machine", "baseline", "candidate", "policy", "workload", "unit");

    /** How a report is written. */
    public enum Format {
        /** For a terminal. */
        TABLE,
        /** A JSON object. */
        JSON,
        /** A page. */
        MARKDOWN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A parameter in use.
     *
     * @param where scenario, machine or "validation"
     * @param entry its line
     */
    private record Parameter(String where, DataFile.Entry entry) {
        NumberOrigin kind() {
            return NumberOrigin.of(entry.origin());
        }
    }

    private static final String[] HONESTY = {
        "This is a check of consistency and no blind forecast. The forms of the models, and how many accesses, lines and",
        "reads they count, were picked with the cells AFTER in view. Their numbers were not: each is calibrated on cells",
        "BEFORE, taken from a public source, or an estimate, and the list of parameters says which. What would be a blind",
        "test is a machine or a series that nothing here was made from."
    };

    private final ValidationReport report;

    /**
     * A page of a report.
     *
     * @param report the report
     */
    public ValidationPage(ValidationReport report) {
        this.report = report;
    }

    /**
     * Writes it. The last line of table and Markdown is {@link ValidationReport#summary()}; in JSON it is the field
     * {@code summary}.
     *
     * @param out where to
     * @param format how
     * @param plot name of a picture beside the page; empty if there is none
     */
    public void print(PrintWriter out, Format format, String plot) {
        switch (format) {
            case TABLE -> table(out);
            case MARKDOWN -> out.print(markdown(plot));
            case JSON -> out.println(json());
        }
        out.flush();
    }

    private void table(PrintWriter out) {
        for (String line : HONESTY) {
            out.println(line);
        }
        for (FamilyResult family : report.families()) {
            out.println();
            out.println(family.family());
            Table cells = new Table(
                    "cell", "unit", "before", "sim.", "err %", "after", "sim.", "err %", "gain %", "sim.", "from", "to",
                    "");
            for (CellResult cell : family.cells()) {
                cells.row(
                        cell.key(),
                        cell.unit(),
                        number(cell.postedBefore()),
                        number(cell.simulatedBefore()),
                        percent(cell.errorBefore()),
                        number(cell.postedAfter()),
                        number(cell.simulatedAfter()),
                        percent(cell.errorAfter()),
                        percent(cell.postedGain()),
                        percent(cell.gain()),
                        percent(cell.low()),
                        percent(cell.high()),
                        judgement(cell));
            }
            cells.lines().forEach(line -> out.println("  " + line));
            family.notes().values().forEach(note -> out.println("  note: " + note));
        }
        out.println();
        Table errors = new Table(
                "family",
                "cells",
                "sign right",
                "in band",
                "RMSE, points",
                "no change",
                "own mean",
                "mean of rest",
                "other posts",
                "beats no change and own mean");
        for (FamilyResult family : report.families()) {
            errors.row(errorRow(family));
        }
        errors.lines().forEach(out::println);
        List<String> misses = misses();
        if (!misses.isEmpty()) {
            out.println();
            out.println("Missed:");
            misses.forEach(miss -> out.println("  " + miss));
        }
        out.println();
        out.println(report.summary());
    }

    private static Object[] errorRow(FamilyResult family) {
        return new Object[] {
            family.family(),
            (long) family.cells().size(),
            family.signRight(),
            family.inBand(),
            points(family.error()),
            points(family.errorOfNoChange()),
            points(family.errorOfMean()),
            points(family.errorOfMeanOfRest()),
            points(family.errorOfMeanOfOthers()),
            family.beatsNaive() ? "yes" : "no"
        };
    }

    private static BigDecimal percent(double part) {
        return decimal(100 * part, 1);
    }

    private static BigDecimal points(double part) {
        return decimal(100 * part, 2);
    }

    private static BigDecimal decimal(double value, int digits) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? BigDecimal.ZERO.setScale(digits) : rounded;
    }

    /** Five significant places, more only where they stand before the point. */
    private static BigDecimal number(double value) {
        int before = (int) StrictMath.ceil(StrictMath.log10(Math.abs(value) + 1));
        BigDecimal rounded =
                decimal(value, Math.max(0, Math.min(3, 5 - before))).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }

    private static String judgement(CellResult cell) {
        if (!cell.signRight()) {
            return cell.inBand() ? "WRONG SIGN" : "WRONG SIGN, out of band";
        }
        return cell.inBand() ? "" : "out of band";
    }

    /** One line for all cells that are missed for the same reason. */
    private List<String> misses() {
        List<String> misses = new ArrayList<>();
        for (FamilyResult family : report.families()) {
            Map<String, List<CellResult>> byReason = new LinkedHashMap<>();
            for (CellResult cell : family.cells()) {
                if (!judgement(cell).isEmpty()) {
                    byReason.computeIfAbsent(family.remark(cell), any -> new ArrayList<>())
                            .add(cell);
                }
            }
            byReason.forEach((reason, cells) -> misses.add(family.family() + " "
                    + cells.stream().map(ValidationPage::miss).collect(Collectors.joining("; ")) + ". " + reason));
        }
        for (FamilyResult family : report.families()) {
            if (!family.beatsNaive()) {
                misses.add(family.family() + ": no better than both naive forecasts. " + family.naiveRemark());
            }
        }
        return misses.stream().map(String::strip).toList();
    }

    private static String miss(CellResult cell) {
        return cell.key() + " " + judgement(cell).toLowerCase(Locale.ROOT) + ", " + percent(cell.postedGain())
                + " % posted, " + percent(cell.gain()) + " % simulated";
    }

    private String markdown(String plot) {
        StringBuilder page = new StringBuilder("# The simulated machine beside what was posted\n\n");
        page.append("Written by `farnode validate --output markdown --plot docs/validation.svg > docs/validation.md`;")
                .append(" a test fails when it is out of date. Parameters `")
                .append(report.digest(), 0, 16)
                .append("`.\n\n");
        page.append(String.join("\n", HONESTY)).append("\n\n");
        page.append("## Result\n\n");
        page.append(String.format(
                        Locale.ROOT,
                        "%d cells before and after a kernel series, each simulated without noise under baseline and candidate."
                                + " The sign is right in %d, the gain in band in %d. The aim (every sign right, 85 %% in band,"
                                + " better than both naive forecasts in four families) %s.\n\n",
                        report.cells().size(),
                        report.signRight(),
                        report.inBand(),
                        report.aimHolds() ? "holds" : "does not hold")
                .replace("\r", ""));
        List<CellResult> own =
                report.cells().stream().filter(CellResult::ofThePost).toList();
        page.append(String.format(
                Locale.ROOT,
                "Of these, %d are of the five posts themselves: sign right in %d, in band in %d. The others are of a table"
                        + " that one of the series has in its cover letter. All count.\n\n",
                own.size(),
                own.stream().filter(CellResult::signRight).count(),
                own.stream().filter(CellResult::inBand).count()));
        page.append(String.format(
                Locale.ROOT,
                "A band of 3 points is wide for small gains: the forecast that nothing changes has %d cells in band. For"
                        + " those the errors below say more.\n\n",
                report.cells().stream()
                        .filter(cell -> Math.abs(cell.postedGain()) <= cell.band())
                        .count()));
        page.append("- *Gain*: change of throughput, so better is positive whatever the unit.\n")
                .append(
                        "- *Sign right*: both gains have the same sign. Where the post's digits and the spread it states")
                .append(" leave open whether anything changed, a simulated gain that the post could mean is right too;")
                .append(" a simulated change below 0.05 % is none.\n")
                .append("- *In band*: within 3 percentage points or a quarter of the posted gain, whichever is more.\n")
                .append(
                        "- *Interval*: least and largest gain over seeds and over other values of unknown parameters, one")
                .append(" at a time and without new calibration.\n")
                .append("- *RMSE*: root-mean-square error of the gains, in percentage points. *Own mean* forecasts for")
                .append(
                        " every cell the mean of the family's posted gains: it knows the answers, and is what is counted.")
                .append(" *Mean of rest* knows all but the cell's own, *other posts* forecasts what the other families")
                .append(" gain.\n\n");
        row(
                page,
                "family",
                "cells",
                "sign right",
                "in band",
                "RMSE simulated",
                "no change",
                "own mean",
                "mean of rest",
                "other posts",
                "beats no change and own mean");
        rule(page, "l", 10);
        for (FamilyResult family : report.families()) {
            row(page, errorRow(family));
        }
        if (!plot.isEmpty()) {
            page.append("\n![Gains as posted and as simulated](").append(plot).append(")\n");
        }
        page.append("\n## What is missed\n\n");
        misses().forEach(miss -> page.append("- ").append(miss).append('\n'));
        page.append(
                "\n## Cells\n\nA star marks cells before that something was calibrated on; all others are forecasts.\n");
        report.families().forEach(family -> cells(page, family));
        page.append("\n## What the posts leave open or say twice\n");
        for (FamilyResult family : report.families()) {
            page.append("\n**")
                    .append(family.family())
                    .append("** (")
                    .append(family.source())
                    .append(")\n\n");
            family.notes()
                    .values()
                    .forEach(note -> page.append("- ").append(note).append('\n'));
        }
        parameters(page);
        page.append('\n').append(report.summary()).append('\n');
        return page.toString();
    }

    private static void cells(StringBuilder page, FamilyResult family) {
        page.append("\n### ").append(family.family()).append("\n\n");
        row(
                page,
                "cell",
                "unit",
                "before",
                "simulated",
                "error %",
                "after",
                "simulated",
                "error %",
                "gain %",
                "simulated",
                "interval",
                "sign",
                "in band");
        rule(page, "ll", 13);
        for (CellResult cell : family.cells()) {
            row(
                    page,
                    cell.key(),
                    cell.unit(),
                    number(cell.postedBefore()) + (cell.calibrated() ? "*" : ""),
                    number(cell.simulatedBefore()),
                    percent(cell.errorBefore()),
                    number(cell.postedAfter()),
                    number(cell.simulatedAfter()),
                    percent(cell.errorAfter()),
                    percent(cell.postedGain()),
                    percent(cell.gain()),
                    percent(cell.low()) + " to " + percent(cell.high()),
                    cell.signRight() ? "right" : "**wrong**",
                    cell.inBand() ? "yes" : "**no**");
        }
        page.append("\nOther values that the ends of intervals come from: ");
        page.append(family.cells().stream()
                .flatMap(cell -> List.of(cell.lowBy(), cell.highBy()).stream())
                .filter(by -> !by.startsWith("seed "))
                .distinct()
                .map(by -> "`" + by + "`")
                .collect(Collectors.joining(", ")));
        page.append(".\n");
    }

    private void parameters(StringBuilder page) {
        Map<NumberOrigin, Integer> counts = new EnumMap<>(NumberOrigin.class);
        List<Parameter> parameters = allParameters();
        parameters.forEach(parameter -> counts.merge(parameter.kind(), 1, Integer::sum));
        page.append("\n## Parameters\n\n");
        counts.forEach((kind, count) ->
                page.append(kind).append(": ").append(count).append(kind == NumberOrigin.FREE ? "" : ", "));
        page.append(". A variant of a scenario lists only what differs.\n");
        String where = "";
        for (Parameter parameter : parameters) {
            if (!parameter.where().equals(where)) {
                where = parameter.where();
                page.append("\n### Parameters: ").append(where).append("\n\n");
                row(page, "parameter", "value", "is", "from");
                rule(page, "llll", 4);
            }
            row(
                    page,
                    parameter.entry().key(),
                    parameter.entry().value(),
                    parameter.kind(),
                    parameter.entry().origin().replaceFirst("^(calibrated|source|estimate): ", ""));
        }
    }

    private List<Parameter> allParameters() {
        List<Parameter> parameters = new ArrayList<>();
        for (FamilyResult family : report.families()) {
            family.scenarios()
                    .forEach((scenario, entries) -> entries.stream()
                            .filter(ValidationPage::isNumber)
                            .forEach(entry -> parameters.add(new Parameter(scenario, entry))));
        }
        report.machines()
                .forEach(machine -> machine.entries()
                        .forEach(entry -> parameters.add(new Parameter("machine " + machine.machine(), entry))));
        report.parameters().entries().forEach(entry -> parameters.add(new Parameter("validation", entry)));
        return parameters;
    }

    private static boolean isNumber(DataFile.Entry entry) {
        return !NAMES.contains(entry.key()) && entry.value().matches("(?s).*\\d.*|inf");
    }

    private static void row(StringBuilder page, Object... cells) {
        for (Object cell : cells) {
            page.append("| ").append(cell.toString().replace("|", "\\|")).append(' ');
        }
        page.append("|\n");
    }

    /** The line under a table's head; the first columns stand left, the rest right. */
    private static void rule(StringBuilder page, String left, int columns) {
        for (int i = 0; i < columns; i++) {
            page.append(i < left.length() ? "| --- " : "| ---: ");
        }
        page.append("|\n");
    }

    private String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("caution", String.join(" ", HONESTY));
            json.writeStringField("summary", report.summary());
            json.writeBooleanField("aim_holds", report.aimHolds());
            json.writeStringField("parameters_sha256", report.digest());
            json.writeArrayFieldStart("families");
            for (FamilyResult family : report.families()) {
                json(json, family);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("parameters");
            for (Parameter parameter : allParameters()) {
                json.writeStartObject();
                json.writeStringField("where", parameter.where());
                json.writeStringField("parameter", parameter.entry().key());
                json.writeStringField("value", parameter.entry().value());
                json.writeStringField("is", parameter.kind().toString());
                json.writeStringField("from", parameter.entry().origin());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void json(JsonGenerator json, FamilyResult family) throws IOException {
        json.writeStartObject();
        json.writeStringField("family", family.family());
        json.writeStringField("source", family.source());
        json.writeNumberField("sign_right", family.signRight());
        json.writeNumberField("in_band", family.inBand());
        json.writeNumberField("rmse", family.error());
        json.writeNumberField("rmse_no_change", family.errorOfNoChange());
        json.writeNumberField("rmse_own_mean", family.errorOfMean());
        json.writeNumberField("rmse_mean_of_rest", family.errorOfMeanOfRest());
        json.writeNumberField("rmse_other_posts", family.errorOfMeanOfOthers());
        json.writeBooleanField("beats_naive", family.beatsNaive());
        json.writeStringField("why_not", family.naiveRemark());
        json.writeArrayFieldStart("notes");
        for (String note : family.notes().values()) {
            json.writeString(note);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("cells");
        for (CellResult cell : family.cells()) {
            json.writeStartObject();
            json.writeStringField("cell", cell.key());
            json.writeStringField("origin", cell.origin());
            json.writeStringField("scenario", cell.scenario());
            json.writeStringField("unit", cell.unit());
            json.writeBooleanField("less_is_better", cell.lessIsBetter());
            json.writeBooleanField("calibrated_before", cell.calibrated());
            json.writeNumberField("posted_before", cell.postedBefore());
            json.writeNumberField("simulated_before", cell.simulatedBefore());
            json.writeNumberField("error_before", cell.errorBefore());
            json.writeNumberField("posted_after", cell.postedAfter());
            json.writeNumberField("simulated_after", cell.simulatedAfter());
            json.writeNumberField("error_after", cell.errorAfter());
            json.writeNumberField("posted_gain", cell.postedGain());
            json.writeNumberField("posted_gain_low", cell.postedLow());
            json.writeNumberField("posted_gain_high", cell.postedHigh());
            json.writeNumberField("simulated_gain", cell.gain());
            json.writeNumberField("low", cell.low());
            json.writeStringField("low_by", cell.lowBy());
            json.writeNumberField("high", cell.high());
            json.writeStringField("high_by", cell.highBy());
            json.writeBooleanField("covered", cell.covered());
            json.writeBooleanField("sign_right", cell.signRight());
            json.writeBooleanField("in_band", cell.inBand());
            json.writeStringField("why_missed", judgement(cell).isEmpty() ? "" : family.remark(cell));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
