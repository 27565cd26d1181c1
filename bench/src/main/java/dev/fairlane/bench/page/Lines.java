package dev.fairlane.bench.page;

import java.util.ArrayList;
import java.util.List;

/** Lines over one axis, which may both be logarithmic. */
final class Lines {
    private static final int LEFT = 70;
    private static final int RIGHT = 30;
    private static final int TOP = 34;
    private static final int BOTTOM = 46;
    private static final int HEIGHT = 300;

    private final String across;
    private final String up;
    private final boolean logarithmic;
    private final List<Series> all = new ArrayList<>();

    private record Series(String name, List<double[]> points) {}

    /** From the least to the greatest value, on a scale. */
    private record Axis(double least, double most, boolean logarithmic) {
        double share(double value) {
            return most == least ? 0 : (scaled(value) - scaled(least)) / (scaled(most) - scaled(least));
        }

        private double scaled(double value) {
            return logarithmic ? Math.log10(Math.max(value, 1e-9)) : value;
        }

        /** Round values to mark: powers of ten with 2 and 5 between, or five steps. */
        List<Double> marks() {
            List<Double> marks = new ArrayList<>();
            if (logarithmic) {
                for (double power = Math.pow(10, Math.floor(Math.log10(least))); power <= most; power *= 10) {
                    for (double factor : new double[] {1, 2, 5}) {
                        if (power * factor >= least * 0.999 && power * factor <= most * 1.001) {
                            marks.add(power * factor);
                        }
                    }
                }
            } else {
                for (int i = 0; i <= 4; i++) {
                    marks.add(least + (most - least) * i / 4);
                }
            }
            return marks;
        }
    }

    Lines(String across, String up, boolean logarithmic) {
        this.across = across;
        this.up = up;
        this.logarithmic = logarithmic;
    }

    /** @param points pairs of x and y */
    Lines line(String name, List<double[]> points) {
        all.add(new Series(name, points));
        return this;
    }

    String svg() {
        Svg svg = new Svg(HEIGHT);
        svg.legend(all.stream().map(Series::name).toList(), up);
        Axis x = axis(0);
        Axis y = axis(1);
        for (double mark : x.marks()) {
            double at = x(x, mark);
            svg.line(at, TOP, at, HEIGHT - BOTTOM, Svg.GRID);
            svg.text(at, HEIGHT - BOTTOM + 16, "middle", Svg.number(mark));
        }
        for (double mark : y.marks()) {
            double at = y(y, mark);
            svg.line(LEFT, at, Svg.WIDTH - RIGHT, at, Svg.GRID);
            svg.text(LEFT - 6, at + 4, "end", Svg.number(mark));
        }
        svg.text((LEFT + Svg.WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", across);
        for (int s = 0; s < all.size(); s++) {
            List<double[]> drawn = all.get(s).points.stream()
                    .map(point -> new double[] {x(x, point[0]), y(y, point[1])})
                    .toList();
            svg.path(drawn, Svg.colour(s));
        }
        return svg.end();
    }

    private Axis axis(int dimension) {
        double[] values = all.stream()
                .flatMap(series -> series.points.stream())
                .mapToDouble(point -> point[dimension])
                .toArray();
        double most = java.util.Arrays.stream(values).max().orElse(1);
        double least = java.util.Arrays.stream(values).min().orElse(0);
        if (logarithmic) {
            // Nothing is not on a logarithmic scale.
            most = Math.max(most, 1e-3);
            least = Math.max(least, most / 1e6);
        } else if (dimension == 1) {
            least = 0;
        }
        return new Axis(least, most, logarithmic);
    }

    private static double x(Axis axis, double value) {
        return LEFT + axis.share(value) * (Svg.WIDTH - LEFT - RIGHT);
    }

    private static double y(Axis axis, double value) {
        return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - TOP - BOTTOM);
    }
}
