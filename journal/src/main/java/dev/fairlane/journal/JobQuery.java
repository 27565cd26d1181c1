package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.TenantId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs, newest first.
 *
 * @param scope null: all tenants
 * @param states empty: any
 * @param type empty: any
 * @param before only ids smaller than this; null from the newest
 * @param limit 1 to 1,000
 */
public record JobQuery(
        @Nullable TenantId scope,
        Set<JobState> states,
        String type,
        @Nullable JobId before,
        int limit) {}
