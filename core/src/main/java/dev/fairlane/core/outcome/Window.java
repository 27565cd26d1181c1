package dev.fairlane.core.outcome;

import java.util.Arrays;

/**
 * Good and bad events of the recent past, counted in buckets: the window slides by a bucket at a time, so it covers between all
 * and all but one bucket of its length. Adding is a few array writes. Soft: a restart begins with an empty window.
 */
public final class Window {
    private final long bucketMicros;
    private final int[] good;
    private final int[] bad;
    /** Number of the newest bucket since time began. */
    private long newest;

    private int goodSum;
    private int badSum;

    public Window(int buckets, long windowMicros) {
        bucketMicros = Math.max(1, windowMicros / buckets);
        good = new int[buckets];
        bad = new int[buckets];
    }

    public void addGood(long now) {
        int at = roll(now);
        if (at >= 0) {
            good[at]++;
            goodSum++;
        }
    }

    public void addBad(long now) {
        int at = roll(now);
        if (at >= 0) {
            bad[at]++;
            badSum++;
        }
    }

    public int good(long now) {
        roll(now);
        return goodSum;
    }

    public int bad(long now) {
        roll(now);
        return badSum;
    }

    public void clear() {
        Arrays.fill(good, 0);
        Arrays.fill(bad, 0);
        goodSum = 0;
        badSum = 0;
    }

    /** Drops what has left the window; returns the bucket of this time, or −1 if it is before the window. */
    private int roll(long now) {
        long bucket = now / bucketMicros;
        if (bucket > newest) {
            if (bucket - newest >= good.length) {
                clear();
            } else {
                for (long b = newest + 1; b <= bucket; b++) {
                    int at = (int) (b % good.length);
                    goodSum -= good[at];
                    badSum -= bad[at];
                    good[at] = 0;
                    bad[at] = 0;
                }
            }
            newest = bucket;
        }
        return bucket > newest - good.length ? (int) (bucket % good.length) : -1;
    }
}
