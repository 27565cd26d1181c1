package dev.fairlane.core.shard;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups that are not done. Hard; one that is done lives in the store only. */
final class Groups {
    private final Map<String, JobGroup> byId = new HashMap<>();
    private final Map<Integer, Integer> openOfTenant = new HashMap<>();

    void apply(Fact.GroupAdded added) {
        JobGroup group = added.group();
        if (group.progress().state() != GroupProgress.State.DONE
                && byId.put(group.id().toString(), group) == null) {
            openOfTenant.merge(group.tenant().number(), 1, Integer::sum);
        }
    }

    void apply(Fact.GroupChanged changed) {
        String id = changed.id().toString();
        JobGroup group = byId.get(id);
        if (group == null) {
            throw new IllegalStateException("expected an open group, but " + id + " is not in memory");
        }
        if (changed.progress().state() == GroupProgress.State.DONE) {
            byId.remove(id);
            openOfTenant.merge(group.tenant().number(), -1, (a, b) -> a + b == 0 ? null : a + b);
        } else {
            byId.put(id, group.with(changed.progress()));
        }
    }

    @Nullable JobGroup find(String id) {
        return byId.get(id);
    }

    @Nullable JobGroup find(JobId id) {
        return byId.isEmpty() ? null : byId.get(id.toString());
    }

    int open(int tenant) {
        return openOfTenant.getOrDefault(tenant, 0);
    }

    /** In an order that does not depend on history. */
    List<JobGroup> list() {
        List<JobGroup> all = new ArrayList<>(byId.values());
        all.sort(Comparator.comparing(JobGroup::id));
        return all;
    }
}
