package io.farnode.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.contract.Codec;
import io.farnode.contract.Keys;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import io.farnode.results.RunInfo;
import io.farnode.results.RunSummary;
import io.farnode.results.Verdict;
import io.farnode.results.WindowResult;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The topology under test: takes records, keeps everything it sends. */
final class Driver implements AutoCloseable {
    private final Codec codec = new Codec(new SchemaCatalog());
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> telemetry;
    private final Map<Topics, TestOutputTopic<byte[], byte[]>> outputs = new TreeMap<>();
    final Map<Topics, List<TestRecord<byte[], byte[]>>> sent = new TreeMap<>();

    Driver() {
        this(WindowSettings.DEFAULT);
    }

    Driver(WindowSettings settings) {
        Properties properties = properties();
        driver = new TopologyTestDriver(
                FarnodeTopology.build(new SchemaCatalog(), settings, new TopologyConfig(new StreamsConfig(properties))),
                properties);
        telemetry = driver.createInputTopic(
                Topics.TELEMETRY.topicName(), new ByteArraySerializer(), new ByteArraySerializer());
        for (Topics topic :
                List.of(Topics.WINDOWS, Topics.RUNS, Topics.SUMMARIES, Topics.VERDICTS, Topics.DEAD_LETTERS)) {
            outputs.put(
                    topic,
                    driver.createOutputTopic(
                            topic.topicName(), new ByteArrayDeserializer(), new ByteArrayDeserializer()));
            sent.put(topic, new ArrayList<>());
        }
    }

    static Properties properties() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        return properties;
    }

    static String runOf(SpecificRecord record) {
        if (record instanceof Sample sample) {
            return sample.getRunId();
        }
        return record instanceof RunStarted started ? started.getRunId() : ((RunFinished) record).getRunId();
    }

    private static long nanosOf(SpecificRecord record) {
        if (record instanceof Sample sample) {
            return sample.getEndNanos();
        }
        return record instanceof RunStarted started ? started.getStartNanos() : ((RunFinished) record).getEndNanos();
    }

    Driver put(SpecificRecord... records) {
        return put(List.of(records));
    }

    Driver put(List<? extends SpecificRecord> records) {
        for (SpecificRecord record : records) {
            put(Keys.bytes(runOf(record)), codec.encode(record), nanosOf(record) / 1_000_000);
        }
        return this;
    }

    Driver put(byte[] key, byte[] value, long millis) {
        telemetry.pipeInput(new TestRecord<>(key, value, Instant.ofEpochMilli(millis)));
        outputs.forEach((topic, output) -> sent.get(topic).addAll(output.readRecordsToList()));
        return this;
    }

    byte[] encode(SpecificRecord record) {
        return codec.encode(record);
    }

    <T extends SpecificRecord> List<T> all(Topics topic, Class<T> type) {
        return sent.get(topic).stream()
                .map(record -> decode(type, record.value()))
                .toList();
    }

    List<WindowResult> windows(String runId) {
        return all(Topics.WINDOWS, WindowResult.class).stream()
                .filter(window -> window.getRunId().equals(runId) && window.getSizeNanos() > 0)
                .toList();
    }

    WindowResult whole(String runId) {
        List<WindowResult> whole = all(Topics.WINDOWS, WindowResult.class).stream()
                .filter(window -> window.getRunId().equals(runId) && window.getSizeNanos() == 0)
                .toList();
        assertThat(whole).hasSize(1);
        return whole.get(0);
    }

    RunInfo info(String runId) {
        List<RunInfo> infos = all(Topics.RUNS, RunInfo.class).stream()
                .filter(info -> info.getRunId().equals(runId))
                .toList();
        assertThat(infos).isNotEmpty();
        return infos.get(infos.size() - 1);
    }

    List<RunSummary> summaries() {
        return all(Topics.SUMMARIES, RunSummary.class);
    }

    List<Verdict> verdicts() {
        return all(Topics.VERDICTS, Verdict.class);
    }

    List<String> deadLetterKinds() {
        return sent.get(Topics.DEAD_LETTERS).stream()
                .map(record -> header(record, DeadLetters.KIND))
                .toList();
    }

    static String header(TestRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** Latest value of each key, in hex, of the results that belong to a run. */
    Map<String, String> latest(String runId) {
        Map<String, String> latest = new TreeMap<>();
        for (Topics topic : List.of(Topics.WINDOWS, Topics.RUNS, Topics.SUMMARIES)) {
            for (TestRecord<byte[], byte[]> record : sent.get(topic)) {
                String key = new String(record.key(), StandardCharsets.UTF_8);
                if (List.of(key.split("\\|")).contains(runId)) {
                    latest.put(topic + " " + key, HexFormat.of().formatHex(record.value()));
                }
            }
        }
        return latest;
    }

    private <T extends SpecificRecord> T decode(Class<T> type, byte[] bytes) {
        try {
            return codec.decode(type, bytes);
        } catch (UndecodableException e) {
            throw new AssertionError(e);
        }
    }

    int entries(String store) {
        int[] count = {0};
        try (var all = driver.<Object, Object>getKeyValueStore(store).all()) {
            all.forEachRemaining(entry -> count[0]++);
        }
        return count[0];
    }

    @Override
    public void close() {
        driver.close();
    }
}
