package io.farnode.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LinePlotTest {
    @Property(tries = 200)
    void shouldDrawEveryPointInsideThePictureAndHigherValuesHigher(
            @ForAll @Size(min = 1, max = 60) List<@DoubleRange(min = -1e6, max = 1e6) Double> values) throws Exception {
        LinePlot plot = new LinePlot("a < b & c", "x", "y");
        for (int i = 0; i < values.size(); i++) {
            plot.point(i, i + "us", values.get(i), values.get(i) - 1, values.get(i) + 1);
        }
        Document picture = parse(plot.svg());
        List<double[]> circles = circles(picture);
        assertThat(circles).hasSameSizeAs(values).allSatisfy(at -> {
            assertThat(at[0]).isBetween(0.0, 760.0);
            assertThat(at[1]).isBetween(0.0, 420.0);
        });
        for (int i = 1; i < values.size(); i++) {
            assertThat(circles.get(i)[0]).isGreaterThanOrEqualTo(circles.get(i - 1)[0]);
            if (values.get(i) > values.get(i - 1)) {
                assertThat(circles.get(i)[1]).isLessThanOrEqualTo(circles.get(i - 1)[1]);
            }
        }
        assertThat(picture.getDocumentElement().getTextContent()).contains("a < b & c");
    }

    @Test
    void shouldAlwaysShowWhereZeroIs() throws Exception {
        for (double value : new double[] {-40, 0, 0.003, 170}) {
            String svg = new LinePlot("t", "x", "y")
                    .point(1, "1", value, value, value)
                    .point(2, "2", value, value, value)
                    .svg();
            assertThat(svg).contains("stroke=\"#444\"", ">0</text>");
            parse(svg);
        }
    }

    @Test
    void shouldRefuseToDrawNothing() {
        assertThatThrownBy(() -> new LinePlot("t", "x", "y").svg()).isInstanceOf(IllegalStateException.class);
    }

    private static List<double[]> circles(Document picture) {
        NodeList circles = picture.getElementsByTagName("circle");
        List<double[]> places = new ArrayList<>();
        for (int i = 0; i < circles.getLength(); i++) {
            Element circle = (Element) circles.item(i);
            places.add(new double[] {
                Double.parseDouble(circle.getAttribute("cx")), Double.parseDouble(circle.getAttribute("cy"))
            });
        }
        return places;
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}
