package dev.fairlane.runtime;

import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.Flush;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups that are new or moved since the last flush: of many images the newest. */
final class MovedGroups {
    private final Map<JobId, JobGroup> added = new LinkedHashMap<>();
    private final Map<JobId, GroupProgress> changed = new LinkedHashMap<>();
    private final List<Flush.Member> members = new ArrayList<>();

    void added(JobGroup group) {
        added.put(group.id(), group);
    }

    void changed(JobId id, GroupProgress progress) {
        if (added.computeIfPresent(id, (_, group) -> group.with(progress)) == null) {
            changed.put(id, progress);
        }
    }

    /** A job was added. */
    void joined(JobSpec job) {
        if (!job.terms().group().isEmpty()) {
            members.add(new Flush.Member(JobId.parse(job.terms().group()), job.id()));
        }
    }

    Flush.Groups rows() {
        if (added.isEmpty() && changed.isEmpty() && members.isEmpty()) {
            return Flush.Groups.NONE;
        }
        List<Flush.GroupChange> changes = new ArrayList<>(changed.size());
        changed.forEach((id, progress) -> changes.add(new Flush.GroupChange(id, progress)));
        return new Flush.Groups(List.copyOf(added.values()), changes, List.copyOf(members));
    }
}
