/**
 * Who runs next (semantics §6).
 *
 * <p><b>The tree.</b> Each pool has a {@link dev.fairlane.core.share.FairTree}. One class, {@link dev.fairlane.core.share.Node}, is every
 * level of it:
 *
 * <pre>
 *   pool ─┬─ free tenants ── tenant ── …          one child of weight 1, held to a slice of the slots
 *         └─ tenant ─┬─ lane ── queues             by the lane's weight
 *                    └─ part ── lane ── queues     a fair key (user, project); weighs as much as a lane
 * </pre>
 *
 * <p>Tiers other than free have no group: a group that weighs what its active children weigh and has no bound of its own gives each
 * child what it would get at the root, so they hang there. A key can be given or not job by job; parts and lanes are siblings.
 * A lane without siblings competes with nobody: it has no node, its queues hang at the tenant's, and what it uses is counted for it from when
 * it gets a sibling.
 *
 * <p><b>The rule</b> is the same among all siblings: the smallest {@code key = v + H × held / w} is next, where {@code v} grows by {@code held
 * × time / w} while jobs run, and every job pays for 10 ms at least. {@code held} makes shares right at once, {@code v} makes them right
 * over time. The job to come is not counted, other than semantics §6 has it: ADR 14 says what that cost light tenants. Slots are dominant slots, in thousandths ({@link dev.fairlane.core.share.Requirement}): with demands this
 * is dominant-resource fairness (Ghodsi et al., NSDI 2011) integrated over time, without them weighted fair queueing on slot-time. Who
 * comes is measured by the {@link dev.fairlane.core.share.VirtualClock} of its parent: no credit is saved beyond a burst.
 *
 * <p><b>Below a lane</b> jobs wait in {@link dev.fairlane.core.share.Queue queues}, one for each set of things that can hold a job back: type,
 * concurrency key, rate key with cost, requirement. A queue that may not give is hidden as a whole and costs nothing; so is a node (a
 * tenant at its cap, a paused lane) and a {@link dev.fairlane.core.share.TypeLine type}. No blocked job stands before one that could run.
 * Queues with keys live as long as open jobs belong to them; an account has a bounded number, and jobs of more keys share queues and are
 * held back one by one when they are next. Over the queues of a lane the most urgent job after aging is next, then the earliest.
 *
 * <p><b>Fitting.</b> Workers with the same scope, types and tags are a {@link dev.fairlane.core.share.Crew}. It has a {@link
 * dev.fairlane.core.share.View} for each requirement that jobs it could run have: a tree of {@link dev.fairlane.core.share.Member members},
 * the nodes that have such a job. A view is served while a worker has room for that requirement, which workers say when it changes.
 * So nothing is scanned for what fits: the {@link dev.fairlane.core.share.Chooser} compares the views that are served and have work, level by
 * level. Jobs that demand nothing share one view for each crew.
 *
 * <p><b>Cost.</b> Between a node's own events its key and its v only grow. Heaps keep the last known values as lower bounds and the reader
 * checks the top again, so a pick is O(log siblings) at each level and in each ready view, and time passing costs nothing.
 *
 * <p><b>Beyond weights</b>, {@link dev.fairlane.core.share.Slices}: below a reservation or guarantee a node's key is negative, which puts it
 * before all others; when no more slots are free than are reserved, only those go; when no more are free than the headroom, only who holds
 * less than its share. A guarantee is kept over time too, by a least weight ({@link dev.fairlane.core.share.Floor}), so that it is worth
 * something where it is less than a slot.
 *
 * <p><b>Where no slot comes</b>, {@link dev.fairlane.core.share.Claims} tell who waits below its share, so that executions that can hand over
 * are asked to.
 *
 * <p><b>Soft state.</b> Virtual time lives in memory only and starts with the first crew of a start. What a failover costs: past
 * use is forgotten, so whoever had more than its share does not give it back. Held slots and caps derive from live leases, which are
 * hard, so shares are right again from the first pick on.
 */
@NullMarked
package dev.fairlane.core.share;

import org.jspecify.annotations.NullMarked;
