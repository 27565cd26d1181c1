package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.ListJobsRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list. Immutable; start from {@link #all()}.
 *
 * @param states only these; empty for all
 * @param type only this type; null for all
 * @param tenant for keys that see all tenants: only this one; null for all
 * @param pageSize how many to fetch at a time, 1 to 1,000
 * @param minPosition show at least what was durable at this {@linkplain JobHandle#position() position}; null for as it is
 */
public record JobFilter(
        Set<JobState> states,
        @Nullable String type,
        @Nullable String tenant,
        int pageSize,
        @Nullable String minPosition) {

    public JobFilter {
        states = Set.copyOf(states);
        if (pageSize < 1 || pageSize > 1_000) {
            throw new IllegalArgumentException("expected a page size of 1 to 1,000, but got " + pageSize);
        }
    }

    public static JobFilter all() {
        return new JobFilter(Set.of(), null, null, 100, null);
    }

    public JobFilter states(JobState... states) {
        return new JobFilter(Set.of(states), type, tenant, pageSize, minPosition);
    }

    public JobFilter type(String type) {
        return new JobFilter(states, type, tenant, pageSize, minPosition);
    }

    public JobFilter tenant(String tenant) {
        return new JobFilter(states, type, tenant, pageSize, minPosition);
    }

    public JobFilter pageSize(int pageSize) {
        return new JobFilter(states, type, tenant, pageSize, minPosition);
    }

    public JobFilter minPosition(String minPosition) {
        return new JobFilter(states, type, tenant, pageSize, minPosition);
    }

    ListJobsRequest page(String cursor) {
        ListJobsRequest.Builder request =
                ListJobsRequest.newBuilder().setPageSize(pageSize).setCursor(cursor);
        for (JobState state : states) {
            request.addState(dev.fairlane.protocol.v1.JobState.valueOf(state.name()));
        }
        if (type != null) {
            request.setType(type);
        }
        if (tenant != null) {
            request.setTenant(tenant);
        }
        if (minPosition != null) {
            request.setMinPosition(minPosition);
        }
        return request.build();
    }
}
