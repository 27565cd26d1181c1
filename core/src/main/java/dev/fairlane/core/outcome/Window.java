package dev.fairlane.core.outcome;

import org.jspecify.annotations.Nullable;

/**
 * Good and bad events of the recent past, counted in buckets: the window slides by a bucket at a time, so it covers between all
 * and all but one bucket of its length. Adding is a few array writes. Soft: a restart begins with an empty window.
 *
 * <p>There are several for each type of each tenant, and most of those do little: while all events are in one bucket there are no others.
 */
public final class Window {
    /** A length of time in buckets; windows of the same length share one. */
    public record Span(int buckets, long bucketMicros) {
        public static Span of(int buckets, long windowMicros) {
            return new Span(buckets, Math.max(1, windowMicros / buckets));
        }
    }

    private final Span span;
    /** When the newest bucket began. */
    private long newestAt;

    private int goodSum;
    private int badSum;
    /** Good and bad ones of each bucket in turn, and at last the place of the newest; null while all are in that. */
    private int @Nullable [] counts;

    public Window(Span span) {
        this.span = span;
    }

    public void addGood(long now) {
        int at = roll(now);
        if (at >= 0) {
            goodSum++;
            if (counts != null) {
                counts[at]++;
            }
        }
    }

    public void addBad(long now) {
        int at = roll(now);
        if (at >= 0) {
            badSum++;
            if (counts != null) {
                counts[at + 1]++;
            }
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

    /** Whether nothing of it counts any more. */
    public boolean isEmpty(long now) {
        roll(now);
        return goodSum == 0 && badSum == 0;
    }

    public void clear() {
        counts = null;
        goodSum = 0;
        badSum = 0;
    }

    /** Drops what has left the window; returns the place of this time's bucket, or −1 if it is before the window. */
    private int roll(long now) {
        long since = now - newestAt;
        if (since >= 0 && since < span.bucketMicros) {
            return counts == null ? 0 : counts[2 * span.buckets];
        }
        return since < 0 ? before(Math.floorDiv(since, span.bucketMicros)) : enter(since / span.bucketMicros);
    }

    /** @param ahead by how many buckets */
    private int enter(long ahead) {
        newestAt += ahead * span.bucketMicros;
        if (ahead >= span.buckets || (goodSum | badSum) == 0) {
            clear();
            return 0;
        }
        int[] all = counts == null ? spread() : counts;
        int at = all[2 * span.buckets];
        for (long i = 0; i < ahead; i++) {
            at = at + 2 < 2 * span.buckets ? at + 2 : 0;
            goodSum -= all[at];
            badSum -= all[at + 1];
            all[at] = 0;
            all[at + 1] = 0;
        }
        all[2 * span.buckets] = at;
        return at;
    }

    /** @param behind by how many buckets, negative */
    private int before(long behind) {
        if (behind <= -span.buckets) {
            return -1;
        }
        int[] all = counts == null ? spread() : counts;
        int at = all[2 * span.buckets] + 2 * (int) behind;
        return at < 0 ? at + 2 * span.buckets : at;
    }

    /** From one bucket to all of them. */
    private int[] spread() {
        int[] all = new int[2 * span.buckets + 1];
        all[0] = goodSum;
        all[1] = badSum;
        counts = all;
        return all;
    }
}
