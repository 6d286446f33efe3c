package io.farnode.producer.capture;

import io.farnode.contract.SampleBuilder;
import io.farnode.contract.Scope;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * One line of {@code perf stat -x}, taken apart (tools/perf/util/stat-display.c):
 * {@code [time] [id] [count] value unit event [cgroup] [variance%] runtime percent [metric] [metric-unit]}.
 *
 * <p>Which fields a line has differs with perf's version and options, and event names may hold the separator unquoted.
 * So leading fields are told by shape and the others found from the end. Works on bytes and makes no object per line;
 * everything it finds stands in its fields until the next line.
 */
final class PerfCsvRow {
    /** What a line is. */
    enum Kind {
        /** A count, or the statement that there is none. */
        COUNT,
        /** A figure of the tool without a counter, belonging to the row above. */
        METRIC,
        /** Nothing but the name of a group of metrics. */
        METRIC_GROUP,
        /** The names above {@code --metric-only} rows. */
        NAMES,
        /** Begins like a row (with a time) and cannot be read. */
        BROKEN,
        /** No row. */
        OTHER
    }

    /** What stands in the time field. */
    enum Time {
        /** There is none. */
        NONE,
        /** Seconds since the start. */
        OFFSET,
        /** The word "summary". */
        SUMMARY
    }

    private static final int MAX_FIELDS = 512;
    private static final long MOST_TENTHS = Long.MAX_VALUE / 10;
    private static final int CPU = 1;
    private static final int GROUP = 2;

    /** Far above what Linux can have: CONFIG_NR_CPUS ends at 8192, MAX_NUMNODES at 1024. */
    private static final int HIGHEST_CPU = 65_535;

    private static final Pattern CPU_ID = Pattern.compile("CPU\\d+");
    private static final Pattern GROUP_ID = Pattern.compile("[SN]\\d+(-[A-Z]+\\d+)*");
    /** What looks like a CPU or a group of CPUs with a number below zero; the kernel says -1 for "not known". */
    private static final Pattern NO_NUMBER =
            Pattern.compile("CPU-\\d+|[SN]-1(?:-[A-Z]+-?\\d+)*|[SN]\\d+(?:-[A-Z]+-?\\d+)*-[A-Z]+-\\d+");

    private static final byte[] SUMMARY = "summary".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOT_COUNTED = "<not counted>".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOT_SUPPORTED = "<not supported>".getBytes(StandardCharsets.US_ASCII);

    private final byte separator;
    private final int[] from = new int[MAX_FIELDS];
    private final int[] to = new int[MAX_FIELDS];
    private byte[] bytes;
    private int fields;
    private boolean metricTable;

    // what was found
    private Time time;
    private long timeNanos;
    private int idFrom;
    private int idTo;
    private int counters;
    private byte state;
    private long value;
    private int scale;
    private int unitFrom;
    private int unitTo;
    private int eventFrom;
    private int eventTo;
    private int cgroupFrom;
    private int cgroupTo;
    private boolean runtimeKnown;
    private int running;
    private boolean varianceKnown;
    private long variance;
    private int varianceScale;
    private boolean metricKnown;
    private boolean metricIsNumber;
    private long metric;
    private int metricScale;
    private int metricUnitFrom;
    private int metricUnitTo;
    private boolean repaired;
    private int firstMetricField;
    private String problem;

    // the number that number() read last
    private long parsed;
    private int parsedScale;
    private boolean tooLarge;

    PerfCsvRow(byte separator) {
        this.separator = separator;
    }

