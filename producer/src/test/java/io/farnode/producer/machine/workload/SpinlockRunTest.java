package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What the tools print of the spinlock family. */
class SpinlockRunTest {
    private static final Scenario SMALL = Scenario.named("spinlock-small").withDuration(Duration.ofSeconds(3));

    private static List<Sample> samples(Scenario scenario) {
        SimulatedRun run = SimulatedRun.of(scenario);
        List<Sample> samples = new ArrayList<>();
        for (Sample sample = run.next(); sample != null; sample = run.next()) {
            samples.add(sample);
        }
        return samples;
    }

    private static Sample of(List<Sample> samples, String source, long sequence) {
        return samples.stream()
                .filter(s -> s.getSource().equals(source) && s.getSequence() == sequence)
                .findFirst()
                .orElseThrow();
    }

    private static Column column(Sample sample, String rawName) {
        return sample.getColumns().stream()
                .filter(column -> column.getRawName().equals(rawName))
                .findFirst()
                .orElseThrow();
    }

    private static long system(Sample sample, String rawName) {
        return column(sample, rawName).getValues().get(sample.getScopes().indexOf("system"));
    }

    private static long sum(Sample sample, String rawName) {
        return column(sample, rawName).getValues().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void shouldSayWhatIsRun() {
        RunStarted started = SimulatedRun.of(SMALL).started();
        assertThat(started.getPolicy()).isEqualTo("cna-v2");
        assertThat(started.getWorkload()).isEqualTo("locktorture");
        assertThat(started.getThroughputUnit()).isEqualTo("operation");
        assertThat(started.getOperationEvent()).isEmpty();
        assertThat(SimulatedRun.of(Scenario.named("spinlock-open-storm"))
                        .started()
                        .getThroughputUnit())
                .isEqualTo("open");
    }

    @Property(tries = 25)
    void shouldPrintColumnsThatAgreeWithEachOther(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 16) int threads,
            @ForAll @IntRange(min = 10, max = 300) int milliseconds,
            @ForAll @IntRange(max = 3) int policy) {
        Scenario scenario = SMALL.withSeed(seed)
                .withPolicy(SMALL.policies().get(policy))
                .with("threads", "" + threads)
                .with("user-share", "0.5")
                .withInterval(Duration.ofMillis(milliseconds))
                .withDuration(Duration.ofMillis(3L * milliseconds));
        List<Sample> samples = samples(scenario);
        double seconds = milliseconds / 1e3;
        long begun = 0;
        long ended = 0;
        for (long i = 1; i <= 3; i++) {
            Sample row = of(samples, "vmstat", i);
            Sample perf = of(samples, "perf", i);
            assertThat(system(row, "r")).isEqualTo(threads);
            assertThat(system(row, "b")).isZero();
            assertThat(system(row, "wa")).isZero();
            assertThat(system(row, "us") + system(row, "sy") + system(row, "id"))
                    .isBetween(99L, 101L);
            assertThat(system(row, "us") + system(row, "sy")).isCloseTo(100L * threads / 16, within(2L));
            // nothing interrupts but the tick, 250 times a second on every CPU that has a thread
            assertThat((double) system(row, "in")).isCloseTo(250.0 * threads, within(threads / seconds + 1));
            assertThat(system(row, "in") * seconds).isEqualTo(sum(perf, "irq:irq_handler_entry"), within(seconds));
            assertThat(system(row, "cs") * seconds).isEqualTo(sum(perf, "context-switches"), within(seconds));
            assertThat(sum(perf, "sched:sched_switch")).isEqualTo(sum(perf, "context-switches"));
            assertThat(sum(perf, "stalled-cycles-frontend")).isBetween(0L, sum(perf, "cycles"));
            begun += sum(perf, "lock:contention_begin");
            ended += sum(perf, "lock:contention_end");
            Sample workload = of(samples, "workload", i);
            // an operation ends with the release, so one of each can lie on the other side of the interval's end
            assertThat(system(workload, "operations")).isCloseTo(system(workload, "acquisitions"), within(1L));
            assertThat(system(workload, "acquisitions.busiest_half"))
                    .isBetween(system(workload, "acquisitions") / 2, system(workload, "acquisitions"));
        }
        assertThat(begun).isCloseTo(ended, within((long) threads));
        if (threads == 1) {
            assertThat(begun).isZero();
        }
    }

    @Test
    void shouldShowFewerRemoteLinesAndHalfTheStallsForAnOperationUnderTheCandidate() {
        Scenario scenario = Scenario.named("spinlock-open-storm-kunpeng")
                .withNoise(false)
                .withInterval(Duration.ofMillis(100))
                .withDuration(Duration.ofMillis(100));
        List<Sample> before = samples(scenario.withPolicy("mcs"));
        List<Sample> after = samples(scenario);
        assertThat(remote(after)).isLessThan(0.05 * remote(before));
        double stalls = perOpen(after, sum(of(after, "perf", 1), "stalled-cycles-frontend"))
                / perOpen(before, sum(of(before, "perf", 1), "stalled-cycles-frontend"));
        assertThat(stalls).isBetween(0.5, 0.7);
    }

    private static double remote(List<Sample> samples) {
        Sample uncore = of(samples, "uncore", 1);
        long count = 0;
        for (Column column : uncore.getColumns()) {
            if (column.getRawName().endsWith("/rx_outer/")
                    || column.getRawName().endsWith("/rx_sccl/")) {
                count += system(uncore, column.getRawName());
            }
        }
        return perOpen(samples, count);
    }

    private static double perOpen(List<Sample> samples, long count) {
        return count / (double) system(of(samples, "workload", 1), "operations");
    }

    @Test
    void shouldCountRemoteLinesByNodeWhereTheMachineHasSuchEvents() {
        Scenario scenario = Scenario.named("spinlock")
                .withPolicy("mcs")
                .withInterval(Duration.ofMillis(50))
                .withDuration(Duration.ofMillis(50));
        Sample nodes = of(samples(scenario), "nodes", 1);
        Column misses = column(nodes, "node-load-misses");
        long all = 0;
        for (int node = 0; node < 4; node++) {
            all += misses.getValues().get(nodes.getScopes().indexOf("node" + node));
        }
        assertThat(all).isPositive().isEqualTo(system(nodes, "node-load-misses"));
    }

    @Test
    void shouldGiveTheSameBytesForTheSameSeedAndOthersForAnother() {
        String first = digest(SMALL.withSeed(7));
        assertThat(digest(SMALL.withSeed(7))).isEqualTo(first);
        assertThat(digest(SMALL.withSeed(8))).isNotEqualTo(first);
        assertThat(digest(SMALL.withSeed(7).withPolicy("mcs"))).isNotEqualTo(first);
    }

    /** Written down from one JDK, so that another one that computes otherwise is seen. */
    @Test
    void shouldGiveTheBytesItGaveBefore() {
        assertThat(digest(SMALL.withSeed(7)))
                .isEqualTo("70897665eccf7aee79345dd1781e073a496432505938fc16b05c318c5180b4ee");
    }

    private static String digest(Scenario scenario) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(SimulatedRun.of(scenario).started().toString().getBytes(StandardCharsets.UTF_8));
            samples(scenario).forEach(s -> sha.update(s.toString().getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
