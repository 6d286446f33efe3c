package io.farnode.cli.command;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parameter of a scenario and the values it is to take, written {@code name=a..b:step} (both ends belong to it, if the
 * last step hits the second), {@code name=a..b:xFACTOR}, or {@code name=x,y,z}.
 *
 * @param name the parameter
 * @param values its values, as they would stand in the scenario's text
 */
record ParameterRange(String name, List<String> values) {
    /** Most values of a range. */
    static final int MAX_VALUES = 1000;

    private static final Pattern QUANTITY = Pattern.compile("(-?\\d+(?:\\.\\d+)?)([a-zA-Z%]*)");
    private static final String HOW =
            "write name=a..b:step such as device-time=80us..120us:10us, name=a..b:x2, or name=x,y,z";

    /**
     * Reads a range.
     *
     * @param text what the user wrote
     * @return the range
     * @throws IllegalArgumentException if it is none; the message says why
     */
    static ParameterRange parse(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? "" : text.substring(0, equals).strip();
        String range = text.substring(equals + 1).strip();
        if (name.isEmpty() || range.isEmpty()) {
            throw wrong(text, HOW);
        }
        int dots = range.indexOf("..");
        if (dots < 0) {
            List<String> values = new ArrayList<>();
            for (String value : range.split(",", -1)) {
                if (value.isBlank()) {
                    throw wrong(text, "a value is empty; " + HOW);
                }
                values.add(value.strip());
            }
            return new ParameterRange(name, List.copyOf(values));
        }
        int colon = range.lastIndexOf(':');
        if (colon < dots) {
            throw wrong(text, "there is no step; " + HOW);
        }
        String by = range.substring(colon + 1).strip();
        boolean factor = by.startsWith("x");
        Quantity from = Quantity.parse(text, range.substring(0, dots));
        Quantity to = Quantity.parse(text, range.substring(dots + 2, colon));
        Quantity step = Quantity.parse(text, factor ? by.substring(1) : by);
        String unit = "";
        for (String other : List.of(from.unit, to.unit, step.unit)) {
            if (!unit.isEmpty() && !other.isEmpty() && !other.equals(unit)) {
                throw wrong(text, unit + " and " + other + " in one range; write one unit");
            }
            unit = other.isEmpty() ? unit : other;
        }
        if (from.value.compareTo(to.value) > 0) {
            throw wrong(
                    text,
                    from.value.toPlainString() + " is above " + to.value.toPlainString()
                            + "; write the smaller end first");
        }
        if (step.value.signum() <= 0) {
            throw wrong(text, "step " + step.value.toPlainString() + " must be above 0");
        }
        if (factor && (step.value.compareTo(BigDecimal.ONE) <= 0 || from.value.signum() <= 0)) {
            throw wrong(text, "a factor must be above 1 and the first value above 0");
        }
        List<String> values = new ArrayList<>();
        for (BigDecimal value = from.value;
                value.compareTo(to.value) <= 0;
                value = factor ? value.multiply(step.value) : value.add(step.value)) {
            if (values.size() == MAX_VALUES) {
                throw wrong(text, "more than " + MAX_VALUES + " values; take a wider step");
            }
            BigDecimal plain = value.stripTrailingZeros();
            values.add((plain.scale() < 0 ? plain.setScale(0) : plain).toPlainString() + unit);
        }
        return new ParameterRange(name, List.copyOf(values));
    }

    /** {@return where each value stands on a number line; its place in the row if one is no number or units differ} */
    double[] places() {
        double[] places = new double[values.size()];
        String unit = null;
        boolean rising = true;
        for (int i = 0; i < places.length && rising; i++) {
            Matcher number = QUANTITY.matcher(values.get(i));
            rising = number.matches() && (unit == null || unit.equals(number.group(2)));
            if (rising) {
                unit = number.group(2);
                places[i] = Double.parseDouble(number.group(1));
                rising = i == 0 || places[i] > places[i - 1];
            }
        }
        for (int i = 0; i < places.length && !rising; i++) {
            places[i] = i;
        }
        return places;
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("--param \"" + text + "\": " + why);
    }

    private record Quantity(BigDecimal value, String unit) {
        static Quantity parse(String whole, String text) {
            Matcher quantity = QUANTITY.matcher(text.strip());
            if (!quantity.matches() || quantity.group(1).length() > 18) {
                throw wrong(whole, "\"" + text.strip() + "\" is no number; " + HOW);
            }
            return new Quantity(new BigDecimal(quantity.group(1)), quantity.group(2));
        }
    }
}
