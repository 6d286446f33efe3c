package io.farnode.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.contract.SchemaCatalog;
import io.farnode.contract.Topics;
import io.farnode.results.Outcome;
import io.farnode.results.Verdict;
import io.farnode.streams.TestRun;
import io.farnode.telemetry.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FarnodeTopologyTest {
    private static final long START = 1_780_000_000_000_000_000L;

    @Test
    void shouldHaveTheShapeThatIsWrittenDown() throws IOException {
        Topology topology = FarnodeTopology.build(
                new SchemaCatalog(),
                WindowSettings.DEFAULT,
                new TopologyConfig(new StreamsConfig(Driver.properties())));
        String described = topology.describe().toString();
        try (var golden = getClass().getResourceAsStream("topology.txt")) {
            assertThat(described)
                    .as("state is kept under these names: change topology.txt only together with a plan for the state")
                    .isEqualToNormalizingNewlines(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(described).as("generated names").doesNotContain("KSTREAM", "KTABLE", "0000");
    }

    @Test
    void shouldCompareTheArmsOfAnExperimentOnceBothHaveFinished() {
        try (Driver driver = new Driver()) {
            run(driver, "a", "baseline", 1_000);
            assertThat(driver.verdicts()).isEmpty();
            run(driver, "b", "candidate", 2_000);
            run(driver, "c", "other", 500);
            assertThat(driver.verdicts()).extracting(Verdict::getExperiment).contains("e", "e/other");
            Verdict verdict = driver.verdicts().stream()
                    .filter(v -> v.getExperiment().equals("e") && v.getSignal().equals("throughput"))
                    .findFirst()
                    .orElseThrow();
            assertThat(verdict.getOutcome()).isEqualTo(Outcome.IMPROVED);
            assertThat(verdict.getBaseline().getRuns()).containsExactly("a");
            assertThat(verdict.getCandidate().getRuns()).containsExactly("b");
            assertThat(driver.sent.get(Topics.VERDICTS).stream()
                            .map(record -> new String(record.key(), StandardCharsets.UTF_8)))
                    .contains("e|throughput|system", "e/other|throughput|system");
        }
    }

    @Test
    void shouldNotCompareWithoutABaselineNorAcrossExperiments() {
        try (Driver driver = new Driver()) {
            run(driver, "b", "candidate", 2_000);
            TestRun other = TestRun.perf("x", START);
            other.started().setExperiment("e2");
            other.started().setArm("baseline");
            driver.put(other.started(), other.finished());
            assertThat(driver.verdicts()).isEmpty();
        }
    }

    private static void run(Driver driver, String id, String arm, int level) {
        TestRun run = new TestRun(id, START, Map.of("fio", Tool.WORKLOAD));
        run.started().setExperiment("e");
        run.started().setArm(arm);
        Random random = new Random(level);
        driver.put(run.started());
        for (int i = 0; i < 60; i++) {
            driver.put(run.sample(
                    "fio", i, i + 1, c -> c.count("operations", "system", level + random.nextInt(level / 20))));
        }
        driver.put(run.finished());
    }

    @ParameterizedTest
    @EnumSource(KeyPartitioner.class)
    void shouldPlaceWhatBelongsTogetherTogether(KeyPartitioner partitioner) {
        Set<Integer> first = partition(partitioner, "one|a|b");
        assertThat(first).hasSize(1).allMatch(p -> p >= 0 && p < 7);
        switch (partitioner) {
            case BY_FIRST_PART -> assertThat(partition(partitioner, "one|x|y")).isEqualTo(first);
            case BY_ALL_BUT_LAST_PART ->
                assertThat(partition(partitioner, "one|a|y")).isEqualTo(first);
        }
        assertThat(partition(partitioner, "plain")).hasSize(1);
        assertThat(partitioner.partitions("t", null, null, 7)).isPresent();
    }

    private static Set<Integer> partition(KeyPartitioner partitioner, String key) {
        return partitioner
                .partitions("t", key.getBytes(StandardCharsets.UTF_8), null, 7)
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,PT1S,0.5,window size PT0S: must be above 0 and at most a day",
        "PT25H,PT1S,0.5,window size PT25H: must be above 0 and at most a day",
        "PT1S,PT-1S,0.5,allowed lateness PT-1S: must be between 0 and 365 days",
        "PT1S,PT1S,1.5,completeness 1.5: must be between 0 and 1"
    })
    void shouldRefuseSettingsOutOfRange(Duration size, Duration lateness, double completeness, String message) {
        assertThatThrownBy(() -> new WindowSettings(size, lateness, completeness))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @EnumSource(DropReason.class)
    void shouldNameEveryReason(DropReason reason) {
        assertThat(reason.text()).matches("[a-z-]+");
    }
}
