package io.farnode.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final StringWriter text = new StringWriter();
    private final AtomicLong clock = new AtomicLong();

    @Test
    void shouldDrawAtMostTenTimesASecond() {
        try (ProgressBar bar = new ProgressBar(new PrintWriter(text), true, 80, clock::get)) {
            bar.update(0, "a");
            clock.set(99_000_000);
            bar.update(0.4, "b");
            clock.set(100_000_000);
            bar.update(0.5, "c");
        }
        assertThat(text)
                .hasToString("[........................]   0%  a\n\r\u001b[1A\u001b[0J"
                        + "[############............]  50%  c\n\r\u001b[1A\u001b[0J");
    }

    @Test
    void shouldShowTextAloneWhenTheEndIsNotKnown() {
        new ProgressBar(new PrintWriter(text), true, 80, clock::get).update(-1, "12 readings");
        assertThat(text).hasToString("12 readings\n");
    }

    @Test
    void shouldBeSilentWithoutATerminal() {
        try (ProgressBar bar = new ProgressBar(new PrintWriter(text), false, 80, clock::get)) {
            bar.update(0.5, "a");
        }
        assertThat(text.toString()).isEmpty();
    }
}
