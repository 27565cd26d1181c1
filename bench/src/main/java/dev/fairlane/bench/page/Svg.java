package dev.fairlane.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A picture, written shape by shape. Its ground is white, as pages may be dark. */
final class Svg {
    static final int WIDTH = 760;
    static final String GRID = "#dddddd";
    private static final List<String> COLOURS =
            List.of("#1f6feb", "#d29922", "#2da44e", "#cf222e", "#8250df", "#57606a");

    private final StringBuilder text = new StringBuilder();

    Svg(int height) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                WIDTH,
                height));
    }

    static String colour(int series) {
        return COLOURS.get(series % COLOURS.size());
    }

    /** Short enough for a picture: 112600 is 113 k. */
    static String number(double value) {
        if (value >= 999_500) {
            return trimmed(value / 1e6) + " M";
        }
        return value >= 9_995 ? trimmed(value / 1e3) + " k" : trimmed(value);
    }

    private static String trimmed(double value) {
        String digits = value >= 99.5 ? "%.0f" : value >= 9.95 ? "%.1f" : "%.2f";
        String number = String.format(Locale.ROOT, digits, value);
        return number.contains(".") ? number.replaceAll("\\.?0+$", "") : number;
    }

    /** Names of the series in their colours, and the unit at the right. */
    void legend(List<String> series, String unit) {
        int x = 10;
        for (int s = 0; s < series.size(); s++) {
            rectangle(x, 8, 10, 10, colour(s));
            text(x + 14, 17, "start", series.get(s));
            x += 24 + 7 * series.get(s).length();
        }
        text(WIDTH - 10, 17, "end", unit);
    }

    void rectangle(double x, double y, double width, double height, String colour) {
        add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, colour);
    }

    void text(double x, double y, String anchor, String words) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#24292f\">%s</text>", x, y, anchor, escaped(words));
    }

    void line(double x1, double y1, double x2, double y2, String colour) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, colour);
    }

    void path(List<double[]> points, String colour) {
        String joined = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point[0], point[1]))
                .collect(Collectors.joining(" "));
        add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", joined, colour);
        points.forEach(
                point -> add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", point[0], point[1], colour));
    }

    String end() {
        return text.append("</svg>\n").toString();
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