    /**
     * Takes a line apart.
     *
     * @param line holds the line
     * @param lineFrom first byte
     * @param lineTo after the last byte
     * @return what it is
     */
    Kind parse(byte[] line, int lineFrom, int lineTo) {
        bytes = line;
        counters = SampleBuilder.UNKNOWN;
        running = SampleBuilder.UNKNOWN;
        runtimeKnown = false;
        varianceKnown = false;
        metricKnown = false;
        repaired = false;
        tooLarge = false;
        problem = "";
        time = Time.NONE;
        idFrom = 0;
        idTo = 0;
        if (!split(lineFrom, lineTo)) {
            time = isOffset(0) ? Time.OFFSET : Time.NONE;
            return broken("more than " + MAX_FIELDS + " fields");
        }
        trim(0);
        int at = 0;
        if (isOffset(0)) {
            time = Time.OFFSET;
            at = 1;
        } else if (is(0, SUMMARY)) {
            time = Time.SUMMARY;
            at = 1;
        } else if (fields < 2) {
            return Kind.OTHER;
        } else if (isWord(0, "time") && !isNumber(1)) {
            return names(1);
        }
        if (at == 1 && fields == 1) {
            problem = "nothing after the time";
            return Kind.BROKEN;
        }
        if (time == Time.NONE && isBadTime()) {
            problem = "\"" + shown(0) + "\" is no time of perf stat -I (seconds, nine decimals)";
            return Kind.BROKEN;
        }
        // up to perf 6.1 a metric-only row has one separator too many before the id
        if (at < fields - 1 && time != Time.NONE && isEmpty(at) && id(at + 1) != 0) {
            at++;
        }
        at = scope(at);
        firstMetricField = at;
        return at >= fields ? broken("nothing after " + text(idFrom, idTo)) : counter(at);
    }

    /** Says whether the lines that follow are those of {@code --metric-only}, where every group of CPUs has a count. */
    void inMetricTable(boolean inTable) {
        metricTable = inTable;
    }

    private Kind counter(int first) {
        int at = first;
        if (isEmpty(at)) {
            return metricOnly(at);
        }
        if (is(at, NOT_COUNTED)) {
            state = SampleBuilder.NOT_COUNTED;
        } else if (is(at, NOT_SUPPORTED)) {
            state = SampleBuilder.NOT_SUPPORTED;
        } else if (number(at)) {
            state = SampleBuilder.VALUE;
            value = parsed;
            scale = parsedScale;
            if (value < 0) {
                problem = "value = " + shown(at) + " is negative";
            } else if (separator == ',' && scale == 0 && at + 2 < fields && isTwoDigits(at + 1)) {
                if (value >= MOST_TENTHS / 10) {
                    problem = "value = " + shown(at) + "," + shown(at + 1) + " does not fit in 63 bits";
                }
                value = value * 100 + twoDigits(at + 1);
                scale = 2;
                repaired = true;
                at++;
            }
        } else if (tooLarge) {
            problem = "value = " + shown(at) + " does not fit in 63 bits";
        } else {
            return broken("\"" + shown(at) + "\" where a value was expected");
        }
        int left = at + 1;
        if (left >= fields) {
            return broken("nothing after the value");
        }
        int right = tail(left);
        if (!problem.isEmpty()) {
            return runtimeKnown ? Kind.BROKEN : broken(problem);
        }
        return names(left, right);
    }

    /** Finds run time, percentage and metric from the end; gives the field after the last one before them. */
    private int tail(int left) {
        int n = fields;
        if (n - left >= 4 && isDigits(n - 4) && isPercent(n - 3)) {
            runtime(n - 4, n - 3);
            metric(n - 2, n - 1);
            return n - 4;
        }
        if (n - left >= 4 && isDigits(n - 2) && isPercent(n - 1)) {
            runtime(n - 2, n - 1);
            return n - 2;
        }
        int percent = n - left >= 4 && isPercent(n - 3) ? n - 3 : n - left >= 4 && isPercent(n - 1) ? n - 1 : -1;
        if (percent > 0 && bytes[from[percent - 1]] == '-' && isNumber(percent - 1)) {
            problem = "run time = " + shown(percent - 1) + " is negative";
            runtimeKnown = true;
            return percent - 1;
        }
        // a decimal comma that is also the separator: 100,00 for 100.00
        if (separator == ','
                && n - left >= 7
                && isSplitPercent(n - 4)
                && isDigits(n - 5)
                && (isEmpty(n - 2) || isNumber(n - 2))) {
            splitRuntime(n - 5);
            metric(n - 2, n - 1);
            return n - 5;
        }
        if (separator == ',' && n - left >= 5 && isSplitPercent(n - 2) && isDigits(n - 3)) {
            splitRuntime(n - 3);
            return n - 3;
        }
        // a metric's unit may hold the separator, and later versions may print more fields
        for (int i = n - 5; i >= left + 1; i--) {
            if (isDigits(i) && isPercent(i + 1)) {
                runtime(i, i + 1);
                metric(i + 2, i + 3);
                metricUnitTo = to[n - 1];
                trimMetricUnit();
                return i;
            }
        }
        return n;
    }

