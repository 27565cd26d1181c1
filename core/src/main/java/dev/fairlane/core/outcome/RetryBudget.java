package dev.fairlane.core.outcome;

import dev.fairlane.core.model.FailureRules;
import org.jspecify.annotations.Nullable;

/**
 * How many retries of a tenant are released: a number a minute in any case, or twice the first dispatches of the last minute. A tenant's
 * minute is a window; good: first dispatches, bad: retries released. Soft: after a failover the minute begins anew, which may release one
 * minute's retries a second time.
 */
public final class RetryBudget {
    public static final Window.Span MINUTE = Window.Span.of(12, 60_000_000);

    private final FailureRules rules;

    public RetryBudget(FailureRules rules) {
        this.rules = rules;
    }

    /** @param minute of the tenant; null: nothing happened in it */
    public boolean allows(@Nullable Window minute, long now) {
        if (minute == null) {
            return rules.budgetPerMinute() > 0;
        }
        long most = Math.max(rules.budgetPerMinute(), (long) rules.budgetPerDispatch() * minute.good(now));
        return minute.bad(now) < most;
    }
}
