package dev.fairlane.runtime;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Refusal;
import java.util.List;
import java.util.function.Consumer;

/**
 * The way to a connected worker. Called from the node's loop: implementations hand over and return, they neither block nor throw.
 * Everything given here is durable.
 */
public interface WorkerStream {
    /**
     * Called once, before anything is given. A stream may keep what it is given, and name what is to run when nothing more comes for now.
     *
     * @param departures to be used on the node's loop, while something is being given
     */
    default void gathersUntil(Consumer<Runnable> departures) {}

    void welcome(long heartbeatMicros, List<LeaseRef> revoked);

    void leases(List<Granted> leases);

    void acks(List<Ack> acks);

    void cancels(List<LeaseRef> leases);

    /** Everything listed in that heartbeat was renewed, but what is revoked. */
    void heartbeatAck(long number, List<LeaseRef> revoked);

    /**
     * Somebody wants the worker gone. It is asked, not forced: it may ignore it.
     *
     * @param handOver running jobs shall be handed over at a checkpoint
     */
    default void drain(boolean handOver) {}

    /** After {@link WorkerSession#listens} said no: the worker may go on. May come once too often. */
    default void listening() {}

    /** These executions are asked to hand over at a checkpoint, to make room; they may ignore it. */
    default void handOvers(List<LeaseRef> leases) {}

    /** The worker cannot be served; nothing of it was taken. */
    default void refused(Refusal refusal) {
        ended(refusal.message());
    }

    /** The node ends the session (stopping, fenced, or the worker connected again under the same name). */
    void ended(String reason);

    record Granted(JobSpec spec, JobStatus status, String tenant, long leaseMicros) {}

    /** @param revoked the token was not the current one: nothing was changed */
    record Ack(LeaseRef lease, boolean revoked) {}
}
