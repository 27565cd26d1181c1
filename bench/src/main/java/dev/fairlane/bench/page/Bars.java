package dev.fairlane.bench.page;

import java.util.ArrayList;
import java.util.List;

/** Lying bars in rows, one bar for each series. */
final class Bars {
    private static final int LABELS = 190;
    private static final int RIGHT = 90;
    private static final int THICK = 16;
    private static final int GAP = 10;
    private static final int TOP = 30;

    private final String unit;
    private final List<String> series;
    private final List<Row> rows = new ArrayList<>();

    private record Row(String label, List<Double> values) {}

    Bars(String unit, List<String> series) {
        this.unit = unit;
        this.series = series;
    }

    /** @param values one for each series; one below zero is left out */
    Bars row(String label, List<Double> values) {
        rows.add(new Row(label, values));
        return this;
    }

    String svg() {
        int rowHeight = series.size() * THICK + GAP;
        int height = TOP + rows.size() * rowHeight + 10;
        Svg svg = new Svg(height);
        svg.legend(series, unit);
        double most = rows.stream()
                .flatMap(row -> row.values.stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        int room = Svg.WIDTH - LABELS - RIGHT;
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            int top = TOP + r * rowHeight;
            svg.text(LABELS - 8, top + series.size() * THICK / 2.0 + 4, "end", row.label);
            for (int s = 0; s < row.values.size(); s++) {
                double value = row.values.get(s);
                if (value < 0) {
                    continue;
                }
                double width = Math.max(1, room * value / Math.max(most, 1e-9));
                double y = top + (double) s * THICK;
                svg.rectangle(LABELS, y, width, THICK - 2, Svg.colour(s));
                svg.text(LABELS + width + 6, y + THICK - 5, "start", Svg.number(value));
            }
        }
        return svg.end();
    }
}
