package io.farnode.bench;

import io.farnode.cli.broker.DataDirectory;
import io.farnode.cli.cluster.Cluster;
import io.farnode.cli.cluster.ClusterException;
import io.farnode.cli.cluster.ResultFeed;
import io.farnode.cli.cluster.TopicCatalog;
import io.farnode.contract.Codec;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.contract.UndecodableException;
import io.farnode.producer.capture.CaptureOptions;
import io.farnode.producer.publish.Publisher;
import io.farnode.producer.replay.CaptureRun;
import io.farnode.results.RunInfo;
import io.farnode.results.RunState;
import io.farnode.streams.app.StreamsApp;
import io.farnode.streams.app.StreamsSettings;
import io.farnode.streams.topology.WindowSettings;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.ValueKind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * File -> Kafka -> Streams -> closed windows, exactly once, embedded broker included, against a plain consumer that only
 * decodes the same records. Both in this process, one after the other in each round; the first round is the cold one
 * (the Java machine has compiled nothing yet), the others are warm. Ends with one line of figures.
 *
 * <p>Arguments: intervals (default 6080: 3.1 million counts), warm rounds (default 5), window seconds (default 10).
 */
public final class ReplayBenchmark {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ReplayBenchmark() {}

    /**
     * Runs.
     *
     * @param args intervals, rounds, window seconds
     * @throws Exception if anything fails; figures are printed only when the windows hold every count
     */
    public static void main(String[] args) throws Exception {
        int intervals = args.length > 0 ? Integer.parseInt(args[0]) : 6080;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        int windowSeconds = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        Path file = Files.createTempFile("farnode-bench", ".csv");
        try (DataDirectory directory = DataDirectory.ephemeral()) {
            long counts = PerfCsvFile.write(file, intervals, 7);
            System.out.printf(Locale.ROOT, "%,d counts, %,d MB of perf CSV%n", counts, Files.size(file) / 1_000_000);
            long began = System.nanoTime();
            Cluster cluster = Cluster.own(directory, 0, message -> System.err.println("farnode: " + message));
            try (Admin admin = cluster.admin()) {
                new TopicCatalog(admin).create(0, 0);
            }
            StreamsSettings settings = StreamsSettings.of(
                            cluster.bootstrapServers(), cluster.clientProperties(), cluster.stateDirectory())
                    .withWindows(new WindowSettings(
                            Duration.ofSeconds(windowSeconds),
                            WindowSettings.DEFAULT.allowedLateness(),
                            WindowSettings.DEFAULT.completeness()))
                    .withHttp("127.0.0.1", -1);
            try (StreamsApp app = new StreamsApp(settings);
                    Publisher publisher = new Publisher(cluster.clientProperties());
                    ResultFeed feed = new ResultFeed(cluster, Topics.RUNS)) {
                publisher.announceSchemas();
                app.start();
                app.awaitRunning(PATIENCE);
                double start = seconds(began);
                List<Double> whole = new ArrayList<>();
                List<Double> plain = new ArrayList<>();
                for (int round = 0; round <= rounds; round++) {
                    String run = "bench-" + round;
                    Map<TopicPartition, Long> from = ends(cluster);
                    long before = System.nanoTime();
                    long cpuBefore = THREADS.getCurrentThreadCpuTime();
                    replay(publisher, file, run);
                    double published = seconds(before);
                    double publishedCpu = (THREADS.getCurrentThreadCpuTime() - cpuBefore) / 1e9;
                    RunInfo info = awaitFinished(feed, run);
                    double wholeSeconds = seconds(before);
                    check(info, intervals);
                    double plainSeconds = decodeOnly(cluster, from, counts);
                    System.out.printf(
                            Locale.ROOT,
                            "%s: published after %.2f s (%.2f s of CPU), windows closed after %.2f s (%,.0f counts/s);"
                                    + " decoding alone %.2f s (%,.0f counts/s); ratio %.3f%n",
                            round == 0 ? "cold" : "warm " + round,
                            published,
                            publishedCpu,
                            wholeSeconds,
                            counts / wholeSeconds,
                            plainSeconds,
                            counts / plainSeconds,
                            plainSeconds / wholeSeconds);
                    whole.add(wholeSeconds);
                    plain.add(plainSeconds);
                }
                double warmWhole = median(whole.subList(1, whole.size()));
                double warmPlain = median(plain.subList(1, plain.size()));
                System.out.printf(
                        Locale.ROOT,
                        "counts=%d window_s=%d start_s=%.2f cold_s=%.2f cold_plain_s=%.2f warm_s=%.2f warm_plain_s=%.2f"
                                + " warm_counts_per_s=%.0f plain_counts_per_s=%.0f ratio=%.3f rounds=%d%n",
                        counts,
                        windowSeconds,
                        start,
                        whole.get(0),
                        plain.get(0),
                        warmWhole,
                        warmPlain,
                        counts / warmWhole,
                        counts / warmPlain,
                        warmPlain / warmWhole,
                        rounds);
            } finally {
                cluster.close();
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void replay(Publisher publisher, Path file, String run) throws IOException, InterruptedException {
        CaptureOptions options = CaptureOptions.parse(file + ",zone=UTC");
        try (CaptureRun capture = CaptureRun.open(CaptureRun.Settings.of(run, List.of(options)))) {
            publisher.publish(capture, sample -> {});
        }
    }

    private static RunInfo awaitFinished(ResultFeed feed, String run) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            for (SpecificRecord record : feed.poll(Duration.ofMillis(100))) {
                if (record instanceof RunInfo info
                        && info.getRunId().equals(run)
                        && info.getState() == RunState.FINISHED) {
                    return info;
                }
            }
        }
        throw new ClusterException("run " + run + " did not finish within " + PATIENCE);
    }

    /** A figure counts only if nothing was lost on the way to it. */
    private static void check(RunInfo info, int intervals) {
        long samples = info.getSources().values().stream()
                .mapToLong(s -> s.getSamples())
                .sum();
        long wrong = info.getSources().values().stream()
                .mapToLong(s -> s.getMissing() + s.getDuplicates() + s.getLate())
                .sum();
        if (samples != intervals || wrong != 0) {
            throw new IllegalStateException("expected " + intervals + " samples and nothing lost: " + info);
        }
    }

    private static Map<TopicPartition, Long> ends(Cluster cluster) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(cluster)) {
            List<TopicPartition> partitions = consumer.partitionsFor(Topics.TELEMETRY.topicName()).stream()
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            return consumer.endOffsets(partitions);
        }
    }

    /** The baseline: reads the round's records from the topic and decodes them, nothing more. */
    private static double decodeOnly(Cluster cluster, Map<TopicPartition, Long> from, long expected)
            throws UndecodableException {
        Map<TopicPartition, Long> to = ends(cluster);
        long before = System.nanoTime();
        Codec codec = new Codec(new SchemaCatalog());
        long cells = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(cluster)) {
            consumer.assign(from.keySet());
            from.forEach(consumer::seek);
            while (to.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    if (codec.decode(record.value()) instanceof Sample sample) {
                        for (Column column : sample.getColumns()) {
                            if (column.getKind() == ValueKind.DELTA) {
                                cells += column.getValues().size();
                            }
                        }
                    }
                }
            }
        }
        double seconds = seconds(before);
        if (cells != expected) {
            throw new IllegalStateException("decoded " + cells + " counts, expected " + expected);
        }
        return seconds;
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Cluster cluster) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("enable.auto.commit", "false");
        properties.put("fetch.max.wait.ms", "10");
        properties.put("max.poll.records", "5000");
        properties.put("max.partition.fetch.bytes", Integer.toString(4 * 1024 * 1024));
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
