package dev.fairlane.sdk.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.FencingToken;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.NonRetryableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

/** What a lease says about its job: it never changes, whatever becomes of the {@link Execution}. */
abstract class LeasedJob implements JobContext {
    final LeaseKey key;
    final long receivedNanos;
    final long leaseNanos;
    final long limitNanos;
    final Lease lease;
    final Executions owner;

    /** What an execution needs of the worker around it. */
    interface Executions {
        Codec codec();

        long nanos();

        default ByteCalls bytes() {
            throw new UnsupportedOperationException("no server to keep bytes");
        }

        /** Whether running jobs shall be handed over. */
        default boolean handOverRequested() {
            return false;
        }

        /** The server says that this lease is lost. */
        default void lost(Execution execution) {}

        /** The outcome is there. */
        void ended(Execution execution);
    }

    LeasedJob(Lease lease, Executions owner) {
        this.lease = lease;
        this.owner = owner;
        this.key = LeaseKey.of(lease.getLease());
        this.receivedNanos = owner.nanos();
        this.leaseNanos = lease.getLeaseMs() * 1_000_000;
        this.limitNanos = lease.getTimeLimitMs() * 1_000_000;
    }

    LeaseRef ref() {
        return lease.getLease();
    }

    /** One that is too large for messages is downloaded, and checked: what cannot be had today may be there tomorrow. */
    ByteString payload() {
        if (!lease.hasPayloadBytes()) {
            return lease.getPayload();
        }
        byte[] bytes;
        try {
            bytes = owner.bytes().payload(id());
        } catch (FairlaneException.Unavailable e) {
            throw new DependencyFailedException("fairlane-objects", "the payload cannot be had: " + e.getMessage());
        } catch (FairlaneException.NotFound e) {
            throw new NonRetryableException("the payload is no longer there: " + e.getMessage());
        }
        if (bytes.length != lease.getPayloadBytes() || !ByteCalls.sha256(bytes).equals(lease.getPayloadSha256())) {
            throw new DependencyFailedException(
                    "fairlane-objects",
                    "expected a payload of " + lease.getPayloadBytes() + " bytes with digest "
                            + lease.getPayloadSha256() + ", but got " + bytes.length + " others");
        }
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    @Override
    public String id() {
        return new UUID(key.idHigh(), key.idLow()).toString();
    }

    @Override
    public String tenant() {
        return lease.getTenant();
    }

    @Override
    public String type() {
        return lease.getType();
    }

    @Override
    public int attempt() {
        return lease.getAttempt();
    }

    @Override
    public int maxAttempts() {
        return lease.getMaxAttempts();
    }

    @Override
    public int execution() {
        return lease.getExecution();
    }

    @Override
    public boolean firstAttempt() {
        return lease.getExecution() <= 1;
    }

    @Override
    public EffectKey effectKey() {
        return new EffectKey(id());
    }

    @Override
    public FencingToken fencingToken() {
        return new FencingToken(key.token());
    }

    @Override
    public Duration timeLeft() {
        if (limitNanos == 0) {
            return Duration.ofSeconds(Long.MAX_VALUE);
        }
        return Duration.ofNanos(Math.max(0, receivedNanos + limitNanos - owner.nanos()));
    }

    @Override
    public Map<String, String> headers() {
        return lease.getHeadersMap();
    }

    @Override
    public int payloadVersion() {
        return lease.getPayloadVersion();
    }

    @Override
    public Instant submittedAt() {
        return Instant.EPOCH.plus(lease.getSubmittedAtMicros(), ChronoUnit.MICROS);
    }

    @Override
    public String toString() {
        return type() + " " + id();
    }
}
