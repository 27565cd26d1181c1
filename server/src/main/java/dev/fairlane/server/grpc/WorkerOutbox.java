package dev.fairlane.server.grpc;

import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.protocol.v1.Ack;
import dev.fairlane.protocol.v1.Acks;
import dev.fairlane.protocol.v1.Cancels;
import dev.fairlane.protocol.v1.DrainOrder;
import dev.fairlane.protocol.v1.HandOvers;
import dev.fairlane.protocol.v1.HeartbeatAck;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.Leases;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.Welcome;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.server.api.Messages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent to one worker. While its connection is busy things gather here and leave in larger messages. Bounded without
 * counting: leases by the slots the worker offered, acks by the reports that are read no faster than acks leave.
 *
 * <p>Leases go before cancels and hand-overs, and revocations before the heartbeat answer that rests on them; between the rest, order says nothing.
 */
final class WorkerOutbox {
    private static final int LEASES_MAX = 2_000;
    private static final int LEASE_BYTES_MAX = 1 << 20;
    private static final int REFS_MAX = 50_000;

    private static final int GLANCE = 32;

    private final String node;
    private final ArrayDeque<WorkerStream.Granted> leases = new ArrayDeque<>();
    private final List<WorkerStream.Granted> glance = new ArrayList<>(GLANCE);
    private final ArrayDeque<WorkerStream.Ack> acks = new ArrayDeque<>();
    private final ArrayDeque<LeaseRef> cancels = new ArrayDeque<>();
    private final ArrayDeque<LeaseRef> handOvers = new ArrayDeque<>();
    private final ArrayDeque<Long> heartbeats = new ArrayDeque<>();
    private @Nullable ServerMessage welcome;
    private @Nullable ServerMessage drain;

    WorkerOutbox(String node) {
        this.node = node;
    }

