package dev.fairlane.core.outcome;

import dev.fairlane.core.model.FailureRules;

/**
 * How many retries of a tenant are released: a number a minute in any case, or twice the first dispatches of the last minute. Soft:
 * after a failover the minute begins anew, which may release one minute's retries a second time.
 */
public final class RetryBudget {
    private static final int BUCKETS = 12;
    private static final long MINUTE = 60_000_000;

    private final FailureRules rules;
    /** Good: first dispatches; bad: retries released. */
    private final Window minute = new Window(BUCKETS, MINUTE);

    public RetryBudget(FailureRules rules) {
        this.rules = rules;
    }

    public void dispatched(long now) {
        minute.addGood(now);
    }

    public boolean allows(long now) {
        long most = Math.max(rules.budgetPerMinute(), (long) rules.budgetPerDispatch() * minute.good(now));
        return minute.bad(now) < most;
    }

    public void released(long now) {
        minute.addBad(now);
    }
}
