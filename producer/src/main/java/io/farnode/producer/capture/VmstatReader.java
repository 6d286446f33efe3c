package io.farnode.producer.capture;

import io.farnode.contract.SampleBuilder;
import io.farnode.contract.Scope;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the rows of vmstat (procps-ng src/vmstat.c, vmstat(8)). Columns are known by the name row alone, never by
 * position: they may be cut by hand, translated, or more than this version knows.
 *
 * <p>The first row of a vmstat is special: its rates and shares are averages since boot. They are flagged
 * {@link Flag#SINCE_BOOT} column by column, because the levels of the same row (r, b, memory) are good readings.
 */
final class VmstatReader implements CaptureReader {
    /** Rows without any change of memory after which it is suspect: procps-ng 4.0.0 to 4.0.2 print it once. */
    private static final int STALE_ROWS = 10;

    /** Rows that may have come into a pipe before anybody read it. */
    private static final int MOST_WAITING_ROWS = 8;

    /** No row of vmstat is longer, in bytes; patterns are not let loose on longer lines. */
    private static final int LONGEST_ROW = 4096;

    /** Between two rows further apart than this many intervals, rows are missing. */
    private static final int LONGEST_SLEEP = 3;

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final long SECOND = 1_000_000_000L;
    private static final Pattern GROUP_TOKEN = Pattern.compile("[-\\p{L}./’']+");
    private static final Pattern ELISION = Pattern.compile("(?:\\.{2,}|…|\\[(?:\\.{2,}|…|snip)]|<snip>)+");
    private static final Pattern INTERVAL = Pattern.compile("\\d{1,8}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(?:\\.\\d+)?");
    private static final Pattern ZONE = Pattern.compile("[A-Z]{1,5}|[+-]\\d{2}(?::?\\d{2})?");
    private static final Pattern OWN_NAME = Pattern.compile("(?i)date|time|timestamp");
    private static final Pattern COMMAND = Pattern.compile(
            "(?:^|.*[#$%>]\\s*|.*:\\s*)(?:sudo\\s+)?(?:[\\w./]*/)?vmstat(?<args>(?:\\s+-\\w+|\\s+--[\\w=-]+|\\s+\\d+|\\s+[kKmM]\\b)*)"
                    + "\\s*(?:[>|&;].*)?");
    private static final Pattern STARTING =
            Pattern.compile("(?i).*start.*?(\\d{1,4})([/.-])(\\d{1,2})\\2(\\d{1,4})[ T]+(\\d{1,2}:\\d{2}:\\d{2}).*");
    private static final Pattern SAMPLE_INTERVAL =
            Pattern.compile("(?i).*interval\\D*?(\\d+(?:\\.\\d+)?)\\s*(?:s|secs?|seconds?)?\\b.*");
    private static final Pattern DATE_LINE = Pattern.compile(
            "(?:zzz )?\\**\\p{L}{2,4}\\.? +(?:(\\p{L}{3}) +(\\d{1,2})|(\\d{1,2}) +(\\p{L}{3})) +(?:(\\d{4}) +)?(\\d{1,2}:\\d{2}:\\d{2})(?: +([AP]M))?(?: +([A-Z]{1,5}|[+-]\\d{2,4}))?(?: +(\\d{4}))?");
    private static final List<String> GROUPS = List.of(
            "proc",
            "kthr",
            "memor",
            "mémoire",
            "speicher",
            "memória",
            "minne",
            "pamięć",
            "swap",
            "cpu",
            "system",
            "проц",
            "메모리",
            "ttrình");

    private final LineSource lines;
    private final CaptureOptions options;
    private final LineAccount account = new LineAccount();
    private final LocalClock clock;
    private final SampleBuilder builder = new SampleBuilder(Tool.VMSTAT);
    private final int scope = builder.scope(Scope.SYSTEM.text());

    // the table being read
    private List<Field> fields;
    private boolean groupHeader;
    private boolean inTable;

    // the run of vmstat being read
    private boolean firstRow = true;
    private boolean firstSinceBoot = true;
    private boolean elided;
    private int timeInFront;
    private int timeBehind;

    // rows since the last one read that could not be read
    private long missed;
    private boolean lost;
    private long unreadEnd = Long.MIN_VALUE;
    private long rows;
    private String unit;
    private boolean unitKnown;
    private long nominalNanos;
    private final long[] recentSpans = new long[9];
    private int spansSeen;

    // time
    private LocalDateTime announced;
    private LocalDateTime previousLocal;
    private long previousEnd = Long.MIN_VALUE;
    private boolean assumed;
    private long accuracy = SECOND;

    private int unchangedRows;
    private int burst;

    VmstatReader(LineSource lines, CaptureOptions options) {
        this.lines = lines;
        this.options = options;
        clock = new LocalClock(options);
        unit = options.unit().isEmpty() ? "KiB" : options.unit();
        unitKnown = !options.unit().isEmpty();
        nominalNanos = options.intervalNanos();
    }

    /** Scores by what the reader itself would make of the lines: a name row with rows below is certain. */
    static int score(byte[] head, int from, int to) {
        int width = 0;
        boolean group = false;
        int best = 0;
        for (int at = from; at < to; ) {
            int end = at;
            while (end < to && head[end] != '\n') {
                end++;
            }
            // only lines that could be a header are worth a closer look
            String line = end - at > LONGEST_ROW ? "" : unquote(new String(head, at, end - at, StandardCharsets.UTF_8));
            String[] tokens = line.isEmpty() ? new String[0] : line.split("\\s+");
            if (tokens.length > 1) {
                if (isGroupHeader(tokens)) {
                    group = true;
                    best = Math.max(best, 50);
                } else if (isNameRow(tokens, group)) {
                    width = tokens.length;
                    best = Math.max(best, group ? CaptureFormat.CERTAIN + 5 : 70);
                } else if (width > 0
                        && tokens.length >= width - 1
                        && NUMBER.matcher(tokens[tokens.length / 2]).matches()) {
                    return 100;
                }
            }
            at = end + 1;
        }
        return best;
    }

    @Override
    public Sample next() throws IOException {
        while (true) {
            switch (lines.next()) {
                case LINE:
                    Sample sample = read();
                    if (sample != null) {
                        return sample;
                    }
                    break;
                case QUIET:
                    break;
                case END:
                    if (rows == 0) {
                        throw options.refusal("no row of vmstat in " + account.lines() + " lines"
                                + (account.errors().isEmpty()
                                        ? "; a name row such as \"r b swpd free ...\" and rows of numbers are needed"
                                        : "; the first error: "
                                                + account.errors().get(0)));
                    }
                    return null;
                default:
                    throw new IllegalStateException();
            }
        }
    }

    @Override
    public LineAccount account() {
        return account;
    }

    @Override
    public boolean timeAssumed() {
        return assumed;
    }

    @Override
    public long accuracyNanos() {
        return accuracy;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private Sample read() {
        long number = lines.number();
        if (lines.tooLong()) {
            account.error(number, lines.text(), "line longer than " + LineSource.MAX_LINE + " bytes; left out");
            lost |= inTable;
            return null;
        }
        if (lines.end() - lines.start() > LONGEST_ROW) {
            String length = "line of " + (lines.end() - lines.start()) + " bytes, longer than any row of vmstat";
            if (inTable) {
                account.error(number, lines.text(), length + "; left out");
                miss(null);
            } else {
                account.count(LineAccount.Kind.NOISE, number);
                account.notice(number, lines.text(), length);
            }
            return null;
        }
        String line = unquote(lines.text());
        if (line.isEmpty()) {
            account.count(LineAccount.Kind.COMMENT, number);
            return null;
        }
        Matcher command = COMMAND.matcher(line);
        if (command.matches()) {
            readCommand(command.group("args"));
            account.count(LineAccount.Kind.COMMENT, number);
            return null;
        }
        if (line.startsWith("#")) {
            readComment(line);
            account.count(LineAccount.Kind.COMMENT, number);
            return null;
        }
        if (ELISION.matcher(line).matches()) {
            account.count(LineAccount.Kind.NOISE, number);
            account.notice(number, line, "rows left out here");
            elided = rows > 0;
            return null;
        }
        String[] tokens = line.split("\\s+");
        if (isGroupHeader(tokens)) {
            groupHeader = true;
            account.count(LineAccount.Kind.HEADER, number);
            return null;
        }
        if (isNameRow(tokens, groupHeader)) {
            readNames(tokens, number);
            account.count(LineAccount.Kind.HEADER, number);
            return null;
        }
        groupHeader = false;
        if (fields != null) {
            Row row;
            try {
                row = Row.split(tokens, fields.size(), timeInFront, timeBehind);
            } catch (DateTimeException e) {
                account.error(number, line, "no such date or time (" + e.getMessage() + "); row left out");
                miss(null);
                return null;
            }
            if (row.complete() && row.time == null && timeInFront + timeBehind > 0) {
                leaveOut(row, line, "no time, where the rows above have one");
                return null;
            }
            if (row.complete()) {
                return read(row, line, number);
            }
            if (row.looksLikeRow(inTable)) {
                leaveOut(row, line, problem(row));
                return null;
            }
        }
        Matcher date = DATE_LINE.matcher(line);
        if (date.matches() && readDateLine(date)) {
            account.count(LineAccount.Kind.COMMENT, number);
            return null;
        }
        inTable = false;
        account.count(LineAccount.Kind.NOISE, number);
        return null;
    }

    private Sample read(Row row, String line, long number) {
        long[] unscaled = new long[fields.size()];
        int[] scales = new int[fields.size()];
        for (int i = 0; i < unscaled.length; i++) {
            String text = row.values[i];
            if (text.equals("-")) {
                scales[i] = -1;
                continue;
            }
            int dot = text.indexOf('.');
            scales[i] = dot < 0 ? 0 : text.length() - dot - 1;
            try {
                unscaled[i] = Long.parseLong(dot < 0 ? text : text.substring(0, dot) + text.substring(dot + 1));
            } catch (NumberFormatException e) {
                scales[i] = SampleBuilder.MAX_SCALE + 1;
            }
            Field field = fields.get(i);
            String wrong = scales[i] > SampleBuilder.MAX_SCALE
                    ? " does not fit in 63 bits"
                    : unscaled[i] < 0 && field.kind != ValueKind.OTHER
                            ? " is negative"
                            : field.kind == ValueKind.SHARE && new BigDecimal(text).compareTo(HUNDRED) > 0
                                    ? " is above 100 %"
                                    : "";
            if (!wrong.isEmpty()) {
                leaveOut(row, line, field.name + " = " + text + wrong);
                return null;
            }
        }
        long end;
        try {
            end = timeOf(row.time, number);
        } catch (DateTimeException e) {
            account.error(number, line, e.getMessage() + "; row left out");
            miss(null);
            return null;
        }
        // two runs of vmstat may meet in one second; within one, every row has its own
        boolean same = end == previousEnd && row.time != null && !firstRow;
        if (previousEnd != Long.MIN_VALUE && (end < previousEnd || same)) {
            account.error(
                    number,
                    line,
                    "time runs back from " + Instant.ofEpochSecond(0, previousEnd) + " to "
                            + Instant.ofEpochSecond(0, end)
                            + "; cut the capture here and replay the rest as another run");
            return null;
        }
        if (end <= unreadEnd) {
            unreadEnd = Long.MIN_VALUE; // it was not a right time
        }
        boolean sinceBoot = firstRow && firstSinceBoot && !rowsAreMissing();
        long start = startOf(end);
        boolean gap = previousEnd == Long.MIN_VALUE ? rowsAreMissing() : elided || start > previousEnd;
        for (int i = 0; i < unscaled.length; i++) {
            Field field = fields.get(i);
            if (scales[i] < 0) {
                builder.setNone(
                        field.column, scope, SampleBuilder.NOT_COUNTED, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
                account.flagged(Flag.NOT_COUNTED);
            } else {
                builder.set(field.column, scope, unscaled[i], scales[i], SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
            }
            if (sinceBoot && field.isAverage()) {
                builder.flag(field.column, Flag.SINCE_BOOT);
            }
            if (field.scaled && !unitKnown) {
                builder.flag(field.column, Flag.UNIT_ASSUMED);
                account.assumed("unit " + unit + " assumed for memory and swap; pass --unit if vmstat ran with -S");
            }
        }
        flagStaleMemory(unscaled);
        if (gap) {
            builder.flag(Flag.GAP_BEFORE);
            account.gap(previousEnd == Long.MIN_VALUE ? 0 : start - previousEnd);
        }
        if (assumed) {
            builder.flag(Flag.TIME_ASSUMED);
        }
        if (row.time != null && clock.disambiguated()) {
            builder.flag(Flag.TIME_DISAMBIGUATED);
            account.flagged(Flag.TIME_DISAMBIGUATED);
        }
        account.reading();
        rows++;
        firstRow = false;
        elided = false;
        noneIsMissing();
        inTable = true;
        previousEnd = end;
        timeInFront = row.front;
        timeBehind = row.behind;
        return builder.build(start + options.offsetNanos(), end + options.offsetNanos(), number, number);
    }

    /** Counts a row as an error, and remembers its time: the row after it does not cover it. */
    private void leaveOut(Row row, String line, String problem) {
        account.error(lines.number(), line, problem + "; row left out");
        if (row.values.length * 2 >= fields.size()) {
            miss(row.time);
        }
    }

    private void miss(TimeColumns time) {
        missed++;
        lost |= time == null;
        if (time != null) {
            try {
                unreadEnd = Math.max(unreadEnd, timeOf(time, lines.number()));
            } catch (DateTimeException e) {
                lost = true;
            }
        }
    }

    private boolean rowsAreMissing() {
        return missed > 0 || lost;
    }

    private void noneIsMissing() {
        missed = 0;
        lost = false;
        unreadEnd = Long.MIN_VALUE;
    }

    /**
     * {@return where the span of a row begins that was printed at a time}
     *
     * <p>As a rule that is the row before, however late vmstat woke up: it prints averages over the time it really
     * slept. Beyond {@link #LONGEST_SLEEP} intervals rows are missing, and the row covers no more than the usual
     * interval; so it does when rows before it were left out or could not be read. An unreadable row with a readable
     * time ends its span as any other does.
     */
    private long startOf(long end) {
        if (firstRow && !rowsAreMissing()) {
            return firstSinceBoot || nominalNanos == 0 ? end : end - nominalNanos;
        }
        long usual = usualSpan();
        long begin = firstRow ? Long.MIN_VALUE : previousEnd;
        if (unreadEnd > begin) {
            begin = unreadEnd;
        }
        if (begin == Long.MIN_VALUE) {
            return end - usual;
        }
        long span = end - begin;
        boolean incomplete = elided || lost;
        if (incomplete && span > usual || usual > 0 && span > LONGEST_SLEEP * usual) {
            return end - usual;
        }
        if (begin == previousEnd) {
            recentSpans[spansSeen++ % recentSpans.length] = span;
        }
        return begin;
    }

    /** {@return the interval: as given, else as most of the rows before had it; 0 = not known} */
    private long usualSpan() {
        if (nominalNanos > 0) {
            return nominalNanos;
        }
        if (spansSeen == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(recentSpans, Math.min(spansSeen, recentSpans.length));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private void flagStaleMemory(long[] values) {
        boolean any = false;
        boolean same = true;
        for (int i = 0; i < values.length; i++) {
            Field field = fields.get(i);
            if (field.movingMemory) {
                any = true;
                same &= field.last == values[i];
                field.last = values[i];
            }
        }
        unchangedRows = any && same ? unchangedRows + 1 : 0;
        if (unchangedRows >= STALE_ROWS) {
            if (unchangedRows == STALE_ROWS) {
                account.notice(
                        lines.number(),
                        "",
                        "memory columns have not moved for " + STALE_ROWS
                                + " rows; vmstat of procps-ng 4.0.0 to 4.0.2 reads memory only once");
            }
            for (Field field : fields) {
                if (field.movingMemory) {
                    builder.flag(field.column, Flag.STALE_SUSPECT);
                }
            }
        }
    }

    // ---- time

    private long timeOf(TimeColumns time, long line) {
        if (time != null && time.instant() != TimeColumns.NONE) {
            accuracy = time.accuracy();
            return time.instant();
        }
        if (time != null) {
            LocalDateTime local = localTime(time, line);
            long end = TimeColumns.nanos(clock.instant(local, line, "vmstat prints local time"));
            previousLocal = local;
            assumeZone();
            return end;
        }
        if (lines.arrivalNanos() != ByteSource.NO_ARRIVAL && options.start().isEmpty() && announced == null) {
            assumed = true;
            account.assumed(LineAccount.ARRIVAL);
            checkPrintedNow();
            return Math.max(lines.arrivalNanos(), previousEnd);
        }
        return assumedTime(line);
    }

    /** A vmstat that is running prints a row a second at most; a few may have waited in the pipe. */
    private void checkPrintedNow() {
        if (previousEnd != Long.MIN_VALUE && lines.arrivalNanos() - previousEnd < SECOND / 10) {
            if (++burst > MOST_WAITING_ROWS) {
                throw options.refusal(
                        "rows come faster than vmstat prints them, so this is a recording, and without -t it"
                                + " has no clock: pass --start and --interval");
            }
        } else {
            burst = 0;
        }
    }

    private LocalDateTime localTime(TimeColumns row, long line) {
        if (row.date() != null) {
            return LocalDateTime.of(row.date(), row.time());
        }
        if (row.monthDay() != null) {
            return withYear(row.monthDay(), row.time(), line);
        }
        if (previousLocal == null) {
            if (options.date().isPresent()) {
                assumeDate();
                return LocalDateTime.of(options.date().get(), row.time());
            }
            if (announced == null) {
                throw options.refusal(line, "time of day without a date: pass --date, for example --date 2026-03-02");
            }
            previousLocal = announced;
        }
        LocalDateTime local = LocalDateTime.of(previousLocal.toLocalDate(), row.time());
        // a step back of more than half a day is midnight; a smaller one is a clock that was set, or summer time
        return ChronoUnit.HOURS.between(local, previousLocal) >= 12 ? local.plusDays(1) : local;
    }

    private void assumeZone() {
        if (clock.assumed()) {
            assumed = true;
            account.assumed(clock.assumption());
        }
    }

    private void assumeDate() {
        assumed = true;
        account.assumed("dates rest on --date; the capture has only times of day, or dates without a year");
    }

    private LocalDateTime withYear(MonthDay day, LocalTime time, long line) {
        if (previousLocal != null) {
            LocalDateTime local = LocalDateTime.of(day.atYear(previousLocal.getYear()), time);
            return local.isBefore(previousLocal.minusDays(180)) ? local.plusYears(1) : local;
        }
        if (options.date().isPresent()) {
            assumeDate();
            return LocalDateTime.of(day.atYear(options.date().get().getYear()), time);
        }
        if (announced == null) {
            throw options.refusal(line, "a date without a year: pass --date, for example --date 2026-03-02");
        }
        return LocalDateTime.of(day.atYear(announced.getYear()), time);
    }

    private long assumedTime(long line) {
        List<String> missing = new ArrayList<>(2);
        if (options.start().isEmpty() && announced == null && previousEnd == Long.MIN_VALUE) {
            missing.add("--start");
        }
        if (nominalNanos == 0) {
            missing.add("--interval");
        }
        if (!missing.isEmpty()) {
            throw options.refusal("vmstat without -t has no clock: pass " + String.join(" and ", missing));
        }
        accuracy = nominalNanos;
        if (options.start().isPresent() || announced == null) {
            assumed = true;
            account.assumed("times rest on --start and an interval of "
                    + BigDecimal.valueOf(nominalNanos, 9).stripTrailingZeros().toPlainString()
                    + " s; the capture has no clock, so drift is not seen");
        }
        if (announced != null && options.start().isEmpty() && firstRow) {
            long begun = TimeColumns.nanos(clock.instant(announced, line, "a date line"));
            assumeZone();
            return later(begun, missed);
        }
        // a row that could not be read took its interval all the same
        if (previousEnd != Long.MIN_VALUE) {
            return later(previousEnd, missed + 1);
        }
        return later(TimeColumns.nanos(options.start().orElseThrow()), missed + (firstSinceBoot ? 0 : 1));
    }

    private long later(long nanos, long intervals) {
        try {
            return Math.addExact(nanos, Math.multiplyExact(intervals, nominalNanos));
        } catch (ArithmeticException e) {
            throw new DateTimeException(
                    intervals + " intervals of " + nominalNanos / SECOND + " s end after the year 2262", e);
        }
    }

    // ---- headers and the lines around the table

    private static boolean isGroupHeader(String[] tokens) {
        boolean known = false;
        int dashed = 0;
        int stamps = 0;
        boolean strange = false;
        for (String token : tokens) {
            if (!GROUP_TOKEN.matcher(token).matches()) {
                // a wrapper that marks every line with the time marks this one too
                boolean time = TimeColumns.isTime(token);
                stamps += time ? 1 : 0;
                if (!time && dashed > 0) {
                    return false;
                }
                strange |= !time;
                continue;
            }
            String lower = token.toLowerCase(Locale.ROOT);
            if (lower.contains("read") || lower.contains("write") || lower.contains("disk")) {
                return false; // vmstat -d
            }
            known |= GROUPS.stream().anyMatch(lower::contains);
            if (token.contains("--") || token.equals("-")) {
                dashed++;
            }
        }
        return known && dashed > (stamps > 0 ? 1 : 0) && (stamps > 0 || !strange);
    }

    private static boolean isNameRow(String[] tokens, boolean afterGroupHeader) {
        int first = -1;
        int last = -1;
        int known = 0;
        int lastNumber = -1;
        for (int i = 0; i < tokens.length; i++) {
            if (MetricNames.vmstat(tokens[i]).isPresent()) {
                if (first >= 0 && lastNumber > first) {
                    return false;
                }
                first = first < 0 ? i : first;
                last = i;
                known++;
            } else if (NUMBER.matcher(tokens[i]).matches()) {
                lastNumber = i;
            }
        }
        int width = last - first + 1;
        return afterGroupHeader
                ? known >= 1 && known * 2 >= tokens.length
                : known >= 4 && known * 4 >= width * 3 && known * 2 >= tokens.length;
    }

    private static boolean isZone(String token) {
        return ZONE.matcher(token).matches();
    }

    private static boolean isOwnName(String name) {
        return OWN_NAME.matcher(name).matches()
                || TimeColumns.isTime(name)
                || NUMBER.matcher(name).matches();
    }

    private void readNames(String[] tokens, long line) {
        groupHeader = false;
        inTable = true;
        List<String> names = new ArrayList<>(List.of(tokens));
        String last = names.get(names.size() - 1);
        if (MetricNames.vmstat(last).isEmpty() && isZone(last) && names.size() > 1) {
            names.remove(names.size() - 1);
            clock.hint(last);
        }
        // a wrapper may name its own columns in front or behind; what they hold is told by shape
        while (names.size() > 1 && MetricNames.vmstat(names.get(0)).isEmpty()) {
            names.remove(0);
        }
        while (isOwnName(names.get(names.size() - 1))) {
            names.remove(names.size() - 1);
        }
        if (fields != null && fields.stream().map(f -> f.name).toList().equals(names)) {
            return;
        }
        if (fields != null && rows > 0) {
            account.notice(line, String.join(" ", tokens), "other columns from here on");
        }
        layOut(names);
    }

    private void layOut(List<String> names) {
        List<Field> laidOut = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String name : names) {
            Optional<MetricNames.VmstatColumn> known = MetricNames.vmstat(name);
            String metric = known.map(MetricNames.VmstatColumn::metric).orElse(name);
            ValueKind kind = known.map(MetricNames.VmstatColumn::kind).orElse(ValueKind.OTHER);
            boolean scaled = known.map(MetricNames.VmstatColumn::scaled).orElse(false);
            String printed = known.map(MetricNames.VmstatColumn::unit).orElse(MetricNames.ONE);
            if (scaled) {
                printed = printed.replace("KiB", unit);
            }
            int occurrence = seen.merge(name, 1, Integer::sum);
            String dimension = occurrence == 1 ? "" : "#" + occurrence;
            laidOut.add(new Field(name, metric, kind, scaled, builder.column(metric, name, printed, kind, dimension)));
        }
        fields = laidOut;
    }

    /** A command line begins another run of vmstat, and says what the output leaves out. */
    private void readCommand(String arguments) {
        newRun();
        boolean wantsUnit = false;
        boolean intervalSeen = false;
        boolean knownFirst = options.firstSinceBoot().isPresent();
        for (String argument : arguments.strip().split("\\s+")) {
            if (wantsUnit) {
                setUnit(argument);
                wantsUnit = false;
            } else if (argument.startsWith("--")) {
                if (argument.equals("--no-first") && !knownFirst) {
                    firstSinceBoot = false;
                }
                if (argument.startsWith("--unit=")) {
                    setUnit(argument.substring("--unit=".length()));
                }
            } else if (argument.startsWith("-")) {
                int scale = argument.indexOf('S');
                if (scale > 0 && scale < argument.length() - 1) {
                    setUnit(argument.substring(scale + 1));
                } else {
                    wantsUnit = scale > 0;
                }
                if (argument.indexOf('y') > 0 && !knownFirst) {
                    firstSinceBoot = false;
                }
            } else if (INTERVAL.matcher(argument).matches() && !intervalSeen) {
                intervalSeen = true;
                if (options.intervalNanos() == 0) {
                    nominalNanos = Long.parseLong(argument) * SECOND;
                }
            }
        }
    }

    private void setUnit(String letter) {
        String named = CaptureOptions.memoryUnit(letter);
        if (named != null && options.unit().isEmpty()) {
            unit = named;
            unitKnown = true;
            if (fields != null) {
                layOut(fields.stream().map(f -> f.name).toList());
            }
        }
    }

    private void newRun() {
        firstRow = true;
        firstSinceBoot = options.firstSinceBoot().orElse(true);
        spansSeen = 0;
        unchangedRows = 0;
        timeInFront = 0;
        timeBehind = 0;
        noneIsMissing();
    }

    private void readComment(String line) {
        Matcher starting = STARTING.matcher(line);
        if (starting.matches()) {
            int first = Integer.parseInt(starting.group(1));
            int second = Integer.parseInt(starting.group(3));
            int third = Integer.parseInt(starting.group(4));
            try {
                LocalDate date;
                if (first > 31) {
                    date = LocalDate.of(first, second, third);
                } else if (first > 12 || starting.group(2).equals(".")) {
                    date = LocalDate.of(third, second, first);
                } else {
                    date = LocalDate.of(third, first, second);
                }
                announced = LocalDateTime.of(options.date().orElse(date), TimeColumns.parseTime(starting.group(5)));
            } catch (DateTimeException e) {
                // not a date after all; the option is asked for if it is needed
            }
        }
        Matcher interval = SAMPLE_INTERVAL.matcher(line);
        if (interval.matches()
                && options.intervalNanos() == 0
                && interval.group(1).length() < 10) {
            nominalNanos = (long) (Double.parseDouble(interval.group(1)) * SECOND);
        }
    }

    /** The output of date(1) between runs: another vmstat begins, and its clock is known. */
    private boolean readDateLine(Matcher date) {
        String month = date.group(1) != null ? date.group(1) : date.group(4);
        String day = date.group(2) != null ? date.group(2) : date.group(3);
        String year = date.group(5) != null ? date.group(5) : date.group(9);
        int monthNumber = TimeColumns.monthOf(month);
        if (monthNumber == 0 || year == null) {
            return false;
        }
        try {
            LocalTime time = TimeColumns.parseTime(date.group(6));
            if (date.group(7) != null) {
                time = TimeColumns.twelveHours(time, date.group(7));
            }
            announced =
                    LocalDateTime.of(LocalDate.of(Integer.parseInt(year), monthNumber, Integer.parseInt(day)), time);
        } catch (DateTimeException e) {
            return false;
        }
        if (date.group(8) != null) {
            clock.hint(date.group(8));
        }
        previousLocal = null;
        inTable = false;
        newRun();
        return true;
    }

    /** {@return the line without the marks of quoted mail and without blanks at its ends} */
    static String unquote(String line) {
        int at = 0;
        while (at < line.length() && (line.charAt(at) <= ' ' || line.charAt(at) == '>')) {
            at++;
        }
        return line.substring(at).strip();
    }

    /** One column of the table. */
    private static final class Field {
        private final String name;
        private final ValueKind kind;
        private final boolean scaled;
        private final boolean movingMemory;
        private final int column;
        private long last = Long.MIN_VALUE;

        Field(String name, String metric, ValueKind kind, boolean scaled, int column) {
            this.name = name;
            this.kind = kind;
            this.scaled = scaled;
            this.movingMemory = metric.startsWith("memory.") && !metric.equals("memory.swapped");
            this.column = column;
        }

        boolean isAverage() {
            return kind == ValueKind.RATE || kind == ValueKind.SHARE || kind == ValueKind.OTHER;
        }
    }

    /** {@return what is wrong with a row that is none} */
    private String problem(Row row) {
        int names = fields.size();
        int found = row.values.length;
        if (found < names) {
            String count = found + (row.time == null ? " fields for " : " values for ") + names + " columns";
            return row.time != null
                    ? count
                    : count + (lines.terminated() ? "; line cut off" : "; the capture is cut off here");
        }
        if (found > names) {
            List<String> tokens = List.of(row.values);
            int front = Math.min(timeInFront, found - names);
            if (row.time != null) {
                return found + " values for " + names + " columns";
            }
            if (timeInFront + timeBehind > 0
                    && tokens.subList(front, front + names).stream().allMatch(Row::isValue)) {
                List<String> around = new ArrayList<>(tokens.subList(0, front));
                around.addAll(tokens.subList(front + names, found));
                return "\"" + LineAccount.shorten(String.join(" ", around)) + "\" is no time"
                        + (lines.terminated() ? "" : "; the capture is cut off here");
            }
            return found + " fields for " + names + " columns; the name row does not belong to it";
        }
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < found; i++) {
            if (!Row.isValue(row.values[i])) {
                wrong.add(fields.get(i).name + " = " + LineAccount.shorten(row.values[i]));
            }
        }
        return String.join(", ", wrong) + (wrong.size() == 1 ? " is no number" : " are no numbers");
    }

    /** The tokens of a line, sorted into values and what says the time. */
    private static final class Row {
        private final String[] values;
        private final TimeColumns time;
        private final int front;
        private final int behind;
        private final int expected;
        private final int numbers;
        private final int others;

        private Row(String[] tokens, int front, int end, TimeColumns time, int expected) {
            this.values = Arrays.copyOfRange(tokens, front, end);
            this.front = front;
            this.behind = tokens.length - end;
            this.time = time;
            this.expected = expected;
            int found = 0;
            for (String value : values) {
                if (isValue(value)) {
                    found++;
                }
            }
            numbers = found;
            others = values.length - found;
        }

        /**
         * Finds as many values in a row as there are names, with nothing but a time in front and behind. Where there
         * are not, finds out as much as possible about what should have been a row.
         *
         * @param inFront how many tokens of the row before stood in front of its values, to say the time
         * @param behind how many stood behind
         */
        static Row split(String[] tokens, int expected, int inFront, int behind) {
            for (int front = 0; front <= tokens.length - expected; front++) {
                Row row = around(tokens, front, front + expected, expected, expected);
                if (row != null) {
                    return row;
                }
            }
            Row plain = new Row(tokens, 0, tokens.length, null, expected);
            if (plain.complete()) {
                return plain;
            }
            try {
                Row guess = guess(tokens, expected, inFront, behind);
                return guess != null ? guess : plain;
            } catch (DateTimeException e) {
                return plain;
            }
        }

        /** {@return what should have been a row with a time, as far as it can be told; or null} */
        private static Row guess(String[] tokens, int expected, int inFront, int behind) {
            // the time stands where the row before had it; without one before, where vmstat -t or a wrapper puts it
            Row best = inFront + behind > 0 ? around(tokens, inFront, tokens.length - behind, expected, 3) : null;
            for (int front = 0; best == null && front <= tokens.length - expected; front++) {
                Row row = around(tokens, front, front + expected, expected, expected * 3 / 4);
                best = row != null && !row.holdsTime() ? row : null;
            }
            if (best == null) {
                best = around(tokens, 0, tokens.length - 2, expected, 3);
            }
            return best;
        }

        /** {@return the row with its values in one place and a time in all others, or null} */
        private static Row around(String[] tokens, int front, int end, int expected, int fewest) {
            int good = 0;
            for (int i = front; i < end; i++) {
                good += isValue(tokens[i]) ? 1 : 0;
            }
            if (good < fewest || end - front == tokens.length) {
                return null; // also when there are fewer tokens than that
            }
            List<String> around = new ArrayList<>(Arrays.asList(tokens).subList(0, front));
            around.addAll(Arrays.asList(tokens).subList(end, tokens.length));
            TimeColumns time = TimeColumns.read(around);
            return time == null ? null : new Row(tokens, front, end, time, expected);
        }

        private static boolean isValue(String token) {
            return token.equals("-") || NUMBER.matcher(token).matches();
        }

        private boolean holdsTime() {
            return Arrays.stream(values).anyMatch(v -> !isValue(v) && TimeColumns.isTime(v));
        }

        boolean complete() {
            return values.length == expected && others == 0;
        }

        boolean looksLikeRow(boolean inTable) {
            return others == 0 && (inTable || numbers * 2 > expected)
                    || inTable && numbers >= 3 && numbers * 4 >= values.length * 3;
        }
    }
}
