package dev.fairlane.core.shard;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.TakenRequest;
import dev.fairlane.core.model.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Which calls were taken in the last minutes: (tenant, request id) → the first job of the call. That job carries the name of the
 * request where a key would be, so the journal and the rows bring it back after a restart like any key. Names older than
 * {@link #KEPT_MICROS} mean nothing any more; when there are too many, the oldest go before their time.
 */
final class Requests {
    /** Longer than any client goes on sending one call. */
    static final long KEPT_MICROS = 600L * 1_000_000;

    private final int max;
    private final KeyFilters unused;
    private final KeyTable table;
    private long newest = Long.MIN_VALUE;

    Requests(EngineConfig config) {
        this.max = config.keys().max();
        this.unused = new KeyFilters(config.keys().spanMicros(), config.keys().retentionMicros());
        this.table = new KeyTable(unused);
    }

    void added(JobSpec spec) {
        if (KeyName.isRequest(spec.idempotencyKey())) {
            load(spec.tenant(), spec.idempotencyKey(), spec.id(), spec.bodyHash(), spec.submittedAt());
        }
    }

    /** A stored name, or a new one. */
    void load(TenantId tenant, String name, JobId id, long mark, long submittedAt) {
        newest = Math.max(newest, submittedAt);
        if (submittedAt + KEPT_MICROS <= newest) {
            return;
        }
        table.load(tenant.number(), name, id.hi(), id.lo(), mark, submittedAt);
        if (table.size() > max) {
            table.forgetOldest();
        }
    }

    @Nullable TakenRequest find(TenantId tenant, String id, long now) {
        int entry = table.find(tenant.number(), KeyName.request(id));
        if (entry == KeyTable.NONE || table.submittedAt(entry) + KEPT_MICROS <= now) {
            return null;
        }
        return new TakenRequest(new JobId(table.hi(entry), table.lo(entry)), table.bodyHash(entry));
    }

    void forget(long now, int atMost) {
        table.forget(now - KEPT_MICROS, atMost);
        unused.forget(now, now);
    }
}
