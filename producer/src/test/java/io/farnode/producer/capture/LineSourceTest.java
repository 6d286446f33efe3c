package io.farnode.producer.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LineSourceTest {
    /** Hands out bytes in pieces, with silence between them. */
    private static ByteSource pieces(byte[] bytes, int size, boolean quiet) {
        return new ByteSource() {
            private int at;
            private boolean silent;

            @Override
            public int read(byte[] into, int from, int length) {
                silent = quiet && !silent;
                if (silent) {
                    return 0;
                }
                int count = Math.min(Math.min(size, length), bytes.length - at);
                System.arraycopy(bytes, at, into, from, count);
                at += count;
                return count == 0 ? -1 : count;
            }

            @Override
            public void close() {}
        };
    }

    private static List<String> lines(ByteSource source) throws IOException {
        LineSource lines = new LineSource(source);
        List<String> found = new ArrayList<>();
        while (true) {
            switch (lines.next()) {
                case LINE:
                    found.add(lines.text());
                    assertThat(lines.number()).isEqualTo(found.size());
                    break;
                case END:
                    return found;
                default:
            }
        }
    }

    @Property(tries = 200)
    void shouldCutLinesHoweverTheBytesArrive(
            @ForAll @Size(max = 20)
                    List<@net.jqwik.api.constraints.StringLength(max = 30) @net.jqwik.api.constraints.AlphaChars String>
                            expected,
            @ForAll @IntRange(min = 1, max = 40) int size,
            @ForAll boolean quiet,
            @ForAll boolean crLf)
            throws IOException {
        String text = String.join(
                "", expected.stream().map(l -> l + (crLf ? "\r\n" : "\n")).toList());
        assertThat(lines(pieces(text.getBytes(StandardCharsets.UTF_8), size, quiet)))
                .isEqualTo(expected);
    }

    @Test
    void shouldKeepALineWithoutEndAndStepOverAByteOrderMark() throws IOException {
        byte[] bytes = "\uFEFFfirst\n\nlast".getBytes(StandardCharsets.UTF_8);
        for (int size : new int[] {1, 2, 3, 100}) {
            assertThat(lines(pieces(bytes, size, false))).containsExactly("first", "", "last");
        }
        assertThat(lines(pieces(new byte[0], 1, true))).isEmpty();
    }

    @Test
    void shouldKeepOnlyTheBeginningOfALineThatIsTooLong() throws IOException {
        byte[] bytes = ("a\n" + "x".repeat(3 * LineSource.MAX_LINE) + "\nb\n").getBytes(StandardCharsets.UTF_8);
        List<String> found = lines(pieces(bytes, 100_000, true));
        assertThat(found).hasSize(3);
        assertThat(found.get(1)).matches("x{1,1000}");
        assertThat(found.get(2)).isEqualTo("b");
    }
}
