package dev.fairlane.runtime;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.Payload;
import java.util.List;

/** What a connected worker may say. From any thread; never blocks, and what is said is always taken. */
public interface WorkerSession {

    /**
     * Whether the node has taken enough of what was said to want more; if not, {@link WorkerStream#listening} tells when it does. A source that
     * can be made to wait, like a network connection, asks before it says the next.
     */
    default boolean listens() {
        return true;
    }

    /** Acked through {@link WorkerStream#acks}. */
    void report(Report report);

    /** Renews exactly these leases; answered by {@link WorkerStream#heartbeatAck} with the same number. */
    void heartbeat(List<LeaseRef> held, List<Progress> progress, long number);

    /** A heartbeat that tells of no progress. */
    default void heartbeat(List<LeaseRef> held, long number) {
        heartbeat(held, List.of(), number);
    }

    /** No more leases. */
    void drain();

    /** The stream is gone; leases stay until they run out or the worker comes back. */
    void close();

    /** @param handedOver stopped half-way, for another to go on */
    record Report(List<LeaseRef> started, List<Success> succeeded, List<Failed> failed, List<LeaseRef> handedOver) {
        /** A report of a worker that hands nothing over. */
        public Report(List<LeaseRef> started, List<Success> succeeded, List<Failed> failed) {
            this(started, succeeded, failed, List.of());
        }

        public int size() {
            return started.size() + succeeded.size() + failed.size() + handedOver.size();
        }
    }

    /** @param fraction 0 to 1, or {@link dev.fairlane.core.model.JobProgress#UNKNOWN} */
    record Progress(LeaseRef lease, double fraction, String message) {}

    record Success(LeaseRef lease, Payload result) {}

    record Failed(LeaseRef lease, Failure failure) {}
}
