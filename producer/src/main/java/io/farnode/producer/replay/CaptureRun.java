package io.farnode.producer.replay;

import io.farnode.contract.Keys;
import io.farnode.contract.SampleBuilder;
import io.farnode.producer.Run;
import io.farnode.producer.capture.ByteSource;
import io.farnode.producer.capture.CaptureException;
import io.farnode.producer.capture.CaptureFormat;
import io.farnode.producer.capture.CaptureOptions;
import io.farnode.producer.capture.CaptureReader;
import io.farnode.producer.capture.LineAccount;
import io.farnode.producer.capture.LineSource;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Machine;
import io.farnode.telemetry.Origin;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Source;
import io.farnode.telemetry.TimeBasis;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A run made of captures: one or several files and pipes, merged in the order in which their spans end. Memory stays
 * small however long the captures are: one sample of each source is held.
 *
 * <p>Samples that are averages since boot or totals of a whole run are told in their place, with their flags.
 */
public final class CaptureRun implements Run {
    /**
     * What a run of captures is made of and called.
     *
     * @param runId name of the run, see {@link Keys#runId(String)}
     * @param captures the captures, at least one; standard input at most once
     * @param machine what is known about the machine; an empty record = nothing
     * @param policy kernel policy; empty = not said
     * @param workload workload; empty = not said
     * @param throughputUnit unit of the workload's operations; empty = none
     * @param operationEvent event that counts operations; empty = none
     * @param experiment what is compared; empty = nothing
     * @param arm side of the comparison; empty = none
     * @param repeat number of the repetition, from 1
     * @param labels free labels
     * @param standardInput where "-" reads from
     */
    public record Settings(
            String runId,
            List<CaptureOptions> captures,
            Machine machine,
            String policy,
            String workload,
            String throughputUnit,
            String operationEvent,
            String experiment,
            String arm,
            int repeat,
            Map<String, String> labels,
            InputStream standardInput) {
        /**
         * {@return settings of a run about which nothing more is said}
         *
         * @param runId name of the run
         * @param captures the captures
         */
        public static Settings of(String runId, List<CaptureOptions> captures) {
            return new Settings(
                    runId, captures, Machine.newBuilder().build(), "", "", "", "", "", "", 1, Map.of(), System.in);
        }

        /**
         * {@return the same with a machine}
         *
         * @param known what is known about it
         */
        public Settings withMachine(Machine known) {
            return new Settings(
                    runId,
                    captures,
                    known,
                    policy,
                    workload,
                    throughputUnit,
                    operationEvent,
                    experiment,
                    arm,
                    repeat,
                    labels,
                    standardInput);
        }

        /**
         * {@return the same with a place in a comparison}
         *
         * @param name what is compared
         * @param side side of the comparison
         * @param repetition number of the repetition, from 1
         */
        public Settings withExperiment(String name, String side, int repetition) {
            return new Settings(
                    runId,
                    captures,
                    machine,
                    policy,
                    workload,
                    throughputUnit,
                    operationEvent,
                    name,
                    side,
                    repetition,
                    labels,
                    standardInput);
        }

        /**
         * {@return the same with what the machine was doing}
         *
         * @param kernelPolicy kernel policy; empty = not said
         * @param doing workload; empty = not said
         * @param operationUnit unit of its operations, in the singular; empty = none
         * @param countedBy event that counts them; empty = none
         */
        public Settings withWorkload(String kernelPolicy, String doing, String operationUnit, String countedBy) {
            return new Settings(
                    runId,
                    captures,
                    machine,
                    kernelPolicy,
                    doing,
                    operationUnit,
                    countedBy,
                    experiment,
                    arm,
                    repeat,
                    labels,
                    standardInput);
        }

        /**
         * {@return the same with labels}
         *
         * @param free the labels
         */
        public Settings withLabels(Map<String, String> free) {
            return new Settings(
                    runId,
                    captures,
                    machine,
                    policy,
                    workload,
                    throughputUnit,
                    operationEvent,
                    experiment,
                    arm,
                    repeat,
                    free,
                    standardInput);
        }

        /**
         * {@return the same with another standard input}
         *
         * @param input where "-" reads from
         */
        public Settings withStandardInput(InputStream input) {
            return new Settings(
                    runId,
                    captures,
                    machine,
                    policy,
                    workload,
                    throughputUnit,
                    operationEvent,
                    experiment,
                    arm,
                    repeat,
                    labels,
                    input);
        }
    }

    /**
     * What was read from one source.
     *
     * @param source name of the source in the run
     * @param format its format
     * @param file its file as the user gave it; "-" = standard input
     * @param samples samples made of it
     * @param values values in them, those without a number included
     * @param account what became of its lines
     */
    public record SourceSummary(
            String source, CaptureFormat format, String file, long samples, long values, LineAccount account) {
        @Override
        public String toString() {
            return source + " (" + (file.equals("-") ? "standard input" : file) + "): " + samples + " samples from "
                    + account;
        }
    }

