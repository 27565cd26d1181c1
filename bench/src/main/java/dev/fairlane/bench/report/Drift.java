package dev.fairlane.bench.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Where a row of equally spaced samples is heading. Medians throughout: one bad minute is no trend. */
public final class Drift {
    private Drift() {}

    /**
     * Median of the slopes between all pairs of samples (Theil and Sen).
     *
     * @param step between two samples
     * @return change in an hour; 0 with fewer than two samples
     */
    public static double perHour(List<Double> samples, Duration step) {
        List<Double> slopes = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            for (int j = i + 1; j < samples.size(); j++) {
                slopes.add((samples.get(j) - samples.get(i)) / (j - i));
            }
        }
        double hour = Duration.ofHours(1).toNanos() / (double) step.toNanos();
        return slopes.isEmpty() ? 0 : Statistics.median(slopes) * hour;
    }

    /** The last third against the first: 0.1 is a tenth more. 0 with fewer than two samples. */
    public static double change(List<Double> samples) {
        int third = Math.max(1, samples.size() / 3);
        if (samples.size() < 2) {
            return 0;
        }
        double first = Statistics.median(samples.subList(0, third));
        double last = Statistics.median(samples.subList(samples.size() - third, samples.size()));
        return last / first - 1;
    }
}
