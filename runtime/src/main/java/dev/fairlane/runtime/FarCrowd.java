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
 * some tenants have very many due at once, the others' jobs behind those are loaded past them. They are met once more when loading
 * itself comes to them, and passed over then, as all that is known is. Soft: a start loads from the first row on.
 */
final class FarCrowd {
    /** A tenant with more than this part of a portion belongs to the crowd. */
    private static final int PART = 10;

    private static final int MOST = 100;

    private final Set<TenantId> tenants = new HashSet<>();
    private FarPortion.Place past = FarPortion.Place.BEGIN;
    private long notBefore = Long.MIN_VALUE;

    /** A whole portion was loaded by time, up to here. */
    void loaded(List<FarJob> portion, FarPortion.Place upTo) {
        tenants.clear();
        join(portion);
        if (past.wakeAt() < upTo.wakeAt()) {
            past = upTo;
        }
    }

    /** A portion of others was loaded. */
    void passed(List<FarJob> portion, boolean whole, long until, long notBefore) {
        this.notBefore = notBefore;
        if (whole) {
            past = new FarPortion.Place(until, null);
        } else {
            join(portion);
            FarJob last = portion.getLast();
            past = new FarPortion.Place(last.wakeAt(), last.spec().id());
        }
    }

    private void join(List<FarJob> portion) {
        Map<TenantId, Integer> counts = new HashMap<>();
        for (FarJob job : portion) {
            counts.merge(job.spec().tenant(), 1, Integer::sum);
        }
        counts.forEach((tenant, count) -> {
            if (count * PART > portion.size() && tenants.size() < MOST) {
                tenants.add(tenant);
            }
        });
    }

    /** It could not be looked past them. */
    void failed(long again) {
        notBefore = again;
    }

    Set<TenantId> tenants() {
        return Set.copyOf(tenants);
    }

    FarPortion.Place past() {
        return past;
    }

    /** When to look past them again; never, if there are none. */
    long lookAt() {
        return tenants.isEmpty() ? Long.MAX_VALUE : notBefore;
    }
}
