package dev.fairlane.sdk.internal;

import dev.fairlane.sdk.FairlaneException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection to a server, and blocking calls over it that are repeated where that is safe. */
public final class Rpc implements AutoCloseable {
    /** A page of 1,000 jobs with payloads can be this large; the server bounds what it sends. */
    private static final int INBOUND_BYTES_MAX = 64 << 20;

    private static final int FLOW_WINDOW_BYTES = 4 << 20;

    /** Half of the time for which the server knows the id of a submit. */
    public static final Duration REPEATED_FOR = Duration.ofMinutes(5);

    private final ManagedChannel channel;
    private final Channel authorized;
    private final Duration deadline;
    private final Target target;
    private @Nullable ByteCalls bytes;

    private Rpc(ManagedChannel channel, Channel authorized, Duration deadline, Target target) {
        this.target = target;
        this.channel = channel;
        this.authorized = authorized;
        this.deadline = deadline;
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
            if (key.isBlank() || key.chars().anyMatch(c -> c < 0x21 || c > 0x7e)) {
                throw new IllegalArgumentException("expected an API key of visible ASCII characters, but got "
                        + (key.isBlank() ? "an empty one" : "one with other characters"));
            }
            int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
            return new Target(uri.getHost(), port, tls, key, tenant);
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

    /** @param executor where callbacks of streams run; null for gRPC's own threads */
    public static Rpc open(Target target, Duration deadline, @Nullable Executor executor) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(target.host, target.port)
                .maxInboundMessageSize(INBOUND_BYTES_MAX)
                .initialFlowControlWindow(FLOW_WINDOW_BYTES)
                .userAgent("fairlane-java/" + Version.CURRENT);
        if (!target.tls) {
            builder.usePlaintext();
        }
        if (executor != null) {
            builder.executor(executor);
        }
        ManagedChannel channel = builder.build();
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + target.key);
        if (target.tenant != null) {
            headers.put(Metadata.Key.of("fairlane-tenant", Metadata.ASCII_STRING_MARSHALLER), target.tenant);
        }
        return new Rpc(
                channel,
                ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                deadline,
                target);
    }

    /** For bytes that are too large for messages. Made when first needed. */
    public synchronized ByteCalls bytes() {
        if (bytes == null) {
            bytes = new ByteCalls(target);
        }
        return bytes;
    }

    /** For streams, which have no deadline of their own. */
    public Channel channel() {
        return authorized;
    }

    /** The next call tries to connect at once, instead of waiting out gRPC's own pauses. */
    public void hurry() {
        channel.resetConnectBackoff();
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
                if (!again || System.nanoTime() + pause - lastRepeat >= 0 || !paused(pause)) {
                    throw failure;
                }
                hurry();
            }
        }
    }

    private static boolean worthAnotherTry(FairlaneException failure) {
        return failure instanceof FairlaneException.Unavailable || failure instanceof FairlaneException.LimitReached;
    }

    private static boolean paused(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        closeBytes();
        channel.shutdown();
        try {
            if (!channel.awaitTermination(2, TimeUnit.SECONDS)) {
                channel.shutdownNow();
            }
        } catch (InterruptedException e) {
            channel.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void closeBytes() {
        if (bytes != null) {
            bytes.close();
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
