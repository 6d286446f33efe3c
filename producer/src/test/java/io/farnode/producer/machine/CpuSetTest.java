package io.farnode.producer.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuSetTest {
    @Test
    void shouldWriteListsAsTheKernelDoes() {
        assertThat(CpuSet.of(0, 1, 2, 5, 7, 8)).hasToString("0-2,5,7-8");
        assertThat(CpuSet.EMPTY).hasToString("");
        assertThat(CpuSet.parse("0, 1, 2, 3")).isEqualTo(CpuSet.range(0, 4));
    }

    @Property
    void shouldReadWhatItWrites(@ForAll Set<@IntRange(max = 200) Integer> cpus) {
        CpuSet set = CpuSet.of(cpus.stream().mapToInt(Integer::intValue).toArray());
        assertThat(CpuSet.parse(set.toString())).isEqualTo(set).hasSameHashCodeAs(set);
        assertThat(set.size()).isEqualTo(cpus.size());
        assertThat(set.stream().boxed()).containsExactlyInAnyOrderElementsOf(cpus);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        7-3  | "7-3" is no CPU list: 7-3 runs backwards
        1,,2 | "1,,2" is no CPU list: "" is no CPU number from 0 to 1023; write 0-3,8
        1024 | "1024" is no CPU list: "1024" is no CPU number from 0 to 1023; write 0-3,8
        -1   | "-1" is no CPU list: "" is no CPU number from 0 to 1023; write 0-3,8
        """)
    void shouldSayWhyATextIsNoList(String text, String message) {
        assertThatThrownBy(() -> CpuSet.parse(text)).hasMessage(message);
    }
}
