package io.farnode.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractTest {
    @Test
    void shouldDocumentEveryRecordEnumAndField() {
        Set<String> seen = new HashSet<>();
        SchemaCatalog.current().values().forEach(schema -> checkDocumented(schema, seen));
        assertThat(seen).contains("io.farnode.telemetry.Column", "io.farnode.results.Arm", "io.farnode.results.Better");
    }

    private static void checkDocumented(Schema schema, Set<String> seen) {
        switch (schema.getType()) {
            case RECORD -> {
                if (seen.add(schema.getFullName())) {
                    assertThat(schema.getDoc()).as(schema.getFullName()).isNotBlank();
                    for (Schema.Field field : schema.getFields()) {
                        assertThat(field.doc())
                                .as(schema.getFullName() + "." + field.name())
                                .isNotBlank();
                        checkDocumented(field.schema(), seen);
                    }
                }
            }
            case ENUM -> {
                seen.add(schema.getFullName());
                assertThat(schema.getDoc()).as(schema.getFullName()).isNotBlank();
                assertThat(schema.getEnumDefault()).as(schema.getFullName()).isNotNull();
            }
            case UNION -> schema.getTypes().forEach(type -> checkDocumented(type, seen));
            case ARRAY -> checkDocumented(schema.getElementType(), seen);
            case MAP -> checkDocumented(schema.getValueType(), seen);
            default -> {}
        }
    }

    @ParameterizedTest
    @EnumSource(Topics.class)
    void shouldNeverLetTimeDeleteATopic(Topics topic) {
        assertThat(topic.settings()).containsEntry("retention.ms", "-1");
        assertThat(topic.topicName()).startsWith("farnode.");
        assertThat(topic.purpose()).isNotBlank();
    }

    @Test
    void shouldNeverCompactTelemetry() {
        assertThat(Topics.TELEMETRY.settings())
                .containsEntry("cleanup.policy", "delete")
                .containsKey("retention.bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a|b", "-a", ".a", "ä"})
    void shouldRefuseRunIdsThatKeysCannotHold(String id) {
        assertThatThrownBy(() -> Keys.runId(id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "run id \"" + id + "\": use 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or digit");
    }

    @Test
    void shouldSortKeysOfWindowsByTime() {
        assertThat(Keys.window("r", 1_000, 9)).isLessThan(Keys.window("r", 1_000, 10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "system",
                "node1",
                "socket0",
                "die0.1",
                "cluster0.1.2",
                "cache0.0.3.4",
                "core1.0.9",
                "cpu223",
                "thread:my thing-12"
            })
    void shouldReadBackEveryScope(String text) {
        assertThat(Scope.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cpu", "cpu1.2", "core1", "CPU1", "thread:", "gpu0", "node-1"})
    void shouldRefuseWhatIsNoScope(String text) {
        assertThatThrownBy(() -> Scope.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKeepCoresOfTwoSocketsApart() {
        assertThat(Scope.of(Scope.Kind.CORE, 0, 0, 0)).isNotEqualTo(Scope.of(Scope.Kind.CORE, 1, 0, 0));
    }

    @Test
    void shouldNameSignalsOnce() {
        assertThat(Arrays.stream(Signal.values()).map(Signal::signalName)).doesNotHaveDuplicates();
        for (Signal signal : Signal.values()) {
            assertThat(Signal.byName(signal.signalName())).contains(signal);
        }
    }
}
