package dev.fairlane.server;

import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerStream;
import java.util.List;

/** The way to a worker that does nothing, whatever it hears. */
public abstract class IdleStream implements WorkerStream {
    @Override
    public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {}

    @Override
    public void leases(List<Granted> leases) {}

    @Override
    public void acks(List<Ack> acks) {}

    @Override
    public void cancels(List<LeaseRef> leases) {}

    @Override
    public void heartbeatAck(long number, List<LeaseRef> revoked) {}

    @Override
    public void ended(String reason) {}
}
