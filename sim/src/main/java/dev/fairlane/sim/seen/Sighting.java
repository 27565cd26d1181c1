package dev.fairlane.sim.seen;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerStream;
import java.util.List;
import java.util.Optional;

/**
 * Something seen at the boundary of a node. "Arrived" means that it reached the node, "answered" that the answer left it.
 *
 * <p>{@code owner}: the node had not lost its log to another one without its own lease having lapsed first. A node that lost it while it
 * was well may tell old news until it hears of that.
 */
public sealed interface Sighting {

    /** Jobs that this shows. */
    default List<JobView> shown() {
        return List.of();
    }

    /** A start of a node owns the log from now on. */
    record Opened(String node) implements Sighting {}

    record SubmitArrived(String node, Request request) implements Sighting {}

    /** The node said that it did nothing. */
    record SubmitDeclined(String node, Request request) implements Sighting {}

    record SubmitAnswered(String node, Request request, Answer answer) implements Sighting {}

    record CancelAnswered(String node, JobId id, Answer answer) implements Sighting {}

    /** Somebody asks for a dead job to be brought back. */
    record ReplayArrived(String node, JobId id) implements Sighting {}

    record ReplayAnswered(String node, JobId id, Answer answer) implements Sighting {}

    /** Somebody asks for all dead jobs of a tenant to be brought back. */
    record ReplayAllArrived(String node, TenantId tenant) implements Sighting {}

    record DeadListed(String node, List<JobView> jobs) implements Sighting {
        @Override
        public List<JobView> shown() {
            return jobs;
        }
    }

    /** A change that sets it sets it to its own number. */
    String CHANGED_TAG = "changed";

    /** @param number of the wish */
    record ChangeAnswered(String node, JobId id, int number, JobChange wanted, int ifRevision, Answer answer)
            implements Sighting {}

    /** A group as a node told it after it made or sealed it. */
    record GroupAnswered(String node, JobGroup group) implements Sighting {}

    record GroupReadArrived(long number, JobId id) implements Sighting {}

    record GroupRead(long number, String node, boolean owner, JobId id, Optional<JobGroup> group) implements Sighting {}

    record GateArrived(long number, Command.SetGate set) implements Sighting {}

    record GateAnswered(long number, Gate gate) implements Sighting {}

    /** A schedule as a node told it. */
    record ScheduleAnswered(String node, Schedule schedule) implements Sighting {}

    /** Somebody is about to ask for its deletion. */
    record ScheduleDeleting(ScheduleName id) implements Sighting {}

    /** Somebody is about to ask for a run at once. */
    record ScheduleTriggering(ScheduleName id) implements Sighting {}

    /** From now on nothing breaks. */
    record Healed() implements Sighting {}

    /** All open jobs of a type are to be cancelled. */
    record BulkCancelArrived(long number, TenantId tenant, String type) implements Sighting {}

    /** @param endedAt by the node's time */
    record BulkCancelDone(long number, long endedAt) implements Sighting {}

    record CheckpointArrived(long number, LeaseRef lease, String ref) implements Sighting {}

    record CheckpointAnswered(long number, LeaseRef lease, boolean applied) implements Sighting {}

    record ReadArrived(long number, JobId id) implements Sighting {}

    record ReadAnswered(long number, String node, boolean owner, JobId id, Optional<JobView> view) implements Sighting {
        @Override
        public List<JobView> shown() {
            return view.map(List::of).orElse(List.of());
        }
    }

    /**
     * Somebody who watches a job is shown it.
     *
     * @param number of the watch
     */
    record Watched(long number, String node, JobView job) implements Sighting {
        @Override
        public List<JobView> shown() {
            return List.of(job);
        }
    }

    /** @param found whether there was such a job, as far as the node said */
    record WatchEnded(long number, String node, JobId id, boolean found) implements Sighting {}

    /**
     * @param mustShow acked before the list was asked for, with a position that is covered
     * @param complete the page was not cut by its limit
     */
    record ListAnswered(String node, boolean owner, List<JobView> jobs, List<JobId> mustShow, boolean complete)
            implements Sighting {
        @Override
        public List<JobView> shown() {
            return jobs;
        }
    }

    /**
     * A lease reached its worker while it was alive. (One that was on its way for longer than that starts an attempt too, of a worker
     * that cannot know; its token protects everybody from it.)
     *
     * @param leftAt when it left the node
     * @param validUntil until when it is certainly alive without a renewal, by the world's time
     */
    record LeaseHeard(StreamRef stream, WorkerStream.Granted lease, long leftAt, long validUntil) implements Sighting {
        @Override
        public List<JobView> shown() {
            return List.of(new JobView(lease.spec(), lease.status(), null, null));
        }

        public LeaseRef ref() {
            return new LeaseRef(lease.spec().id(), lease.status().token());
        }
    }

    record ResultArrived(StreamRef stream, LeaseRef lease, boolean success) implements Sighting {}

    record ResultAnswered(StreamRef stream, LeaseRef lease, boolean success, boolean revoked) implements Sighting {}

    /** A hello or a heartbeat. */
    record BeatArrived(StreamRef stream, boolean owner, List<LeaseRef> held) implements Sighting {}

    /**
     * The answer to it reached the worker.
     *
     * @param leftAt when it left the node
     */
    record BeatAckHeard(StreamRef stream, List<LeaseRef> held, List<LeaseRef> revoked, long leftAt)
            implements Sighting {}

    record CancelHeard(StreamRef stream, LeaseRef lease) implements Sighting {}

    /** A node said that something happened to it that must not happen. */
    record Trouble(String node, String what) implements Sighting {}
}