    private final List<Feed> feeds;
    private final PriorityQueue<Feed> ready = new PriorityQueue<>(
            Comparator.comparingLong((Feed f) -> f.head.getEndNanos()).thenComparingInt(f -> f.number));
    private final long bytesTotal;
    private final RunStarted started;
    private Feed taken;
    private long samples;
    private long values;
    private long endNanos;
    private boolean ended;
    private volatile boolean stopped;
    private volatile ReplayProgress progress;

    private CaptureRun(Settings settings, List<Feed> feeds, RunStarted started) {
        this.feeds = feeds;
        this.started = started;
        bytesTotal = feeds.stream().anyMatch(f -> f.pipe != null)
                ? 0
                : feeds.stream().mapToLong(f -> f.size).sum();
        for (Feed feed : feeds) {
            if (feed.head != null) {
                ready.add(feed);
            }
        }
        endNanos = started.getStartNanos();
        progress = new ReplayProgress(endNanos, endNanos, 0, bytesTotal, 0, 0);
    }

    /**
     * Opens the captures of a run and reads up to the first sample of each, so that whatever is wrong with formats and
     * options shows before anything is told.
     *
     * @param settings what the run is made of
     * @return the run
     * @throws CaptureException if a capture cannot be read as it stands
     * @throws IllegalArgumentException if the run id is no run id, or there is no capture
     * @throws IOException if a file cannot be read
     */
    public static CaptureRun open(Settings settings) throws IOException {
        return open(settings, CaptureRun::wallClock, PipeSource.QUIET_MILLIS);
    }

    /** Opens with a clock of the caller's for the arrival of lines. */
    static CaptureRun open(Settings settings, LongSupplier clock, long quietMillis) throws IOException {
        Keys.runId(settings.runId());
        if (settings.captures().isEmpty()) {
            throw new IllegalArgumentException("no capture to replay; give at least one file, or - for standard input");
        }
        if (settings.captures().stream().filter(c -> c.path().equals("-")).count() > 1) {
            throw new CaptureException("-", 0, "given twice; it can be read once");
        }
        List<Feed> feeds = new ArrayList<>();
        try {
            Map<String, Integer> names = new HashMap<>();
            for (CaptureOptions options : settings.captures()) {
                Feed feed = Feed.open(feeds.size(), options, settings.standardInput(), clock, quietMillis);
                feeds.add(feed);
                int occurrence = names.merge(feed.format.formatName(), 1, Integer::sum);
                feed.name = feed.format.formatName() + (occurrence == 1 ? "" : "-" + occurrence);
            }
            for (Feed feed : feeds) {
                feed.advance();
            }
            return new CaptureRun(settings, feeds, describe(settings, feeds));
        } catch (IOException | RuntimeException e) {
            for (Feed feed : feeds) {
                feed.close(e);
            }
            throw e;
        }
    }

    @Override
    public RunStarted started() {
        return started;
    }

    @Override
    public Sample next() throws IOException {
        if (ended) {
            return null;
        }
        // only now, so that a row of a live pipe is told before the next one is waited for
        if (taken != null && !stopped) {
            taken.advance();
            if (taken.head != null) {
                ready.add(taken);
            }
        }
        taken = stopped ? null : ready.poll();
        if (taken == null) {
            ended = true;
            report(endNanos, stopped ? bytesRead() : bytesTotal);
            return null;
        }
        Sample sample = taken.head;
        sample.setRunId(started.getRunId());
        sample.setSource(taken.name);
        sample.setSequence(++taken.samples);
        long count = countValues(sample);
        taken.values += count;
        samples++;
        values += count;
        endNanos = Math.max(endNanos, sample.getEndNanos());
        report(sample.getEndNanos(), bytesRead());
        return sample;
    }

    private void report(long eventNanos, long bytes) {
        progress = new ReplayProgress(eventNanos, started.getStartNanos(), bytes, bytesTotal, samples, values);
    }

    private long bytesRead() {
        long sum = 0;
        for (Feed feed : feeds) {
            sum += feed.bytesRead;
        }
        return bytesTotal == 0 ? 0 : sum;
    }

    @Override
    public RunFinished finished() {
        if (!ended) {
            throw new IllegalStateException("the run has not ended");
        }
        Map<String, Long> last = new TreeMap<>();
        feeds.forEach(f -> last.put(f.name, f.samples));
        return new RunFinished(started.getRunId(), last, started.getStartNanos(), endNanos, samples, values, !stopped);
    }

    /** {@return what was read, source by source; complete once the run has ended} */
    public List<SourceSummary> summary() {
        return feeds.stream()
                .map(f ->
                        new SourceSummary(f.name, f.format, f.options.path(), f.samples, f.values, f.reader.account()))
                .toList();
    }