    /** Tells unit, event, cgroup and variance apart between value and run time. */
    private Kind names(int left, int right) {
        int last = right;
        if (last - left >= 2 && isVariance(last - 1)) {
            varianceKnown = true;
            variance = parsed;
            varianceScale = parsedScale;
            if (variance < 0) {
                return broken("variance = " + shown(last - 1) + " is negative");
            }
            last--;
            if (separator == ',' && parsedScale == 0 && last - left >= 3 && isDigits(last - 1)) {
                long hundredths = parsed;
                if (number(last - 1) && parsed < MOST_TENTHS / 10 && hundredths < 100) {
                    variance = parsed * 100 + hundredths;
                    varianceScale = 2;
                    repaired = true;
                    last--;
                }
            }
        }
        int count = last - left;
        if (count <= 0) {
            return broken("no event name");
        }
        int event = left;
        unitFrom = from[left];
        unitTo = unitFrom;
        if (count > 1 && (runtimeKnown || isEmpty(left) || isKnownUnit(left))) {
            trim(left);
            unitTo = to[left];
            event = left + 1;
        }
        int eventLast = event;
        if (last - event > 1) {
            boolean open = oddSlashes(event);
            while (open && eventLast < last - 1) {
                eventLast++;
                open ^= oddSlashes(eventLast);
            }
            if (last - 1 - eventLast > 1) {
                eventLast = last - 1;
            }
        }
        trim(event);
        eventFrom = from[event];
        eventTo = eventLast == event ? to[event] : to[eventLast];
        cgroupFrom = eventTo;
        cgroupTo = eventTo;
        if (eventLast < last - 1) {
            trim(last - 1);
            cgroupFrom = from[last - 1];
            cgroupTo = to[last - 1];
        }
        return eventTo > eventFrom ? Kind.COUNT : broken("no event name");
    }

    private Kind metricOnly(int at) {
        int n = fields;
        int lastFilled = n - 1;
        while (lastFilled > at && isEmpty(lastFilled)) {
            lastFilled--;
        }
        for (int i = at; i < lastFilled - 1; i++) {
            if (!isEmpty(i)) {
                return broken("no value before \"" + text(i) + "\"");
            }
        }
        if (lastFilled == at) {
            return broken("no value");
        }
        if (isEmpty(lastFilled - 1)) {
            return isNumber(lastFilled) ? broken("a metric without a unit") : Kind.METRIC_GROUP;
        }
        metric(lastFilled - 1, lastFilled);
        return metricKnown ? Kind.METRIC : broken("\"" + text(lastFilled - 1) + "\" where a metric was expected");
    }

    private Kind broken(String what) {
        problem = what;
        return time == Time.NONE ? Kind.OTHER : Kind.BROKEN;
    }

    // ---- leading fields

    private int scope(int at) {
        int shape = id(at);
        if (shape == CPU) {
            idFrom = from[at];
            idTo = to[at];
            return at + 1;
        }
        if (shape == GROUP) {
            idFrom = from[at];
            idTo = to[at];
            if (at + 2 < fields
                    && isDigits(at + 1)
                    && (metricTable || isValue(at + 2) || isEmpty(at + 2) && (at + 3 >= fields || isEmpty(at + 3)))) {
                counters = number(at + 1) ? (int) Math.min(parsed, Integer.MAX_VALUE) : Integer.MAX_VALUE;
                tooLarge = false;
                return at + 2;
            }
            return at + 1;
        }
        if (at < fields - 2 && isThread(at) && (isValue(at + 1) || isEmpty(at + 1))) {
            trim(at);
            idFrom = from[at];
            idTo = to[at];
            return at + 1;
        }
        return at;
    }

