package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobProgress;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One worker's connection: what it says becomes commands on the loop, what it hears was committed. */
final class LocalWorkerSession implements WorkerSession {
    private final int id;
    private final NodeLoop loop;
    private final Reads reads;
    private final LongSupplier random;
    private final WorkerStream stream;
    private final Untaken untaken = new Untaken();

    /** Whose jobs the worker may run; null: everybody's. */
    private final @Nullable TenantId scope;

    /** Of what the last heartbeat listed, what had ended. */
    private Set<LeaseRef> endedLately = Set.of();

    LocalWorkerSession(
            int id, @Nullable TenantId scope, NodeLoop loop, Reads reads, LongSupplier random, WorkerStream stream) {
        this.id = id;
        this.scope = scope;
        this.loop = loop;
        this.reads = reads;
        this.random = random;
        this.stream = stream;
        stream.gathersUntil(loop.departures::add);
    }

    void open(WorkerOffer offer, List<LeaseRef> held) {
        untaken.said();
        loop.inbox.hear(() -> {
            taken();
            if (!loop.serving()) {
                stream.ended("the node no longer serves");
                return;
            }
            Renewal renewal = loop.sessions.open(id, offer, held, stream, loop.now(), command -> loop.decide(command));
            if (renewal == null) {
                return;
            }
            List<LeaseRef> cancelled =
                    held.stream().filter(loop.sessions::cancelled).toList();
            List<LeaseRef> asked = loop.handOvers.asked(held);
            loop.commit.afterDurable(() -> {
                stream.welcome(loop.config.heartbeatMicros(), renewal.revoked());
                if (!cancelled.isEmpty()) {
                    stream.cancels(cancelled);
                }
                if (!asked.isEmpty()) {
                    stream.handOvers(asked);
                }
            });
            renewal.ended().forEach(this::takeBackUnlessDone);
        });
    }

    @Override
    public boolean listens() {
        return untaken.listens();
    }

    /**
     * First of all that a message does on the loop. What a worker said while it was held back, perhaps a heartbeat, waits where nobody here
     * sees it: what it holds has its full length again from the moment it may go on.
     */
    private void taken() {
        if (untaken.taken()) {
            if (loop.serving()) {
                loop.engine.renewSession(id, loop.now());
            }
            stream.listening();
        }
    }

    /**
     * The worker lists a lease of a job that has ended. If the lease's own outcome ended it, the ack is on its way; otherwise whatever
     * the worker still runs is in vain, and it is told so.
     */
    private void takeBackUnlessDone(LeaseRef lease) {
        reads.lastStatus(scope, lease.id())
                .whenComplete((status, fault) -> loop.inbox.signal(() -> {
                    if (status != null
                            && !isOpen(status)
                            && !(status.isPresent() && endedBy(status.get(), lease.token()))) {
                        stream.acks(List.of(new WorkerStream.Ack(lease, true)));
                    }
                }));
    }

    @Override
    public void report(Report report) {
        // Results are bounded by the slots the worker was given: they are always taken, since work that was done must
        // not be lost.
        untaken.said();
        loop.inbox.hear(() -> {
            taken();
            if (loop.serving()) {
                take(report);
            }
        });
    }

    private void take(Report report) {
        loop.sessions.touch(id, loop.now());
        for (LeaseRef lease : report.started()) {
            if (!ofAnother(lease)) {
                loop.decide(new Command.Start(lease.id(), lease.token()));
            }
        }
        List<WorkerStream.Ack> acks =
                new ArrayList<>(report.succeeded().size() + report.failed().size());
        List<Success> successes = report.succeeded();
        for (int at = 0; at < successes.size(); at++) {
            loop.glances.at(at, successes);
            Success success = successes.get(at);
            LeaseRef lease = success.lease();
            if (ofAnother(lease)) {
                revoke(lease, acks);
                continue;
            }
            Answer answer = loop.decide(new Command.Complete(lease.id(), lease.token(), success.result()));
            ack(lease, answer, null, acks);
        }
        for (Failed failed : report.failed()) {
            LeaseRef lease = failed.lease();
            if (ofAnother(lease)) {
                revoke(lease, acks);
                continue;
            }
            Answer answer =
                    loop.decide(new Command.Fail(lease.id(), lease.token(), failed.failure(), random.getAsLong()));
            ack(lease, answer, failed.failure(), acks);
        }
        for (LeaseRef lease : report.handedOver()) {
            if (ofAnother(lease)) {
                revoke(lease, acks);
                continue;
            }
            ack(lease, loop.handOvers.handedOver(lease, loop::decide), null, acks);
        }
        if (!acks.isEmpty()) {
            boolean watched = !loop.watchers.isEmpty();
            loop.commit.afterDurable(watched, () -> stream.acks(acks));
        }
    }

