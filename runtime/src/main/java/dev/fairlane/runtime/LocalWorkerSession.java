package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One worker's connection: what it says becomes commands on the loop, what it hears was committed. */
final class LocalWorkerSession implements WorkerSession {
    private final int id;
    private final NodeLoop loop;
    private final Reads reads;
    private final LongSupplier random;
    private final WorkerStream stream;

    LocalWorkerSession(int id, NodeLoop loop, Reads reads, LongSupplier random, WorkerStream stream) {
        this.id = id;
        this.loop = loop;
        this.reads = reads;
        this.random = random;
        this.stream = stream;
    }

    void open(WorkerOffer offer, List<LeaseRef> held) {
        loop.inbox.offerAlways(() -> {
            if (!loop.serving()) {
                stream.ended("the node no longer serves");
                return;
            }
            List<LeaseRef> revoked =
                    loop.sessions.open(id, offer, held, stream, loop.now(), command -> loop.decide(command));
            loop.commit.afterDurable(() -> stream.welcome(loop.config.heartbeatMicros(), revoked));
        });
    }

    @Override
    public void report(Report report) {
        // Results are bounded by the slots the worker was given: they are always taken, since work that was done must
        // not be lost.
        loop.inbox.offerAlways(() -> {
            if (loop.serving()) {
                take(report);
            }
        });
    }

    private void take(Report report) {
        loop.sessions.touch(id, loop.now());
        for (LeaseRef lease : report.started()) {
            loop.decide(new Command.Start(lease.id(), lease.token()));
        }
        List<WorkerStream.Ack> acks =
                new ArrayList<>(report.succeeded().size() + report.failed().size());
        for (Success success : report.succeeded()) {
            LeaseRef lease = success.lease();
            ack(lease, loop.decide(new Command.Complete(lease.id(), lease.token(), success.result())), acks);
        }
        for (Failed failed : report.failed()) {
            LeaseRef lease = failed.lease();
            ack(
                    lease,
                    loop.decide(new Command.Fail(lease.id(), lease.token(), failed.failure(), random.getAsLong())),
                    acks);
        }
        if (!acks.isEmpty()) {
            loop.commit.afterDurable(() -> stream.acks(acks));
        }
    }

    private void ack(LeaseRef lease, Answer answer, List<WorkerStream.Ack> acks) {
        if (answer instanceof Answer.NotInMemory) {
            repeated(lease);
            return;
        }
        boolean revoked = !(answer instanceof Answer.Applied);
        if (revoked) {
            loop.meters.staleResults++;
        }
        acks.add(new WorkerStream.Ack(lease, revoked));
    }

    /** The job has ended: the same completion again gets the same answer, any other token is stale. */
    private void repeated(LeaseRef lease) {
        reads.lastStatus(lease.id())
                .whenComplete((status, fault) -> loop.inbox.signal(() -> answerRepeated(lease, status)));
    }

    private void answerRepeated(LeaseRef lease, @Nullable Optional<JobStatus> status) {
        // When the store cannot be read the worker keeps the result and reports it again.
        if (status != null) {
            boolean same = status.isPresent() && status.get().token() == lease.token();
            if (!same) {
                loop.meters.staleResults++;
            }
            stream.acks(List.of(new WorkerStream.Ack(lease, !same)));
        }
    }

    @Override
    public void heartbeat(List<LeaseRef> held, long number) {
        loop.inbox.offerAlways(() -> {
            if (loop.serving()) {
                List<LeaseRef> revoked = loop.sessions.heartbeat(id, held, loop.now());
                loop.commit.afterDurable(() -> stream.heartbeatAck(number, revoked));
            }
        });
    }

    @Override
    public void drain() {
        loop.inbox.offerAlways(() -> loop.sessions.drain(id));
    }

    @Override
    public void close() {
        loop.inbox.offerAlways(() -> loop.sessions.close(id));
    }
}
