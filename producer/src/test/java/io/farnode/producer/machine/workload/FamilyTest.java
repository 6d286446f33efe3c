package io.farnode.producer.machine.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.farnode.producer.machine.DataException;
import io.farnode.telemetry.Column;
import io.farnode.telemetry.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every family owes to scenarios, runs and their users. */
class FamilyTest {
    private static Scenario brief(Family family) {
        return Scenario.named(family.familyName())
                .with("warm-up", "5ms")
                .withInterval(Duration.ofMillis(20))
                .withDuration(Duration.ofMillis(60));
    }

    private static List<Sample> samples(Scenario scenario) {
        try (SimulatedRun run = SimulatedRun.of(scenario)) {
            List<Sample> samples = new ArrayList<>();
            for (Sample sample = run.next(); sample != null; sample = run.next()) {
                samples.add(sample);
            }
            return samples;
        }
    }

    private static long system(Sample sample, String rawName) {
        Column column = sample.getColumns().stream()
                .filter(c -> c.getRawName().equals(rawName))
                .findFirst()
                .orElseThrow();
        return column.getValues().get(sample.getScopes().indexOf("system"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveAScenarioOfItsNameThatPassesItsOwnChecks(Family family) {
        Scenario scenario = Scenario.named(family.familyName());
        assertThat(scenario.family()).isEqualTo(family);
        assertThat(scenario.name()).isEqualTo(family.familyName());
        assertThat(scenario.policy()).isEqualTo(scenario.candidate());
        assertThat(scenario.baseline()).isNotEqualTo(scenario.candidate());
        assertThat(family.policies())
                .contains(scenario.baseline(), scenario.candidate())
                .endsWith("all-local");
        assertThat(family.scenarios()).startsWith(family.familyName()).doesNotHaveDuplicates();
        assertThat(Scenario.names()).containsAll(family.scenarios());
        for (String name : family.scenarios()) {
            assertThat(Scenario.named(name).family()).isEqualTo(family);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameItsPoliciesWhenAskedForAnother(Family family) {
        Scenario scenario = Scenario.named(family.familyName());
        assertThatThrownBy(() -> scenario.withPolicy("worst"))
                .hasMessage("unknown policy \"worst\": known are " + String.join(", ", family.policies()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNeedEveryParameterOfItsScenario(Family family) {
        // a parameter that nothing reads would be one that the user sets in vain
        Scenario scenario = brief(family);
        for (String key : scenario.settings().keys()) {
            if (!List.of("summary", "workload", "base").contains(key)) {
                assertThatThrownBy(() -> scenario.with(key, "no such value"))
                        .as(key)
                        .isInstanceOf(DataException.class)
                        .hasMessageContaining("no such value");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldPrintConsistentRowsUnderEveryPolicy(Family family) {
        Scenario scenario = brief(family);
        for (String policy : family.policies()) {
            long operations = 0;
            for (Sample sample : samples(scenario.withPolicy(policy))) {
                if (sample.getSource().equals("vmstat")) {
                    long shares = system(sample, "us")
                            + system(sample, "sy")
                            + system(sample, "id")
                            + system(sample, "wa")
                            + system(sample, "st");
                    assertThat(shares).as(policy).isBetween(98L, 102L);
                }
                if (sample.getSource().equals("workload")) {
                    operations += system(sample, "operations");
                }
            }
            assertThat(operations).as(policy).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveTheSameSamplesForTheSameSeedAndOthersForAnother(Family family) {
        Scenario scenario = brief(family).withSeed(3);
        List<Sample> first = samples(scenario);
        assertThat(samples(scenario)).isEqualTo(first);
        assertThat(samples(scenario.withSeed(4))).isNotEqualTo(first);
    }

    /** A workload told in one piece or in many has done the same. */
    @ParameterizedTest
    @EnumSource
    void shouldNotHangOnHowOftenItIsLookedAt(Family family) {
        Scenario scenario = brief(family);
        Interval whole =
                new Interval(scenario.machine().cpus(), scenario.machine().nodes());
        Interval piece =
                new Interval(scenario.machine().cpus(), scenario.machine().nodes());
        Workload once = scenario.workload();
        once.advance(40_000_000L);
        once.tell(whole);
        Workload often = scenario.workload();
        long operations = 0;
        long accesses = 0;
        for (int i = 1; i <= 40; i++) {
            often.advance(i * 1_000_000L);
            piece.clear();
            often.tell(piece);
            often.look();
            operations += piece.operations();
            accesses += piece.allAccesses();
        }
        assertThat(operations).isEqualTo(whole.operations());
        assertThat(accesses).isEqualTo(whole.allAccesses());
    }
}
