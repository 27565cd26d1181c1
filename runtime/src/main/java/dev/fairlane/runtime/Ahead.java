package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.shard.Engine;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Specs of waiting jobs that came back from the store beside others. Jobs that lie together are run one after the other, as a rule; those that are not are
 * the first to leave when there is no room for others. Soft: a start begins without any. Owned by the loop.
 */
final class Ahead {
    /** Of so many it is known that they are here; one that is forgotten stays until it is run. */
    private static final int REMEMBERED = 1 << 17;

    private static final int MASK = REMEMBERED - 1;

    private final Engine engine;
    private final LongSupplier storedBytes;
    private final long maxBytes;
    /** Nothing until the first comes back: most servers never have a deep backlog. */
    private long[] his = {};

    private long[] los = {};
    private int[] revisions = {};
    private long first;
    private long next;

    /** @param storedBytes what specs weigh that need not be in memory */
    Ahead(Engine engine, LongSupplier storedBytes, long maxBytes) {
        this.engine = engine;
        this.storedBytes = storedBytes;
        this.maxBytes = maxBytes;
    }

    void keep(List<JobSpec> specs) {
        long looks = Math.min(next, first + specs.size());
        for (JobSpec spec : specs) {
            while (storedBytes.getAsLong() >= maxBytes) {
                if (first >= looks) {
                    return;
                }
                letGo();
            }
            if (engine.restoreAhead(spec)) {
                remember(spec);
            }
        }
    }

    /** The one that has been here longest; most of them have long been run. */
    private void letGo() {
        int at = (int) first++ & MASK;
        engine.evictAhead(new JobId(his[at], los[at]), revisions[at]);
    }

    private void remember(JobSpec spec) {
        if (his.length == 0) {
            his = new long[REMEMBERED];
            los = new long[REMEMBERED];
            revisions = new int[REMEMBERED];
        }
        int at = (int) next++ & MASK;
        his[at] = spec.id().hi();
        los[at] = spec.id().lo();
        revisions[at] = spec.terms().revision();
        first = Math.max(first, next - REMEMBERED);
    }
}