    /** Whether a field names a CPU, or a group of CPUs that a count follows. */
    private int id(int field) {
        if (field >= fields || from[field] == to[field]) {
            return 0;
        }
        byte first = bytes[from[field]];
        if (first != 'C' && first != 'S' && first != 'N' && first != ' ') {
            return 0;
        }
        trim(field);
        int at = from[field];
        int end = to[field];
        if (end - at > 3 && bytes[at] == 'C' && bytes[at + 1] == 'P' && bytes[at + 2] == 'U') {
            return digits(at + 3, end) == end ? CPU : 0;
        }
        if (end - at < 2 || bytes[at] != 'S' && bytes[at] != 'N') {
            return 0;
        }
        boolean socket = bytes[at] == 'S';
        at = digits(at + 1, end);
        if (at == end) {
            return bytes[end - 1] >= '0' && bytes[end - 1] <= '9' ? GROUP : 0;
        }
        while (socket && at < end && bytes[at] == '-') {
            int letters = at + 1;
            int number = letters;
            while (number < end && bytes[number] >= 'A' && bytes[number] <= 'Z') {
                number++;
            }
            int next = digits(number, end);
            if (!isPart(letters, number) || next == number) {
                return 0;
            }
            at = next;
        }
        return at == end ? GROUP : 0;
    }

    private boolean isPart(int start, int end) {
        return switch (end - start) {
            case 1 -> bytes[start] == 'D' || bytes[start] == 'C' || bytes[start] == 'L';
            case 2 -> bytes[start] == 'I' && bytes[start + 1] == 'D';
            case 3 -> bytes[start] == 'C' && bytes[start + 1] == 'L' && bytes[start + 2] == 'S';
            default -> false;
        };
    }

    private boolean isThread(int field) {
        trim(field);
        int end = to[field];
        int at = end;
        while (at > from[field] && bytes[at - 1] >= '0' && bytes[at - 1] <= '9') {
            at--;
        }
        return at < end
                && at - 1 > from[field]
                && bytes[at - 1] == '-'
                && bytes[from[field]] != '<'
                && !isNumber(field);
    }

    /**
     * {@return the scope of an id as perf prints it}
     *
     * @param id the id; empty = the whole machine
     * @throws IllegalArgumentException if the id has the shape of a CPU or a group of CPUs and a number that none can
     *     have; the message says which
     */
    static Scope scopeOf(String id) {
        if (id.isEmpty()) {
            return Scope.SYSTEM;
        }
        if (NO_NUMBER.matcher(id).matches()) {
            throw new IllegalArgumentException("\"" + LineAccount.shorten(id) + "\" has a negative number");
        }
        if (CPU_ID.matcher(id).matches()) {
            return Scope.cpu(number(id, id.substring(3), HIGHEST_CPU));
        }
        if (!GROUP_ID.matcher(id).matches()) {
            return Scope.thread(id);
        }
        int socket = 0;
        int die = 0;
        int level = -1;
        Scope found = null;
        for (String part : id.split("-")) {
            String kind = part.replaceAll("\\d", "");
            int number = number(id, part.substring(kind.length()), kind.equals("N") ? HIGHEST_CPU : Integer.MAX_VALUE);
            switch (kind) {
                case "N" -> found = Scope.node(number);
                case "S" -> {
                    socket = number;
                    found = Scope.of(Scope.Kind.SOCKET, number);
                }
                case "D" -> {
                    die = number;
                    found = Scope.of(Scope.Kind.DIE, socket, number);
                }
                case "C" -> found = Scope.of(Scope.Kind.CORE, socket, die, number);
                case "CLS" -> found = Scope.of(Scope.Kind.CLUSTER, socket, die, number);
                case "L" -> level = number;
                case "ID" -> found = Scope.of(Scope.Kind.CACHE, socket, die, Math.max(level, 0), number);
                default ->
                    throw new IllegalArgumentException("\"" + LineAccount.shorten(id) + "\" is no part of a machine");
            }
        }
        if (found == null) {
            throw new IllegalArgumentException("\"" + LineAccount.shorten(id) + "\" is no part of a machine");
        }
        return found;
    }

