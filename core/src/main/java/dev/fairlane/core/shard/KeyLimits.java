package dev.fairlane.core.shard;

import dev.fairlane.core.admission.SharedBound;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Block;
import dev.fairlane.core.share.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Limits of concurrency keys and rate keys. A queue of a key that may not start a job is held back as a whole; where an account has
 * more keys than queues, jobs are held back one by one when they are next. Jobs without keys cost nothing here.
 *
 * <p>Slots in use follow from the live leases, limits from the tenants' rules: a restart has both right. Buckets are soft, see {@link
 * RateUse}.
 */
final class KeyLimits {
    /** Different demands and tags of the open jobs of a pool, also of far ones; each costs a look whenever a worker's room changes. */
    static final int MAX_REQUIREMENTS = 1_000;

    /** Parked jobs looked at for the most urgent one. */
    private static final int MAX_LOOKS = 100;

    private static final long RETRY_AFTER_MICROS = 1_000_000;

    /** What a queue's jobs have to heed. */
    private record Held(@Nullable KeyUse key, @Nullable RateUse rate) {}

    private final ShardState state;
    private final KeysInUse keys;
    /** Needs of the jobs in mixed queues, by slot. */
    private final SlotNotes<JobNeeds> mixed = new SlotNotes<>();

    KeyLimits(ShardState state) {
        this.state = state;
        this.keys = new KeysInUse(state, this);
    }

    // ---- rules

    /** The tenant's rules changed. */
    void set(Tenant tenant) {
        int number = tenant.id().number();
        long now = tenant.changedAt();
        keys.set(tenant);
        for (KeyUse use : keys.concurrency(number)) {
            judge(use, now);
            letIn(use, now);
        }
        for (RateUse use : keys.rates(number)) {
            look(use, now);
        }
    }

    /** Why a job that asks of its worker what no other waiting job asks cannot be taken, or null. */
    @Nullable Refusal refusal(JobSpec spec) {
        JobNeeds needs = spec.terms().needs();
        if (needs == JobNeeds.NONE || needs.demand().isNone() && needs.tags().isEmpty()) {
            return null;
        }
        Pool pool = state.pool(spec.pool());
        if (pool == null || pool.tree().knows(needs)) {
            return null;
        }
        Account account = pool.tree().account(spec.tenant().number());
        int own = account == null ? 0 : account.requirements();
        SharedBound.Full full = SharedBound.full(MAX_REQUIREMENTS, pool.tree().requirements(), own, 1);
        return full == null
                ? null
                : new Refusal(
                        RefusalCode.NODE_FULL,
                        "expected at most " + full.limit() + " different demands and tags of jobs in pool "
                                + spec.pool()
                                + (full.own() ? " of one tenant beside those of others" : "")
                                + ", and this is one more; round demands up to common sizes",
                        RETRY_AFTER_MICROS,
                        full.limit(),
                        full.present());
    }

    // ---- queues

    /** A job with needs comes to the queue, which may be new. */
    void meet(Queue queue, long now) {
        if (queue.attachment() != null
                || queue.concurrencyKey().isEmpty() && queue.rateKey().isEmpty()) {
            return;
        }
        int tenant = queue.account().tenant();
        KeyUse key = queue.concurrencyKey().isEmpty() ? null : keys.concurrency(tenant, queue.concurrencyKey());
        RateUse rate = queue.rateKey().isEmpty() ? null : keys.rate(tenant, queue.rateKey(), now);
        queue.attach(new Held(key, rate));
        if (key != null) {
            key.queues.add(queue);
            judge(key, now);
        }
        if (rate != null) {
            rate.queues.add(queue);
            look(rate, now);
        }
    }

    /** The queue is gone. */
    void forget(Queue queue, long now) {
        if (queue.attachment() instanceof Held held) {
            if (held.key != null) {
                held.key.queues.remove(queue);
                keys.tidy(queue.account().tenant(), held.key);
            }
            if (held.rate != null) {
                held.rate.queues.remove(queue);
                look(held.rate, now);
            }
        }
    }