    /** A token says which lease it is, not whose: tokens can be guessed, so a tenant's worker is heard on its tenant's jobs only. */
    private boolean ofAnother(LeaseRef lease) {
        return scope != null && loop.engine.ofAnother(scope, lease.id());
    }

    private void revoke(LeaseRef lease, List<WorkerStream.Ack> acks) {
        loop.meters.staleResults++;
        acks.add(new WorkerStream.Ack(lease, true));
    }

    /** @param failure that was reported, or null for a success */
    private void ack(LeaseRef lease, Answer answer, @Nullable Failure failure, List<WorkerStream.Ack> acks) {
        if (answer instanceof Answer.NotInMemory) {
            repeated(lease, failure);
            return;
        }
        boolean revoked = !(answer instanceof Answer.Applied);
        if (revoked) {
            loop.meters.staleResults++;
        }
        acks.add(new WorkerStream.Ack(lease, revoked));
    }

    /** The job has ended: what ended it gets the same answer again, everything else came too late. */
    private void repeated(LeaseRef lease, @Nullable Failure failure) {
        reads.lastStatus(scope, lease.id())
                .whenComplete((status, fault) -> loop.inbox.signal(() -> answerRepeated(lease, failure, status)));
    }

    private void answerRepeated(LeaseRef lease, @Nullable Failure failure, @Nullable Optional<JobStatus> status) {
        // When the store cannot be read, or knows the job as open (then it is another start's), the worker keeps the
        // result and
        // reports it again.
        if (status != null && !isOpen(status)) {
            boolean same = status.isPresent() && endedBy(status.get(), lease.token(), failure);
            if (!same) {
                loop.meters.staleResults++;
            }
            stream.acks(List.of(new WorkerStream.Ack(lease, !same)));
        }
    }

    private static boolean isOpen(Optional<JobStatus> status) {
        return status.isPresent() && !status.get().state().terminal();
    }

    /** Whether some report under this token ended the job; silence and time limits are found out by the server. */
    private static boolean endedBy(JobStatus status, long token) {
        if (status.token() != token || status.state() == JobState.SUCCEEDED) {
            return status.token() == token;
        }
        Attempt last = lastAttempt(status);
        return last != null
                && last.failureClass() != FailureClass.WORKER_CRASH
                && last.failureClass() != FailureClass.TIMEOUT;
    }

    /** How the last execution failed; null when it did not. */
    private static @Nullable Attempt lastAttempt(JobStatus status) {
        Attempt last = status.attempts().isEmpty() ? null : status.attempts().getLast();
        return last != null && last.execution() == status.execution() ? last : null;
    }

    /** A token may be the last one and its result still not what ended the job: a cancel or a time limit may have been faster. */
    private static boolean endedBy(JobStatus status, long token, @Nullable Failure failure) {
        if (status.token() != token) {
            return false;
        }
        if (failure == null || status.state() == JobState.SUCCEEDED) {
            return failure == null && status.state() == JobState.SUCCEEDED;
        }
        Attempt last = lastAttempt(status);
        return last != null
                && (last.failureClass() == failure.failureClass() || madePermanent(last, failure))
                && last.message().equals(failure.message());
    }

    /** An error the type does not list as worth a retry was kept as a permanent one. */
    private static boolean madePermanent(Attempt last, Failure failure) {
        return last.failureClass() == FailureClass.NON_RETRYABLE && failure.failureClass() == FailureClass.APP_ERROR;
    }

    @Override
    public void heartbeat(List<LeaseRef> held, List<Progress> progress, long number) {
        untaken.said();
        loop.inbox.hear(() -> {
            taken();
            if (loop.serving()) {
                progress.forEach(this::progressed);
                Renewal renewal = loop.sessions.heartbeat(id, held, loop.now());
                loop.commit.eventually(() -> stream.heartbeatAck(number, renewal.revoked()));
                // Most of them crossed their own ack; who is still there the next time did not.
                renewal.ended().stream().filter(endedLately::contains).forEach(this::takeBackUnlessDone);
                endedLately = renewal.ended().isEmpty() ? Set.of() : new HashSet<>(renewal.ended());
            }
        });
    }

    /** A zombie's progress is not shown. */
    private void progressed(Progress told) {
        LeaseRef lease = told.lease();
        if (!ofAnother(lease) && loop.engine.holds(lease.id(), lease.token())) {
            loop.engine.progressed(lease.id(), lease.token(), loop.now());
            loop.progress.tell(lease, new JobProgress(told.fraction(), told.message(), loop.now()));
            loop.watchers.look(lease.id());
        }
    }

    @Override
    public void drain() {
        untaken.said();
        loop.inbox.hear(() -> {
            taken();
            loop.sessions.drain(id);
        });
    }

    @Override
    public void close() {
        untaken.said();
        loop.inbox.hear(() -> {
            taken();
            loop.sessions.close(id);
        });
    }
}
