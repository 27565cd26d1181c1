package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a key means: in memory, or by what a look-up in the store brought, or says that somebody has to look there.
 *
 * <p>Memory is asked first, also when a look-up is back: what was submitted meanwhile is there, because a key stays in memory until
 * every look-up begun before it was stored has ended.
 */
final class KeySearch {
    private static final int NONE = ShardState.NONE;

    private final ShardState state;

    KeySearch(ShardState state) {
        this.state = state;
    }

    sealed interface Result {}

    /** No job has this key, or none for which it still counts. */
    record Unknown() implements Result {
        static final Unknown INSTANCE = new Unknown();
    }

    /**
     * @param slot of the job if it is open, else {@code NONE}
     * @param state null when the job ended and only the store knows how
     */
    record Known(
            JobId id,
            long bodyHash,
            long submittedAt,
            int slot,
            @Nullable JobState state) implements Result {}

    record Stored(KeyProbe where) implements Result {}

    /** @param name see {@link dev.fairlane.core.model.KeyName} */
    Result find(TenantId tenant, String name, List<KeyFinding> looked, long now) {
        KeyTable keys = state.keys;
        int entry = keys.find(tenant.number(), name);
        long digest = keys.askedDigest();
        if (entry != NONE) {
            JobId id = new JobId(keys.hi(entry), keys.lo(entry));
            int slot = state.jobs.find(id);
            boolean far = keys.far(entry);
            JobState is = slot != NONE ? state.jobs.state(slot) : far ? JobState.SCHEDULED : keys.end(entry);
            if (slot != NONE || far || is == JobState.DEAD || counts(keys.submittedAt(entry), now)) {
                return new Known(id, keys.bodyHash(entry), keys.submittedAt(entry), slot, is);
            }
            if (is != null) {
                return Unknown.INSTANCE;
            }
        }
        return elsewhere(tenant, name, digest, entry != NONE, looked, now);
    }

    /** What the key means beside what memory says: a job that was brought back hides a later one that has ended. */
    Result beyondMemory(TenantId tenant, String name, List<KeyFinding> looked, long now) {
        state.keys.find(tenant.number(), name);
        return elsewhere(tenant, name, state.keys.askedDigest(), false, looked, now);
    }

    /** @param ended memory has the key of a job that has ended and does not know how */
    private Result elsewhere(
            TenantId tenant, String name, long digest, boolean ended, List<KeyFinding> looked, long now) {
        for (KeyFinding finding : looked) {
            if (finding.key().equals(name)) {
                return stored(finding.found(), now);
            }
        }
        long from = state.filters.earliest(digest, now);
        boolean dead = ended || state.filters.mayBeDead(digest);
        if (from != Long.MAX_VALUE) {
            return new Stored(new KeyProbe(tenant, name, from, state.filters.latest(digest, now), dead));
        }
        return dead ? new Stored(new KeyProbe(tenant, name, 0, 0, true)) : Unknown.INSTANCE;
    }

    private Result stored(@Nullable StoredKey found, long now) {
        if (found == null || !found.dead() && !counts(found.submittedAt(), now)) {
            return Unknown.INSTANCE;
        }
        int slot = state.jobs.find(found.id());
        JobState is = slot != NONE ? state.jobs.state(slot) : found.end();
        return new Known(found.id(), found.bodyHash(), found.submittedAt(), slot, is);
    }

    private boolean counts(long submittedAt, long now) {
        return submittedAt + state.config.keys().retentionMicros() > now;
    }
}
