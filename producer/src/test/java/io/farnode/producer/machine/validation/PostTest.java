package io.farnode.producer.machine.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.workload.Family;
import io.farnode.producer.machine.workload.Scenario;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What every post owes to its files and to the validation. */
class PostTest {
    private static final DataFile PARAMETERS = DataFile.bundled(Validation.class, "validation.parameters");
    private static final DataFile REMARKS = DataFile.bundled(Validation.class, "validation.remarks");

    @Test
    void shouldCoverEveryFamily() {
        assertThat(Post.all()).extracting(Post::family).containsExactlyInAnyOrder(Family.values());
    }

    @ParameterizedTest
    @CsvSource({"LPI_BALANCE, 2", "ITS_TABLES, 2", "DMA_PLACEMENT, 43", "PAGE_POOL, 8", "SPINLOCK, 14"})
    void shouldHaveAllCellsOfThePost(Post post, int cells) {
        assertThat(post.cells()).hasSize(cells);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveEachCellBeforeAndAfterWithItsOrigin(Post post) {
        DataFile before = post.before();
        DataFile after = post.after();
        assertThat(after.keys().stream().filter(key -> !Set.of("source", "unit").contains(key)))
                .containsExactlyElementsOf(post.cells());
        for (String cell : post.cells()) {
            for (DataFile file : List.of(before, after)) {
                assertThat(file.number(cell, 0.001, 1e9)).isPositive();
                assertThat(NumberOrigin.of(file.origin(cell))).as(cell).isEqualTo(NumberOrigin.PUBLIC);
            }
            assertThat(post.unit(cell)).isNotBlank();
        }
        assertThat(before.text("source")).isEqualTo(after.text("source"));
        assertThat(before.keys()).anyMatch(key -> key.startsWith("note."));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSimulateEachCellWithAScenarioOfItsFamily(Post post) {
        for (String cell : post.cells()) {
            Scenario scenario = post.scenario(cell);
            assertThat(scenario.family()).isEqualTo(post.family());
            assertThat(scenario.baseline())
                    .isEqualTo(Scenario.named(scenario.name()).baseline());
        }
        List<String> calibrated = List.of(
                PARAMETERS.text(post.family().familyName() + ".calibrated").split("\\s+"));
        assertThat(calibrated).allSatisfy(name -> assertThat(post.cells()).anyMatch(cell -> cell.startsWith(name)));
    }

    /** A parameter of the validation that no scenario knows or takes would be one that stands there in vain. */
    @Test
    void shouldNeedEveryParameterOfTheValidation() {
        Set<String> scenarios =
                Post.all().stream().flatMap(post -> post.scenarios().stream()).collect(Collectors.toSet());
        for (DataFile.Entry entry : PARAMETERS.entries()) {
            int dot = entry.key().indexOf('.');
            String scenario = entry.key().substring(0, dot);
            String key = entry.key().substring(dot + 1);
            assertThat(scenarios).as(entry.key()).contains(scenario);
            assertThat(entry.origin()).as(entry.key()).isNotBlank();
            if (key.startsWith("sweep.")) {
                for (String value : entry.value().split("\\s+")) {
                    String parameter = key.substring("sweep.".length());
                    assertThatCode(() -> Scenario.named(scenario).with(parameter, value))
                            .as(entry.key())
                            .doesNotThrowAnyException();
                    assertThat(Scenario.named(scenario).settings().text(parameter))
                            .as(entry.key())
                            .isNotEqualTo(value);
                }
            } else {
                assertThat(key).isIn("duration", "seeds", "calibrated", "torture-time", "storm-opens");
            }
        }
        assertThat(scenarios)
                .allSatisfy(name ->
                        assertThat(PARAMETERS.has(name + ".seeds")).as(name).isTrue());
    }

    @Test
    void shouldRemarkOnlyOnCellsThatAreThere() {
        assertThat(REMARKS.keys()).isNotEmpty().allSatisfy(key -> {
            Post post = Post.all().stream()
                    .filter(any -> key.startsWith(any.family().familyName() + "."))
                    .findFirst()
                    .orElseThrow();
            String cell = key.substring(post.family().familyName().length() + 1);
            assertThat(cell.equals("naive") || post.cells().stream().anyMatch(any -> any.startsWith(cell)))
                    .as(key)
                    .isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        calibrated: on the cell before          | CALIBRATED
        source: a manual                        | PUBLIC
        source for the rule; estimate for both  | PUBLIC
        estimate: nobody knows the source       | ESTIMATE
        any whole number                        | FREE
        """)
    void shouldTellOriginsByTheirFirstWord(String origin, NumberOrigin kind) {
        assertThat(NumberOrigin.of(origin)).isEqualTo(kind);
    }
}