    void joinedMixed(int slot, int tenant, JobNeeds needs, long now) {
        mixed.put(slot, needs);
        if (!needs.concurrencyKey().isEmpty()) {
            keys.concurrency(tenant, needs.concurrencyKey()).mixed++;
        }
        if (!needs.rateKey().isEmpty()) {
            keys.rate(tenant, needs.rateKey(), now).mixed++;
        }
    }

    void quitMixed(int slot, int tenant, long now) {
        JobNeeds needs = mixed.remove(slot);
        KeyUse key = keys.concurrencyOf(needs, tenant);
        if (key != null) {
            key.mixed--;
            keys.tidy(tenant, key);
        }
        RateUse rate = keys.rateOf(needs, tenant);
        if (rate != null && needs != null) {
            rate.mixed--;
            back(rate, slot, needs);
            look(rate, now);
        }
    }

    /** None of these slots is in use. */
    void forgetSlots(int first, int count) {
        mixed.forget(first, count);
    }

    /** A job in a mixed queue left its line, to run or not. */
    void leftLine(int slot, Queue queue, long now) {
        JobNeeds needs = mixed.get(slot);
        RateUse rate = keys.rateOf(needs, queue.account().tenant());
        if (rate != null && needs != null && back(rate, slot, needs)) {
            // what was left for it is for others, unless it starts in this very step
            if (!rate.parked.isEmpty()) {
                state.guards.deadlines.set(rate, now);
            }
        }
    }

    private static boolean back(RateUse rate, int slot, JobNeeds needs) {
        boolean was = rate.out.remove(slot);
        rate.outCost -= was ? needs.rateCost() : 0;
        return was;
    }

    // ---- executions

    void granted(int slot, Queue queue, long now) {
        if (queue.attachment() instanceof Held held) {
            took(held.key, held.rate, queue.rateCost(), now);
        } else if (queue.mixed()) {
            JobNeeds needs = mixed.get(slot);
            int tenant = queue.account().tenant();
            took(
                    keys.concurrencyOf(needs, tenant),
                    keys.rateOf(needs, tenant),
                    needs == null ? 1 : needs.rateCost(),
                    now);
        }
    }

    private void took(@Nullable KeyUse key, @Nullable RateUse rate, int cost, long now) {
        if (key != null) {
            key.inUse++;
            if (key.inUse == key.cap) {
                judge(key, now);
            }
        }
        if (rate != null) {
            rate.take(cost, now);
            look(rate, now);
        }
    }

    void released(int slot, Queue queue, long now) {
        KeyUse key = key(slot, queue);
        if (key != null) {
            key.inUse--;
            if (key.inUse == key.cap - 1) {
                judge(key, now);
            }
            letIn(key, now);
        }
    }

    // ---- holding back

    private void judge(KeyUse use, long now) {
        for (Queue queue : use.queues) {
            block(queue, Block.KEY_CAP, use.full(), now);
        }
    }

    private void letIn(KeyUse use, long now) {
        for (int room = use.cap - use.inUse; room > 0 && !use.parked.isEmpty(); room--) {
            state.unpark(state.guards.parking.poll(use.parked), now);
        }
    }

    /** Holds back or lets go what waits for a rate key, and sets its timer. */
    void look(RateUse use, long now) {
        if (use.queues.isEmpty() && use.mixed == 0) {
            keys.rest(use, now);
            return;
        }
        boolean shut = use.shut(1, now);
        for (Queue queue : use.queues) {
            block(queue, Block.RATE, shut, now);
        }
        if (shut) {
            state.guards.deadlines.set(use, Math.max(now + 1, use.opensAt(1)));
            return;
        }
        letOut(use, now);
    }

