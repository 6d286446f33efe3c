package io.farnode.cli.validation;

import io.farnode.producer.machine.validation.CellResult;
import io.farnode.producer.machine.validation.FamilyResult;
import io.farnode.producer.machine.validation.ValidationReport;
import java.util.List;
import java.util.Locale;

/**
 * Measured against simulated gains as SVG, one panel a family. A point on the diagonal is a hit, the shaded band is what
 * counts as in band, the bar is the interval over seeds and unknown parameters. Same report, same bytes.
 */
public final class ValidationPlot {
    private static final int COLUMNS = 3;
    private static final int WIDTH = 320;
    private static final int HEIGHT = 340;
    private static final int LEFT = 52;
    private static final int TOP = 34;
    private static final int SIDE = 250;
    private static final int BAND_STEPS = 48;
    private static final double MARGIN = 0.12;
    private static final double LEAST_SPAN = 0.02;

    private final StringBuilder svg = new StringBuilder();

    private ValidationPlot() {}

    /**
     * Draws a report.
     *
     * @param report the report
     * @return the text of an SVG file
     */
    public static String draw(ValidationReport report) {
        return new ValidationPlot().all(report);
    }

    private String all(ValidationReport report) {
        int rows = (report.families().size() + COLUMNS - 1) / COLUMNS;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<title>Gains as posted and as simulated</title>%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
                COLUMNS * WIDTH, rows * HEIGHT);
        for (int i = 0; i < report.families().size(); i++) {
            panel(report.families().get(i), i);
        }
        legend(report.families().size());
        add("</svg>%n");
        return svg.toString();
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format.replace("%n", "\n"), arguments));
    }

    private void panel(FamilyResult family, int number) {
        double least = 0;
        double most = LEAST_SPAN;
        for (CellResult cell : family.cells()) {
            least = Math.min(least, Math.min(cell.postedGain(), cell.gain()));
            most = Math.max(most, Math.max(cell.postedGain(), cell.gain()));
        }
        double margin = MARGIN * (most - least);
        Axis axis = new Axis(least - margin, most + margin);
        add("<g transform=\"translate(%d %d)\">%n", number % COLUMNS * WIDTH + LEFT, number / COLUMNS * HEIGHT + TOP);
        add("<text x=\"0\" y=\"-12\" font-size=\"13\" font-weight=\"bold\">%s</text>%n", family.family());
        add("<clipPath id=\"panel%d\"><rect width=\"%d\" height=\"%d\"/></clipPath>%n", number, SIDE, SIDE);
        add("<g clip-path=\"url(#panel%d)\">%n", number);
        band(axis);
        add("<line x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"0\" stroke=\"#666666\" stroke-dasharray=\"4 3\"/>%n", SIDE, SIDE);
        for (CellResult cell : family.cells()) {
            add(
                    "<line x1=\"%1$.1f\" y1=\"%2$.1f\" x2=\"%1$.1f\" y2=\"%3$.1f\" stroke=\"#9ab4d0\"/>%n",
                    axis.x(cell.postedGain()), axis.y(cell.low()), axis.y(cell.high()));
        }
        for (CellResult cell : family.cells()) {
            add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"0.5\"><title>%s:"
                            + " posted %+.1f %%, simulated %+.1f %%</title></circle>%n",
                    axis.x(cell.postedGain()),
                    axis.y(cell.gain()),
                    colour(cell),
                    cell.key(),
                    100 * cell.postedGain(),
                    100 * cell.gain());
        }
        add("</g>%n");
        frame(axis);
        add("</g>%n");
    }

    private static String colour(CellResult cell) {
        if (!cell.signRight()) {
            return "#c62828";
        }
        return cell.inBand() ? "#1f5fa8" : "#e07b00";
    }

    /** The band widens where a quarter of the gain is more than three points. */
    private void band(Axis axis) {
        StringBuilder upper = new StringBuilder();
        StringBuilder lower = new StringBuilder();
        for (int i = 0; i <= BAND_STEPS; i++) {
            double posted = axis.least + (axis.most - axis.least) * i / BAND_STEPS;
            double half = CellResult.bandAround(posted);
            upper.append(point(axis, posted, posted + half));
            lower.insert(0, point(axis, posted, posted - half));
        }
        add("<polygon points=\"%s\" fill=\"#e8eef5\"/>%n", (upper.toString() + lower).strip());
    }

    private static String point(Axis axis, double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", axis.x(x), axis.y(y));
    }

    private void frame(Axis axis) {
        add("<rect width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333333\"/>%n", SIDE, SIDE);
        for (double tick : axis.ticks()) {
            add("<path d=\"M%1$.1f %2$d v4 M0 %3$.1f h-4\" stroke=\"#333333\"/>%n", axis.x(tick), SIDE, axis.y(tick));
            String text = String.format(Locale.ROOT, axis.step() < 0.01 ? "%.1f" : "%.0f", 100 * tick);
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n", axis.x(tick), SIDE + 16, text);
            add("<text x=\"-7\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n", axis.y(tick) + 4, text);
        }
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">posted gain, %%</text>%n", SIDE / 2, SIDE + 32);
        add(
                "<text transform=\"translate(-36 %d) rotate(-90)\" text-anchor=\"middle\">simulated gain, %%</text>%n",
                SIDE / 2);
    }

    private void legend(int panels) {
        add(
                "<g transform=\"translate(%d %d)\">%n",
                panels % COLUMNS * WIDTH + LEFT, panels / COLUMNS * HEIGHT + TOP + SIDE / 3);
        List<String[]> lines = List.of(
                new String[] {"#1f5fa8", "in band"},
                new String[] {"#e07b00", "right sign, out of band"},
                new String[] {"#c62828", "wrong sign"});
        for (int i = 0; i < lines.size(); i++) {
            add("<circle cx=\"6\" cy=\"%d\" r=\"3.5\" fill=\"%s\"/>%n", 18 * i, lines.get(i)[0]);
            add("<text x=\"20\" y=\"%d\">%s</text>%n", 18 * i + 4, lines.get(i)[1]);
        }
        add("<line x1=\"6\" y1=\"47\" x2=\"6\" y2=\"61\" stroke=\"#9ab4d0\"/>%n");
        add("<text x=\"20\" y=\"58\">over seeds and unknown parameters</text>%n");
        add("<rect x=\"0\" y=\"67\" width=\"12\" height=\"10\" fill=\"#e8eef5\"/>%n");
        add("<text x=\"20\" y=\"76\">the band around the posted gain</text>%n");
        add("</g>%n");
    }

    /** The range of both axes of a panel, and where on it a gain is. */
    private record Axis(double least, double most) {
        private static final double[] STEPS = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5};
        private static final int MOST_TICKS = 7;

        double x(double gain) {
            return (gain - least) / (most - least) * SIDE;
        }

        double y(double gain) {
            return SIDE - x(gain);
        }

        double step() {
            for (double step : STEPS) {
                if ((most - least) / step <= MOST_TICKS) {
                    return step;
                }
            }
            return STEPS[STEPS.length - 1];
        }

        double[] ticks() {
            int first = (int) Math.ceil(least / step());
            int last = (int) Math.floor(most / step());
            double[] ticks = new double[last - first + 1];
            for (int i = 0; i < ticks.length; i++) {
                ticks[i] = (first + i) * step();
            }
            return ticks;
        }
    }
}
