/**
 * Who runs next (semantics §6).
 *
 * <p>One {@link dev.fairlane.core.share.FairTree} per pool. Its children are tenants' {@link dev.fairlane.core.share.Account
 * accounts}; below each account wait jobs in {@link dev.fairlane.core.share.Lane lanes}, one per job type, each with ten tiers
 * of priority that are first in, first out. Fairness chooses the account, and only then do priority and aging choose the job:
 * marking everything urgent gains nothing against others.
 *
 * <p>A worker runs certain types and perhaps only one tenant's jobs. Workers that may run the same are one
 * {@link dev.fairlane.core.share.View}: a heap of the accounts that have something for them. Views are many, accounts are one:
 * what a tenant used through one view counts in all.
 *
 * <p><b>Soft state.</b> Virtual time lives in memory only and starts with the first view of a start. What a failover costs: past
 * use is forgotten, so whoever had more than its share does not give it back. Held slots derive from live leases, which are
 * hard, so shares are right again from the first pick on.
 */
@NullMarked
package dev.fairlane.core.share;

import org.jspecify.annotations.NullMarked;
