package dev.fairlane.server.admit;

import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.v1.OpenJobs;
import dev.fairlane.server.fault.Refused;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The shape of changes of jobs, and of filters that choose jobs. */
public final class ChangeCheck {
    private ChangeCheck() {}

    /** @throws Refused if it is not well-formed, or changes nothing */
    public static JobChange check(dev.fairlane.protocol.v1.JobChange change) {
        if (change.equals(dev.fairlane.protocol.v1.JobChange.getDefaultInstance())) {
            throw Refused.invalid("change", "expected something to change, but there is nothing");
        }
        if (!change.hasPayload() && !change.getContentType().isEmpty()) {
            throw Refused.invalid("content_type", "expected a payload of this type, but there is none");
        }
        Payload payload = change.hasPayload() ? JobCheck.payload(change.getPayload(), change.getContentType()) : null;
        return new JobChange(
                change.hasPriority() ? (int) JobCheck.between("priority", change.getPriority(), 0, 9) : JobChange.KEEP,
                payload,
                change.hasPayloadVersion()
                        ? (int) JobCheck.between("payload_version", change.getPayloadVersion(), 0, Integer.MAX_VALUE)
                        : JobChange.KEEP,
                change.hasRunAtMicros() ? JobCheck.time("run_at", change.getRunAtMicros()) : JobChange.KEEP,
                notAfter(change),
                change.hasLane() ? Text.typeName("lane", change.getLane()) : null,
                tags(change));
    }

    /** The same for many jobs, which are not to get the same payload. */
    public static JobChange checkForMany(dev.fairlane.protocol.v1.JobChange change) {
        if (change.hasPayload() || change.hasPayloadVersion()) {
            throw Refused.invalid("payload", "expected no payload: it cannot be the same for many jobs");
        }
        return check(change);
    }

    private static long notAfter(dev.fairlane.protocol.v1.JobChange change) {
        if (change.getClearNotAfter()) {
            if (change.hasNotAfterMicros()) {
                throw Refused.invalid("clear_not_after", "expected not_after or clear_not_after, but there are both");
            }
            return 0;
        }
        return change.hasNotAfterMicros() ? JobCheck.time("not_after", change.getNotAfterMicros()) : JobChange.KEEP;
    }

    private static @Nullable Map<String, String> tags(dev.fairlane.protocol.v1.JobChange change) {
        if (change.getClearTags()) {
            if (change.getTagsCount() > 0) {
                throw Refused.invalid("clear_tags", "expected tags or clear_tags, but there are both");
            }
            return Map.of();
        }
        return change.getTagsCount() == 0 ? null : JobCheck.entries("tags", change.getTagsMap(), Limits.TAG_LENGTH);
    }

    /** @throws Refused if it is not well-formed, or would take everything without saying so */
    public static JobFilter check(OpenJobs jobs, @Nullable TenantId scope) {
        JobFilter filter = new JobFilter(
                scope,
                jobs.getType().isEmpty() ? "" : Text.typeName("type", jobs.getType()),
                jobs.getLane().isEmpty() ? "" : Text.typeName("lane", jobs.getLane()),
                states(jobs.getStateList()),
                JobCheck.entries("tags", jobs.getTagsMap(), Limits.TAG_LENGTH),
                JobCheck.time("submitted_after", jobs.getSubmittedAfterMicros()),
                JobCheck.time("submitted_before", jobs.getSubmittedBeforeMicros()));
        boolean everything = filter.equals(new JobFilter(scope, "", "", Set.of(), Map.of(), 0, 0));
        if (everything != jobs.getAll()) {
            throw Refused.invalid(
                    "all",
                    everything
                            ? "expected something to choose jobs by, or all"
                            : "expected all alone, but there is something to choose by too");
        }
        return filter;
    }

    private static Set<JobState> states(List<dev.fairlane.protocol.v1.JobState> given) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (dev.fairlane.protocol.v1.JobState state : given) {
            if (state == dev.fairlane.protocol.v1.JobState.JOB_STATE_UNSPECIFIED
                    || state == dev.fairlane.protocol.v1.JobState.UNRECOGNIZED
                    || JobState.valueOf(state.name()).terminal()) {
                throw Refused.invalid("state", "expected a state of an open job");
            }
            states.add(JobState.valueOf(state.name()));
        }
        return states;
    }

    /** The filter as people read it. */
    public static String words(JobFilter filter) {
        StringJoiner words = new StringJoiner(", ");
        words.setEmptyValue("all open jobs");
        if (!filter.type().isEmpty()) {
            words.add("type " + filter.type());
        }
        if (!filter.lane().isEmpty()) {
            words.add("lane " + filter.lane());
        }
        if (!filter.states().isEmpty()) {
            words.add("state " + filter.states());
        }
        filter.tags().forEach((name, value) -> words.add("tag " + name + "=" + value));
        if (filter.submittedFrom() > 0) {
            words.add("submitted from " + instant(filter.submittedFrom()));
        }
        if (filter.submittedBefore() > 0) {
            words.add("submitted before " + instant(filter.submittedBefore()));
        }
        return words.toString();
    }

    private static String instant(long micros) {
        return java.time.Instant.ofEpochMilli(micros / 1_000).toString();
    }
}
