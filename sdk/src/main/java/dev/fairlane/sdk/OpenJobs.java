package dev.fairlane.sdk;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs that are not at their end. Immutable; start from {@link #ALL}.
 *
 * @param type empty for all
 * @param lane empty for all
 * @param states only these, none of them an end; empty for all
 * @param tags jobs that have all of these
 * @param submittedAfter null: since ever
 * @param submittedBefore null: until now
 * @param tenant for keys that see all tenants: only this one's; empty for all
 */
public record OpenJobs(
        String type,
        String lane,
        Set<JobState> states,
        Map<String, String> tags,
        @Nullable Instant submittedAfter,
        @Nullable Instant submittedBefore,
        String tenant) {
    /** Every open job the key sees. */
    public static final OpenJobs ALL = new OpenJobs("", "", Set.of(), Map.of(), null, null, "");

    public OpenJobs {
        states = Set.copyOf(states);
        tags = Map.copyOf(tags);
    }

    public OpenJobs type(String name) {
        return new OpenJobs(name, lane, states, tags, submittedAfter, submittedBefore, tenant);
    }

    public OpenJobs lane(String name) {
        return new OpenJobs(type, name, states, tags, submittedAfter, submittedBefore, tenant);
    }

    public OpenJobs states(JobState... these) {
        return new OpenJobs(type, lane, Set.of(these), tags, submittedAfter, submittedBefore, tenant);
    }

    public OpenJobs tags(Map<String, String> these) {
        return new OpenJobs(type, lane, states, these, submittedAfter, submittedBefore, tenant);
    }

    public OpenJobs submitted(@Nullable Instant after, @Nullable Instant before) {
        return new OpenJobs(type, lane, states, tags, after, before, tenant);
    }

    public OpenJobs tenant(String name) {
        return new OpenJobs(type, lane, states, tags, submittedAfter, submittedBefore, name);
    }

    dev.fairlane.protocol.v1.OpenJobs message() {
        var message = dev.fairlane.protocol.v1.OpenJobs.newBuilder()
                .setType(type)
                .setLane(lane)
                .putAllTags(tags)
                .setSubmittedAfterMicros(micros(submittedAfter))
                .setSubmittedBeforeMicros(micros(submittedBefore))
                .setTenant(tenant)
                .setAll(equals(ALL.tenant(tenant)));
        states.forEach(state -> message.addState(dev.fairlane.protocol.v1.JobState.valueOf(state.name())));
        return message.build();
    }

    private static long micros(@Nullable Instant time) {
        return time == null ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
