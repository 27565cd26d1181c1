package dev.fairlane.bench.floor;

/**
 * How fast a loop goes inside a window, from the first thing it finishes there to the last. Work finished outside is not counted, nor is
 * the time before the first: a loop that works in large pieces would otherwise gain or lose one.
 */
final class Pace {
    private final long begin;
    private final long end;
    private long firstNanos;
    private long firstJobs;
    private long lastNanos;
    private long lastJobs;
    private boolean any;

    Pace(long begin, long end) {
        this.begin = begin;
        this.end = end;
    }

    /** @param jobs finished in all, now */
    void reached(long jobs, long nanos) {
        if (nanos < begin || nanos > end) {
            return;
        }
        if (!any) {
            any = true;
            firstNanos = nanos;
            firstJobs = jobs;
        }
        lastNanos = nanos;
        lastJobs = jobs;
    }

    /** @throws IllegalStateException if the window saw too little to say */
    double perSecond() {
        if (!any || lastNanos == firstNanos) {
            throw new IllegalStateException("expected several pieces of work in the window: it is too short");
        }
        return (lastJobs - firstJobs) * 1e9 / (lastNanos - firstNanos);
    }
}
