package io.farnode.producer.publish;

import io.farnode.contract.Codec;
import io.farnode.contract.Keys;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import io.farnode.producer.Run;
import io.farnode.telemetry.Origin;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes runs to {@link Topics#TELEMETRY}, all records of a run under its id and so in one partition, in order.
 *
 * <p>Before the first record a run claims its id in {@link Topics#CLAIMS}; an id that stands for another input is
 * refused, the same input may be published again: its records carry the same sequence numbers, and readers drop what
 * they have seen. The Kafka producer is idempotent, so its own retries add nothing either.
 *
 * <p>Several threads may publish different runs at once.
 */
public final class Publisher implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** How long a record waits for the broker's address or for room: a broker that is gone shows here first. */
    private static final int BLOCK_MILLIS = 10_000;

    private static final int REQUEST_MILLIS = 10_000;

    /** How long a record may take in all; a broker that is only slow, or chosen anew, has time for a few requests. */
    private static final int DELIVERY_MILLIS = 30_000;

    private final Map<String, Object> clientProperties;
    private final KafkaProducer<byte[], byte[]> producer;
    private final SchemaCatalog catalog = new SchemaCatalog();
    private volatile boolean unanswered;

    /** What happens around each sample, on the publishing thread. */
    @FunctionalInterface
    public interface Pace {
        /**
         * Called before a sample is sent; may wait until it is due.
         *
         * @param sample the sample
         * @throws InterruptedException if waiting was interrupted; the run is then broken off
         */
        void before(Sample sample) throws InterruptedException;
    }

    /**
     * Connects.
     *
     * @param clientProperties how to connect: at least {@code bootstrap.servers}; passed whole to the Kafka clients
     * @throws KafkaException if the properties are wrong
     */
    public Publisher(Map<String, Object> clientProperties) {
        this.clientProperties = Map.copyOf(clientProperties);
        Map<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 10);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L * 1024 * 1024);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
        if (!clientProperties.containsKey(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)
                && !clientProperties.containsKey(ProducerConfig.LINGER_MS_CONFIG)) {
            // the delivery must not be shorter than these two together, so they are set together or not at all
            properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
            properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
        }
        properties.putAll(clientProperties);
        // what the log's promises rest on is not for the user to change
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        // with more, a topic whose leader is just being elected can take the second batch before the first, and then
        // refuses the first for ever
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Writes this version's schemas to {@link Topics#SCHEMAS}, so that readers of other versions find them. Writing
     * them again changes nothing: the topic is compacted.
     *
     * @throws IOException if the broker does not take them
     */
    public void announceSchemas() throws IOException {
        Failure failure = new Failure("");
        for (Schema schema : SchemaCatalog.current().values()) {
            send(
                    Topics.SCHEMAS,
                    SchemaCatalog.fingerprintText(SchemaCatalog.fingerprint(schema)),
                    schema.toString().getBytes(StandardCharsets.UTF_8),
                    0,
                    failure);
        }
        producer.flush();
        failure.check("schemas");
    }

    /**
     * Publishes a run from its beginning to its end.
     *
     * @param run the run; not closed here
     * @param pace called before each sample
     * @return how the run ended
     * @throws IOException if the run cannot be read or the broker does not take it
     * @throws RunConflictException if the run id stands for another input; nothing has been published then
     * @throws InterruptedException if waiting was interrupted; the run has no end then and can be published again
     */
    public RunFinished publish(Run run, Pace pace) throws IOException, InterruptedException {
        RunStarted started = run.started();
        String runId = Keys.runId(started.getRunId());
        Codec codec = new Codec(catalog);
        String advice = advice(started);
        claim(started, codec, advice);
        Failure failure = new Failure(advice);
        send(Topics.TELEMETRY, runId, codec.encode(started), started.getStartNanos(), failure);
        for (Sample sample = run.next(); sample != null; sample = run.next()) {
            pace.before(sample);
            failure.check("run " + runId);
            send(Topics.TELEMETRY, runId, codec.encode(sample), sample.getEndNanos(), failure);
        }
        RunFinished finished = run.finished();
        send(Topics.TELEMETRY, runId, codec.encode(finished), finished.getEndNanos(), failure);
        producer.flush();
        failure.check("run " + runId);
        return finished;
    }

    /** Hands a record to the producer; what becomes of it is told to failure. */
    private void send(Topics topic, String key, byte[] value, long eventNanos, Failure failure) throws IOException {
        long timestamp = Math.max(0, Math.floorDiv(eventNanos, 1_000_000L));
        try {
            producer.send(
                    new ProducerRecord<>(topic.topicName(), null, timestamp, Keys.bytes(key), value), failure::take);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            throw failed("topic " + topic.topicName(), e, failure.advice);
        }
    }

    /** What to do when the broker is gone in the middle of a run. */
    private static String advice(RunStarted started) {
        return started.getOrigin() == Origin.LIVE ? "" : "; the same command completes the run";
    }

    /** Puts what Kafka says into words. */
    private IOException failed(String what, Throwable cause, String advice) {
        if (cause instanceof TimeoutException) {
            unanswered = true;
            return new IOException(
                    "no Kafka broker answers at " + clientProperties.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)
                            + " any more" + advice,
                    cause);
        }
        return new IOException(what + ": " + cause.getMessage(), cause);
    }

    /** Makes sure that the run id stands for this input and no other. */
    private void claim(RunStarted started, Codec codec, String advice) throws IOException, InterruptedException {
        RunStarted owner = firstClaim(started.getRunId(), codec, advice);
        boolean claimed = owner == null;
        if (claimed) {
            sendClaim(started, codec, advice);
            // of two publishers that claim at the same moment, the first in the log has it
            owner = firstClaim(started.getRunId(), codec, advice);
        }
        String conflict = owner == null ? "" : conflict(owner, started);
        if (!conflict.isEmpty()) {
            if (claimed) {
                // compaction keeps the last claim, which must be the owner's
                sendClaim(owner, codec, advice);
            }
            throw new RunConflictException(
                    "run " + started.getRunId() + " exists with " + conflict + "; choose another --run");
        }
    }

    /** What sets a run apart from the one that owns its id; empty = nothing. */
    static String conflict(RunStarted owner, RunStarted started) {
        if (!owner.getInputDigest().equals(started.getInputDigest())) {
            return isOfSameFiles(owner, started)
                    ? "other options (" + otherOptions(owner, started) + ")"
                    : "other input (" + describe(owner) + ")";
        }
        // results carry what the first RunStarted said, so the same bytes under other names would be mislabelled
        Map<String, Function<RunStarted, Object>> names = new LinkedHashMap<>();
        names.put("policy", RunStarted::getPolicy);
        names.put("workload", RunStarted::getWorkload);
        names.put("throughput unit", RunStarted::getThroughputUnit);
        names.put("operation event", RunStarted::getOperationEvent);
        names.put("experiment", RunStarted::getExperiment);
        names.put("arm", RunStarted::getArm);
        names.put("repeat", RunStarted::getRepeat);
        names.put("labels", RunStarted::getLabels);
        names.put("machine", RunStarted::getMachine);
        for (Map.Entry<String, Function<RunStarted, Object>> name : names.entrySet()) {
            Object theirs = name.getValue().apply(owner);
            Object ours = name.getValue().apply(started);
            if (!theirs.equals(ours)) {
                return "another " + name.getKey() + " (" + said(theirs) + ", now " + said(ours) + ")";
            }
        }
        return "";
    }

    /** Whether both runs are made of the same bytes of recorded files, in the same order. */
    private static boolean isOfSameFiles(RunStarted owner, RunStarted started) {
        List<String> theirs = owner.getSources().stream().map(Source::getSha256).toList();
        return !theirs.isEmpty()
                && !theirs.contains("")
                && theirs.equals(
                        started.getSources().stream().map(Source::getSha256).toList());
    }

    /** In what two runs of the same files differ, file by file. */
    private static String otherOptions(RunStarted owner, RunStarted started) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < owner.getSources().size(); i++) {
            Source theirs = owner.getSources().get(i);
            Source ours = started.getSources().get(i);
            Set<String> keys = new TreeSet<>(theirs.getOptions().keySet());
            keys.addAll(ours.getOptions().keySet());
            List<String> inThis = new ArrayList<>();
            if (!theirs.getFormat().equals(ours.getFormat())) {
                inThis.add("format " + theirs.getFormat() + ", now " + ours.getFormat());
            }
            for (String key : keys) {
                String before = theirs.getOptions().get(key);
                String now = ours.getOptions().get(key);
                if (!Objects.equals(before, now)) {
                    inThis.add(option(key, before) + ", now " + option(key, now));
                }
            }
            if (!inThis.isEmpty()) {
                differences.add(ours.getFile() + ": " + String.join("; ", inThis));
            }
        }
        // without an option the zone is that of the machine, which decides times just as much
        return differences.isEmpty()
                ? "another time zone of this machine, by which it began at " + time(owner) + ", now " + time(started)
                        + ": give --zone"
                : String.join("; ", differences);
    }

    private static String option(String key, String value) {
        return value == null ? "no " + key : key + "=" + value;
    }

    private static String time(RunStarted started) {
        return Instant.ofEpochSecond(0, started.getStartNanos()).toString();
    }

    private static Object said(Object value) {
        return value.equals("") ? "none" : value;
    }

    private void sendClaim(RunStarted started, Codec codec, String advice) throws IOException, InterruptedException {
        try {
            producer.send(new ProducerRecord<>(
                            Topics.CLAIMS.topicName(), Keys.bytes(started.getRunId()), codec.encode(started)))
                    .get();
        } catch (ExecutionException e) {
            throw failed("topic " + Topics.CLAIMS.topicName(), e.getCause(), advice);
        }
    }

    private static String describe(RunStarted started) {
        String files = started.getSources().stream()
                .map(Source::getFile)
                .filter(file -> !file.isEmpty())
                .map(file -> file.equals("-") ? "standard input" : file)
                .collect(Collectors.joining(", "));
        return files.isEmpty() ? started.getWorkload() + ", seed " + started.getSeed() : files;
    }

    private RunStarted firstClaim(String runId, Codec codec, String advice) throws IOException {
        Map<String, Object> properties = new HashMap<>(clientProperties);
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // read to the end and no further: nothing to wait for
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        TopicPartition partition = new TopicPartition(Topics.CLAIMS.topicName(), 0);
        byte[] key = Keys.bytes(runId);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition), TIMEOUT).get(partition);
            while (consumer.position(partition, TIMEOUT) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(TIMEOUT)) {
                    if (Arrays.equals(key, record.key()) && record.value() != null) {
                        return codec.decode(RunStarted.class, record.value());
                    }
                }
            }
            return null;
        } catch (KafkaException e) {
            throw failed("topic " + Topics.CLAIMS.topicName(), e, advice);
        } catch (UndecodableException e) {
            throw new IOException("topic " + Topics.CLAIMS.topicName() + ", run " + runId + ": " + e.getMessage(), e);
        }
    }

    /** Gives the broker up to 10 s to take what is under way; none if it does not answer any more. */
    @Override
    public void close() {
        producer.close(unanswered ? Duration.ZERO : Duration.ofSeconds(10));
    }

    /** The first error that the producer's thread reported. */
    private final class Failure {
        private final AtomicReference<Exception> first = new AtomicReference<>();
        private final String advice;

        Failure(String advice) {
            this.advice = advice;
        }

        void take(Object metadata, Exception exception) {
            if (exception != null) {
                first.compareAndSet(null, exception);
            }
        }

        void check(String what) throws IOException {
            Exception exception = first.get();
            if (exception != null) {
                throw failed(what + ": the broker did not take a record", exception, advice);
            }
        }
    }
}
