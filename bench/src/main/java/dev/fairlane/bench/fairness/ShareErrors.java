package dev.fairlane.bench.fairness;

import java.util.Map;

/**
 * How far a world was from what was due: in points over every window of a minute, and relative over every ten minutes. The first
 * minute of a phase does not count. A world that runs in shorter time is measured in windows as much shorter.
 *
 * @param points largest distance of anybody from its due share, in percentage points
 * @param relative the same relative to the due share, over the long window
 * @param jain of the shares over each phase where all are due the same; 1 where no scenario says so
 */
record ShareErrors(double points, double relative, double jain) {
    private static final int MINUTE = 60;
    private static final int TEN_MINUTES = 600;

    /** @param pace how much shorter the world's time is than the scenario's */
    static ShareErrors of(Scenario scenario, UsedTime used, int pace) {
        int minute = MINUTE / pace;
        double points = 0;
        double relative = 0;
        double jain = 1;
        for (Scenario.Phase phase : scenario.phases()) {
            int from = phase.from() / pace + minute;
            int to = phase.to() / pace;
            for (Map.Entry<String, Double> due : phase.due().entrySet()) {
                for (int at = from; at + minute <= to; at++) {
                    double share = used.share(due.getKey(), at, at + minute);
                    points = Math.max(points, 100 * Math.abs(share - due.getValue()));
                }
                int longest = Math.min(TEN_MINUTES / pace, to - from);
                for (int at = from; at + longest <= to; at++) {
                    double share = used.share(due.getKey(), at, at + longest);
                    relative = Math.max(relative, Math.abs(share / due.getValue() - 1));
                }
            }
            if (scenario.equal()) {
                jain = Math.min(jain, jain(phase, used, from, to));
            }
        }
        return new ShareErrors(points, relative, jain);
    }

    private static double jain(Scenario.Phase phase, UsedTime used, int from, int to) {
        double sum = 0;
        double squares = 0;
        for (String actor : phase.due().keySet()) {
            double share = used.share(actor, from, to);
            sum += share;
            squares += share * share;
        }
        return squares == 0 ? 0 : sum * sum / (phase.due().size() * squares);
    }
}
