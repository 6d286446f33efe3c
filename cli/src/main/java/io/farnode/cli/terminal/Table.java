package io.farnode.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Rows under named columns, written as a table for people, as CSV (RFC 4180) or as a JSON array of objects. Cells are
 * text, numbers, truth values or null; numbers stand right and, for people only, are rounded to four significant places.
 */
public final class Table {
    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    /** How a table is written. */
    public enum Format {
        /** For people. */
        TABLE,
        /** Comma-separated values with a header line. */
        CSV,
        /** A JSON array of objects. */
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A table without rows.
     *
     * @param columns the columns' names
     */
    public Table(String... columns) {
        this.columns = List.of(columns);
    }

    /**
     * Adds a row.
     *
     * @param cells as many as there are columns
     * @return this
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(Arrays.asList(cells.clone()));
        return this;
    }

    /** {@return how many rows there are} */
    public int size() {
        return rows.size();
    }

    /**
     * Writes the table.
     *
     * @param out where to
     * @param format how
     */
    public void print(PrintWriter out, Format format) {
        switch (format) {
            case TABLE -> lines().forEach(out::println);
            case CSV -> csv(out);
            case JSON -> json(out);
        }
        out.flush();
    }

    /** {@return the lines of the table for people, header first, without trailing blanks} */
    public List<String> lines() {
        List<List<String>> cells = new ArrayList<>();
        cells.add(columns);
        rows.forEach(row -> cells.add(row.stream().map(Table::forPeople).toList()));
        int[] widths = new int[columns.size()];
        boolean[] right = new boolean[columns.size()];
        for (int c = 0; c < widths.length; c++) {
            int column = c;
            widths[c] =
                    cells.stream().mapToInt(r -> r.get(column).length()).max().orElse(0);
            right[c] = rows.stream().anyMatch(r -> r.get(column) instanceof Number);
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                String pad = " ".repeat(widths[c] - row.get(c).length());
                line.append(c == 0 ? "" : "  ").append(right[c] ? pad + row.get(c) : row.get(c) + pad);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private void csv(PrintWriter out) {
        out.print(String.join(",", columns.stream().map(Table::quoted).toList()) + "\r\n");
        for (List<Object> row : rows) {
            out.print(String.join(
                            ",",
                            row.stream()
                                    .map(c -> c == null ? "" : quoted(exact(c)))
                                    .toList())
                    + "\r\n");
        }
    }

    private void json(PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartArray();
            for (List<Object> row : rows) {
                json.writeStartObject();
                for (int c = 0; c < columns.size(); c++) {
                    Object cell = row.get(c);
                    json.writeFieldName(columns.get(c));
                    if (cell == null) {
                        json.writeNull();
                    } else if (cell instanceof Number) {
                        json.writeNumber(exact(cell));
                    } else if (cell instanceof Boolean b) {
                        json.writeBoolean(b);
                    } else {
                        json.writeString(cell.toString());
                    }
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(text);
    }

    private static String quoted(String cell) {
        return cell.matches("(?s).*[\",\\r\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    private static String exact(Object cell) {
        if (cell instanceof Double d) {
            return new BigDecimal(d.toString()).toPlainString();
        }
        return cell instanceof BigDecimal decimal ? decimal.toPlainString() : cell.toString();
    }

    private static String forPeople(Object cell) {
        if (cell == null) {
            return "-";
        }
        return cell instanceof Double d ? rounded(d) : exact(cell);
    }

    /**
     * {@return a number as people read it: four significant places, more only where they stand before the point}
     *
     * @param value a finite number
     */
    public static String rounded(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal rounded = Math.abs(value) >= 1000
                ? exact.setScale(0, java.math.RoundingMode.HALF_EVEN)
                : exact.round(new MathContext(4));
        return Math.abs(value) < 1e-4 ? String.format(Locale.ROOT, "%.3e", value) : rounded.toPlainString();
    }
}
