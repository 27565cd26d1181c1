package dev.fairlane.sdk.internal;

import dev.fairlane.sdk.FairlaneException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A key's use of a {@linkplain Wire connection}, and blocking calls over it that are repeated where that is safe. */
public final class Rpc implements AutoCloseable {
    /** Half of the time for which the server knows the id of a submit. */
    public static final Duration REPEATED_FOR = Duration.ofMinutes(5);

    private final Wire wire;
    private final Channel authorized;
    private final Duration deadline;
    private final Target target;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param onClose what becomes of the connection when this is closed */
    Rpc(Wire wire, Target target, Duration deadline, Runnable onClose) {
        this.wire = wire;
        this.target = target;
        this.deadline = deadline;
        this.onClose = onClose;
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + target.key);
        if (target.tenant != null) {
            headers.put(Metadata.Key.of("fairlane-tenant", Metadata.ASCII_STRING_MARSHALLER), target.tenant);
        }
        this.authorized =
                ClientInterceptors.intercept(wire.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Over a connection of its own, whose streams have their callbacks on the network thread: they must not block. */
    public static Rpc open(Target target, Duration deadline) {
        Wire wire = Wire.open(target, true);
        return new Rpc(wire, target, deadline, wire::close);
    }

    /** Whether a call may be sent twice. */
    public enum Repeat {
        /** Reads, cancels, puts, and submits, which have an id of their own. */
        SAFE,
        /** Repeated only when nothing of it left this process, or the server said that it did nothing. */
        ONLY_IF_NOT_DONE
    }

    /** Where a server is, and how to say who we are. Nothing here touches the network. */
    public record Target(
            String host,
            int port,
            boolean tls,
            String key,
            @Nullable String tenant) {

        /** @throws IllegalArgumentException if the address is not http(s)://host[:port] */
        public static Target of(String url, String key, @Nullable String tenant) {
            URI uri;
            try {
                uri = URI.create(url);
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(expected(url), malformed);
            }
            String scheme = uri.getScheme();
            boolean tls = "https".equals(scheme);
            if ((!tls && !"http".equals(scheme)) || uri.getHost() == null) {
                throw new IllegalArgumentException(expected(url));
            }
            int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
            return new Target(uri.getHost(), port, tls, checked(key), tenant);
        }

        /** The same server under another key, which says by itself what tenant it is about. */
        public Target as(String other) {
            return new Target(host, port, tls, checked(other), null);
        }

        /** The same server and key, about another tenant. */
        public Target forTenant(String other) {
            return new Target(host, port, tls, key, other);
        }

        private static String checked(String key) {
            if (key.isBlank() || key.chars().anyMatch(c -> c < 0x21 || c > 0x7e)) {
                throw new IllegalArgumentException("expected an API key of visible ASCII characters, but got "
                        + (key.isBlank() ? "an empty one" : "one with other characters"));
            }
            return key;
        }

        private static String expected(String url) {
            return "expected an address like http://localhost:8080 or https://fairlane.example.com, but got '" + url
                    + "'";
        }

        @Override
        public String toString() {
            return (tls ? "https://" : "http://") + host + ":" + port;
        }
    }

    /** For bytes that are too large for messages. */
    public ByteCalls bytes() {
        return new ByteCalls(target, wire.http());
    }

    /** For streams, which have no deadline of their own. */
    public Channel channel() {
        return authorized;
    }

    /** The next call tries to connect at once, instead of waiting out gRPC's own pauses. */
    public void hurry() {
        wire.hurry();
    }

    /** For whoever had no answer: the next call is made over a new connection. Others' calls go on over the present one. */
    public void renew() {
        wire.renew();
    }

    public <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Repeat repeat) {
        return call(method, request, repeat, deadline);
    }

    /** @param key sent as Idempotency-Key, for a call that the server remembers by it */
    public <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Repeat repeat, String key) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), key);
        Channel keyed = ClientInterceptors.intercept(authorized, MetadataUtils.newAttachHeadersInterceptor(headers));
        return call(keyed, method, request, repeat, deadline);
    }

    public <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Repeat repeat, Duration within) {
        return call(authorized, method, request, repeat, within);
    }

    /** @throws FairlaneException if the call failed, or could not be made within the deadline */
    private <Q, A> A call(Channel over, MethodDescriptor<Q, A> method, Q request, Repeat repeat, Duration within) {
        failIfClosed();
        long end = System.nanoTime() + within.toNanos();
        long lastRepeat = System.nanoTime() + Math.min(within.toNanos(), REPEATED_FOR.toNanos());
        Backoff backoff = new Backoff(20, 2_000);
        while (true) {
            SendProbe probe = new SendProbe();
            CallOptions options = CallOptions.DEFAULT
                    .withDeadlineAfter(end - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .withStreamTracerFactory(probe);
            try {
                return ClientCalls.blockingUnaryCall(over, method, options, request);
            } catch (StatusRuntimeException e) {
                FairlaneException failure = Errors.of(e);
                boolean again = repeat == Repeat.SAFE
                        ? worthAnotherTry(failure)
                        : worthAnotherTry(failure) && (!probe.sent || Errors.nothingWasDone(failure));
                long pause = Math.max(
                        backoff.nextNanos(),
                        failure.retryAfter().map(Duration::toNanos).orElse(0L));
                if (!again || closed() || System.nanoTime() + pause - lastRepeat >= 0 || !paused(pause)) {
                    throw failure;
                }
                hurry();
            }
        }
    }

    /** Whether a call that may be sent twice should be, as the failure may pass. */
    public static boolean worthAnotherTry(FairlaneException failure) {
        return failure instanceof FairlaneException.Unavailable || failure instanceof FairlaneException.LimitReached;
    }

    /** False when the thread is interrupted, which it stays. */
    public static boolean paused(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether this, or the connection, was closed. */
    public boolean closed() {
        return closed.get() || wire.closed();
    }

    /** @throws IllegalStateException if this, or the connection, was closed */
    public void failIfClosed() {
        if (closed()) {
            throw new IllegalStateException("this client is closed");
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }

    /** Sees whether anything of a call was written to a connection. */
    private static final class SendProbe extends ClientStreamTracer.Factory {
        volatile boolean sent;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundHeaders() {
                    sent = true;
                }
            };
        }
    }
}
