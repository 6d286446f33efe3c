package io.farnode.cli.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One quantity over another as an SVG 1.1 picture: a line through points, a band where values spread, and a line at zero.
 * The same points give the same text.
 */
public final class LinePlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 74;
    private static final int RIGHT = 24;
    private static final int TOP = 48;
    private static final int BOTTOM = 60;
    private static final int TICKS = 6;

    private final String title;
    private final String across;
    private final String up;
    private final List<Point> points = new ArrayList<>();

    /**
     * A point.
     *
     * @param x place on the axis across
     * @param label what stands there on the axis
     * @param y value
     * @param low least value that went into it
     * @param high greatest value that went into it
     */
    private record Point(double x, String label, double y, double low, double high) {}

    /**
     * A plot without points.
     *
     * @param title what stands above
     * @param across name of the axis across
     * @param up name of the axis up
     */
    public LinePlot(String title, String across, String up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    /**
     * Adds a point, right of those before.
     *
     * @param x place on the axis across; finite
     * @param label what stands there on the axis
     * @param y value; finite
     * @param low least value that went into it
     * @param high greatest value that went into it
     * @return this
     */
    public LinePlot point(double x, String label, double y, double low, double high) {
        points.add(new Point(x, label, y, low, high));
        return this;
    }

    /**
     * {@return the picture}
     *
     * @throws IllegalStateException if there are no points
     */
    public String svg() {
        if (points.isEmpty()) {
            throw new IllegalStateException("a plot without points");
        }
        double least = points.stream().mapToDouble(Point::low).min().orElseThrow();
        double most = points.stream().mapToDouble(Point::high).max().orElseThrow();
        double step = niceStep(Math.max(most, 0) - Math.min(least, 0));
        double bottom = Math.floor(Math.min(least, 0) / step) * step;
        double top = Math.max(Math.ceil(Math.max(most, 0) / step) * step, bottom + step);
        double first = points.get(0).x;
        double span = Math.max(points.get(points.size() - 1).x - first, Double.MIN_NORMAL);
        StringBuilder svg = new StringBuilder();
        line(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT);
        line(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        line(svg, "<text x=\"%d\" y=\"26\" font-size=\"15\">%s</text>", LEFT, escaped(title));
        for (int i = 0; bottom + i * step <= top + step / 2; i++) {
            double value = bottom + i * step;
            double y = y(value, bottom, top);
            boolean zero = Math.abs(value) < step / 2;
            line(
                    svg,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\"/>",
                    LEFT,
                    y,
                    WIDTH - RIGHT,
                    y,
                    zero ? "#444" : "#ddd");
            line(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 8, y + 4, tick(value, step));
        }
        // no more labels than there is room for
        int longest = points.stream().mapToInt(p -> p.label.length()).max().orElse(1);
        int every = Math.max(1, (int) Math.ceil(points.size() * (longest * 8.0 + 10) / (WIDTH - LEFT - RIGHT)));
        StringBuilder upper = new StringBuilder();
        StringBuilder lower = new StringBuilder();
        StringBuilder through = new StringBuilder();
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            double x = LEFT + 20 + (points.size() == 1 ? 0.5 : (point.x - first) / span) * (WIDTH - LEFT - RIGHT - 40);
            if (i % every == 0) {
                line(
                        svg,
                        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                        x,
                        HEIGHT - BOTTOM + 18,
                        escaped(point.label));
            }
            upper.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(point.high, bottom, top)));
            lower.insert(0, String.format(Locale.ROOT, "%.1f,%.1f ", x, y(point.low, bottom, top)));
            through.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(point.y, bottom, top)));
        }
        line(svg, "<polygon points=\"%s\" fill=\"#1f77b4\" fill-opacity=\"0.2\"/>", (upper.toString() + lower).strip());
        line(
                svg,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"2\"/>",
                through.toString().strip());
        for (String place : through.toString().strip().split(" ")) {
            String[] xy = place.split(",");
            line(svg, "<circle cx=\"%s\" cy=\"%s\" r=\"3.5\" fill=\"#1f77b4\"/>", xy[0], xy[1]);
        }
        line(
                svg,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 14,
                escaped(across));
        line(
                svg,
                "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (TOP + HEIGHT - BOTTOM) / 2,
                escaped(up));
        return svg.append("</svg>\n").toString();
    }

    private static double y(double value, double bottom, double top) {
        return TOP + (top - value) / (top - bottom) * (HEIGHT - TOP - BOTTOM);
    }

    /** 1, 2 or 5 times a power of ten, so that there are about {@link #TICKS} of them. */
    private static double niceStep(double span) {
        double rough = Math.max(span, 1e-9) / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double times = rough / power;
        return power * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
    }

    private static String tick(double value, double step) {
        double rounded = Math.rint(value / step) * step;
        return rounded == 0
                ? "0"
                : new BigDecimal(rounded)
                        .round(new MathContext(6))
                        .stripTrailingZeros()
                        .toPlainString();
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