    void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
        Welcome.Builder message = Welcome.newBuilder()
                .setHeartbeatMs(heartbeatMicros / 1_000)
                .setNode(node)
                .setHeartbeatAcks(true);
        revoked.forEach(lease -> message.addRevoked(ref(lease)));
        welcome = ServerMessage.newBuilder().setWelcome(message).build();
    }

    void leases(List<WorkerStream.Granted> more) {
        leases.addAll(more);
    }

    void acks(List<WorkerStream.Ack> more) {
        acks.addAll(more);
    }

    void cancels(List<LeaseRef> more) {
        cancels.addAll(more);
    }

    void handOvers(List<LeaseRef> more) {
        handOvers.addAll(more);
    }

    void drain(boolean handOver) {
        drain = ServerMessage.newBuilder()
                .setDrain(DrainOrder.newBuilder().setHandOver(handOver))
                .build();
    }

    void heartbeatAck(long number, List<LeaseRef> revoked) {
        revoked.forEach(lease -> acks.add(new WorkerStream.Ack(lease, true)));
        heartbeats.add(number);
    }

    /** How many acks wait: what the worker must read before more of it is read. */
    int unread() {
        return acks.size();
    }

    /** The next message, or null when there is none. */
    @Nullable ServerMessage next() {
        if (welcome != null) {
            ServerMessage first = welcome;
            welcome = null;
            return first;
        }
        if (!leases.isEmpty()) {
            return nextLeases();
        }
        if (!acks.isEmpty()) {
            return nextAcks();
        }
        if (!cancels.isEmpty()) {
            Cancels.Builder message = Cancels.newBuilder();
            while (!cancels.isEmpty() && message.getLeasesCount() < REFS_MAX) {
                message.addLeases(ref(cancels.remove()));
            }
            return ServerMessage.newBuilder().setCancels(message).build();
        }
        if (!handOvers.isEmpty()) {
            HandOvers.Builder message = HandOvers.newBuilder();
            while (!handOvers.isEmpty() && message.getLeasesCount() < REFS_MAX) {
                message.addLeases(ref(handOvers.remove()));
            }
            return ServerMessage.newBuilder().setHandOvers(message).build();
        }
        if (drain != null) {
            ServerMessage order = drain;
            drain = null;
            return order;
        }
        if (!heartbeats.isEmpty()) {
            return ServerMessage.newBuilder()
                    .setHeartbeatAck(HeartbeatAck.newBuilder().setNumber(heartbeats.remove()))
                    .build();
        }
        return null;
    }

    private ServerMessage nextLeases() {
        Leases.Builder message = Leases.newBuilder();
        int bytes = 0;
        while (!leases.isEmpty() && message.getLeasesCount() < LEASES_MAX && bytes < LEASE_BYTES_MAX) {
            bytes += nextGlance();
            for (WorkerStream.Granted granted : glance) {
                message.addLeases(lease(granted));
            }
            glance.clear();
        }
        return ServerMessage.newBuilder().setLeases(message).build();
    }

    /**
     * Takes the next few leases and weighs them. The jobs of many tenants lie all over memory: weighed one after the other the
     * processor fetches them side by side, where it would wait for each of them when it is written.
     */
    private int nextGlance() {
        int bytes = 0;
        while (glance.size() < GLANCE && bytes < LEASE_BYTES_MAX && !leases.isEmpty()) {
            WorkerStream.Granted granted = leases.remove();
            JobSpec spec = granted.spec();
            bytes += spec.payload().bytes().length
                    + spec.type().length()
                    + granted.tenant().length()
                    + granted.status().attempt();
            glance.add(granted);
        }
        return bytes;
    }

    private ServerMessage nextAcks() {
        Acks.Builder message = Acks.newBuilder();
        while (!acks.isEmpty() && message.getAcksCount() < REFS_MAX) {
            WorkerStream.Ack ack = acks.remove();
            message.addAcks(Ack.newBuilder().setLease(ref(ack.lease())).setRevoked(ack.revoked()));
        }
        return ServerMessage.newBuilder().setAcks(message).build();
    }

    private static Lease lease(WorkerStream.Granted granted) {
        JobSpec spec = granted.spec();
        JobStatus status = granted.status();
        Lease.Builder lease = Lease.newBuilder()
                .setLease(dev.fairlane.protocol.v1.LeaseRef.newBuilder()
                        .setIdHi(spec.id().hi())
                        .setIdLo(spec.id().lo())
                        .setToken(status.token()))
                .setTenant(granted.tenant())
                .setType(spec.type())
                .setPayloadVersion(spec.payloadVersion())
                .setAttempt(status.attempt())
                .setExecution(status.execution())
                .setLeaseMs(granted.leaseMicros() / 1_000)
                .setTimeLimitMs(spec.timeLimitMicros() / 1_000)
                .setMaxAttempts(spec.maxAttempts())
                .setSubmittedAtMicros(spec.submittedAt());
        if (PayloadRef.is(spec.payload())) {
            PayloadRef ref = PayloadRef.of(spec.payload()).orElseThrow();
            lease.setPayloadBytes(ref.size()).setPayloadSha256(ref.digest()).setContentType(ref.contentType());
        } else {
            lease.setPayload(Messages.bytes(spec.payload()))
                    .setContentType(spec.payload().contentType());
        }
        JobMarks.Checkpoint checkpoint = status.marks().checkpoint();
        if (checkpoint != null) {
            lease.setCheckpointBytes(checkpoint.bytes());
        }
        if (!spec.headers().isEmpty()) {
            lease.putAllHeaders(spec.headers());
        }
        return lease.build();
    }

    private static dev.fairlane.protocol.v1.LeaseRef ref(LeaseRef lease) {
        return dev.fairlane.protocol.v1.LeaseRef.newBuilder()
                .setIdHi(lease.id().hi())
                .setIdLo(lease.id().lo())
                .setToken(lease.token())
                .build();
    }
}
