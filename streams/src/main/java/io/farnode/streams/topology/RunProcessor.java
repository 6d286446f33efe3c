package io.farnode.streams.topology;

import io.farnode.contract.Codec;
import io.farnode.contract.Keys;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import io.farnode.results.RunSummary;
import io.farnode.results.WindowResult;
import io.farnode.streams.window.Accumulators;
import io.farnode.streams.window.SampleSpreader;
import io.farnode.streams.window.SeriesDictionary;
import io.farnode.streams.window.WindowGrid;
import io.farnode.streams.window.WindowReport;
import io.farnode.streams.window.WindowWriter;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Reads the telemetry log: one run after the other or any number of them interleaved. Every effect of a record is in the
 * stores before {@link #process} returns, so that a crash loses nothing and counts nothing twice; what is on the heap is
 * read back from them.
 *
 * <p>Windows close by the run's own watermark or by its RunFinished, never by another run's time nor by the wall clock.
 */
final class RunProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    /** Runs whose decoded state is kept on the heap; a pure cache. */
    private static final int CACHED_RUNS = 256;

    private final SchemaCatalog catalog;
    private final WindowSettings settings;
    private final WindowWriter windowWriter = new WindowWriter();
    private final SampleSpreader spreader = new SampleSpreader();
    private final ByteArraySerializer prefixSerializer = new ByteArraySerializer();
    private final Map<String, ActiveRun> cache = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ActiveRun> eldest) {
            return size() > CACHED_RUNS;
        }
    };

    private Codec codec;
    private ProcessorContext<byte[], byte[]> context;
    private DeadLetters deadLetters;
    private KeyValueStore<Bytes, byte[]> starts;
    private KeyValueStore<Bytes, byte[]> runs;
    private KeyValueStore<Bytes, byte[]> seriesStore;
    private KeyValueStore<Bytes, byte[]> windowStore;
    private KeyValueStore<Bytes, byte[]> signals;

    RunProcessor(SchemaCatalog catalog, WindowSettings settings) {
        this.catalog = catalog;
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> processorContext) {
        context = processorContext;
        codec = new Codec(catalog);
        deadLetters = new DeadLetters(context, Names.DEAD_LETTERS_SINK);
        starts = context.getStateStore(Names.STARTS_STORE);
        runs = context.getStateStore(Names.RUNS_STORE);
        seriesStore = context.getStateStore(Names.SERIES_STORE);
        windowStore = context.getStateStore(Names.WINDOWS_STORE);
        signals = context.getStateStore(Names.SIGNALS_STORE);
        cache.clear();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        SpecificRecord decoded;
        try {
            decoded = codec.decode(record.value());
        } catch (UndecodableException e) {
            deadLetters.send(record, DropReason.UNDECODABLE, e.getMessage(), e);
            return;
        }
        String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
        if (decoded instanceof Sample sample) {
            if (belongs(record, key, sample.getRunId())) {
                sample(record, sample);
            }
        } else if (decoded instanceof RunStarted started) {
            if (belongs(record, key, started.getRunId())) {
                started(record, started);
            }
        } else if (decoded instanceof RunFinished finished) {
            if (belongs(record, key, finished.getRunId())) {
                finished(record, finished);
            }
        } else {
            drop(
                    record,
                    DropReason.MISPLACED,
                    "a " + decoded.getSchema().getName() + ", which has no place in " + Topics.TELEMETRY.topicName());
        }
    }

    private boolean belongs(Record<byte[], byte[]> record, String key, String runId) {
        if (!runId.equals(key)) {
            drop(
                    record,
                    DropReason.MISPLACED,
                    "record of run \"" + runId + "\" under " + (key == null ? "no key" : "key \"" + key + "\""));
            return false;
        }
        return true;
    }

    private void started(Record<byte[], byte[]> record, RunStarted started) {
        String runId = started.getRunId();
        ActiveRun known = load(runId);
        if (known != null) {
            String digest = known.started.getInputDigest();
            if (!digest.equals(started.getInputDigest())) {
                drop(
                        record,
                        DropReason.OTHER_INPUT,
                        "run id \"" + runId + "\" exists with other input: digest " + digest + ", this one "
                                + started.getInputDigest());
                return;
            }
            known.ledger.repeatedStarts++;
            save(known);
            sendInfo(record, known);
            return;
        }
        String defect = defect(started);
        if (defect != null) {
            drop(record, DropReason.MALFORMED, defect);
            return;
        }
        ActiveRun run =
                new ActiveRun(started, new RunLedger(started.getSources().size()), new SeriesDictionary());
        cache.put(runId, run);
        starts.put(StateKeys.run(runId), record.value());
        save(run);
        sendInfo(record, run);
    }

    private static String defect(RunStarted started) {
        try {
            Keys.runId(started.getRunId());
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        if (started.getStartNanos() < 0) {
            return "run starts at " + started.getStartNanos() + " ns, before 1970";
        }
        long names = started.getSources().stream()
                .map(source -> source.getName())
                .distinct()
                .count();
        if (names != started.getSources().size()) {
            return "two sources of the run have the same name";
        }
        return null;
    }

    private void sample(Record<byte[], byte[]> record, Sample sample) {
        ActiveRun run = load(sample.getRunId());
        if (run == null) {
            drop(record, DropReason.NO_RUN_STARTED, "no RunStarted of run \"" + sample.getRunId() + "\" before it");
            return;
        }
        Integer position = run.sourcePositions.get(sample.getSource());
        if (position == null) {
            drop(
                    record,
                    DropReason.MALFORMED,
                    "source \"" + sample.getSource() + "\" is none of those that RunStarted names: "
                            + run.sourcePositions.keySet());
            return;
        }
        RunLedger ledger = run.ledger;
        RunLedger.Source source = ledger.sources[position];
        long sequence = sample.getSequence();
        if (sequence <= source.lastSequence) {
            source.duplicates++;
            save(run);
            return;
        }
        if (ledger.finished) {
            ledger.afterFinish++;
            source.missing += sequence - source.lastSequence - 1;
            source.lastSequence = sequence;
            save(run);
            sendInfo(record, run);
            drop(
                    record,
                    DropReason.AFTER_FINISH,
                    "sample " + sequence + " of " + sample.getSource() + " after the run had finished");
            return;
        }
        source.missing += sequence - source.lastSequence - 1;
        source.lastSequence = sequence;
        String defect = SampleSpreader.defect(sample, run.grid);
        if (defect != null) {
            save(run);
            drop(record, DropReason.MALFORMED, where(sample) + ": " + defect);
            return;
        }
        take(record, sample, run, position);
    }

    private void take(Record<byte[], byte[]> record, Sample sample, ActiveRun run, int position) {
        RunLedger ledger = run.ledger;
        RunLedger.Source source = ledger.sources[position];
        SampleSpreader.Outcome outcome;
        boolean outOfSeries =
                sample.getFlags().contains(Flag.SINCE_BOOT) || sample.getFlags().contains(Flag.SUMMARY);
        boolean closed = false;
        if (outOfSeries) {
            outcome = SampleSpreader.count(sample);
            ledger.outOfSeries++;
        } else {
            int known = run.dictionary.size();
            try {
                outcome = spreader.spread(
                        sample, position, run.dictionary, run.grid, ledger.firstOpen, run.new OpenWindows());
            } catch (IllegalStateException e) {
                saveSeries(run, known);
                save(run);
                drop(record, DropReason.MALFORMED, where(sample) + ": " + e.getMessage());
                return;
            }
            saveSeries(run, known);
            source.maxEndNanos = Math.max(source.maxEndNanos, sample.getEndNanos());
            ledger.endNanos = Math.max(ledger.endNanos, sample.getEndNanos());
        }
        source.samples++;
        ledger.values += outcome.values();
        ledger.noValues += outcome.noValues();
        if (outcome.late()) {
            source.late++;
        } else if (outOfSeries) {
            save(run);
            return;
        }
        long watermark = ledger.watermark(settings.allowedLateness().toNanos());
        if (watermark != Long.MIN_VALUE) {
            closed = closeUpTo(record, run, run.grid.number(watermark));
        }
        save(run);
        if (outcome.late()) {
            drop(
                    record,
                    DropReason.LATE,
                    "late: " + where(sample) + " reaches into windows that closed at "
                            + run.grid.start(ledger.firstOpen) + " ns");
        }
        if (closed || outcome.late()) {
            sendInfo(record, run);
        }
    }

    private static String where(Sample sample) {
        return "sample " + sample.getSequence() + " of " + sample.getSource() + ", " + sample.getStartNanos() + ".."
                + sample.getEndNanos() + " ns"
                + (sample.getFirstLine() > 0 ? ", lines " + sample.getFirstLine() + " to " + sample.getLastLine() : "");
    }

    private void finished(Record<byte[], byte[]> record, RunFinished finished) {
        ActiveRun run = load(finished.getRunId());
        if (run == null) {
            drop(record, DropReason.NO_RUN_STARTED, "no RunStarted of run \"" + finished.getRunId() + "\" before it");
            return;
        }
        RunLedger ledger = run.ledger;
        if (ledger.finished) {
            // a replay that was run again has come to its end: say what it dropped
            sendInfo(record, run);
            return;
        }
        run.sourcePositions.forEach((name, position) -> {
            RunLedger.Source source = ledger.sources[position];
            long last = finished.getLastSequence().getOrDefault(name, 0L);
            if (last > source.lastSequence) {
                source.missing += last - source.lastSequence;
                source.lastSequence = last;
            }
        });
        closeUpTo(record, run, Long.MAX_VALUE);
        ledger.endNanos = Math.max(ledger.endNanos, finished.getEndNanos());
        ledger.finished = true;
        save(run);
        if (run.whole != null) {
            long start = run.started.getStartNanos();
            send(
                    record,
                    Keys.window(run.started.getRunId(), 0, start),
                    run.report.report(run.whole, start, Math.max(start, ledger.endNanos), 0, settings.completeness()),
                    Names.WINDOWS_SINK);
        }
        summarise(record, run);
        sendInfo(record, run);
        run.forget();
    }

    /** Closes and sends every open window before a number. */
    private boolean closeUpTo(Record<byte[], byte[]> record, ActiveRun run, long firstOpen) {
        RunLedger ledger = run.ledger;
        if (firstOpen <= ledger.firstOpen) {
            return false;
        }
        ledger.firstOpen = firstOpen;
        boolean closed = false;
        while (!run.open.isEmpty() && run.open.firstKey() < firstOpen) {
            Map.Entry<Long, byte[]> entry = run.open.pollFirstEntry();
            long number = entry.getKey();
            byte[] sums = entry.getValue();
            WindowResult result = run.report.report(
                    sums, run.grid.start(number), run.grid.end(number), run.grid.sizeNanos(), settings.completeness());
            send(
                    record,
                    Keys.window(run.started.getRunId(), run.grid.sizeNanos(), Math.max(0, run.grid.start(number))),
                    result,
                    Names.WINDOWS_SINK);
            run.whole = run.whole == null ? sums : Accumulators.merge(run.whole, sums);
            ledger.windows++;
            if (!result.getComplete()) {
                ledger.incompleteWindows++;
            }
            signals.put(StateKeys.numbered(run.prefix, number), SignalRows.row(result, settings.completeness()));
            // not delete(), which reads the old value first
            windowStore.put(StateKeys.numbered(run.prefix, number), null);
            closed = true;
        }
        if (closed) {
            windowStore.put(StateKeys.numbered(run.prefix, StateKeys.WHOLE_RUN), run.whole);
        }
        return closed;
    }

    private void summarise(Record<byte[], byte[]> record, ActiveRun run) {
        List<Bytes> rows = new ArrayList<>();
        SignalRows.Gatherer gatherer = new SignalRows.Gatherer();
        try (KeyValueIterator<Bytes, byte[]> entries = signals.prefixScan(run.prefix, prefixSerializer)) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                gatherer.add(StateKeys.number(entry.key), entry.value);
                rows.add(entry.key);
            }
        }
        rows.forEach(signals::delete);
        RunStarted started = run.started;
        if (!started.getExperiment().isEmpty()) {
            send(
                    record,
                    Keys.summary(started.getExperiment(), started.getRunId()),
                    new RunSummary(started.getRunId(), started, run.grid.sizeNanos(), gatherer.gathered()),
                    Names.SUMMARIES_SINK);
        }
    }

    private void sendInfo(Record<byte[], byte[]> record, ActiveRun run) {
        send(record, run.started.getRunId(), run.ledger.toInfo(run.started), Names.RUNS_SINK);
    }

    private void send(Record<byte[], byte[]> cause, String key, SpecificRecord value, String sink) {
        byte[] bytes = value instanceof WindowResult window ? windowWriter.write(window) : codec.encode(value);
        if (bytes.length > FarnodeTopology.MAX_RESULT_BYTES) {
            drop(
                    cause,
                    DropReason.TOO_LARGE,
                    "the " + value.getSchema().getName() + " " + key + " that follows from this record has "
                            + bytes.length + " bytes, more than " + FarnodeTopology.MAX_RESULT_BYTES);
            return;
        }
        context.forward(new Record<>(Keys.bytes(key), bytes, cause.timestamp()), sink);
    }

    private void drop(Record<byte[], byte[]> record, DropReason kind, String reason) {
        deadLetters.send(record, kind, reason, null);
    }

    private void save(ActiveRun run) {
        runs.put(run.key, run.ledger.toBytes());
    }

    private void saveSeries(ActiveRun run, int known) {
        for (int i = known; i < run.dictionary.size(); i++) {
            seriesStore.put(StateKeys.numbered(run.prefix, i), StateKeys.series(run.dictionary.get(i)));
        }
    }

    private ActiveRun load(String runId) {
        ActiveRun cached = cache.get(runId);
        if (cached != null) {
            return cached;
        }
        byte[] startedBytes = starts.get(StateKeys.run(runId));
        if (startedBytes == null) {
            return null;
        }
        RunStarted started;
        try {
            started = codec.decode(RunStarted.class, startedBytes);
        } catch (UndecodableException e) {
            throw new IllegalStateException("RunStarted of " + runId + " in the state store: " + e.getMessage(), e);
        }
        SeriesDictionary dictionary = new SeriesDictionary();
        ActiveRun run = new ActiveRun(started, RunLedger.read(runs.get(StateKeys.run(runId))), dictionary);
        try (KeyValueIterator<Bytes, byte[]> entries = seriesStore.prefixScan(run.prefix, prefixSerializer)) {
            entries.forEachRemaining(entry -> dictionary.append(StateKeys.series(entry.value)));
        }
        try (KeyValueIterator<Bytes, byte[]> entries = windowStore.prefixScan(run.prefix, prefixSerializer)) {
            entries.forEachRemaining(entry -> {
                long number = StateKeys.number(entry.key);
                if (number == StateKeys.WHOLE_RUN) {
                    run.whole = entry.value;
                } else {
                    run.open.put(number, entry.value);
                }
            });
        }
        cache.put(runId, run);
        return run;
    }

    /** What is known of a run, decoded. The arrays of open windows are those in the store. */
    private final class ActiveRun {
        private final RunStarted started;
        private final RunLedger ledger;
        private final SeriesDictionary dictionary;
        private final WindowReport report;
        private final WindowGrid grid;
        private final Bytes key;
        private final byte[] prefix;
        private final Map<String, Integer> sourcePositions = new TreeMap<>();
        private final TreeMap<Long, byte[]> open = new TreeMap<>();
        private byte[] whole;

        ActiveRun(RunStarted started, RunLedger ledger, SeriesDictionary dictionary) {
            this.started = started;
            this.ledger = ledger;
            this.dictionary = dictionary;
            report = new WindowReport(started, dictionary);
            grid = new WindowGrid(started.getStartNanos(), settings.size().toNanos());
            key = StateKeys.run(started.getRunId());
            prefix = StateKeys.prefix(started.getRunId());
            for (int i = 0; i < started.getSources().size(); i++) {
                sourcePositions.put(started.getSources().get(i).getName(), i);
            }
        }

        /** Deletes what a finished run no longer needs. How it began and its counts stay, to know duplicates by. */
        void forget() {
            for (int i = 0; i < dictionary.size(); i++) {
                seriesStore.delete(StateKeys.numbered(prefix, i));
            }
            windowStore.delete(StateKeys.numbered(prefix, StateKeys.WHOLE_RUN));
            cache.remove(started.getRunId());
        }

        /** The open windows as the spreader wants them. */
        private final class OpenWindows implements SampleSpreader.Windows {
            @Override
            public byte[] open(long number, int series) {
                byte[] known = open.get(number);
                return known == null
                        ? Accumulators.create(ledger.sources.length, series)
                        : Accumulators.grow(known, series);
            }

            @Override
            public void save(long number, byte[] window) {
                open.put(number, window);
                windowStore.put(StateKeys.numbered(prefix, number), window);
            }
        }
    }
}
