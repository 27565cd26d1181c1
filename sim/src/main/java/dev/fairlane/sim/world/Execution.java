package dev.fairlane.sim.world;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.Payload;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job in the hands of a worker: it runs, or its outcome waits for the server's ack. */
final class Execution {
    final LeaseRef ref;
    final String type;
    final long leaseMicros;
    final long limitAt;
    final long receivedAt;
    long leaseEndAt;
    long firstBeat;
    boolean startedSent;
    boolean cancelled;
    private WorkerSession.@Nullable Report outcome;

    Execution(WorkerStream.Granted lease, long now) {
        this.ref = new LeaseRef(lease.spec().id(), lease.status().token());
        this.type = lease.spec().type();
        this.leaseMicros = lease.leaseMicros();
        this.limitAt = now + lease.spec().timeLimitMicros();
        this.receivedAt = now;
        this.leaseEndAt = now + leaseMicros;
    }

    boolean running() {
        return outcome == null;
    }

    void succeed() {
        Payload result = new Payload(("r" + ref.token()).getBytes(StandardCharsets.UTF_8), "text/plain");
        outcome = new WorkerSession.Report(List.of(), List.of(new WorkerSession.Success(ref, result)), List.of());
    }

    void fail(Failure failure) {
        outcome = new WorkerSession.Report(List.of(), List.of(), List.of(new WorkerSession.Failed(ref, failure)));
    }

    /** Another is to go on with it. */
    void handOver() {
        outcome = new WorkerSession.Report(List.of(), List.of(), List.of(), List.of(ref));
    }

    /** What to tell the server, once it ended. */
    WorkerSession.@Nullable Report outcome() {
        return outcome;
    }

    /** A little early: the server counts from when it gave the lease, the worker from when it came. */
    boolean ranOut(long now) {
        return now >= leaseEndAt - Math.min(leaseMicros / 10, 500_000);
    }
}
