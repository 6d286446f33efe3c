package io.farnode.producer.capture;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the user says about one capture: where it is, which format it has, and what the capture itself does not say about
 * its times and units. A capture's own clock always wins over {@code start}; to move a capture in time use
 * {@code offset}. Immutable.
 */
public final class CaptureOptions {
    /** Path that stands for standard input. */
    public static final String STANDARD_INPUT = "-";

    private static final Map<String, String> KEYS = keyTable();
    private static final Pattern DURATION = Pattern.compile("([+-]?)(\\d+(?:\\.\\d+)?)\\s*(ns|us|ms|s|m|min|h|d)?");
    private static final Pattern EPOCH = Pattern.compile("@(-?\\d{1,11}(?:\\.\\d{1,9})?)");
    /** Latest start, ns since 1970: 200 years, so that no time computed from it leaves 63 bits. */
    private static final BigDecimal LATEST = new BigDecimal("6307200000000000000");

    /** Longest interval and offset, in ns: ten years. */
    private static final long LONGEST = 3650L * 86_400_000_000_000L;

    private static final Pattern INLINE = Pattern.compile("(.*?),([a-z]+)=(.*)", Pattern.DOTALL);
    private static final Map<String, Character> SEPARATORS =
            Map.of("comma", ',', "semicolon", ';', "tab", '\t', "pipe", '|', "\\t", '\t');
    private static final Map<String, String> MEMORY_UNITS = memoryUnits();

    private final String path;
    private final CaptureFormat format;
    private final Map<String, String> given;
    private final ZoneId systemZone;
    private final ZoneId zone;
    private final Instant start;
    private final long intervalNanos;
    private final LocalDate date;
    private final long offsetNanos;
    private final char separator;
    private final String unit;
    private final Boolean firstSinceBoot;

    private CaptureOptions(String path, CaptureFormat format, Map<String, String> given, ZoneId systemZone) {
        this.path = path;
        this.format = format;
        this.given = Collections.unmodifiableMap(new TreeMap<>(given));
        this.systemZone = systemZone;
        for (String key : given.keySet()) {
            if (!KEYS.containsKey(key)) {
                throw refusal("option \"" + key + "\" is unknown; there are " + String.join(", ", KEYS.keySet()));
            }
        }
        zone = given.containsKey("zone") ? zone(given.get("zone")) : null;
        start = given.containsKey("start") ? start(given.get("start")) : null;
        intervalNanos = given.containsKey("interval") ? duration("interval", given.get("interval")) : 0;
        if (given.containsKey("interval") && intervalNanos <= 0) {
            throw refusal("interval \"" + given.get("interval") + "\" is not above zero");
        }
        date = given.containsKey("date") ? date(given.get("date")) : null;
        offsetNanos = given.containsKey("offset") ? duration("offset", given.get("offset")) : 0;
        separator = given.containsKey("separator") ? separator(given.get("separator")) : 0;
        unit = given.containsKey("unit") ? unit(given.get("unit")) : "";
        firstSinceBoot = given.containsKey("first") ? first(given.get("first")) : null;
    }

    /**
     * Reads what stands on the command line for one capture: {@code PATH}, {@code FORMAT:PATH}, either followed by
     * {@code ,KEY=VALUE} for this file alone. "-" is standard input.
     *
     * @param target the text
     * @return the options
     * @throws CaptureException if an option cannot be understood
     */
    public static CaptureOptions parse(String target) {
        return parse(target, Map.of());
    }

    /**
     * Reads what stands on the command line for one capture, with options that hold for several; those written behind
     * the path win.
     *
     * @param target the text as in {@link #parse(String)}
     * @param common options by key
     * @return the options
     * @throws CaptureException if an option cannot be understood
     */
    public static CaptureOptions parse(String target, Map<String, String> common) {
        Map<String, String> options = new TreeMap<>(common);
        String rest = target;
        String key = null;
        String value = target;
        Matcher inline = INLINE.matcher(value);
        while (inline.matches() && KEYS.containsKey(inline.group(2))) {
            if (key == null) {
                rest = inline.group(1);
            } else {
                options.put(key, inline.group(1));
            }
            key = inline.group(2);
            value = inline.group(3);
            inline = INLINE.matcher(value);
        }
        if (key != null) {
            options.put(key, value);
        }
        int colon = rest.indexOf(':');
        Optional<CaptureFormat> named =
                colon > 0 ? CaptureFormat.byName(rest.substring(0, colon)) : Optional.<CaptureFormat>empty();
        return new CaptureOptions(
                named.isPresent() ? rest.substring(colon + 1) : rest, named.orElse(null), options, null);
    }