    private static int number(String id, String digits, int highest) {
        try {
            int number = Integer.parseInt(digits);
            if (number <= highest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException("\"" + LineAccount.shorten(id) + "\" has a number above " + highest);
    }

    // ---- trailing fields

    private void runtime(int runtimeField, int percentField) {
        runtimeKnown = true;
        boolean ran = false;
        for (int i = from[runtimeField]; i < to[runtimeField]; i++) {
            ran |= bytes[i] != '0';
        }
        number(percentField);
        checkRunning(
                parsedScale == 2 ? parsed : parsedScale == 1 ? parsed * 10 : parsed * 100, ran, shown(percentField));
    }

    private void splitRuntime(int runtimeField) {
        repaired = true;
        runtimeKnown = true;
        boolean ran = false;
        for (int i = from[runtimeField]; i < to[runtimeField]; i++) {
            ran |= bytes[i] != '0';
        }
        number(runtimeField + 1);
        long whole = parsed;
        checkRunning(
                whole * 100 + twoDigits(runtimeField + 2),
                ran,
                shown(runtimeField + 1) + "," + shown(runtimeField + 2));
    }

    private void checkRunning(long hundredths, boolean ran, String printed) {
        if (hundredths > SampleBuilder.ALWAYS) {
            problem = "percent = " + printed + " is above 100";
        }
        running = ran ? (int) Math.min(hundredths, SampleBuilder.ALWAYS) : 0;
    }

    private void metric(int valueField, int unitField) {
        if (isEmpty(valueField)) {
            return;
        }
        metricIsNumber = number(valueField);
        if (!metricIsNumber
                && !isWord(valueField, "nan")
                && !isWord(valueField, "-nan")
                && !isWord(valueField, "inf")) {
            return;
        }
        metricKnown = true;
        metric = parsed;
        metricScale = parsedScale;
        metricUnitFrom = from[unitField];
        metricUnitTo = to[unitField];
        trimMetricUnit();
    }

    private void trimMetricUnit() {
        while (metricUnitFrom < metricUnitTo && bytes[metricUnitFrom] == ' ') {
            metricUnitFrom++;
        }
        while (metricUnitTo > metricUnitFrom
                && (bytes[metricUnitTo - 1] == ' ' || bytes[metricUnitTo - 1] == separator)) {
            metricUnitTo--;
        }
    }

    /** Whether the names of {@code --metric-only} stand here. */
    private Kind names(int first) {
        firstMetricField = first;
        while (firstMetricField < fields && isIdName(firstMetricField)) {
            firstMetricField++;
        }
        return Kind.NAMES;
    }

    private boolean isIdName(int field) {
        return switch (text(field)) {
            case "cpu", "CPU", "cpus", "ctrs", "core", "die", "socket", "node", "cache", "cluster", "thread", "tid" ->
                true;
            default -> false;
        };
    }

    // ---- shapes

    private boolean split(int lineFrom, int lineTo) {
        int count = 0;
        int begin = lineFrom;
        byte mark = separator;
        byte[] line = bytes;
        for (int i = lineFrom; i < lineTo; i++) {
            if (line[i] == mark) {
                if (count == MAX_FIELDS - 1) {
                    fields = count;
                    return false;
                }
                from[count] = begin;
                to[count++] = i;
                begin = i + 1;
            }
        }
        from[count] = begin;
        to[count++] = lineTo;
        fields = count;
        return true;
    }

    private void trim(int field) {
        while (from[field] < to[field] && bytes[from[field]] == ' ') {
            from[field]++;
        }
        while (to[field] > from[field] && bytes[to[field] - 1] == ' ') {
            to[field]--;
        }
    }

    private boolean isEmpty(int field) {
        if (from[field] < to[field] && bytes[from[field]] == ' ') {
            trim(field);
        }
        return from[field] == to[field];
    }

    private boolean is(int field, byte[] word) {
        int length = to[field] - from[field];
        if (length != word.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from[field] + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isWord(int field, String word) {
        return to[field] - from[field] < 8 && text(field).equals(word);
    }

    /** Seconds since the start: perf prints two integers and always a dot, nine digits behind it. */
    private boolean isOffset(int field) {
        int at = from[field];
        int end = to[field];
        int dot = digits(at, end);
        if (dot == at || dot - at > 9 || dot >= end || bytes[dot] != '.' || end - dot != 10) {
            return false;
        }
        long seconds = 0;
        for (int i = at; i < dot; i++) {
            seconds = seconds * 10 + (bytes[i] - '0');
        }
        long nanos = 0;
        for (int i = dot + 1; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            nanos = nanos * 10 + digit;
        }
        timeNanos = seconds * 1_000_000_000L + nanos;
        return true;
    }

    /**
     * Whether a number stands in front of what only a time is in front of: an id, or a value. The value of a row without
     * a time has its unit behind it, or, cut by a decimal comma, two digits.
     */
    private boolean isBadTime() {
        if (fields < 4 || from[0] == to[0]) {
            return false;
        }
        byte first = bytes[from[0]];
        if (first != '-' && first != '+' && (first < '0' || first > '9')) {
            return false;
        }
        for (int i = from[0] + 1; i < to[0]; i++) {
            if (bytes[i] != '.' && (bytes[i] < '0' || bytes[i] > '9')) {
                return false;
            }
        }
        if (id(1) != 0 || isThread(1) && isValue(2)) {
            return true;
        }
        trim(1);
        boolean splitByComma = separator == ',' && isDigits(0) && isTwoDigits(1);
        return isValue(1) && !splitByComma;
    }

    private boolean isDigits(int field) {
        return from[field] < to[field] && digits(from[field], to[field]) == to[field];
    }

    private int digits(int start, int end) {
        int at = start;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }

    private boolean isTwoDigits(int field) {
        return to[field] - from[field] == 2 && isDigits(field);
    }

    private int twoDigits(int field) {
        return (bytes[from[field]] - '0') * 10 + bytes[from[field] + 1] - '0';
    }

    private boolean isSplitPercent(int field) {
        return to[field] - from[field] <= 3 && isDigits(field) && isTwoDigits(field + 1);
    }

    private boolean isPercent(int field) {
        int end = to[field];
        int length = end - from[field];
        if (length < 4 || length > 6 || bytes[end - 3] != '.' && (bytes[end - 3] != ',' || separator == ',')) {
            return false;
        }
        return digits(from[field], end) == end - 3 && digits(end - 2, end) == end;
    }

    private boolean isVariance(int field) {
        int end = to[field];
        if (end - from[field] < 2 || bytes[end - 1] != '%') {
            return false;
        }
        to[field] = end - 1;
        boolean number = number(field);
        to[field] = end;
        return number;
    }

    private boolean isValue(int field) {
        return from[field] < to[field] && bytes[from[field]] == '<' || isNumber(field);
    }

    private boolean isNumber(int field) {
        boolean large = tooLarge;
        boolean number = number(field) || tooLarge;
        tooLarge = large;
        return number;
    }

    /** Reads an exact decimal; of too large a one it says so. */
    private boolean number(int field) {
        if (from[field] < to[field] && bytes[from[field]] == ' ') {
            trim(field);
        }
        int at = from[field];
        int end = to[field];
        boolean negative = at < end && bytes[at] == '-';
        if (negative) {
            at++;
        }
        long result = 0;
        int digits = 0;
        int places = -1;
        boolean large = false;
        for (; at < end; at++) {
            byte b = bytes[at];
            if (b >= '0' && b <= '9') {
                digits++;
                if (result > MOST_TENTHS || result == MOST_TENTHS && b > '7') {
                    large = true; // goes on: it may turn out not to be a number at all
                    result = 0;
                }
                result = result * 10 + (b - '0');
                if (places >= 0) {
                    places++;
                }
            } else if (places < 0 && (b == '.' || b == ',' && separator != ',')) {
                places = 0;
            } else {
                return false;
            }
        }
        if (digits == 0) {
            return false;
        }
        if (large || places > SampleBuilder.MAX_SCALE) {
            tooLarge = true;
            return false;
        }
        parsed = negative ? -result : result;
        parsedScale = Math.max(places, 0);
        return true;
    }

    private boolean oddSlashes(int field) {
        boolean odd = false;
        for (int i = from[field]; i < to[field]; i++) {
            odd ^= bytes[i] == '/';
        }
        return odd;
    }

    private boolean isKnownUnit(int field) {
        return switch (text(field)) {
            case "msec", "ns", "us", "ms", "s", "sec", "seconds", "Joules", "Watts", "C", "%", "KiB", "MiB", "GiB" ->
                true;
            case "Bytes", "bytes", "KB", "MB", "GB", "64Bytes", "MT/s", "Hz", "CPUs" -> true;
            default -> false;
        };
    }

    // ---- what was found

    Time time() {
        return time;
    }

    long timeNanos() {
        return timeNanos;
    }

    int idFrom() {
        return idFrom;
    }

    int idTo() {
        return idTo;
    }

    int counters() {
        return counters;
    }

    /** {@return state of the cell; a number that was counted for no time at all is none} */
    byte state() {
        return state == SampleBuilder.VALUE && runtimeKnown && running == 0 ? SampleBuilder.NOT_COUNTED : state;
    }

    long value() {
        return value;
    }

    int scale() {
        return scale;
    }

    /** {@return first byte of what identifies the column: unit, event and cgroup, which stand side by side} */
    int keyFrom() {
        return unitFrom;
    }

    int keyTo() {
        return cgroupTo;
    }

    String unit() {
        return text(unitFrom, unitTo);
    }

    String event() {
        return text(eventFrom, eventTo);
    }

    String cgroup() {
        return text(cgroupFrom, cgroupTo);
    }

    boolean runtimeKnown() {
        return runtimeKnown;
    }

    int running() {
        return running;
    }

    boolean varianceKnown() {
        return varianceKnown;
    }

    long variance() {
        return variance;
    }

    int varianceScale() {
        return varianceScale;
    }

    boolean metricKnown() {
        return metricKnown;
    }

    boolean metricIsNumber() {
        return metricIsNumber;
    }

    long metric() {
        return metric;
    }

    int metricScale() {
        return metricScale;
    }

    int metricUnitFrom() {
        return metricUnitFrom;
    }

    int metricUnitTo() {
        return metricUnitTo;
    }

    /** {@return whether a decimal comma had split numbers of this row} */
    boolean repaired() {
        return repaired;
    }

    /** {@return what is wrong with a broken line} */
    String problem() {
        return problem;
    }

    int fields() {
        return fields;
    }

    /** {@return the first field after time, id and count; where {@code --metric-only} has its values and names} */
    int firstMetricField() {
        return firstMetricField;
    }

    String text(int field) {
        trim(field);
        return text(from[field], to[field]);
    }

    /** {@return whether a {@code --metric-only} value is a number, now in {@link #metric()} and {@link #metricScale()}} */
    boolean readMetric(int field) {
        if (!number(field)) {
            return false;
        }
        metric = parsed;
        metricScale = parsedScale;
        return true;
    }

    /** {@return a field fit to be shown in a message} */
    private String shown(int field) {
        trim(field);
        return LineAccount.shorten(text(from[field], Math.min(to[field], from[field] + 400)));
    }

    private String text(int start, int end) {
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
