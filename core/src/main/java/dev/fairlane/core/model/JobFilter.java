package dev.fairlane.core.model;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which open jobs; what is empty or null takes all.
 *
 * @param scope of one tenant
 * @param tags that a job must have, with these values
 * @param submittedFrom microseconds, included; 0 for no bound
 * @param submittedBefore microseconds, not included; 0 for no bound
 */
public record JobFilter(
        @Nullable TenantId scope,
        String type,
        String lane,
        Set<JobState> states,
        Map<String, String> tags,
        long submittedFrom,
        long submittedBefore) {

    public boolean tagsFit(JobSpec spec) {
        return spec.tags().entrySet().containsAll(tags.entrySet());
    }

    public boolean stateFits(JobState state) {
        return states.isEmpty() || states.contains(state);
    }

    public boolean timeFits(long submittedAt) {
        return submittedAt >= submittedFrom && (submittedBefore == 0 || submittedAt < submittedBefore);
    }
}
