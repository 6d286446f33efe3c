package io.farnode.producer.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Text of lines {@code key = value # where the value comes from}. Machines and scenarios are written so, because a user
 * can copy and edit them, and because each number must say where it comes from. Empty lines and lines that begin with
 * {@code #} are for the reader. A key stands once.
 */
public final class DataFile {
    private final String name;
    private final Map<String, Entry> entries;

    /**
     * One line.
     *
     * @param key the key
     * @param value the value, without blanks around it
     * @param origin what stands behind the {@code #}; empty if nothing does
     * @param line number of the line, from 1; 0 if set by the program
     */
    public record Entry(String key, String value, String origin, int line) {}

    private DataFile(String name, Map<String, Entry> entries) {
        this.name = name;
        this.entries = entries;
    }

    /**
     * Reads text.
     *
     * @param name what the messages call it: a file's name
     * @param text the text; read to its end, not closed
     * @return what it says
     * @throws IOException if it cannot be read
     * @throws DataException if a line is no {@code key = value} or a key stands twice
     */
    public static DataFile read(String name, Reader text) throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        BufferedReader lines = new BufferedReader(text);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            int hash = line.indexOf('#');
            String statement = hash < 0 ? line : line.substring(0, hash);
            int equals = statement.indexOf('=');
            String key = equals < 0 ? "" : statement.substring(0, equals).strip();
            if (key.isEmpty()) {
                throw new DataException(name + ":" + number + ": \"" + line.strip()
                        + "\" is no setting; write key = value # where the value comes from");
            }
            Entry entry = new Entry(
                    key,
                    statement.substring(equals + 1).strip(),
                    hash < 0 ? "" : line.substring(hash + 1).strip(),
                    number);
            Entry before = entries.putIfAbsent(key, entry);
            if (before != null) {
                throw new DataException(name + ":" + number + ": " + key + " stands in line " + before.line
                        + " already; keep one of the two");
            }
        }
        return new DataFile(name, entries);
    }

    /**
     * Reads a file that is bundled with the program.
     *
     * @param owner the class beside which it lies
     * @param file its name
     * @return what it says
     */
    public static DataFile bundled(Class<?> owner, String file) {
        try {
            return read(file, new StringReader(bundledText(owner, file)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the bundled file " + file, e);
        }
    }

    /**
     * The text of a file that is bundled with the program, remarks included.
     *
     * @param owner the class beside which it lies
     * @param file its name
     * @return the text as it is
     */
    public static String bundledText(Class<?> owner, String file) {
        try (InputStream bytes = owner.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException("no bundled file " + file + " beside " + owner.getName());
            }
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the bundled file " + file, e);
        }
    }

    /** {@return what the messages call it} */
    public String name() {
        return name;
    }

    /** {@return the keys in the order of the lines} */
    public Set<String> keys() {
        return entries.keySet();
    }

    /** {@return all lines in order} */
    public List<Entry> entries() {
        return new ArrayList<>(entries.values());
    }

    /**
     * The same text with some values replaced or added, as if they stood in it.
     *
     * @param over the other values; they win
     * @return both
     */
    public DataFile overlaid(DataFile over) {
        Map<String, Entry> both = new LinkedHashMap<>(entries);
        both.putAll(over.entries);
        return new DataFile(over.name, both);
    }

    /**
     * The same text with one value replaced.
     *
     * @param key the key
     * @param value its value
     * @return the new text
     */
    public DataFile with(String key, String value) {
        Map<String, Entry> changed = new LinkedHashMap<>(entries);
        changed.put(key, new Entry(key, value.strip(), "set by the user", 0));
        return new DataFile(name, changed);
    }

    /**
     * The same text with some of its lines only.
     *
     * @param kept which keys are kept
     * @return the new text
     */
    public DataFile only(Predicate<String> kept) {
        Map<String, Entry> some = new LinkedHashMap<>(entries);
        some.keySet().removeIf(kept.negate());
        return new DataFile(name, some);
    }

    /**
     * Whether a key stands in it.
     *
     * @param key the key
     * @return whether it does
     */
    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /**
     * A value as text.
     *
     * @param key the key
     * @return its value
     * @throws DataException if the key is missing
     */
    public String text(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            throw new DataException(name + ": " + key + " is missing; add a line " + key + " = ...");
        }
        return entry.value;
    }

    /**
     * Where a value comes from.
     *
     * @param key the key
     * @return what stands behind its {@code #}; empty if nothing does
     * @throws DataException if the key is missing
     */
    public String origin(String key) {
        text(key);
        return entries.get(key).origin;
    }

    /**
     * A whole number.
     *
     * @param key the key
     * @param min the least it may be
     * @param max the most it may be
     * @return its value
     * @throws DataException if it is missing, no whole number, or out of range
     */
    public long whole(String key, long min, long max) {
        String value = text(key);
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        throw wrong(key, "a whole number from " + min + " to " + max);
    }

    /**
     * A number.
     *
     * @param key the key
     * @param min the least it may be
     * @param max the most it may be
     * @return its value
     * @throws DataException if it is missing, no number, or out of range
     */
    public double number(String key, double min, double max) {
        return number(key, text(key), min, max);
    }

    private double number(String key, String value, double min, double max) {
        try {
            double number = Double.parseDouble(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        throw wrong(key, "a number from " + min + " to " + max);
    }

    /**
     * A switch.
     *
     * @param key the key
     * @return true for {@code on}, false for {@code off}
     * @throws DataException if it is missing or neither
     */
    public boolean flag(String key) {
        return switch (text(key)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw wrong(key, "on or off");
        };
    }

    /**
     * A span of time: a whole or decimal number and {@code ns}, {@code us}, {@code ms}, {@code s}, {@code m} or
     * {@code h}.
     *
     * @param key the key
     * @param min the least it may be, ns
     * @param max the most it may be, ns
     * @return the span in ns
     * @throws DataException if it is missing, no span, or out of range
     */
    public long span(String key, long min, long max) {
        String value = text(key);
        int digits = 0;
        while (digits < value.length() && (Character.isDigit(value.charAt(digits)) || value.charAt(digits) == '.')) {
            digits++;
        }
        long unit = switch (value.substring(digits).strip()) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 0L;
        };
        try {
            long nanos = new BigDecimal(value.substring(0, digits))
                    .multiply(BigDecimal.valueOf(unit))
                    .longValue();
            if (unit > 0 && nanos >= min && nanos <= max) {
                return nanos;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        throw wrong(key, "a span from " + spanText(min) + " to " + spanText(max) + ", such as 90us or 60s");
    }

    private static String spanText(long nanos) {
        if (nanos >= 1_000_000_000L && nanos % 1_000_000_000L == 0) {
            return nanos / 1_000_000_000L + "s";
        }
        return nanos % 1_000_000L == 0 ? nanos / 1_000_000L + "ms" : nanos + "ns";
    }

    /**
     * Numbers with blanks between.
     *
     * @param key the key
     * @param count how many there must be
     * @param min the least each may be
     * @param max the most each may be
     * @return the numbers
     * @throws DataException if they are missing, too few or many, no numbers, or out of range
     */
    public double[] numbers(String key, int count, double min, double max) {
        String[] words = text(key).split("\\s+");
        if (words.length != count) {
            throw wrong(key, count + " numbers with blanks between");
        }
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = number(key, words[i], min, max);
        }
        return numbers;
    }

    /**
     * The message that a value is wrong.
     *
     * @param key its key
     * @param expected what it must be
     * @return the exception, to be thrown
     */
    public DataException wrong(String key, String expected) {
        Entry entry = entries.get(key);
        String where = entry.line > 0 ? name + ":" + entry.line : name;
        return new DataException(where + ": " + key + " = " + entry.value + ": must be " + expected);
    }
}
