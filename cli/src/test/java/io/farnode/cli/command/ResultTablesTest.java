package io.farnode.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.farnode.cli.terminal.Table;
import io.farnode.contract.SchemaCatalog;
import io.farnode.results.WindowResult;
import io.farnode.results.WindowSeries;
import io.farnode.telemetry.ValueKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTablesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ResultTables.Selection ALL = new ResultTables.Selection(null, null, true);

    static {
        // trust for the generated classes is given when this class is loaded
        assertThat(SchemaCatalog.current()).isNotEmpty();
    }

    @Test
    void shouldTellTheCoverageOfEachSeriesBesideThatOfTheWindow() {
        WindowResult window = window(0, 1.0, List.of(1.0f, 0.89f));
        WindowResult incomplete = window(1, 0.5, List.of());
        assertThat(csv(window, incomplete))
                .containsExactly(
                        "run,window,start,end,size_seconds,coverage,complete,scope,name,unit,value,sum,series_coverage,series_complete",
                        "r,0,1970-01-01T00:00:10Z,1970-01-01T00:00:11Z,1.0,1.0,true,system,event:x,1/s,3.0,3,1.0,true",
                        "r,0,1970-01-01T00:00:10Z,1970-01-01T00:00:11Z,1.0,1.0,true,cpu0,event:x,1/s,2.0,2,0.89,false",
                        "r,1,1970-01-01T00:00:11Z,1970-01-01T00:00:12Z,1.0,0.5,false,system,event:x,1/s,3.0,3,1.0,false",
                        "r,1,1970-01-01T00:00:11Z,1970-01-01T00:00:12Z,1.0,0.5,false,cpu0,event:x,1/s,2.0,2,1.0,false");
    }

    @Test
    void shouldNotPassTheWholeRunOffAsAWindow() {
        WindowResult whole = window(0, 1.0, List.of());
        whole.setSizeNanos(0);
        whole.setEndNanos(12 * SECOND);
        assertThat(csv(window(0, 1.0, List.of()), window(1, 1.0, List.of()), whole)
                        .subList(5, 7))
                .allSatisfy(row -> assertThat(row)
                        .startsWith("r,whole run,1970-01-01T00:00:10Z,1970-01-01T00:00:12Z,0.0,1.0,true,"));
    }

    @Test
    void shouldNameTheScopesOfARunShortly() {
        WindowResult window = window(0, 1.0, List.of());
        window.setScopes(List.of("system", "node0", "node1", "cpu0", "cpu2", "cpu3", "cpu10", "core0.0.1"));
        assertThat(WindowsCommand.scopes(List.of(window, window(1, 1.0, List.of()))))
                .isEqualTo("system, node0..node1, cpu0, cpu2..cpu3, cpu10, core0.0.1");
    }

    private static List<String> csv(WindowResult... windows) {
        StringWriter text = new StringWriter();
        ResultTables.narrow(List.of(windows), ALL).print(new PrintWriter(text), Table.Format.CSV);
        return text.toString().lines().toList();
    }

    private static WindowResult window(int number, double coverage, List<Float> seriesCoverage) {
        return new WindowResult(
                "r",
                (10 + number) * SECOND,
                (11 + number) * SECOND,
                SECOND,
                coverage,
                coverage >= 0.9,
                1L,
                List.of("system", "cpu0"),
                List.of(new WindowSeries(
                        "event:x",
                        "1/s",
                        ValueKind.DELTA,
                        0,
                        List.of(),
                        List.of(3.0, 2.0),
                        List.of(3L, 2L),
                        seriesCoverage)));
    }
}
