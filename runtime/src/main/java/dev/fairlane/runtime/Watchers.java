package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import java.util.ArrayList;
import java.util.List;

/** Who wants to hear of a job's changes. Told after the commit. Soft: a watcher of a lost node asks again. Owned by the loop. */
final class Watchers {
    private final LongMap<List<Watcher>> byJob = new LongMap<>();

    /** Hears of committed changes of one job. */
    interface Watcher {
        void changed(Fact fact);

        /** Something soft changed, which is in no fact. */
        void look();

        /** The node is over. */
        void lost();
    }

    void add(JobId id, Watcher watcher) {
        List<Watcher> watchers = byJob.get(id.lo());
        if (watchers == null) {
            watchers = new ArrayList<>(1);
            byJob.put(id.lo(), watchers);
        }
        watchers.add(watcher);
    }

    void remove(JobId id, Watcher watcher) {
        List<Watcher> watchers = byJob.get(id.lo());
        if (watchers != null && watchers.remove(watcher) && watchers.isEmpty()) {
            byJob.remove(id.lo());
        }
    }

    boolean isEmpty() {
        return byJob.isEmpty();
    }

    void observe(List<Fact> facts) {
        if (byJob.isEmpty()) {
            return;
        }
        for (Fact fact : facts) {
            switch (fact) {
                case Fact.JobRevised revised -> tell(revised.id(), fact);
                case Fact.JobChanged changed -> tell(changed.id(), fact);
                case Fact.JobReplayed replayed -> tell(replayed.id(), fact);
                case Fact.GroupChanged changed -> tell(changed.id(), fact);
                case Fact.JobEnded ended -> {
                    tell(ended.id(), fact);
                    byJob.remove(ended.id().lo());
                }
                case Fact.JobAdded _,
                        Fact.GateSet _,
                        Fact.GroupAdded _,
                        Fact.ScheduleSet _,
                        Fact.ScheduleMoved _,
                        Fact.ScheduleGone _,
                        Fact.TenantSet _,
                        Fact.TypeSet _,
                        Fact.Audited _ -> {}
            }
        }
    }

    /** Something soft about the job changed. */
    void look(JobId id) {
        List<Watcher> watchers = byJob.get(id.lo());
        if (watchers != null) {
            List.copyOf(watchers).forEach(Watcher::look);
        }
    }

    void loseAll() {
        List<Watcher> all = new ArrayList<>();
        byJob.forEach(all::addAll);
        byJob.clear();
        all.forEach(Watcher::lost);
    }

    private void tell(JobId id, Fact fact) {
        List<Watcher> watchers = byJob.get(id.lo());
        if (watchers != null) {
            List.copyOf(watchers).forEach(watcher -> watcher.changed(fact));
        }
    }
}
