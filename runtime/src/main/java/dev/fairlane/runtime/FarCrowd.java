package dev.fairlane.runtime;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.FarPortion;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who holds up the loading of far jobs, and how far was looked past them. Loading goes by time and stops when enough is in memory; when
 * very many are due at once, the jobs of those who have few are loaded past the others', be these one tenant or thousands. They are met
 * once more when loading itself comes to them, and passed over then, as all that is known is.
 *
 * <p>A tenant belongs to the crowd if it has a tenth of what was loaded last, or as much as half of what its tenants have on average.
 * Behind the crowd there may be another one: its tenants join by the same measures, by the average only when so many were loaded past
 * the first that they are no longer few. Bounded; soft: a start loads from the first row on.
 */
final class FarCrowd {
    /** A tenant with more than this part belongs to the crowd. */
    private static final int PART = 10;

    /** So many at most: they are told to the store with every look. */
    static final int MOST = 10_000;

    private final int manyPassed;
    private final Recent byTime = new Recent();
    private final Recent beside = new Recent();
    private final Set<TenantId> tenants = new HashSet<>();
    private FarPortion.Place past = FarPortion.Place.BEGIN;
    private long notBefore = Long.MIN_VALUE;
    private int passed;

    /** Whose jobs were loaded lately: about {@link #JOBS} of them, older ones count less and less. */
    private static final class Recent {
        private static final int JOBS = 5_000;

        private final Map<TenantId, Integer> counts = new HashMap<>();
        private int all;

        void add(List<FarJob> portion) {
            for (FarJob job : portion) {
                counts.merge(job.spec().tenant(), 1, Integer::sum);
            }
            all += portion.size();
            if (all >= 2 * JOBS) {
                counts.replaceAll((_, count) -> count / 2);
                counts.values().removeIf(count -> count == 0);
                all = counts.values().stream().mapToInt(Integer::intValue).sum();
            }
        }

        void clear() {
            counts.clear();
            all = 0;
        }

        /** @param average whether those join, too, who have as much as is usual among them */
        void join(Set<TenantId> tenants, boolean average) {
            counts.forEach((tenant, count) -> {
                boolean big = (long) count * PART > all;
                boolean usual = average && 2L * count * counts.size() >= all;
                if ((big || usual) && tenants.size() < MOST) {
                    tenants.add(tenant);
                }
            });
        }
    }

    /** @param maxAhead how many are loaded by time before loading is held up, and past a crowd besides */
    FarCrowd(int maxAhead) {
        this.manyPassed = maxAhead / 4;
    }

    /** A full portion was loaded by time, up to here. */
    void loaded(List<FarJob> portion, FarPortion.Place upTo) {
        byTime.add(portion);
        gather();
        if (past.wakeAt() < upTo.wakeAt()) {
            past = upTo;
        }
    }

    /** All that is due soon was loaded: there is none. */
    void dissolved() {
        byTime.clear();
        beside.clear();
        passed = 0;
        tenants.clear();
    }

    /** A portion of others was loaded. */
    void passed(List<FarJob> portion, boolean whole, long until, long notBefore) {
        this.notBefore = notBefore;
        if (whole) {
            past = new FarPortion.Place(until, null);
            passed = 0;
        } else {
            passed += portion.size();
            beside.add(portion);
            gather();
            FarJob last = portion.getLast();
            past = new FarPortion.Place(last.wakeAt(), last.spec().id());
        }
    }

    private void gather() {
        tenants.clear();
        byTime.join(tenants, true);
        beside.join(tenants, passed >= manyPassed);
    }

    /** It could not be looked past them. */
    void failed(long again) {
        notBefore = again;
    }

    Set<TenantId> tenants() {
        return Set.copyOf(tenants);
    }

    /** Whether a job of the tenant is only met by loading by time. */
    boolean has(TenantId tenant) {
        return tenants.contains(tenant);
    }

    FarPortion.Place past() {
        return past;
    }

    /** When to look past them again; never, if there are none. */
    long lookAt() {
        return tenants.isEmpty() ? Long.MAX_VALUE : notBefore;
    }
}
