package io.farnode.producer.capture;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of a row that say when it was printed, be it the tool's own ({@code vmstat -t}) or what a wrapper
 * ({@code ts}, {@code awk}, a collector) puts in front or behind. Known by shape.
 */
final class TimeColumns {
    /** No instant is known, only local time. */
    static final long NONE = Long.MIN_VALUE;

    private static final long SECOND = 1_000_000_000L;
    private static final Pattern DATE = Pattern.compile("(\\d{4})[-/]?(\\d{2})[-/]?(\\d{2})");
    private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{2}):(\\d{2})(?:[.,](\\d{1,9}))?");
    private static final Pattern JOINED =
            Pattern.compile("(\\d{4}-\\d{2}-\\d{2})[T_](\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?)(.*)");
    private static final Pattern EPOCH = Pattern.compile("(\\d{9,10})(?:\\.(\\d{1,9})|(\\d{3}))?");
    private static final Pattern DAY = Pattern.compile("\\d{1,2}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(?:\\.\\d+)?");
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private LocalDate date;
    private MonthDay monthDay;
    private LocalTime time;
    private long instant = NONE;
    private long accuracy = SECOND;
    private int month;
    private boolean found;

    private TimeColumns() {}

    /**
     * Reads the fields around a row's values.
     *
     * @param fields the fields in front and behind, in order
     * @return what they say; null when they are no time, or hold a number that has no part in it
     * @throws DateTimeException if they have the shape of a time that does not exist
     */
    static TimeColumns read(List<String> fields) {
        TimeColumns columns = new TimeColumns();
        for (String field : fields) {
            if (!columns.take(field.replaceAll("^[\\[(]+|[\\]),;:|]+$", ""))) {
                return null;
            }
        }
        return columns.found && (columns.time != null || columns.instant != NONE) ? columns : null;
    }

    private boolean take(String field) {
        Matcher joined = JOINED.matcher(field);
        if (TIME.matcher(field).matches()) {
            time = parseTime(field);
            found = true;
        } else if (joined.matches()) {
            date = LocalDate.parse(joined.group(1));
            time = parseTime(joined.group(2));
            found = true;
            if (!joined.group(3).isEmpty()) {
                instant = nanos(LocalDateTime.of(date, time).toInstant(offset(joined.group(3))));
            }
        } else if (DATE.matcher(field).matches() && date == null) {
            Matcher parts = DATE.matcher(field);
            parts.matches();
            date = LocalDate.of(number(parts, 1), number(parts, 2), number(parts, 3));
            found = true;
        } else if (EPOCH.matcher(field).matches()) {
            Matcher parts = EPOCH.matcher(field);
            parts.matches();
            String fraction = parts.group(2) != null ? parts.group(2) : parts.group(3) != null ? parts.group(3) : "";
            instant =
                    Long.parseLong(parts.group(1)) * SECOND + Long.parseLong((fraction + "000000000").substring(0, 9));
            accuracy = (long) Math.pow(10, 9 - fraction.length());
            found = true;
        } else if (month > 0 && monthDay == null && DAY.matcher(field).matches()) {
            monthDay = MonthDay.of(month, Integer.parseInt(field));
        } else if (monthDay != null && time != null && date == null && field.matches("(19|20)\\d{2}")) {
            date = monthDay.atYear(Integer.parseInt(field));
        } else if (time != null && (field.equalsIgnoreCase("AM") || field.equalsIgnoreCase("PM"))) {
            time = twelveHours(time, field);
        } else if (NUMBER.matcher(field).matches()) {
            return false;
        } else {
            month = monthOf(field) > 0 ? monthOf(field) : month;
        }
        return true;
    }

    /** {@return whether a field of a header is a time or a date, put there by a wrapper that marks every line} */
    static boolean isTime(String field) {
        return TIME.matcher(field).matches()
                || DATE.matcher(field).matches()
                || JOINED.matcher(field).matches();
    }

    /** {@return number of a month by the first letters of its English name, or 0} */
    static int monthOf(String name) {
        return name.length() == 3 ? MONTHS.indexOf(name.toLowerCase(Locale.ROOT)) + 1 : 0;
    }

    /** {@return a time on a 12-hour clock} */
    static LocalTime twelveHours(LocalTime time, String half) {
        return time.withHour(time.getHour() % 12 + (half.equalsIgnoreCase("PM") ? 12 : 0));
    }

    /**
     * {@return a time of day}
     *
     * @throws DateTimeException if there is none in the text
     */
    static LocalTime parseTime(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            throw new DateTimeException("\"" + text + "\"");
        }
        String fraction = parts.group(4) == null ? "" : parts.group(4);
        return LocalTime.of(
                number(parts, 1),
                number(parts, 2),
                number(parts, 3),
                Integer.parseInt((fraction + "000000000").substring(0, 9)));
    }

    /**
     * {@return ns since 1970}
     *
     * @throws DateTimeException if they do not fit
     */
    static long nanos(Instant instant) {
        try {
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND), instant.getNano());
        } catch (ArithmeticException e) {
            throw new DateTimeException(instant + " is outside the years 1678 to 2262", e);
        }
    }

    private static ZoneOffset offset(String text) {
        return ZoneOffset.of(text.matches("[+-]\\d{4}") ? text.substring(0, 3) + ":" + text.substring(3) : text);
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group));
    }

    /** {@return ns since 1970, or {@link #NONE} when only local time stands there} */
    long instant() {
        return instant;
    }

    /** {@return how far {@link #instant()} may be off, in ns} */
    long accuracy() {
        return accuracy;
    }

    /** {@return the date, or null} */
    LocalDate date() {
        return date;
    }

    /** {@return month and day where the year is missing, or null} */
    MonthDay monthDay() {
        return monthDay;
    }

    /** {@return the time of day, or null when {@link #instant()} is known} */
    LocalTime time() {
        return time;
    }
}
