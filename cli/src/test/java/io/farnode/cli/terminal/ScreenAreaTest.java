package io.farnode.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenAreaTest {
    private final StringWriter text = new StringWriter();

    @Test
    void shouldDrawOverWhatItDrew() {
        ScreenArea area = new ScreenArea(new PrintWriter(text), true, 80);
        area.draw(List.of("one", "two"));
        area.draw(List.of("three"));
        area.clear();
        assertThat(text).hasToString("one\ntwo\n\r\u001b[2A\u001b[0Jthree\n\r\u001b[1A\u001b[0J");
    }

    @Test
    void shouldCutLinesThatWouldWrap() {
        new ScreenArea(new PrintWriter(text), true, 20).draw(List.of("0123456789012345678901234"));
        assertThat(text).hasToString("0123456789012345678\n");
    }

    @Test
    void shouldLeaveKeptLinesAlone() {
        ScreenArea area = new ScreenArea(new PrintWriter(text), true, 80);
        area.draw(List.of("one"));
        area.keep();
        area.draw(List.of("two"));
        assertThat(text).hasToString("one\ntwo\n");
    }

    @Test
    void shouldDrawNothingWithoutATerminal() {
        ScreenArea area = new ScreenArea(new PrintWriter(text), false, 80);
        area.draw(List.of("one"));
        area.clear();
        assertThat(text.toString()).isEmpty();
    }
}
