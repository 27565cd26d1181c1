package dev.fairlane.core.admission;

import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of the streams tenants put their jobs into, seen since the start: each costs memory, so there are not many. The default
 * stream does not count. A failover forgets those without open jobs.
 */
public final class LaneNames {
    public static final int MAX_PER_TENANT = 100;

    /** By the number of the tenant; none for those who use the default lane only. */
    private final List<@Nullable Set<String>> names = new ArrayList<>();

    public void note(int tenant, String name) {
        if (name.equals(JobTerms.DEFAULT_LANE)) {
            return;
        }
        while (names.size() <= tenant) {
            names.add(null);
        }
        Set<String> known = names.get(tenant);
        if (known == null) {
            known = new HashSet<>();
            names.set(tenant, known);
        }
        known.add(name);
    }

    /** Why a job of the tenant cannot be put into this lane, or null. */
    public @Nullable Refusal refusal(int tenant, String name) {
        if (name.equals(JobTerms.DEFAULT_LANE)) {
            return null;
        }
        if (name.isEmpty() || name.length() > Admission.MAX_NAME) {
            return new Refusal(
                    RefusalCode.INVALID_ARGUMENT,
                    "lane: expected 1 to " + Admission.MAX_NAME + " characters, but got " + name.length(),
                    0);
        }
        Set<String> known = tenant < names.size() ? names.get(tenant) : null;
        if (known == null || known.size() < MAX_PER_TENANT || known.contains(name)) {
            return null;
        }
        return new Refusal(
                RefusalCode.LANE_LIMIT,
                "expected at most " + MAX_PER_TENANT + " lanes of a tenant, and \"" + name
                        + "\" would be one more; use one there is",
                0,
                MAX_PER_TENANT,
                known.size());
    }
}
