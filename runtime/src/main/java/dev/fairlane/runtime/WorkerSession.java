package dev.fairlane.runtime;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.Payload;
import java.util.List;

/** What a connected worker may say. From any thread; never blocks. */
public interface WorkerSession {

    /** Acked through {@link WorkerStream#acks}. */
    void report(Report report);

    /** Renews exactly these leases; answered by {@link WorkerStream#heartbeatAck} with the same number. */
    void heartbeat(List<LeaseRef> held, long number);

    /** No more leases. */
    void drain();

    /** The stream is gone; leases stay until they run out or the worker comes back. */
    void close();

    record Report(List<LeaseRef> started, List<Success> succeeded, List<Failed> failed) {
        public int size() {
            return started.size() + succeeded.size() + failed.size();
        }
    }

    record Success(LeaseRef lease, Payload result) {}

    record Failed(LeaseRef lease, Failure failure) {}
}
