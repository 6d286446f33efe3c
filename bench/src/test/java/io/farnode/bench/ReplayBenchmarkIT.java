package io.farnode.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** That the benchmark runs and says its figures; how large they are is no matter of a test. */
class ReplayBenchmarkIT {
    @Test
    void shouldEndWithOneLineOfFigures() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            ReplayBenchmark.main(new String[] {"40", "1", "10"});
        } finally {
            System.setOut(before);
        }
        String[] lines = out.toString(StandardCharsets.UTF_8).strip().split("\\R");
        assertThat(lines[lines.length - 1])
                .matches("counts=20480 window_s=10 start_s=\\S+ cold_s=\\S+ cold_plain_s=\\S+ warm_s=\\S+"
                        + " warm_plain_s=\\S+ warm_counts_per_s=\\d+ plain_counts_per_s=\\d+ ratio=\\S+ rounds=1");
    }
}
