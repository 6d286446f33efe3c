package io.farnode.cli.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.farnode.cli.validation.ValidationPage.Format;
import io.farnode.producer.machine.DataFile;
import io.farnode.producer.machine.validation.CellResult;
import io.farnode.producer.machine.validation.FamilyResult;
import io.farnode.producer.machine.validation.ValidationReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class ValidationPageTest {
    private ValidationReport report;

    @BeforeEach
    void makeAReport() throws IOException {
        DataFile parameters = DataFile.read(
                "p", new StringReader("a.seeds = 1 2 # any whole numbers\na.sweep.x = 3 | 4 # estimate: either\n"));
        FamilyResult family = new FamilyResult(
                "a-family",
                "a post",
                List.of(
                        cell("good.1", 1_000, 1_200, 1_001, 1_190),
                        cell("far.1", 10, 20, 10, 13),
                        cell("far.2", 10, 21, 10, 13),
                        cell("wrong.1", 10, 11, 10, 9.5)),
                0.1,
                Map.of("one", "it says two things"),
                Map.of("far", "Nobody knows.", "naive", "It is hard."),
                Map.of("a", parameters.entries()));
        report = new ValidationReport(List.of(family), parameters, List.of(), "0123456789abcdef0123456789abcdef");
    }

    private static CellResult cell(
            String key, double before, double after, double simulatedBefore, double simulatedAfter) {
        double posted = after / before - 1;
        double gain = simulatedAfter / simulatedBefore - 1;
        return new CellResult(
                key,
                "source: the post, somewhere",
                "a",
                "IO/s",
                false,
                key.startsWith("good"),
                before,
                after,
                simulatedBefore,
                simulatedAfter,
                posted,
                posted,
                posted,
                gain,
                gain - 0.1,
                "x = 3",
                gain + 0.05,
                "seed = 2");
    }

    private String print(Format format, String plot) {
        StringWriter text = new StringWriter();
        new ValidationPage(report).print(new PrintWriter(text), format, plot);
        return text.toString();
    }

    @Test
    void shouldEndTableAndPageWithTheSummary() {
        for (Format format : new Format[] {Format.TABLE, Format.MARKDOWN}) {
            List<String> lines = print(format, "").lines().toList();
            assertThat(lines.get(lines.size() - 1))
                    .isEqualTo("cells=4 sign_right=3 in_band=1 families_beating_naive=0");
            assertThat(lines).as("said before any figure").anyMatch(line -> line.contains("no blind forecast"));
        }
    }

    @Test
    void shouldPutPostedBesideSimulated() {
        assertThat(print(Format.TABLE, "").lines())
                .contains(
                        "  cell     unit  before  sim.  err %  after  sim.  err %  gain %  sim.   from    to",
                        "  good.1   IO/s    1000  1001    0.1   1200  1190   -0.8    20.0  18.9    8.9  23.9",
                        "  wrong.1  IO/s      10    10    0.0     11   9.5  -13.6    10.0  -5.0  -15.0   0.0"
                                + "  WRONG SIGN, out of band",
                        "  note: it says two things");
        assertThat(print(Format.MARKDOWN, "").lines())
                .contains(
                        "| good.1 | IO/s | 1000* | 1001 | 0.1 | 1200 | 1190 | -0.8 | 20.0 | 18.9 | 8.9 to 23.9 | right"
                                + " | yes |",
                        "| wrong.1 | IO/s | 10 | 10 | 0.0 | 11 | 9.5 | -13.6 | 10.0 | -5.0 | -15.0 to 0.0 | **wrong**"
                                + " | **no** |");
    }

    @Test
    void shouldListMissesWithTheirReasonOnce() {
        assertThat(print(Format.MARKDOWN, "").lines())
                .contains(
                        "- a-family far.1 out of band, 100.0 % posted, 30.0 % simulated; far.2 out of band, 110.0 % posted,"
                                + " 30.0 % simulated. Nobody knows.",
                        "- a-family wrong.1 wrong sign, out of band, 10.0 % posted, -5.0 % simulated.",
                        "- a-family: no better than both naive forecasts. It is hard.");
    }

    @Test
    void shouldSayOfEachParameterWhereItComesFrom() {
        assertThat(print(Format.MARKDOWN, "").lines())
                .contains(
                        "estimate: 2, free: 2. A variant of a scenario lists only what differs.",
                        "| a.seeds | 1 2 | free | any whole numbers |",
                        "| a.sweep.x | 3 \\| 4 | estimate | either |");
    }

    @Test
    void shouldShowThePlotOnlyIfThereIsOne() {
        assertThat(print(Format.MARKDOWN, "p.svg")).contains("](p.svg)");
        assertThat(print(Format.MARKDOWN, "")).doesNotContain("![");
    }

    @Test
    void shouldWriteOneJsonObject() throws IOException {
        List<String> cells = new ArrayList<>();
        List<Double> gains = new ArrayList<>();
        String summary = "";
        try (JsonParser parser = new JsonFactory().createParser(print(Format.JSON, ""))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    switch (name) {
                        case "cell" -> cells.add(parser.getText());
                        case "simulated_gain" -> gains.add(parser.getDoubleValue());
                        case "summary" -> summary = parser.getText();
                        default -> {}
                    }
                }
            }
        }
        assertThat(cells).containsExactly("good.1", "far.1", "far.2", "wrong.1");
        assertThat(gains)
                .containsExactlyElementsOf(
                        report.cells().stream().map(CellResult::gain).toList());
        assertThat(summary).isEqualTo(report.summary());
    }

    @Test
    void shouldDrawAPanelAFamilyAndAPointACell() throws IOException, SAXException, ParserConfigurationException {
        String svg = ValidationPlot.draw(report);
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(document.getElementsByTagName("clipPath").getLength()).isEqualTo(1);
        assertThat(document.getElementsByTagName("polygon").getLength()).isEqualTo(1);
        NodeList circles = document.getElementsByTagName("circle");
        // the legend has three
        assertThat(circles.getLength()).isEqualTo(4 + 3);
        List<Double> xs = new ArrayList<>();
        List<String> colours = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Element circle = (Element) circles.item(i);
            xs.add(Double.parseDouble(circle.getAttribute("cx")));
            colours.add(circle.getAttribute("fill"));
        }
        assertThat(xs.get(3)).as("10 %, 20 %, 100 %, 110 %").isLessThan(xs.get(0));
        assertThat(xs.get(0)).isLessThan(xs.get(1));
        assertThat(xs.get(1)).isLessThan(xs.get(2));
        assertThat(colours.get(0)).as("in band").isNotIn(colours.get(1), colours.get(3));
        assertThat(colours.get(1)).isEqualTo(colours.get(2)).isNotEqualTo(colours.get(3));
    }
}
