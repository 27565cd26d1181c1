package dev.fairlane.journal.memory;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.FarPortion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Which stored open jobs were left out of memory, by the time they wake up. */
final class StoredFar {
    private final NavigableSet<Wake> byTime =
            new TreeSet<>(Comparator.comparingLong(Wake::at).thenComparing(Wake::id));
    private final Map<JobId, Wake> byId = new HashMap<>();

    record Wake(long at, JobId id) {}

    /** @param at 0 for one that is not far */
    void put(JobId id, long at) {
        Wake before = byId.remove(id);
        if (before != null) {
            byTime.remove(before);
        }
        if (at > 0) {
            Wake wake = new Wake(at, id);
            byId.put(id, wake);
            byTime.add(wake);
        }
    }

    boolean has(JobId id) {
        return byId.containsKey(id);
    }

    long wakeAt(JobId id) {
        Wake wake = byId.get(id);
        return wake == null ? 0 : wake.at();
    }

    List<JobId> ids() {
        return byId.keySet().stream().sorted().toList();
    }

    /** Up to {@code limit} that wake up by {@code until}, and one more if there is one, whenever it does; some are passed over. */
    List<Wake> due(FarPortion.Place after, long until, int limit, Predicate<JobId> without) {
        List<Wake> due = new ArrayList<>();
        JobId id = after.id();
        for (Wake wake : byTime) {
            boolean behind = wake.at() > after.wakeAt()
                    || id != null && wake.at() == after.wakeAt() && wake.id().compareTo(id) > 0;
            if (behind && !without.test(wake.id())) {
                due.add(wake);
                if (wake.at() > until || due.size() > limit) {
                    break;
                }
            }
        }
        return due;
    }
}
