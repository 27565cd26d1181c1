package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.EngineStats.PoolStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads that look at much of the state at once. */
final class Census {
    private final ShardState state;
    private final Standings standings;

    Census(ShardState state) {
        this.state = state;
        this.standings = new Standings(state);
    }

    JobSnapshot snapshot(int slot) {
        JobSlots jobs = state.jobs;
        return new JobSnapshot(jobs.id(slot), new TenantId(state.tenant(slot)), jobs.spec(slot), jobs.status(slot));
    }

    EngineStats stats(int sessions, long now) {
        List<PoolStats> pools = new ArrayList<>(state.pools.length);
        for (Pool pool : state.pools) {
            pools.add(new PoolStats(
                    pool.rules().name(),
                    pool.tree().waiting(),
                    pool.tree().running(),
                    pool.tree().slots(),
                    standings.oldestQueuedAt(pool)));
        }
        return new EngineStats(
                (int) Math.min(Integer.MAX_VALUE, state.jobs.size() + state.far.size()),
                state.keys.size(),
                sessions,
                state.wheel.size(),
                pools,
                standings.busiest(now));
    }

    @Nullable TenantStanding standing(int number, long now) {
        Tenant tenant = state.directory.tenant(number);
        return tenant == null
                ? null
                : new TenantStanding(
                        state.limits.rateOf(tenant, now),
                        state.ledger.month().overSoft(number, now),
                        state.limits.maxOpenJobs(tenant),
                        state.counts.open(number),
                        state.ledger.month().jobs(number, now),
                        state.ledger.month().slotSeconds(number, now),
                        state.gates.quench(number));
    }

    HardState hardState(long now) {
        List<HardState.Job> jobs = new ArrayList<>(state.jobs.size());
        int jobsEnd = state.jobs.bound();
        for (int slot = 0; slot < jobsEnd; slot++) {
            if (state.jobs.isUsed(slot)) {
                jobs.add(job(slot));
            }
        }
        jobs.sort(Comparator.comparing(HardState.Job::id));
        List<HardState.Key> keys = new ArrayList<>();
        int keysEnd = state.keys.bound();
        for (int entry = 0; entry < keysEnd; entry++) {
            if (state.keys.isUsed(entry) && counts(entry, now)) {
                keys.add(key(entry));
            }
        }
        keys.sort(Comparator.comparing(HardState.Key::id));
        return new HardState(
                state.directory.tenants(),
                state.directory.types(null),
                state.gates.list(null),
                state.groups.list(),
                state.schedules.list(),
                jobs,
                keys);
    }

    /** Older ones may be in memory or in the store alone. */
    private boolean counts(int entry, long now) {
        long submittedAt = state.keys.submittedAt(entry);
        return submittedAt + state.config.keys().retentionMicros() > now && submittedAt >= state.filters.recentFrom(now)
                || state.jobs.find(state.keys.lo(entry)) != ShardState.NONE
                || state.keys.far(entry);
    }

    private HardState.Key key(int entry) {
        KeyTable keys = state.keys;
        return new HardState.Key(
                new TenantId(keys.tenant(entry)),
                keys.digestHi(entry),
                keys.digestLo(entry),
                new JobId(keys.hi(entry), keys.lo(entry)),
                keys.bodyHash(entry),
                keys.submittedAt(entry));
    }

    private HardState.Job job(int slot) {
        JobSlots jobs = state.jobs;
        return new HardState.Job(
                jobs.id(slot),
                new TenantId(state.tenant(slot)),
                state.queue(slot).type(),
                state.pool(slot).rules().name(),
                state.queue(slot).name(),
                jobs.revision(slot),
                jobs.priority(slot),
                jobs.maxAttempts(slot),
                jobs.notAfter(slot),
                jobs.timeLimitMicros(slot),
                jobs.status(slot));
    }
}