    /**
     * {@return the same with more options; a key given again replaces the earlier value}
     *
     * @param more options by key, see {@link #keys()}
     * @throws CaptureException if an option cannot be understood
     */
    public CaptureOptions with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(given);
        all.putAll(more);
        return new CaptureOptions(path, format, all, systemZone);
    }

    /**
     * {@return the same with a zone to fall back on where local time stands without one and no {@code zone} is given}
     *
     * @param fallback the zone, as a rule that of the machine farnode runs on
     */
    public CaptureOptions withSystemZone(ZoneId fallback) {
        return new CaptureOptions(path, format, given, fallback);
    }

    /**
     * {@return the key of what looks like an option behind a path and is none; nothing if there is no such thing}
     *
     * @param path a path that is no file
     */
    public static Optional<String> unknownOption(String path) {
        Matcher inline = INLINE.matcher(path);
        return inline.matches() ? Optional.of(inline.group(2)) : Optional.empty();
    }

    /** {@return every option with one line of help, by key} */
    public static Map<String, String> keys() {
        return Collections.unmodifiableMap(KEYS);
    }

    /** {@return the path as the user gave it; "-" = standard input} */
    public String path() {
        return path;
    }

    /** {@return the format the user named, or nothing: found by content} */
    public Optional<CaptureFormat> format() {
        return Optional.ofNullable(format);
    }

    /** {@return the options as the user gave them, by key} */
    public Map<String, String> given() {
        return given;
    }

    /** {@return start of the capture, for one without a clock} */
    public Optional<Instant> start() {
        return Optional.ofNullable(start);
    }

    /** {@return length of an interval in ns; 0 = not given} */
    public long intervalNanos() {
        return intervalNanos;
    }

    /** {@return zone of local times, if the user gave one} */
    public Optional<ZoneId> zone() {
        return Optional.ofNullable(zone);
    }

    /** {@return zone to fall back on, if there is one} */
    public Optional<ZoneId> systemZone() {
        return Optional.ofNullable(systemZone);
    }

    /** {@return date of the first reading, for a capture with times of day only} */
    public Optional<LocalDate> date() {
        return Optional.ofNullable(date);
    }

    /** {@return what is added to all times of the capture, in ns} */
    public long offsetNanos() {
        return offsetNanos;
    }

    /** {@return field separator of CSV; 0 = found by content} */
    public char separator() {
        return separator;
    }

    /** {@return unit of vmstat's memory columns as {@code vmstat -S} scales them: B, kB, KiB, MB, MiB; empty = not given} */
    public String unit() {
        return unit;
    }

    /** {@return whether vmstat's first row is the average since boot, if the user said so} */
    public Optional<Boolean> firstSinceBoot() {
        return Optional.ofNullable(firstSinceBoot);
    }

    /**
     * {@return a refusal that names this capture}
     *
     * @param problem what is wrong and what to do
     */
    CaptureException refusal(String problem) {
        return refusal(0, problem);
    }

    CaptureException refusal(long line, String problem) {
        return new CaptureException(path, line, problem);
    }

    @Override
    public String toString() {
        return (format == null ? "" : format.formatName() + ":") + path + (given.isEmpty() ? "" : " " + given);
    }

    private ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw refusal("zone \"" + text + "\" is unknown; write a name such as Europe/Berlin or UTC, or +01:00");
        }
    }

    private Instant start(String text) {
        Matcher epoch = EPOCH.matcher(text);
        if (epoch.matches()) {
            BigDecimal nanos = new BigDecimal(epoch.group(1)).movePointRight(9);
            return inRange(
                    text,
                    Instant.ofEpochSecond(0, nanos.longValue()),
                    nanos.abs().compareTo(LATEST) <= 0);
        }
        String iso = text.replace(' ', 'T');
        try {
            Instant instant = OffsetDateTime.parse(iso).toInstant();
            return inRange(text, instant, fits(instant));
        } catch (DateTimeParseException e) {
            // perhaps without an offset
        }
        LocalDateTime local;
        try {
            local = LocalDateTime.parse(iso);
        } catch (DateTimeParseException e) {
            throw refusal("start \"" + text + "\" is no time; write 2026-03-02T09:00:00Z or @SECONDS since 1970");
        }
        if (zone == null) {
            throw refusal("start \"" + text + "\" has no zone; write " + iso + "Z, or pass --zone");
        }
        Instant instant = local.atZone(zone).toInstant();
        return inRange(text, instant, fits(instant));
    }

    private static boolean fits(Instant instant) {
        return Math.abs(instant.getEpochSecond()) <= LATEST.longValue() / 1_000_000_000L;
    }

    private Instant inRange(String text, Instant instant, boolean fits) {
        if (!fits) {
            throw refusal("start \"" + text + "\" is outside the years 1770 to 2169");
        }
        return instant;
    }

    private LocalDate date(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw refusal("date \"" + text + "\" is no date; write 2026-03-02");
        }
    }

    private long duration(String key, String text) {
        Matcher duration = DURATION.matcher(text);
        if (duration.matches()) {
            String sign = duration.group(1);
            String suffix = duration.group(3) == null ? "s" : duration.group(3);
            long nanos = switch (suffix) {
                case "ns" -> 1L;
                case "us" -> 1_000L;
                case "ms" -> 1_000_000L;
                case "s" -> 1_000_000_000L;
                case "m", "min" -> 60_000_000_000L;
                case "h" -> 3_600_000_000_000L;
                default -> 86_400_000_000_000L;
            };
            try {
                long value = new BigDecimal(duration.group(2))
                        .multiply(BigDecimal.valueOf(nanos))
                        .toBigInteger()
                        .longValueExact();
                if (value > LONGEST) {
                    throw refusal(key + " \"" + text + "\" is longer than ten years");
                }
                return sign.equals("-") ? -value : value;
            } catch (ArithmeticException e) {
                // told below
            }
        }
        throw refusal(key + " \"" + text + "\" is no length of time; write 1s, 500ms or 2m");
    }

    private char separator(String text) {
        if (text.length() == 1 && text.charAt(0) < 128) {
            return text.charAt(0);
        }
        Character named = SEPARATORS.get(text);
        if (named == null) {
            throw refusal("separator \"" + text + "\": write one character, or comma, semicolon, tab or pipe");
        }
        return named;
    }

    private String unit(String text) {
        String known = MEMORY_UNITS.get(text);
        if (known == null) {
            throw refusal("unit \"" + text + "\": write what vmstat -S was given (k, K, m, M) or B, kB, KiB, MB, MiB");
        }
        return known;
    }

    /**
     * {@return the unit that {@code vmstat -S} means by a letter, or null}
     *
     * @param letter what vmstat was given
     */
    static String memoryUnit(String letter) {
        return MEMORY_UNITS.get(letter);
    }

    private Boolean first(String text) {
        return switch (text) {
            case "since-boot" -> true;
            case "interval" -> false;
            default -> throw refusal("first \"" + text + "\": write since-boot, or interval for vmstat -y");
        };
    }

    private static Map<String, String> keyTable() {
        Map<String, String> keys = new TreeMap<>();
        keys.put("start", "time the capture began, where it has no clock: 2026-03-02T09:00:00Z or @SECONDS");
        keys.put("interval", "length of an interval, where it is not in the capture: 1s, 500ms");
        keys.put("zone", "zone of local times: Europe/Berlin, UTC, +01:00");
        keys.put("date", "date of the first reading, where only the time of day is printed: 2026-03-02");
        keys.put("offset", "added to all times, to align captures: 250ms, -3s");
        keys.put("separator", "field separator of CSV: one character, or comma, semicolon, tab, pipe");
        keys.put("unit", "unit of vmstat's memory columns: k, K, m, M as given to vmstat -S");
        keys.put("first", "vmstat's first row: since-boot, or interval for vmstat -y");
        return keys;
    }

    private static Map<String, String> memoryUnits() {
        Map<String, String> units = new TreeMap<>();
        units.put("b", "B");
        units.put("k", "kB");
        units.put("K", "KiB");
        units.put("m", "MB");
        units.put("M", "MiB");
        for (String unit : List.copyOf(units.values())) {
            units.put(unit, unit);
        }
        return units;
    }

    /** {@return the zone that a printed abbreviation fixes by itself (UTC, +03), or null} */
    static ZoneId fixedZone(String abbreviation) {
        switch (abbreviation) {
            case "UTC", "GMT", "Z", "UCT":
                return ZoneOffset.UTC;
            default:
                if (abbreviation.startsWith("+") || abbreviation.startsWith("-")) {
                    try {
                        return ZoneOffset.of(abbreviation);
                    } catch (DateTimeException e) {
                        return null;
                    }
                }
                return null;
        }
    }
}
