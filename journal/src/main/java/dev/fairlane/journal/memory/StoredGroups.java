package dev.fairlane.journal.memory;

import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.RecoverySink;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rows of groups. */
final class StoredGroups {
    private final NavigableMap<JobId, JobGroup> groups = new TreeMap<>();
    private final NavigableMap<JobId, NavigableSet<JobId>> members = new TreeMap<>();

    void apply(Flush.Groups flush) {
        flush.added().forEach(group -> groups.put(group.id(), group));
        flush.changed()
                .forEach(change -> groups.computeIfPresent(change.id(), (_, group) -> group.with(change.progress())));
        flush.members()
                .forEach(member -> members.computeIfAbsent(member.group(), _ -> new TreeSet<>())
                        .add(member.job()));
    }

    void tell(RecoverySink sink) {
        groups.values().stream()
                .filter(group -> group.progress().state() != GroupProgress.State.DONE)
                .forEach(sink::group);
    }

    Optional<JobGroup> find(@Nullable TenantId scope, JobId id) {
        return Optional.ofNullable(groups.get(id)).filter(group -> scope == null || scope.equals(group.tenant()));
    }

    List<JobId> members(JobId group, @Nullable JobId after, int limit) {
        NavigableSet<JobId> all = members.getOrDefault(group, new TreeSet<>());
        return (after == null ? all : all.tailSet(after, false))
                .stream().limit(limit).toList();
    }

    void drop(long doneBefore) {
        groups.values()
                .removeIf(group -> group.progress().state() == GroupProgress.State.DONE
                        && group.progress().doneAt() < doneBefore);
        members.keySet().retainAll(groups.keySet());
    }
}