    /** {@return how far the replay has come; may be asked for from any thread} */
    public ReplayProgress progress() {
        return progress;
    }

    /** {@return whether a source of this run is a pipe that is being written now} */
    public boolean isLive() {
        return started.getOrigin() == Origin.LIVE;
    }

    /** Breaks the run off, from any thread: {@link #next()} tells no further sample. */
    public void stop() {
        stopped = true;
        for (Feed feed : feeds) {
            if (feed.pipe != null) {
                feed.pipe.stop();
            }
        }
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (Feed feed : feeds) {
            try {
                feed.reader.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static long countValues(Sample sample) {
        long count = 0;
        for (Column column : sample.getColumns()) {
            ByteBuffer states = column.getStates();
            count += column.getValues().size();
            for (int i = states.position(); i < states.limit(); i++) {
                if (states.get(i) == SampleBuilder.ABSENT) {
                    count--;
                }
            }
        }
        return count;
    }

    private static long wallClock() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private static RunStarted describe(Settings settings, List<Feed> feeds) {
        long start = Long.MAX_VALUE;
        boolean live = false;
        boolean assumed = false;
        List<Source> sources = new ArrayList<>();
        MessageDigest digest = sha256();
        for (Feed feed : feeds) {
            if (feed.head != null) {
                start = Math.min(start, feed.head.getStartNanos());
            }
            live |= feed.pipe != null;
            assumed |= feed.reader.timeAssumed();
            sources.add(new Source(
                    feed.name,
                    feed.format.tool(),
                    feed.format.formatName(),
                    feed.options.path(),
                    feed.sha256,
                    feed.options.offsetNanos(),
                    feed.reader.accuracyNanos(),
                    new TreeMap<>(feed.options.given())));
            // a zone that was fallen back on decides times as much as one that was given
            String zone = feed.options.zone().isPresent() || !feed.reader.timeAssumed()
                    ? ""
                    : feed.options.systemZone().map(Object::toString).orElse("");
            String line = feed.format.formatName() + "\n" + feed.sha256 + "\n"
                    + (feed.pipe == null ? "" : feed.openedAt) + "\n" + new TreeMap<>(feed.options.given()) + "\n"
                    + zone
                    + "\n";
            digest.update(line.getBytes(StandardCharsets.UTF_8));
        }
        return new RunStarted(
                settings.runId(),
                live ? Origin.LIVE : Origin.CAPTURED,
                settings.machine(),
                settings.policy(),
                settings.workload(),
                settings.throughputUnit(),
                settings.operationEvent(),
                settings.experiment(),
                settings.arm(),
                settings.repeat(),
                0L,
                assumed ? TimeBasis.ASSUMED : TimeBasis.WALL,
                start == Long.MAX_VALUE ? 0 : start,
                sources,
                new TreeMap<>(settings.labels()),
                HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java platform has it
        }
    }

    /** One capture with the sample it will tell next. */
    private static final class Feed {
        private final int number;
        private final CaptureOptions options;
        private final CaptureFormat format;
        private final CaptureReader reader;
        private final PipeSource pipe;
        private final String sha256;
        private final long size;
        private final long openedAt;
        private final Deque<Sample> parts = new ArrayDeque<>();
        private volatile long bytesRead;
        private String name;
        private Sample head;
        private long samples;
        private long values;

        private Feed(int number, CaptureOptions options, ByteSource bytes, PipeSource pipe, Known known)
                throws IOException {
            this.number = number;
            this.options = options;
            this.pipe = pipe;
            this.sha256 = known.sha256;
            this.size = known.size;
            this.openedAt = known.openedAt;
            LineSource lines = new LineSource(bytes);
            try {
                format = CaptureFormat.of(lines, options);
            } catch (ZipException | EOFException e) {
                lines.close();
                throw damaged(options, 0, e);
            } catch (IOException | RuntimeException e) {
                lines.close();
                throw e;
            }
            reader = format.open(lines, options);
        }

        private record Known(String sha256, long size, long openedAt) {}

        static Feed open(
                int number, CaptureOptions options, InputStream standardInput, LongSupplier clock, long quietMillis)
                throws IOException {
            String path = options.path();
            if (path.equals(CaptureOptions.STANDARD_INPUT)) {
                return live(number, options, standardInput, clock, quietMillis);
            }
            Path file;
            try {
                file = Path.of(path);
            } catch (InvalidPathException e) {
                throw new CaptureException(path, 0, "is no file name");
            }
            if (Files.isDirectory(file)) {
                throw new CaptureException(path, 0, "is a directory; give a file");
            }
            if (!Files.exists(file)) {
                Optional<String> unknown = CaptureOptions.unknownOption(path);
                if (unknown.isPresent()) {
                    throw new CaptureException(
                            path,
                            0,
                            "unknown option \"" + unknown.get() + "\"; options are "
                                    + String.join(", ", CaptureOptions.keys().keySet()));
                }
                int colon = path.indexOf(':');
                throw new CaptureException(
                        path,
                        0,
                        "no such file"
                                + (colon > 0
                                        ? "; if \"" + path.substring(0, colon)
                                                + "\" is meant as a format, the known ones are " + CaptureFormat.names()
                                        : ""));
            }
            try {
                if (!Files.isRegularFile(file)) {
                    return live(number, options, Files.newInputStream(file), clock, quietMillis);
                }
                return recorded(number, options, file);
            } catch (AccessDeniedException e) {
                throw new CaptureException(path, 0, "may not be read; check its permissions");
            } catch (NoSuchFileException e) {
                throw new CaptureException(path, 0, "no such file");
            }
        }

        private static Feed live(
                int number, CaptureOptions options, InputStream stream, LongSupplier clock, long quietMillis)
                throws IOException {
            PipeSource pipe = new PipeSource(options.path(), stream, clock, quietMillis);
            return new Feed(number, options, pipe, pipe, new Known("", 0, clock.getAsLong()));
        }

        private static Feed recorded(int number, CaptureOptions options, Path file) throws IOException {
            MessageDigest digest = sha256();
            try (InputStream whole = Files.newInputStream(file)) {
                byte[] buffer = new byte[256 * 1024];
                for (int read = whole.read(buffer); read >= 0; read = whole.read(buffer)) {
                    digest.update(buffer, 0, read);
                }
            }
            Counted counted = new Counted(Files.newInputStream(file));
            InputStream text = unpack(options.path(), counted);
            Feed feed = new Feed(
                    number,
                    options,
                    ByteSource.of(text),
                    null,
                    new Known(HexFormat.of().formatHex(digest.digest()), Files.size(file), 0));
            counted.feed = feed;
            return feed;
        }

        /** Unpacks gzip, and says so plainly when it meets another packing. */
        private static InputStream unpack(String path, InputStream packed) throws IOException {
            PushbackInputStream stream = new PushbackInputStream(new BufferedInputStream(packed, 64 * 1024), 6);
            byte[] magic = stream.readNBytes(6);
            stream.unread(magic);
            if (begins(magic, 0x1F, 0x8B)) {
                try {
                    return new GZIPInputStream(stream, 64 * 1024);
                } catch (ZipException | EOFException e) {
                    stream.close();
                    throw new CaptureException(path, 0, "damaged gzip (" + e.getMessage() + ")");
                }
            }
            String packing = begins(magic, 0xFD, '7', 'z', 'X', 'Z')
                    ? "xz"
                    : begins(magic, 0x28, 0xB5, 0x2F, 0xFD) ? "zstd" : begins(magic, 'B', 'Z', 'h') ? "bzip2" : "";
            if (!packing.isEmpty()) {
                stream.close();
                throw new CaptureException(
                        path, 0, "packed with " + packing + "; unpack it first (gzip can stay packed)");
            }
            return stream;
        }

        private static boolean begins(byte[] bytes, int... magic) {
            for (int i = 0; i < magic.length; i++) {
                if (i >= bytes.length || (bytes[i] & 0xFF) != magic[i]) {
                    return false;
                }
            }
            return true;
        }

        /** Fetches the next sample, or the next part of one that is too large for a record. */
        void advance() throws IOException {
            if (parts.isEmpty()) {
                try {
                    Sample next = reader.next();
                    if (next != null) {
                        parts.addAll(SampleParts.split(next, SampleParts.TARGET_BYTES));
                    }
                } catch (ZipException | EOFException e) {
                    throw damaged(options, reader.account().lines(), e);
                }
            }
            head = parts.poll();
        }

        private static CaptureException damaged(CaptureOptions options, long lines, IOException why) {
            return new CaptureException(
                    options.path(),
                    lines,
                    "damaged gzip from here on (" + why.getMessage() + "); unpack what is whole");
        }

        void close(Throwable because) {
            try {
                reader.close();
            } catch (IOException e) {
                because.addSuppressed(e);
            }
        }

        /** Counts the bytes of a file as they are read. */
        private static final class Counted extends InputStream {
            private final InputStream stream;
            private Feed feed;
            private long count;

            Counted(InputStream stream) {
                this.stream = stream;
            }

            @Override
            public int read() throws IOException {
                int read = stream.read();
                counted(read < 0 ? 0 : 1);
                return read;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                int read = stream.read(into, from, length);
                counted(Math.max(read, 0));
                return read;
            }

            @Override
            public void close() throws IOException {
                stream.close();
            }

            private void counted(int bytes) {
                count += bytes;
                if (feed != null) {
                    feed.bytesRead = count;
                }
            }
        }
    }
}
