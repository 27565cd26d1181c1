package dev.fairlane.core.model;

/** Cron values for tests, without the text that people write. */
final class Crons {
    private static final long AT_ZERO = 1;

    private Crons() {}

    /** Every day at this time. */
    static Cron daily(int hour, int minute) {
        return new Cron(AT_ZERO, 1L << minute, 1 << hour, Cron.ALL_DAYS, Cron.ALL_MONTHS, 0, 0, 0, 0);
    }

    /** At these minutes of every hour. */
    static Cron minutes(int... minutes) {
        long set = 0;
        for (int minute : minutes) {
            set |= 1L << minute;
        }
        return new Cron(AT_ZERO, set, Cron.ALL_HOURS, Cron.ALL_DAYS, Cron.ALL_MONTHS, 0, 0, 0, 0);
    }

    /** Midnight of these days. */
    static Cron days(int days, int months, int weekdays, int fromEnd, int nearest, long nth) {
        return new Cron(AT_ZERO, AT_ZERO, 1, days, months, weekdays, fromEnd, nearest, nth);
    }
}
