package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import io.farnode.telemetry.Tool;
import io.farnode.telemetry.ValueKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run makes of a workload that says all it can. */
class WorkloadTest {
    private static final Scenario SCENARIO = Scenario.named("its-tables-small")
            .withDuration(Duration.ofSeconds(2))
            .with("warm-up", "0s");

    /** A machine of 16 CPUs and 2 nodes on which the same happens every second. */
    private static class Steady extends Workload {
        long since;

        @Override
        void advance(long until) {
            now = until;
        }

        @Override
        void tell(Interval interval) {
            long span = now - since;
            long[] busy = filled(16, span / 4);
            interval.time(busy, filled(16, span - span / 4), span, span / 2);
            interval.tasks(3, 2);
            interval.blocks(8, 16);
            interval.interrupts(filled(16, 10), filled(16, 1));
            interval.switches(filled(16, 5));
            interval.event("sched:sched_switch", filled(16, 6));
            interval.nodeEvent("smmuv3_pmcg_0/transaction/", new long[] {7, 9});
            interval.cpuAccesses(0, 1, 101);
            interval.deviceAccesses(1, 1, 50);
            interval.pages(0, 1, 1, 4);
            interval.operations(42);
            interval.count("dropped", "packet", 3);
        }

        @Override
        void look() {
            since = now;
        }

        @Override
        String throughputUnit() {
            return "packet";
        }

        @Override
        String operationEvent() {
            return "";
        }

        @Override
        boolean allocatesPages() {
            return true;
        }

        static long[] filled(int length, long value) {
            long[] array = new long[length];
            Arrays.fill(array, value);
            return array;
        }
    }

    private static List<Sample> samples(Workload load) {
        try (SimulatedRun run = SimulatedRun.of(SCENARIO, RunLabels.NONE, load)) {
            List<Sample> samples = new ArrayList<>();
            for (Sample sample = run.next(); sample != null; sample = run.next()) {
                samples.add(sample);
            }
            return samples;
        }
    }

    private static long value(Sample sample, String rawName, String scope) {
        Column column = sample.getColumns().stream()
                .filter(c -> c.getRawName().equals(rawName))
                .findFirst()
                .orElseThrow();
        return column.getValues().get(sample.getScopes().indexOf(scope));
    }

    @Test
    void shouldTellOneSampleOfEachSourceAnInterval() {
        assertThat(samples(new Steady()))
                .extracting(Sample::getSource)
                .containsExactly(
                        "vmstat",
                        "perf",
                        "uncore",
                        "numastat",
                        "workload",
                        "vmstat",
                        "perf",
                        "uncore",
                        "numastat",
                        "workload");
    }

    @Test
    void shouldPrintWhatTheWorkloadSaid() {
        List<Sample> samples = samples(new Steady());
        Sample row = samples.get(5);
        assertThat(value(row, "r", "system")).isEqualTo(3);
        assertThat(value(row, "b", "system")).isEqualTo(2);
        assertThat(value(row, "bi", "system")).isEqualTo(8);
        assertThat(value(row, "bo", "system")).isEqualTo(16);
        assertThat(value(row, "in", "system")).isEqualTo(16 * 11);
        assertThat(value(row, "cs", "system")).isEqualTo(16 * 5);
        // a quarter of 16 CPUs is busy: 4 CPU seconds, one of them user; half a second waits
        assertThat(value(row, "us", "system")).isEqualTo(6);
        assertThat(value(row, "sy", "system")).isEqualTo(19);
        assertThat(value(row, "id", "system")).isEqualTo(72);
        assertThat(value(row, "wa", "system")).isEqualTo(3);
        assertThat(value(samples.get(6), "sched:sched_switch", "cpu15")).isEqualTo(6);
        Sample workload = samples.get(9);
        assertThat(value(workload, "operations", "system")).isEqualTo(42);
        assertThat(value(workload, "dropped", "system")).isEqualTo(3);
    }

    @Test
    void shouldTellUnitsByNodeAndTheirSum() {
        Sample uncore = samples(new Steady()).get(7);
        assertThat(value(uncore, "smmuv3_pmcg_0/transaction/", "node0")).isEqualTo(7);
        assertThat(value(uncore, "smmuv3_pmcg_0/transaction/", "node1")).isEqualTo(9);
        assertThat(value(uncore, "smmuv3_pmcg_0/transaction/", "system")).isEqualTo(16);
        assertThat(value(uncore, "hisi_sccl5_hha4/rx_ops_num/", "node1")).isEqualTo(151);
        assertThat(value(uncore, "hisi_sccl5_hha4/rx_outer/", "node1")).isEqualTo(101);
        assertThat(value(uncore, "hisi_sccl1_hha0/rx_ops_num/", "node0")).isZero();
    }

    @Test
    void shouldTellPagesAsNumastat() {
        Sample numastat = samples(new Steady()).get(8);
        assertThat(numastat.getTool()).isEqualTo(Tool.NUMASTAT);
        assertThat(numastat.getScopes()).containsExactly("node0", "node1");
        assertThat(value(numastat, "numa_hit", "node1")).isEqualTo(4);
        assertThat(value(numastat, "other_node", "node1")).isEqualTo(4);
        assertThat(value(numastat, "local_node", "node1")).isZero();
        assertThat(numastat.getColumns())
                .extracting(Column::getMetric)
                .containsExactly(
                        "numastat.numa_hit",
                        "numastat.numa_miss",
                        "numastat.numa_foreign",
                        "numastat.local_node",
                        "numastat.other_node");
        assertThat(numastat.getColumns()).extracting(Column::getKind).containsOnly(ValueKind.DELTA);
    }

    @Test
    void shouldRefuseTimeThatDoesNotAddUp() {
        Workload lossy = new Steady() {
            @Override
            void tell(Interval interval) {
                super.tell(interval);
                interval.time(filled(16, 1_000), filled(16, 1_000), 0, 0);
            }
        };
        assertThatThrownBy(() -> samples(lossy))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("simulated machine at 1000000000 ns breaks: busy + idle = interval, on cpu0");
    }

    @Test
    void shouldRefuseMoreUserTimeThanBusyTime() {
        Workload greedy = new Steady() {
            @Override
            void tell(Interval interval) {
                super.tell(interval);
                long span = now - since;
                interval.time(filled(16, 0), filled(16, span), 1, 0);
            }
        };
        assertThatThrownBy(() -> samples(greedy))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("breaks: user <= busy, waiting <= idle");
    }
}
