package dev.fairlane.bench.fairness;

import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Slot-time that every actor used in every second, and how long jobs waited. */
final class UsedTime {
    private static final long MICROS = 1_000_000;
    private static final long LONGEST_WAIT_MICROS = 86_400L * MICROS;

    private final int seconds;
    private final Map<String, double[]> used = new HashMap<>();
    private final Map<String, Histogram> waits = new HashMap<>();

    UsedTime(int seconds) {
        this.seconds = seconds;
    }

    int seconds() {
        return seconds;
    }

    /** An execution held so many slots from one moment to another, both in microseconds from the beginning. */
    void ran(String actor, double slots, long from, long to) {
        double[] own = used.computeIfAbsent(actor, name -> new double[seconds]);
        for (long at = Math.max(0, from); at < to; ) {
            int second = (int) (at / MICROS);
            if (second >= seconds) {
                return;
            }
            long end = Math.min(to, (second + 1L) * MICROS);
            own[second] += slots * (end - at);
            at = end;
        }
    }

    /** From any thread. */
    synchronized void waited(String actor, long micros) {
        waits.computeIfAbsent(actor, name -> new Histogram(LONGEST_WAIT_MICROS, 3))
                .recordValue(Math.min(LONGEST_WAIT_MICROS, Math.max(0, micros)));
    }

    /** Share of the slot-time that anybody used from one second to another; 0 when nobody used any. */
    double share(String actor, int from, int to) {
        double all = 0;
        for (double[] one : used.values()) {
            all += sum(one, from, to);
        }
        return all == 0 ? 0 : own(actor, from, to) / all;
    }

    private double own(String actor, int from, int to) {
        if (actor.endsWith(Scenario.GROUP)) {
            String prefix = actor.substring(0, actor.length() - Scenario.GROUP.length());
            return used.entrySet().stream()
                    .filter(one -> one.getKey().startsWith(prefix))
                    .mapToDouble(one -> sum(one.getValue(), from, to))
                    .sum();
        }
        double[] own = used.get(actor);
        return own == null ? 0 : sum(own, from, to);
    }

    private static double sum(double[] values, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        return sum;
    }

    /** The waits of all whose name begins so. */
    Histogram waits(String prefix) {
        Histogram all = new Histogram(LONGEST_WAIT_MICROS, 3);
        waits.forEach((actor, histogram) -> {
            if (actor.startsWith(prefix)) {
                all.add(histogram);
            }
        });
        return all;
    }
}
