package io.farnode.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {
    private final Table table = new Table("run", "count", "mean", "done")
            .row("a", 1L, 0.125, true)
            .row("b, \"quoted\"", 12_345L, null, false);

    @Test
    void shouldAlignForPeople() {
        assertThat(table.lines())
                .containsExactly(
                        "run          count   mean  done",
                        "a                1  0.125  true",
                        "b, \"quoted\"  12345      -  false");
    }

    @Test
    void shouldWriteCsv() {
        assertThat(print(Table.Format.CSV))
                .isEqualTo("run,count,mean,done\r\na,1,0.125,true\r\n\"b, \"\"quoted\"\"\",12345,,false\r\n");
    }

    @Test
    void shouldWriteJson() {
        assertThat(print(Table.Format.JSON).replaceAll("\\s+", " ").strip())
                .isEqualTo(
                        "[ { \"run\" : \"a\", \"count\" : 1, \"mean\" : 0.125, \"done\" : true }, "
                                + "{ \"run\" : \"b, \\\"quoted\\\"\", \"count\" : 12345, \"mean\" : null, \"done\" : false } ]");
    }

    @Test
    void shouldRefuseARowOfAnotherLength() {
        assertThatThrownBy(() -> table.row("a")).hasMessage("1 cells for 4 columns");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1234567.8,1234568",
        "999.96,1000",
        "12.3456,12.35",
        "0.00012345,0.0001234",
        "-0.5,-0.5",
        "0.0000123456,1.235e-05",
        "-0.00000123,-1.230e-06"
    })
    void shouldRoundForPeople(double value, String shown) {
        assertThat(Table.rounded(value)).isEqualTo(shown);
    }

    private String print(Table.Format format) {
        StringWriter text = new StringWriter();
        table.print(new PrintWriter(text), format);
        return text.toString();
    }
}
