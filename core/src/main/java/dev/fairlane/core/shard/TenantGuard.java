package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.outcome.RetryBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is watched of one tenant. Its timer releases postponed retries. Soft, as its parts say. */
final class TenantGuard extends Deadlines.Timed {
    final int tenant;
    final Deadlines deadlines;
    final RetryBudget budget;
    final Map<String, TypeHealth> types = new HashMap<>(4);
    /** Retries over the budget. */
    final Parking.Lot postponed = new Parking.Lot();

    final Budgets budgets;
    int breakers;
    /** Caps by dependency; null before the first. */
    @Nullable Map<String, DependencyUse> uses;

    /** By pool; null before the first crash. */
    Recycling.Gate @Nullable [] recycling;
    /** Bit p: throttled in pool p. */
    int throttledPools;

    TenantGuard(int tenant, FailureRules rules, Deadlines deadlines, Budgets budgets) {
        this.tenant = tenant;
        this.deadlines = deadlines;
        this.budget = new RetryBudget(rules);
        this.budgets = budgets;
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        budgets.release(this, now);
    }
}
