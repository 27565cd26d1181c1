package dev.fairlane.sdk.internal;

/**
 * Whether it is worth a moment to wait for others. Threads that submit one job after the other are answered together when their jobs were committed
 * together, and come back together with the next: sent in one message, those cost one call and one commit instead of many. So this watches whether all
 * that were answered together come back within {@link #MOMENT_NANOS}. While they do, a job waits for those that are still to come, and for the answer
 * to those under way, who come back then; as soon as some stay away no job waits. Jobs that come by chance are never held up. Not thread-safe.
 */
public final class Returning {
    /** As long as it takes some ten threads to wake up on a busy machine. */
    public static final long MOMENT_NANOS = 250_000;

    /** The most a job waits for an answer to others. */
    public static final long ANSWER_NANOS = 2_000_000;

    /** Answers this close to each other belong together. */
    private static final long TOGETHER_NANOS = 150_000;

    private static final int SURE = 3;
    private static final int SUREST = 8;

    private int answered;
    private int came;
    private long answeredNanos;
    private int trust;
    private boolean keptBack;
    private long keptUntilNanos;

    /** @param nanoTime the present */
    public Returning(long nanoTime) {
        this.answeredNanos = nanoTime - MOMENT_NANOS;
    }

    /** So many jobs were answered. */
    public void answered(int jobs, long nanoTime) {
        if (nanoTime - answeredNanos > TOGETHER_NANOS) {
            judge();
            answered = 0;
            came = 0;
        }
        answered += jobs;
        answeredNanos = nanoTime;
    }

    private void judge() {
        if (came < answered) {
            trust = Math.max(0, trust - 2);
        } else if (answered > 1) {
            trust = Math.min(SUREST, trust + 1);
        }
    }

    /**
     * A job came.
     *
     * @param underWay whether others have not been answered yet
     * @return for how many nanoseconds to wait for others; 0 when it is to be sent at once
     */
    public long came(boolean underWay, long nanoTime) {
        long left = answeredNanos + MOMENT_NANOS - nanoTime;
        if (left > 0) {
            came++;
        }
        if (!worthIt()) {
            return 0;
        }
        return left > 0 && came < answered ? left : underWay ? ANSWER_NANOS : 0;
    }

    /** Whether those who were answered together come back together. */
    boolean worthIt() {
        return trust >= SURE;
    }

    /**
     * What has gathered is kept back.
     *
     * @return whether that ends sooner than anybody was told before: whoever is told has to see to it then
     */
    public boolean keepBack(long nanos, long nanoTime) {
        long until = nanoTime + nanos;
        if (keptBack && until - keptUntilNanos >= 0) {
            return false;
        }
        keptBack = true;
        keptUntilNanos = until;
        return true;
    }

    /** Whether what has gathered waits for those who were just answered. */
    public boolean keepsBack() {
        return keptBack && worthIt();
    }

    public boolean keptLongEnough(long nanoTime) {
        return nanoTime - keptUntilNanos >= 0;
    }

    public void letGo() {
        keptBack = false;
    }
}
