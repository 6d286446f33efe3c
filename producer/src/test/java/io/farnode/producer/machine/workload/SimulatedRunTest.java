package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Flag;
import io.farnode.telemetry.Origin;
import io.farnode.telemetry.RunFinished;
import io.farnode.telemetry.RunStarted;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.TimeBasis;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SimulatedRunTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Scenario SMALL = Scenario.named("lpi-balance-small").withDuration(Duration.ofSeconds(3));

    private static List<Sample> samples(SimulatedRun run) {
        List<Sample> samples = new ArrayList<>();
        for (Sample sample = run.next(); sample != null; sample = run.next()) {
            samples.add(sample);
        }
        return samples;
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

    private static Sample of(List<Sample> samples, String source, long sequence) {
        return samples.stream()
                .filter(s -> s.getSource().equals(source) && s.getSequence() == sequence)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldSayWhatIsRun() {
        RunStarted started = SimulatedRun.of(
                        SMALL.withSeed(7), new RunLabels("lpi-7", "lpi", "candidate", 2, Map.of("place", "lab")))
                .started();
        assertThat(started.getRunId()).isEqualTo("lpi-7");
        assertThat(started.getOrigin()).isEqualTo(Origin.SIMULATED);
        assertThat(started.getMachine().getName()).isEqualTo("small-2node");
        assertThat(started.getMachine().getCpuNode()).hasSize(16);
        assertThat(started.getPolicy()).isEqualTo("least-loaded");
        assertThat(started.getWorkload()).isEqualTo("nvme-randread");
        assertThat(started.getThroughputUnit()).isEqualTo("IO");
        assertThat(started.getOperationEvent()).isEqualTo("block:block_rq_complete");
        assertThat(started.getExperiment()).isEqualTo("lpi");
        assertThat(started.getArm()).isEqualTo("candidate");
        assertThat(started.getRepeat()).isEqualTo(2);
        assertThat(started.getSeed()).isEqualTo(7);
        assertThat(started.getTimeBasis()).isEqualTo(TimeBasis.SIMULATED);
        assertThat(started.getStartNanos()).isEqualTo(1_767_225_600L * SECOND);
        assertThat(started.getSources())
                .extracting(s -> s.getName() + " " + s.getTool())
                .containsExactly("vmstat VMSTAT", "perf PERF_STAT", "uncore PERF_STAT", "workload WORKLOAD");
        assertThat(started.getLabels()).containsEntry("place", "lab").containsEntry("scenario", "lpi-balance-small");
        assertThat(SimulatedRun.of(SMALL).started().getRunId()).isEqualTo("lpi-balance-small-least-loaded-1");
    }

    @Test
    void shouldTellEverySourceOnceAnIntervalAndEndWithTheCounts() {
        SimulatedRun run = SimulatedRun.of(SMALL);
        assertThatThrownBy(run::finished).hasMessage("run lpi-balance-small-least-loaded-1 is not over");
        List<Sample> samples = samples(run);
        assertThat(samples).hasSize(12);
        long start = run.started().getStartNanos();
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            assertThat(sample.getRunId()).isEqualTo(run.started().getRunId());
            assertThat(sample.getSource())
                    .isEqualTo(run.started().getSources().get(i % 4).getName());
            assertThat(sample.getSequence()).isEqualTo(i / 4 + 1);
            assertThat(sample.getStartNanos()).isEqualTo(start + i / 4 * SECOND);
            assertThat(sample.getEndNanos()).isEqualTo(start + (i / 4 + 1) * SECOND);
            assertThat(sample.getFlags()).isEmpty();
        }
        RunFinished finished = run.finished();
        assertThat(finished.getLastSequence())
                .isEqualTo(Map.of("vmstat", 3L, "perf", 3L, "uncore", 3L, "workload", 3L));
        assertThat(finished.getSamples()).isEqualTo(12);
        assertThat(finished.getValues())
                .isEqualTo(samples.stream()
                        .flatMap(s -> s.getColumns().stream()
                                .map(c -> c.getStates().remaining() == 0
                                        ? c.getValues().size()
                                        : count(c)))
                        .mapToLong(Integer::intValue)
                        .sum());
        assertThat(finished.getEndNanos()).isEqualTo(start + 3 * SECOND);
        assertThat(finished.getComplete()).isTrue();
        assertThat(run.next()).isNull();
    }

    private static int count(Column column) {
        int count = 0;
        for (int i = 0; i < column.getValues().size(); i++) {
            count += column.getStates().get(i) == 0 ? 1 : 0;
        }
        return count;
    }

    @Test
    void shouldFlagALastIntervalThatIsCutShort() {
        List<Sample> samples = samples(SimulatedRun.of(SMALL.withDuration(Duration.ofMillis(2_500))));
        assertThat(of(samples, "vmstat", 2).getFlags()).isEmpty();
        assertThat(of(samples, "vmstat", 3).getFlags()).containsExactly(Flag.PARTIAL_SPAN);
        assertThat(of(samples, "workload", 3).getEndNanos()
                        - of(samples, "workload", 3).getStartNanos())
                .isEqualTo(SECOND / 2);
    }

    @Test
    void shouldPrintTheRowOfVmstat() {
        Sample row = samples(SimulatedRun.of(SMALL)).get(0);
        assertThat(row.getTool()).isEqualTo(Tool.VMSTAT);
        assertThat(row.getColumns())
                .extracting(Column::getRawName)
                .containsExactly(
                        "r", "b", "swpd", "free", "buff", "cache", "si", "so", "bi", "bo", "in", "cs", "us", "sy", "id",
                        "wa", "st");
        assertThat(column(row, "in"))
                .returns("interrupts", Column::getMetric)
                .returns("/s", Column::getUnit)
                .returns(ValueKind.RATE, Column::getKind);
        assertThat(column(row, "cs")).returns("context.switches", Column::getMetric);
        assertThat(column(row, "wa"))
                .returns("cpu.iowait", Column::getMetric)
                .returns("%", Column::getUnit)
                .returns(ValueKind.SHARE, Column::getKind);
    }

    @Test
    void shouldCountTheSameReadsInEverySource() {
        List<Sample> samples = samples(SimulatedRun.of(SMALL));
        long issued = 0;
        long completed = 0;
        for (long i = 1; i <= 3; i++) {
            Sample perf = of(samples, "perf", i);
            long operations = system(of(samples, "workload", i), "operations");
            assertThat(sum(perf, "block:block_rq_complete")).isEqualTo(operations);
            assertThat(system(of(samples, "vmstat", i), "bi")).isEqualTo(operations * 4);
            assertThat(system(of(samples, "vmstat", i), "cs")).isEqualTo(sum(perf, "context-switches"));
            // every tick is traced on this machine, so both tools count the same interrupts
            assertThat(system(of(samples, "vmstat", i), "in")).isEqualTo(sum(perf, "irq:irq_handler_entry"));
            issued += sum(perf, "block:block_rq_issue");
            completed += operations;
        }
        assertThat(issued).isCloseTo(completed, within(16L));
    }

    @Test
    void shouldCountTheHomeAgentsOfEachNodeAndTheirSum() {
        for (Sample sample : samples(SimulatedRun.of(SMALL))) {
            if (!sample.getSource().equals("uncore")) {
                continue;
            }
            assertThat(sample.getScopes()).containsExactlyInAnyOrder("system", "node0", "node1");
            Column ops = column(sample, "hisi_sccl1_hha0/rx_ops_num/");
            Column outer = column(sample, "hisi_sccl1_hha0/rx_outer/");
            int node = sample.getScopes().indexOf("node0");
            assertThat(ops.getValues().get(node)).isEqualTo(system(sample, "hisi_sccl1_hha0/rx_ops_num/"));
            assertThat(outer.getValues().get(node))
                    .isPositive()
                    .isLessThan(ops.getValues().get(node));
            assertThat(ops.getStates().get(sample.getScopes().indexOf("node1"))).isEqualTo((byte) 3);
            assertThat(system(sample, "hisi_sccl1_hha0/rx_sccl/")).isZero();
        }
    }

    @Property(tries = 25)
    void shouldPrintColumnsThatAgreeWithEachOther(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 8) int depth,
            @ForAll @IntRange(min = 1, max = 16) int jobs,
            @ForAll @IntRange(min = 10, max = 400) int milliseconds,
            @ForAll boolean threaded,
            @ForAll @IntRange(max = 3) int policy) {
        Scenario scenario = SMALL.withSeed(seed)
                .withPolicy(SMALL.policies().get(policy))
                .with("depth", "" + depth)
                .with("jobs", "" + jobs)
                .with("threaded", threaded ? "on" : "off")
                .withInterval(Duration.ofMillis(milliseconds))
                .withDuration(Duration.ofMillis(3L * milliseconds));
        List<Sample> samples = samples(SimulatedRun.of(scenario));
        for (long i = 1; i <= 3; i++) {
            Sample row = of(samples, "vmstat", i);
            Sample perf = of(samples, "perf", i);
            long shares =
                    system(row, "us") + system(row, "sy") + system(row, "id") + system(row, "wa") + system(row, "st");
            assertThat(shares).isBetween(98L, 102L);
            double seconds = milliseconds / 1e3;
            assertThat(system(row, "in") * seconds).isEqualTo(sum(perf, "irq:irq_handler_entry"), within(seconds));
            assertThat(system(row, "r") + system(row, "b")).isBetween(0L, 16L + 32L);
            assertThat(system(row, "b")).isBetween(0L, depth == 1 ? jobs : 0L);
            if (depth > 1) {
                assertThat(system(row, "wa")).isZero();
            }
            // cycles are those of the time that is neither idle nor waiting
            double busy = sum(perf, "cycles") / (2_600e6 * seconds * 16);
            assertThat(100 * busy).isEqualTo(system(row, "us") + system(row, "sy"), within(1.01));
        }
    }

    @Test
    void shouldGiveTheSameBytesForTheSameSeedAndOthersForAnother() {
        String first = digest(SMALL.withSeed(7));
        assertThat(digest(SMALL.withSeed(7))).isEqualTo(first);
        assertThat(digest(SMALL.withSeed(8))).isNotEqualTo(first);
        assertThat(digest(SMALL.withSeed(7).withPolicy("first-cpu"))).isNotEqualTo(first);
    }

    /** Written down from one JDK, so that another one that computes otherwise is seen. */
    @Test
    void shouldGiveTheBytesItGaveBefore() {
        assertThat(digest(SMALL.withSeed(7)))
                .isEqualTo("348ebf78350757cf90400020acc3532e299938ecfd8b3f6ca316cfb3a2466c26");
    }

    private static String digest(Scenario scenario) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            SimulatedRun run = SimulatedRun.of(scenario);
            sha.update(run.started().toString().getBytes(StandardCharsets.UTF_8));
            samples(run).forEach(s -> sha.update(s.toString().getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldNameOtherInputByAnotherDigest() {
        String digest = SimulatedRun.of(SMALL).started().getInputDigest();
        assertThat(digest).hasSize(64);
        assertThat(SimulatedRun.of(SMALL).started().getInputDigest()).isEqualTo(digest);
        assertThat(SimulatedRun.of(SMALL.withSeed(2)).started().getInputDigest())
                .isNotEqualTo(digest);
        assertThat(SimulatedRun.of(SMALL.with("drives", "3")).started().getInputDigest())
                .isNotEqualTo(digest);
        assertThat(SimulatedRun.of(SMALL.startingAt(Scenario.DEFAULT_START.plusSeconds(1)))
                        .started()
                        .getInputDigest())
                .isNotEqualTo(digest);
    }

    @Test
    void shouldWanderWithNoiseAndStandStillWithout() {
        assertThat(spread(SMALL.withNoise(true))).isGreaterThan(3 * spread(SMALL.withNoise(false)));
    }

    /** Standard deviation over mean of the reads done in an interval. */
    private static double spread(Scenario scenario) {
        List<Sample> samples = samples(SimulatedRun.of(scenario.withDuration(Duration.ofSeconds(20))));
        double[] operations = samples.stream()
                .filter(s -> s.getSource().equals("workload"))
                .mapToDouble(s -> system(s, "operations"))
                .toArray();
        double mean = Arrays.stream(operations).average().orElseThrow();
        double squares = 0;
        for (double value : operations) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / operations.length) / mean;
    }

    @Test
    void shouldShowTheCandidateAheadInWhatTheToolsPrint() {
        Sample before = last(SMALL.withPolicy("first-cpu"));
        Sample after = last(SMALL.withPolicy("least-loaded"));
        Sample bound = last(SMALL.withPolicy("all-local"));
        assertThat(sum(after, "block:block_rq_complete"))
                .isGreaterThan(sum(before, "block:block_rq_complete") * 11 / 10)
                .isLessThan(sum(bound, "block:block_rq_complete"));
        assertThat(imbalance(after)).isLessThan(imbalance(before) / 2);
        assertThat(imbalance(bound)).isLessThan(imbalance(after));
    }

    private static Sample last(Scenario scenario) {
        return of(samples(SimulatedRun.of(scenario)), "perf", 3);
    }

    private static double imbalance(Sample perf) {
        List<Long> counts = column(perf, "irq:irq_handler_entry").getValues();
        return counts.stream().mapToLong(Long::longValue).max().orElseThrow()
                * (double) counts.size()
                / sum(perf, "irq:irq_handler_entry");
    }
}
