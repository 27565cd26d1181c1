package dev.fairlane.core.outcome;

import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.TypeRules.Threshold;

/**
 * The breaker of one (tenant, type, dependency).
 *
 * <pre>
 *   closed ── enough failing of enough runs in the window ──► open ── three good probes in a row ──► closed
 *                                                             ▲  │
 *                                                             └──┘ a bad probe: the wait for the next begins anew
 * </pre>
 *
 * <p>Runs that count are the type's successes and its failures that name the dependency; other failures say nothing of it. Soft: after
 * a failover a breaker is closed, and opens again when the dependency has failed as often as the first time.
 */
public final class Breaker {
    private static final int BUCKETS = 10;

    private final String dependency;
    private final FailureRules rules;
    private final Window failing;
    private final int runs;
    private final int percent;
    private boolean open;
    private long openedAt;
    private int goodInRow;
    private long probeAt;

    public Breaker(String dependency, Threshold threshold, FailureRules rules) {
        this.dependency = dependency;
        this.rules = rules;
        this.runs = threshold.runs();
        this.percent = threshold.failingPercent();
        this.failing = new Window(span(threshold));
    }

    /** The window of failures, and of the successes of a type, which its breakers share. */
    public static Window.Span span(Threshold threshold) {
        return Window.Span.of(BUCKETS, threshold.windowMicros());
    }

    public String dependency() {
        return dependency;
    }

    public boolean isOpen() {
        return open;
    }

    /** When it opened, or when its last probe failed. */
    public long openedAt() {
        return openedAt;
    }

    /** When the next probe may go through; for an open breaker. */
    public long probeAt() {
        return probeAt;
    }

    public int failing(long now) {
        return failing.bad(now);
    }

    /** A run that was no probe failed for the dependency; returns true if that opens the breaker. */
    public boolean failed(int successes, long now) {
        failing.addBad(now);
        int bad = failing.bad(now);
        if (open || bad + successes < runs || (long) bad * 100 < (long) (bad + successes) * percent) {
            return false;
        }
        open = true;
        startWaiting(now);
        return true;
    }

    private void startWaiting(long now) {
        openedAt = now;
        goodInRow = 0;
        probeAt = now + rules.probeAfterMicros();
    }

    /** A probe goes through now. */
    public void probed(long now) {
        probeAt = now + rules.probeEveryMicros();
    }

    /** A probe leased at that time ended well; returns true if that closes the breaker. Probes from before a bad one do not count. */
    public boolean goodProbe(long leasedAt) {
        if (!open || leasedAt < openedAt || ++goodInRow < rules.goodProbes()) {
            return false;
        }
        open = false;
        failing.clear();
        return true;
    }

    /** @return true if the wait for the next probe begins anew */
    public boolean badProbe(long leasedAt, long now) {
        if (!open || leasedAt < openedAt) {
            return false;
        }
        startWaiting(now);
        return true;
    }
}