    /** Lets as many go on as there are starts for. */
    private void letOut(RateUse use, long now) {
        while (!use.parked.isEmpty()) {
            int slot = Parking.first(use.parked);
            JobNeeds needs = mixed.get(slot);
            int cost = needs == null ? 1 : needs.rateCost();
            if (!use.lets(cost, now)) {
                // the others follow when those that are out start; if they do not, it is looked at again
                long at = use.outCost == 0 ? use.opensAt(cost) : now + RETRY_AFTER_MICROS;
                state.guards.deadlines.set(use, Math.max(now + 1, at));
                return;
            }
            state.guards.parking.clear(slot);
            if (use.limited() && needs != null) {
                use.out.add(slot);
                use.outCost += cost;
            }
            state.unpark(slot, now);
        }
    }

    private void block(Queue queue, int reason, boolean shut, long now) {
        if (shut) {
            state.tree(queue).block(queue, reason, now);
        } else {
            state.tree(queue).unblock(queue, reason, now);
        }
    }

    /** Holds back a job that is next in a mixed queue but may not run now; returns whether it did. */
    boolean holdsBack(int slot, Queue queue, long now) {
        if (!queue.mixed()) {
            return false;
        }
        JobNeeds needs = mixed.get(slot);
        int tenant = queue.account().tenant();
        KeyUse key = keys.concurrencyOf(needs, tenant);
        if (key != null && key.full()) {
            state.park(slot, now);
            state.guards.parking.park(slot, key.parked, now);
            return true;
        }
        RateUse rate = keys.rateOf(needs, tenant);
        if (rate != null && needs != null && !rate.mayStart(slot, needs.rateCost(), now)) {
            back(rate, slot, needs);
            state.park(slot, now);
            state.guards.parking.park(slot, rate.parked, now);
            state.guards.deadlines.set(rate, Math.max(now + 1, rate.opensAt(needs.rateCost())));
            return true;
        }
        return false;
    }

    // ---- reading

    /** The most urgent priority of jobs that wait for a concurrency key the job holds; its own if none is more urgent. */
    int inherited(int slot, Queue queue, int own) {
        KeyUse key = key(slot, queue);
        int most = own;
        if (key != null && key.full()) {
            for (Queue other : key.queues) {
                most = Math.min(most, other.mostUrgent());
            }
            int waits = Parking.first(key.parked);
            for (int looks = 0; looks < MAX_LOOKS && waits != Parking.NONE; looks++) {
                most = Math.min(most, state.jobs.priority(waits));
                waits = state.guards.parking.next(waits);
            }
        }
        return most;
    }

    /** How many of a job's concurrency key may run at once. */
    int cap(int slot, Queue queue) {
        KeyUse key = key(slot, queue);
        return key == null ? Integer.MAX_VALUE : key.cap;
    }

    private @Nullable KeyUse key(int slot, Queue queue) {
        return queue.attachment() instanceof Held held
                ? held.key
                : keys.concurrencyOf(mixed.get(slot), queue.account().tenant());
    }

    /** What a job that was taken out of its queue waits for. */
    WaitReason parkedFor(int slot, Queue queue, long now) {
        JobNeeds needs = mixed.get(slot);
        KeyUse key = keys.concurrencyOf(needs, queue.account().tenant());
        if (key != null && key.full()) {
            return WaitReason.KEY_CAP;
        }
        RateUse rate = keys.rateOf(needs, queue.account().tenant());
        return rate != null && needs != null && rate.shut(needs.rateCost(), now)
                ? WaitReason.RATE
                : WaitReason.DEPENDENCY_CAP;
    }

    /** When the rate key of a job has starts again; 0 where it has, or there is none. */
    long opensAt(int slot, Queue queue) {
        RateUse rate = queue.attachment() instanceof Held held
                ? held.rate
                : keys.rateOf(mixed.get(slot), queue.account().tenant());
        boolean shut = (queue.allBlocks() & Block.RATE) != 0 || state.guards.parking.parked(slot);
        return rate != null && rate.waits() && shut ? rate.dueAt() : 0;
    }
}
