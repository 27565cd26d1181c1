package dev.fairlane.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Times on a shared machine are noisy: what is reported is the median of rounds, and how far they lay apart. */
public final class Statistics {
    private Statistics() {}

    /** @throws IllegalArgumentException if there are no values */
    public static double median(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("expected at least one value, but got none");
        }
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Rounded to four significant digits: more would be noise. */
    public static double rounded(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return value;
        }
        double scale = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
        return Math.round(value * scale) / scale;
    }
}
