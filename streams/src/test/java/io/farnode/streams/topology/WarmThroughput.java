package io.farnode.streams.topology;

import io.farnode.contract.Codec;
import io.farnode.contract.Keys;
import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.streams.TestRun;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;

/**
 * Warm counts per second of the run processor, and of decoding alone, over perf intervals of 64 CPUs and 8 events whose
 * spans straddle the windows' edges. Run by hand; asserts nothing.
 */
public final class WarmThroughput {
    private static final int CPUS = 64;
    private static final int EVENTS = 8;
    private static final int INTERVALS = 1_000;
    private static final int ROUNDS = Integer.getInteger("rounds", 12);

    private WarmThroughput() {}

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        List<byte[]> values = log();
        double[] decode = new double[ROUNDS];
        double[] process = new double[ROUNDS];
        double[] driver = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            Codec codec = new Codec(new SchemaCatalog());
            long from = cpuNanos();
            long sum = 0;
            for (byte[] value : values) {
                if (codec.decode(value) instanceof Sample sample) {
                    sum += sample.getColumns().size();
                }
            }
            decode[round] = nanosPerCount(from);
            if (sum != (long) INTERVALS * EVENTS) {
                throw new IllegalStateException("decoded " + sum);
            }
            process[round] = process(values);
            driver[round] = drive(values);
        }
        for (double[] each : List.of(decode, process, driver)) {
            Arrays.sort(each, ROUNDS / 2, ROUNDS);
        }
        int median = ROUNDS * 3 / 4;
        System.out.printf(
                "median of the last %d rounds, ns per count: decode %.1f, run processor with decoding %.1f,"
                        + " in the test driver %.1f; %.1f M counts/s%n",
                ROUNDS - ROUNDS / 2, decode[median], process[median], driver[median], 1e3 / process[median]);
    }

    private static double process(List<byte[]> values) {
        MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
        for (String name : List.of(
                Names.STARTS_STORE, Names.RUNS_STORE, Names.SERIES_STORE, Names.WINDOWS_STORE, Names.SIGNALS_STORE)) {
            StateStore store = Stores.keyValueStoreBuilder(
                            Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        RunProcessor processor = new RunProcessor(new SchemaCatalog(), WindowSettings.DEFAULT);
        processor.init(context);
        byte[] key = Keys.bytes("r");
        long from = cpuNanos();
        for (byte[] value : values) {
            processor.process(new Record<>(key, value, 0));
            context.resetForwards();
        }
        return nanosPerCount(from);
    }

    private static double drive(List<byte[]> values) {
        Properties properties = Driver.properties();
        try (TopologyTestDriver driver = new TopologyTestDriver(
                FarnodeTopology.build(
                        new SchemaCatalog(), WindowSettings.DEFAULT, new TopologyConfig(new StreamsConfig(properties))),
                properties)) {
            var input = driver.createInputTopic(
                    Topics.TELEMETRY.topicName(), new ByteArraySerializer(), new ByteArraySerializer());
            byte[] key = Keys.bytes("r");
            long from = cpuNanos();
            for (byte[] value : values) {
                input.pipeInput(key, value, 0L);
            }
            return nanosPerCount(from);
        }
    }

    /** Time this thread was on a CPU: other processes on the machine do not count. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double nanosPerCount(long from) {
        return (double) (cpuNanos() - from) / ((long) INTERVALS * CPUS * EVENTS);
    }

    private static List<byte[]> log() {
        long start = 1_780_000_000_000_000_000L;
        TestRun run = TestRun.perf("r", start);
        RunStarted started = run.started();
        started.getMachine()
                .setCpuNode(IntStream.range(0, CPUS).mapToObj(cpu -> cpu / 16).toList());
        Codec codec = new Codec(new SchemaCatalog());
        List<byte[]> values = new ArrayList<>(List.of(codec.encode(started)));
        Random random = new Random(1);
        String[] events = {
            "irq:irq_handler_entry",
            "node-loads",
            "node-load-misses",
            "instructions",
            "cycles",
            "context-switches",
            "block:block_rq_complete",
            "stalled-cycles-frontend"
        };
        for (int i = 0; i < INTERVALS; i++) {
            values.add(codec.encode(run.sample("perf", i * 1.00013, (i + 1) * 1.00013, cells -> {
                for (String event : events) {
                    for (int cpu = 0; cpu < CPUS; cpu++) {
                        cells.count(event, "cpu" + cpu, random.nextInt(10_000_000));
                    }
                }
            })));
        }
        values.add(codec.encode(run.finished()));
        return values;
    }
}
