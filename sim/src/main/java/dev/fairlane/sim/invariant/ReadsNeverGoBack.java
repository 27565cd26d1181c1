package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.sim.seen.Lives;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/**
 * A read shows at least what anybody had been shown of the job before the read was asked for. Who watches a job never sees it go back,
 * and sees its end before the watch is over.
 */
public final class ReadsNeverGoBack implements Invariant {
    private final Map<JobId, Progress> furthest = new HashMap<>();
    private final Map<Long, Progress> asked = new HashMap<>();
    private final Map<Long, JobView> watched = new HashMap<>();

    /** Where a job is in its life: images of one job are totally ordered. A change may move a waiting job back in time. */
    private record Progress(int life, int execution, int revision, int step) implements Comparable<Progress> {
        static final Progress START = new Progress(0, 0, 0, -1);
        static final Progress END = new Progress(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0);

        /** Of one who does not say which of the job's lives he speaks of. */
        static Progress of(JobState end) {
            return end == JobState.DEAD ? new Progress(0, Integer.MAX_VALUE, 0, 0) : END;
        }

        static Progress of(JobView job) {
            JobStatus status = job.status();
            int life = Lives.of(status);
            int step = switch (status.state()) {
                case LEASED -> status.cancelRequested() ? 1 : 0;
                case RUNNING -> status.cancelRequested() ? 2 : 1;
                case SCHEDULED, RETRY_WAIT -> 3;
                case QUEUED -> 4;
                case DEAD, SUCCEEDED, CANCELLED, EXPIRED -> 5;
            };
            if (status.state().terminal()) {
                return status.state() == JobState.DEAD ? new Progress(life, Integer.MAX_VALUE, 0, 0) : END;
            }
            return new Progress(life, status.execution(), job.spec().terms().revision(), step);
        }

        @Override
        public int compareTo(Progress other) {
            if (life != other.life) {
                return Integer.compare(life, other.life);
            }
            if (execution != other.execution) {
                return Integer.compare(execution, other.execution);
            }
            int byRevision = Integer.compare(revision, other.revision);
            return byRevision != 0 ? byRevision : Integer.compare(step, other.step);
        }
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.ReadArrived read ->
                asked.put(read.number(), furthest.getOrDefault(read.id(), Progress.START));
            case Sighting.ReadAnswered read -> answered(read);
            case Sighting.Watched watch -> {
                JobView before = watched.put(watch.number(), watch.job());
                require(
                        before == null || Progress.of(before).compareTo(Progress.of(watch.job())) <= 0,
                        "who watches job " + watch.job().spec().id() + " at " + watch.node() + " saw it as "
                                + (before == null ? "" : before.status()) + " and then as "
                                + watch.job().status());
            }
            case Sighting.WatchEnded watch -> {
                JobView last = watched.remove(watch.number());
                require(
                        !watch.found() || last != null && last.status().state().terminal(),
                        "a watch of job " + watch.id() + " at " + watch.node() + " is over, and the last it saw is "
                                + (last == null ? "nothing" : last.status()));
            }
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled
                    && cancelled.state().terminal() -> reached(cancel.id(), Progress.of(cancelled.state()));
            case Sighting.ResultAnswered result
            when result.success() && !result.revoked() -> reached(result.lease().id(), Progress.END);
            default -> {}
        }
        sighting.shown().forEach(job -> reached(job.spec().id(), Progress.of(job)));
    }

    private void reached(JobId id, Progress progress) {
        furthest.merge(id, progress, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }

    private void answered(Sighting.ReadAnswered read) {
        Progress bound = asked.remove(read.number());
        if (bound != null && read.owner() && read.view().isPresent()) {
            JobStatus status = read.view().get().status();
            require(
                    Progress.of(read.view().get()).compareTo(bound) >= 0,
                    "a read of " + read.id() + " from " + read.node() + " shows " + status.state() + " of execution "
                            + status.execution() + ", though " + bound + " had been shown before");
        }
    }
}
