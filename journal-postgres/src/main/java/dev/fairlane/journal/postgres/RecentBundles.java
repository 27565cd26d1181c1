package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.StoredJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Bundles that were stored lately, as the store has them. In a backlog that moves, jobs are asked for seconds after they were stored: whoever finds
 * them here need not ask the database.
 *
 * <pre>
 * stored ──► here ──its jobs ended, or it is old, or nothing is stored or asked for any more──► gone
 * </pre>
 *
 * What is here is durable and says what the store says: a job whose spec was changed after it was stored is never found here. When there is no room, what
 * is stored next is not taken: it will be asked for last. Soft: a start begins without any. From any thread.
 */
final class RecentBundles {
    /** A server that has been at rest for so long gives the memory back. */
    private static final long REST_NANOS = 2_000_000_000L;

    /** Jobs that were not asked for in so long wait for something else than their turn. */
    private static final long OLD_NANOS = 60_000_000_000L;

    /** Jobs with another spec than when they were stored, of which it is remembered that they are not to be found here. */
    private static final int MOST_CHANGED = 10_000;

    /** Bundles of a tenant that may span an id: of several flushes, ids of one millisecond may be in any. One that is not seen is read from the store. */
    private static final int LOOKS = 4;

    private final long maxBytes;
    private final LongSupplier nanos;

    private final Map<Integer, NavigableMap<JobId, Recent>> byTenant = new HashMap<>();
    /** Oldest first; some have left already. */
    private final ArrayDeque<Recent> inOrder = new ArrayDeque<>();

    private final Set<JobId> changed = new HashSet<>();
    private long bytes;
    private long movedAt;

    private static final class Recent {
        final int tenant;
        final JobId first;
        final long storedAt;
        final long[] lows;
        /** Null when it has left. */
        byte @Nullable [] bytes;

        int open;

        Recent(Bundle bundle, long storedAt) {
            this.tenant = bundle.tenant();
            this.first = bundle.first();
            this.storedAt = storedAt;
            this.lows = bundle.jobs().stream().mapToLong(job -> job.id().lo()).toArray();
            this.bytes = bundle.bytes();
            this.open = lows.length;
        }

        boolean has(JobId id) {
            for (long low : lows) {
                if (low == id.lo()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** @param maxBytes 0 for none at all */
    RecentBundles(long maxBytes, LongSupplier nanos) {
        this.maxBytes = maxBytes;
        this.nanos = nanos;
    }

    /** The flush is durable, these bundles of it included. */
    synchronized void flushed(Flush flush, List<Bundle> bundles) {
        if (maxBytes == 0) {
            return;
        }
        flush.revised().forEach(job -> changed.add(job.spec().id()));
        flush.replayed().forEach(job -> changed.add(job.id()));
        if (changed.size() > MOST_CHANGED) {
            clear();
        }
        for (Flush.Ended job : flush.ended()) {
            if (job.segment() != Flush.Ended.NOT_STORED && job.spec() != null && !byTenant.isEmpty()) {
                ended(job.spec());
            }
        }
        long now = nanos.getAsLong();
        for (Bundle bundle : bundles) {
            if (bytes + bundle.bytes().length <= maxBytes) {
                keep(new Recent(bundle, now), bundle.bytes().length);
                movedAt = now;
            }
        }
        tend();
    }

    private void keep(Recent recent, int length) {
        Recent before = byTenant.computeIfAbsent(recent.tenant, tenant -> new TreeMap<>())
                .put(recent.first, recent);
        if (before != null) {
            release(before);
        }
        inOrder.addLast(recent);
        bytes += length;
    }

    private void ended(JobSpec spec) {
        Recent recent = find(spec.tenant().number(), spec.id());
        if (recent != null && --recent.open == 0) {
            leave(recent);
        }
    }

    private @Nullable Recent find(int tenant, JobId id) {
        NavigableMap<JobId, Recent> bundles = byTenant.get(tenant);
        if (bundles == null) {
            return null;
        }
        var at = bundles.floorEntry(id);
        for (int look = 0; at != null && look < LOOKS; look++) {
            if (at.getValue().has(id)) {
                return at.getValue();
            }
            at = bundles.lowerEntry(at.getKey());
        }
        return null;
    }

    private void leave(Recent recent) {
        NavigableMap<JobId, Recent> bundles = byTenant.get(recent.tenant);
        if (bundles != null && bundles.remove(recent.first, recent) && bundles.isEmpty()) {
            byTenant.remove(recent.tenant);
        }
        release(recent);
    }

    private void release(Recent recent) {
        if (recent.bytes != null) {
            bytes -= recent.bytes.length;
            recent.bytes = null;
        }
    }

    /** Lets go what is old, and all when nothing moves. To be called now and then. */
    synchronized void tend() {
        long now = nanos.getAsLong();
        if (now - movedAt > REST_NANOS) {
            clear();
        }
        for (Recent oldest = inOrder.peekFirst();
                oldest != null && (oldest.bytes == null || now - oldest.storedAt > OLD_NANOS);
                oldest = inOrder.peekFirst()) {
            leave(inOrder.removeFirst());
        }
        if (inOrder.isEmpty()) {
            changed.clear();
        }
    }

    /** Another owner may have been at work. */
    synchronized void forget() {
        clear();
    }

    private void clear() {
        byTenant.clear();
        inOrder.clear();
        changed.clear();
        bytes = 0;
    }

    synchronized long bytes() {
        return bytes;
    }

    /**
     * Specs of those that are here, with the ones beside them.
     *
     * @return those that are not here
     */
    List<StoredJob> find(List<StoredJob> jobs, Map<JobId, JobSpec> asked, List<JobSpec> beside) {
        List<StoredJob> left = new ArrayList<>();
        List<byte[]> found = bundles(jobs, left);
        if (!found.isEmpty()) {
            Set<JobId> wanted = jobs.stream().map(StoredJob::id).collect(Collectors.toSet());
            left.forEach(job -> wanted.remove(job.id()));
            for (byte[] bundle : found) {
                for (JobAdded job : Bundle.jobs(bundle)) {
                    if (wanted.contains(job.id())) {
                        asked.put(job.id(), job.spec());
                    } else {
                        beside.add(job.spec());
                    }
                }
            }
        }
        return left;
    }

    private synchronized List<byte[]> bundles(List<StoredJob> jobs, List<StoredJob> left) {
        if (inOrder.isEmpty()) {
            left.addAll(jobs);
            return List.of();
        }
        movedAt = nanos.getAsLong();
        Set<byte[]> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (StoredJob job : jobs) {
            Recent recent = changed.contains(job.id()) ? null : find(job.tenant(), job.id());
            if (recent == null || recent.bytes == null) {
                left.add(job);
            } else {
                found.add(recent.bytes);
            }
        }
        return List.copyOf(found);
    }
}
