package io.farnode.producer.capture;

import io.farnode.contract.SampleBuilder;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads what {@code perf stat -x} prints (perf-stat(1), "CSV FORMAT"), one sample per interval with all its CPUs and
 * events. The time in front of a line is the end of its interval, in seconds since perf began.
 */
final class PerfCsvReader implements CaptureReader {
    /** Below this part of the interval, in 1/10000, a scaled count is marked as hardly counted. */
    private static final int LOW_COVERAGE = 2_000;

    /** Longest thing in bytes that may begin with a digit and be no row, between the rows. */
    private static final int LONGEST_WORD = 4096;

    private static final long SECOND = 1_000_000_000L;
    private static final byte[] SEPARATORS = {',', ';', '\t', '|', '@', '~', '^', '!', ':'};
    private static final byte[] STARTED_ON = "# started on ".getBytes(StandardCharsets.US_ASCII);
    private static final DateTimeFormatter CTIME =
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ENGLISH);

    private final LineSource lines;
    private final CaptureOptions options;
    private final LineAccount account = new LineAccount();
    private final LocalClock clock;
    private final SampleBuilder builder = new SampleBuilder(Tool.PERF_STAT);
    private final ByteKeys<Event> events = new ByteKeys<>();
    private final ByteKeys<Place> places = new ByteKeys<>();
    private final Set<String> missingCounters = new HashSet<>();
    private PerfCsvRow row;

    // the section: one run of perf, several of them stand in a file written with --append
    private boolean sectionKnown;
    private boolean sectionRefused;
    private long sectionStart;
    private LocalDateTime startedOn;
    private long startedOnLine;
    private boolean assumed;
    private long accuracy;
    private int sections;
    private boolean intervals;
    private boolean tailSeen;
    private int usualFields;
    private long nominal;

    // the interval being read
    private PerfCsvRow.Time mode = PerfCsvRow.Time.NONE;
    private long intervalEnd;
    private long previousEnd;
    private long firstLine;
    private long lastLine;
    private boolean elided;
    private boolean elidedBefore;
    private final TreeSet<Long> unread = new TreeSet<>();
    private long following;
    private boolean lost;
    private boolean lostBefore;
    private long durationNanos;
    private Event lastEvent;
    private List<Event> metricNames = List.of();
    private long rows;
    private long lastBuiltEnd = Long.MIN_VALUE;
    private long lastEnd = Long.MIN_VALUE;

    PerfCsvReader(LineSource lines, CaptureOptions options) {
        this.lines = lines;
        this.options = options;
        clock = new LocalClock(options);
        nominal = options.intervalNanos();
        if (options.separator() != 0) {
            row = new PerfCsvRow((byte) options.separator());
        }
    }

    /** Scores by how many lines are rows. */
    static int score(byte[] head, int from, int to) {
        int best = startsWith(head, from, to, STARTED_ON) ? 40 : 0;
        for (byte separator : SEPARATORS) {
            long found = count(head, from, to, separator);
            if (found >= 1_000_000L) {
                return 100;
            }
            if (found > 0) {
                best = Math.max(best, 60);
            }
        }
        return best;
    }

    /** {@return how many lines are rows under a separator; rows with a time weigh a million} */
    private static long count(byte[] head, int from, int to, byte separator) {
        PerfCsvRow row = new PerfCsvRow(separator);
        long found = 0;
        int looked = 0;
        for (int at = from; at < to && looked < 2000; ) {
            int end = at;
            while (end < to && head[end] != '\n') {
                end++;
            }
            int start = unquote(head, at, end);
            if (end - start > 4 && end - start < 8192 && head[start] != '#') {
                looked++;
                PerfCsvRow.Kind kind = row.parse(head, start, trimmedEnd(head, start, end));
                if (kind == PerfCsvRow.Kind.COUNT && end < to) {
                    if (row.time() != PerfCsvRow.Time.NONE) {
                        found += 1_000_000L;
                    } else if (row.runtimeKnown()) {
                        found++;
                    }
                } else if (kind == PerfCsvRow.Kind.NAMES && end < to) {
                    found += 1_000_000L;
                }
            }
            at = end + 1;
        }
        return found;
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
                    if (!builder.isEmpty()) {
                        return build();
                    }
                    break;
                case END:
                    if (!builder.isEmpty()) {
                        return build();
                    }
                    if (rows == 0) {
                        throw options.refusal("no row of perf stat -x in " + account.lines() + " lines"
                                + (account.errors().isEmpty()
                                        ? "; rows such as \"1.000210400,CPU0,5120,,context-switches,...\" are needed"
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
        byte[] bytes = lines.buffer();
        int start = unquote(bytes, lines.start(), lines.end());
        int end = lines.end();
        if (start == end) {
            account.count(LineAccount.Kind.COMMENT, lines.number());
            return null;
        }
        if (lines.tooLong()) {
            error("line longer than " + LineSource.MAX_LINE + " bytes; left out");
            lost = intervals;
            return null;
        }
        if (bytes[start] == '#') {
            return comment(bytes, start, end);
        }
        if (row == null) {
            row = new PerfCsvRow(separator(bytes, start));
        }
        PerfCsvRow.Kind kind = row.parse(bytes, start, end);
        if (kind == PerfCsvRow.Kind.NAMES) {
            readMetricNames();
            return null;
        }
        if (!metricNames.isEmpty() && row.time() == PerfCsvRow.Time.OFFSET) {
            kind = PerfCsvRow.Kind.COUNT;
        }
        switch (kind) {
            case COUNT, METRIC:
                if (row.time() == PerfCsvRow.Time.NONE && kind == PerfCsvRow.Kind.COUNT && !isTimelessRow()) {
                    return noise(bytes, start, end);
                }
                return readRow(kind);
            case METRIC_GROUP:
                account.count(LineAccount.Kind.HEADER, lines.number());
                return null;
            case BROKEN:
                leaveOut(cutOff() + row.problem());
                return null;
            default:
                return noise(bytes, start, end);
        }
    }

    /** Rows without a time are totals of a whole run; without run times only if the user says what the file is. */
    private boolean isTimelessRow() {
        return row.runtimeKnown() || options.format().isPresent();
    }

    private Sample readRow(PerfCsvRow.Kind kind) {
        boolean metricOnly = !metricNames.isEmpty() && row.time() == PerfCsvRow.Time.OFFSET;
        if (!metricOnly && kind == PerfCsvRow.Kind.COUNT) {
            // a line that lost its end can look like one of an older perf; its neighbours tell
            if (tailSeen && !row.runtimeKnown()) {
                leaveOut(cutOff() + "run time and percentage are missing");
                return null;
            }
            if (!lines.terminated() && row.fields() < usualFields) {
                leaveOut(cutOff() + row.fields() + " fields where the rows before have " + usualFields);
                return null;
            }
            // rows of an old perf end with the event's name, so that a cut one is as good as another
            if (!lines.terminated()
                    && rows > 0
                    && !row.runtimeKnown()
                    && events.get(lines.buffer(), row.keyFrom(), row.keyTo()) == null) {
                leaveOut(cutOff() + "no row above has an event \"" + LineAccount.shorten(row.event()) + "\"");
                return null;
            }
        }
        if (kind == PerfCsvRow.Kind.METRIC && lastEvent == null) {
            leaveOut("a metric without a counter above it");
            return null;
        }
        Place place;
        try {
            place = place();
        } catch (IllegalArgumentException e) {
            leaveOut(e.getMessage());
            return null;
        }
        if (!begin()) {
            return null;
        }
        Sample done = null;
        PerfCsvRow.Time now = row.time() == PerfCsvRow.Time.NONE && intervals ? PerfCsvRow.Time.SUMMARY : row.time();
        if (now == PerfCsvRow.Time.OFFSET) {
            long time = row.timeNanos();
            if (!isAhead(time)) {
                error("time runs back to " + seconds(time)
                        + " s without a \"# started on\" line; cut the capture here and give the rest its own --start");
                return null;
            }
            if (!builder.isEmpty() && (mode != now || time != intervalEnd)) {
                if (mode == PerfCsvRow.Time.NONE) {
                    mode = PerfCsvRow.Time.SUMMARY; // totals in front of intervals: of what, is not known
                }
                following = time;
                done = build();
                following = 0;
            }
            if (time == intervalEnd) {
                lost = false; // a row that lost its time stood among others of this interval
            }
            intervals = true;
            intervalEnd = time;
        } else if (!builder.isEmpty() && mode != now) {
            done = build();
        }
        if (builder.isEmpty()) {
            firstLine = lines.number();
            elidedBefore = elided;
            elided = false;
            lostBefore = lost;
            lost = false;
        }
        mode = now;
        try {
            if (metricOnly) {
                setMetricOnly(place);
            } else if (kind == PerfCsvRow.Kind.METRIC) {
                setMetric(lastEvent, place);
            } else {
                setCount(place);
            }
        } catch (ArithmeticException e) {
            error("a number too large for the decimal places of its column; left out");
            return done;
        }
        lastLine = lines.number();
        rows++;
        account.reading();
        return done;
    }

    /** {@return whether a time belongs to the interval being read, or to one behind it} */
    private boolean isAhead(long time) {
        if (mode == PerfCsvRow.Time.OFFSET && !builder.isEmpty()) {
            return time >= intervalEnd;
        }
        // a pipe that fell silent in the middle of an interval goes on with it
        return time > previousEnd || time == lastBuiltEnd && lines.arrivalNanos() != ByteSource.NO_ARRIVAL;
    }

    /** Counts a row as an error, and remembers the interval it would have belonged to. */
    private void leaveOut(String problem) {
        error(problem + "; row left out");
        if (row.time() == PerfCsvRow.Time.OFFSET) {
            intervals = true;
            if (row.timeNanos() > (builder.isEmpty() ? previousEnd : intervalEnd)) {
                unread.add(row.timeNanos());
                if (unread.size() > LineAccount.KEPT) {
                    unread.pollFirst();
                }
            }
        } else {
            lost = true;
        }
    }

    private void setCount(Place place) {
        Event event = event();
        while (builder.isSet(event.column, place.scope)) {
            event = event.again(); // the same event twice in one perf command
        }
        byte state = row.state();
        int running = row.running();
        if (state == SampleBuilder.VALUE) {
            builder.set(event.column, place.scope, row.value(), row.scale(), running, row.counters());
            if (running != SampleBuilder.UNKNOWN && running < SampleBuilder.ALWAYS) {
                builder.flag(event.column, Flag.SCALED);
                if (running < LOW_COVERAGE) {
                    builder.flag(event.column, Flag.LOW_COVERAGE);
                    account.flagged(Flag.LOW_COVERAGE);
                }
            }
            if (row.counters() >= 0) {
                compareCounters(event, place);
            }
            if (event.isDuration) {
                durationNanos = row.value();
            }
        } else {
            builder.setNone(event.column, place.scope, state, running, row.counters());
            Flag flag = state == SampleBuilder.NOT_SUPPORTED ? Flag.NOT_SUPPORTED : Flag.NOT_COUNTED;
            builder.flag(event.column, flag);
            account.flagged(flag);
        }
        if (row.varianceKnown()) {
            builder.set(
                    event.variance(),
                    place.scope,
                    row.variance(),
                    row.varianceScale(),
                    SampleBuilder.UNKNOWN,
                    SampleBuilder.UNKNOWN);
        }
        if (row.repaired()) {
            builder.flag(event.column, Flag.LOCALE_REPAIRED);
            account.flagged(Flag.LOCALE_REPAIRED);
        }
        if (row.metricKnown()) {
            setMetric(event, place);
        }
        lastEvent = event;
        tailSeen |= row.runtimeKnown();
        usualFields = row.fields();
    }

    private void setMetric(Event event, Place place) {
        int column = event.metric(lines.buffer(), row.metricUnitFrom(), row.metricUnitTo());
        if (row.metricIsNumber()) {
            builder.set(
                    column, place.scope, row.metric(), row.metricScale(), SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
        } else {
            builder.setNone(
                    column, place.scope, SampleBuilder.NOT_COUNTED, SampleBuilder.UNKNOWN, SampleBuilder.UNKNOWN);
        }
        if (row.repaired()) {
            builder.flag(column, Flag.LOCALE_REPAIRED);
            builder.flag(column, Flag.METRIC_TRUNCATED);
            account.flagged(Flag.METRIC_TRUNCATED);
        }
    }

    private void setMetricOnly(Place place) {
        int field = row.firstMetricField();
        for (Event name : metricNames) {
            if (field >= row.fields()) {
                break;
            }
            String text = row.text(field);
            if (row.readMetric(field)) {
                builder.set(
                        name.column,
                        place.scope,
                        row.metric(),
                        row.metricScale(),
                        SampleBuilder.UNKNOWN,
                        SampleBuilder.UNKNOWN);
            } else if (!text.isEmpty()) {
                builder.setNone(
                        name.column,
                        place.scope,
                        SampleBuilder.NOT_COUNTED,
                        SampleBuilder.UNKNOWN,
                        SampleBuilder.UNKNOWN);
            }
            field++;
        }
    }

    private void readMetricNames() {
        List<Event> names = new ArrayList<>();
        for (int i = row.firstMetricField(); i < row.fields(); i++) {
            String name = row.text(i);
            if (!name.isEmpty()) {
                names.add(new Event(name, name, "", "", ValueKind.DERIVED, 1));
            }
        }
        metricNames = names;
        row.inMetricTable(!names.isEmpty());
        account.count(LineAccount.Kind.HEADER, lines.number());
        if (names.isEmpty()) {
            account.notice(lines.number(), lines.text(), "a --metric-only table without any metric");
        }
    }

    private void compareCounters(Event event, Place place) {
        if (row.counters() >= place.counters) {
            place.counters = row.counters();
        } else if (missingCounters.size() < LineAccount.KEPT && missingCounters.add(place.name + " " + event.name)) {
            account.notice(
                    lines.number(),
                    lines.text(),
                    place.name + ": " + event.name + " was added up from " + row.counters()
                            + " counters, other events from " + place.counters);
        }
    }

    // ---- intervals

    private Sample build() {
        long start;
        long end;
        if (mode == PerfCsvRow.Time.OFFSET) {
            end = sectionStart + intervalEnd;
            if (intervalEnd == lastBuiltEnd) {
                start = Math.max(sectionStart, end - Math.max(nominal, 0)); // the rest of an interval sent in two goes
            } else {
                start = end - spanOfInterval();
            }
            lastBuiltEnd = intervalEnd;
            previousEnd = intervalEnd;
        } else if (mode == PerfCsvRow.Time.SUMMARY) {
            start = sectionStart;
            end = sectionStart + previousEnd;
            builder.flag(Flag.SUMMARY);
        } else {
            long length = options.intervalNanos() > 0 ? options.intervalNanos() : durationNanos;
            if (length <= 0) {
                throw options.refusal(
                        "perf stat without -I does not say how long it ran: pass --interval, or record with"
                                + " -I 1000");
            }
            start = sectionStart;
            end = start + length;
        }
        if (assumed) {
            builder.flag(Flag.TIME_ASSUMED);
        }
        elidedBefore = false;
        lastEnd = Math.max(lastEnd, end);
        return builder.build(start + options.offsetNanos(), end + options.offsetNanos(), firstLine, lastLine);
    }

    /**
     * {@return how long the interval was that ends now}
     *
     * <p>It begins where the interval before it ended, and so it does when the rows of that one could not be read but
     * their time could. When not even their time could be read, the interval is as long as it usually is.
     */
    private long spanOfInterval() {
        Long seen = unread.lower(intervalEnd);
        long begin = seen == null ? previousEnd : Math.max(seen, previousEnd);
        unread.headSet(intervalEnd, true).clear();
        long length = intervalEnd - begin;
        if (nominal == 0) {
            long next = following - intervalEnd;
            boolean stretched = lostBefore && next > 0 && Math.abs(length % next) < next / 10 && length / next > 1;
            nominal = stretched ? next : length; // nothing before it can be trusted, so the next one tells
        }
        if (length < nominal - nominal / 10) {
            builder.flag(Flag.PARTIAL_SPAN);
        } else if (lostBefore && length > nominal + nominal / 2 || isHole(length)) {
            length = nominal;
        }
        long missing = intervalEnd - length - previousEnd;
        if (missing > 0) {
            builder.flag(Flag.GAP_BEFORE);
            account.gap(missing);
        }
        return length;
    }

    /** Whole intervals are missing: the length is close to a multiple of the usual one, which no delay makes. */
    private boolean isHole(long length) {
        double times = (double) length / nominal;
        long whole = Math.round(times);
        return whole >= 2 && (elidedBefore || Math.abs(times - whole) < 0.01 * whole);
    }

    /** Makes sure that the section's start is known; false when its rows are errors. */
    private boolean begin() {
        if (sectionKnown) {
            return true;
        }
        if (sectionRefused) {
            error("of a run of perf that cannot be placed in time, see above; row left out");
            return false;
        }
        if (startedOn != null
                && (options.zone().isPresent()
                        || options.systemZone().isPresent()
                        || options.start().isEmpty())) {
            try {
                sectionStart =
                        TimeColumns.nanos(clock.instant(startedOn, startedOnLine, "\"# started on\" is local time"));
            } catch (DateTimeException e) {
                sectionRefused = true;
                error("line " + startedOnLine + ": " + e.getMessage() + "; row left out");
                return false;
            }
            if (clock.assumed()) {
                assumed = true;
                account.assumed(clock.assumption());
            }
            accuracy = SECOND;
        } else if (options.start().isPresent() && sections <= 1) {
            sectionStart = TimeColumns.nanos(options.start().get());
            assumed = true;
            account.assumed("times rest on --start; the capture has only seconds since perf began");
        } else if (options.start().isPresent()) {
            sectionRefused = true;
            error("a second run of perf whose time is not known: pass --zone; row left out");
            return false;
        } else if (lines.arrivalNanos() != ByteSource.NO_ARRIVAL && row.time() == PerfCsvRow.Time.OFFSET) {
            sectionStart = lines.arrivalNanos() - row.timeNanos();
            assumed = true;
            account.assumed(LineAccount.ARRIVAL);
        } else if (row.time() == PerfCsvRow.Time.NONE) {
            throw options.refusal(
                    "perf stat without -I has no times: pass --start and --interval (how long it ran), or record with -I 1000");
        } else {
            throw options.refusal(
                    "perf stat without a \"# started on\" line (it comes with -o) has no clock: pass --start");
        }
        if (lastEnd != Long.MIN_VALUE && sectionStart < lastEnd) {
            if (lastEnd - sectionStart > SECOND) {
                sectionRefused = true;
                error("this run of perf began at " + Instant.ofEpochSecond(0, sectionStart)
                        + ", before the one above it ended; replay it as another run; row left out");
                return false;
            }
            sectionStart = lastEnd; // "# started on" is cut to whole seconds
        }
        sectionKnown = true;
        return true;
    }

    private Sample comment(byte[] bytes, int start, int end) {
        account.count(LineAccount.Kind.COMMENT, lines.number());
        if (!startsWith(bytes, start, end, STARTED_ON)) {
            return null;
        }
        String text = new String(
                        bytes, start + STARTED_ON.length, end - start - STARTED_ON.length, StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", " ");
        Sample done = builder.isEmpty() ? null : build();
        try {
            startedOn = LocalDateTime.parse(text, CTIME);
            startedOnLine = lines.number();
        } catch (DateTimeException e) {
            startedOn = null;
            account.notice(lines.number(), text, "\"# started on\" without a time that can be read; pass --start");
        }
        sections++;
        sectionKnown = false;
        sectionRefused = false;
        intervals = false;
        previousEnd = 0;
        intervalEnd = 0;
        unread.clear();
        lost = false;
        lastBuiltEnd = Long.MIN_VALUE;
        mode = PerfCsvRow.Time.NONE;
        nominal = options.intervalNanos();
        lastEvent = null;
        tailSeen = false;
        metricNames = List.of();
        if (row != null) {
            row.inMetricTable(false);
        }
        return done;
    }

    private Sample noise(byte[] bytes, int start, int end) {
        boolean dots = true;
        for (int i = start; i < end; i++) {
            dots &= bytes[i] == '.' || bytes[i] == ' ' || bytes[i] == '[' || bytes[i] == ']';
        }
        // what is left of a row when a file ends in the middle of it
        boolean digit = bytes[start] >= '0' && bytes[start] <= '9';
        boolean stump = digit && (intervals && (row.fields() > 2 || end - start > LONGEST_WORD) || !lines.terminated())
                || intervals && usualFields > 4 && row.fields() == usualFields;
        if (dots) {
            account.count(LineAccount.Kind.NOISE, lines.number());
            account.notice(lines.number(), lines.text(), "rows left out here");
            elided = rows > 0;
        } else if (stump && rows > 0) {
            error(cutOff() + (row.problem().isEmpty() ? "no row of perf stat" : row.problem()) + "; left out");
            lost |= intervals;
        } else {
            account.count(LineAccount.Kind.NOISE, lines.number());
        }
        return null;
    }

    private String cutOff() {
        return lines.terminated() ? "" : "the capture is cut off here: ";
    }

    private void error(String message) {
        account.error(lines.number(), lines.text(), message);
    }

    private Event event() {
        Event known = events.get(lines.buffer(), row.keyFrom(), row.keyTo());
        if (known == null) {
            String name = row.event();
            known = new Event(
                    MetricNames.perf(name), name, MetricNames.perfUnit(row.unit()), row.cgroup(), ValueKind.DELTA, 1);
            events.put(lines.buffer(), row.keyFrom(), row.keyTo(), known);
        }
        return known;
    }

    private Place place() {
        Place known = places.get(lines.buffer(), row.idFrom(), row.idTo());
        if (known == null) {
            String id = new String(lines.buffer(), row.idFrom(), row.idTo() - row.idFrom(), StandardCharsets.UTF_8);
            known = new Place(id, builder.scope(PerfCsvRow.scopeOf(id).text()));
            places.put(lines.buffer(), row.idFrom(), row.idTo(), known);
        }
        return known;
    }

    /** Chooses the separator under which most of what has arrived so far are rows. */
    private byte separator(byte[] bytes, int start) {
        int to = lines.headStart() + lines.available();
        byte best = ',';
        long most = 0;
        for (byte separator : SEPARATORS) {
            long found = count(bytes, start, Math.min(to, start + CaptureFormat.HEAD_BYTES), separator);
            if (found > most) {
                most = found;
                best = separator;
            }
        }
        return best;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%d.%09d", nanos / SECOND, nanos % SECOND);
    }

    private static int unquote(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '>' || bytes[at] == '\r')) {
            at++;
        }
        return at;
    }

    private static int trimmedEnd(byte[] bytes, int from, int to) {
        return to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    }

    private static boolean startsWith(byte[] bytes, int from, int to, byte[] word) {
        return to - from >= word.length && Arrays.equals(bytes, from, from + word.length, word, 0, word.length);
    }

    /** A scope as it stands in the lines. */
    private static final class Place {
        private final String name;
        private final int scope;
        private int counters;

        Place(String name, int scope) {
            this.name = name;
            this.scope = scope;
        }
    }

    /** An event with its column and those of the figures perf derives from it. */
    private final class Event {
        private final String metric;
        private final String name;
        private final String unit;
        private final String cgroup;
        private final ValueKind kind;
        private final int occurrence;
        private final int column;
        private final boolean isDuration;
        private int varianceColumn = -1;
        private byte[][] metricUnits = new byte[0][];
        private int[] metricColumns = new int[0];
        private Event next;

        Event(String metric, String name, String unit, String cgroup, ValueKind kind, int occurrence) {
            this.metric = metric;
            this.name = name;
            this.unit = unit;
            this.cgroup = cgroup;
            this.kind = kind;
            this.occurrence = occurrence;
            column = builder.column(metric, name, unit, kind, dimension());
            isDuration = name.equals("duration_time");
        }

        private String dimension() {
            return occurrence == 1 ? cgroup : (cgroup.isEmpty() ? "" : cgroup + " ") + "#" + occurrence;
        }

        /** {@return the same event when it stands once more in the same interval and scope} */
        Event again() {
            if (next == null) {
                next = new Event(metric, name, unit, cgroup, kind, occurrence + 1);
            }
            return next;
        }

        int variance() {
            if (varianceColumn < 0) {
                varianceColumn = builder.column(metric + ".variance", name, "%", ValueKind.DERIVED, dimension());
            }
            return varianceColumn;
        }

        int metric(byte[] bytes, int from, int to) {
            for (int i = 0; i < metricUnits.length; i++) {
                if (Arrays.equals(metricUnits[i], 0, metricUnits[i].length, bytes, from, to)) {
                    return metricColumns[i];
                }
            }
            String metricUnit = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            int found = builder.column(metric, name, metricUnit, ValueKind.DERIVED, dimension());
            metricUnits = Arrays.copyOf(metricUnits, metricUnits.length + 1);
            metricUnits[metricUnits.length - 1] = Arrays.copyOfRange(bytes, from, to);
            metricColumns = Arrays.copyOf(metricColumns, metricColumns.length + 1);
            metricColumns[metricColumns.length - 1] = found;
            return found;
        }
    }
}
