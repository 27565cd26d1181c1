package dev.fairlane.sdk.internal;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, made when it is first needed and again when it was lost. Any number of callers, each with a key of its
 * own ({@link Rpc}), may use it at the same time.
 */
final class Wire implements AutoCloseable {
    /** A page of 1,000 jobs with payloads can be this large; the server bounds what it sends. */
    private static final int INBOUND_BYTES_MAX = 64 << 20;

    private static final int FLOW_WINDOW_BYTES = 4 << 20;

    /** However many callers hurry, a server that comes back is not asked more often than this. */
    private static final long HURRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ManagedChannel channel;
    private final AtomicLong hurriedNanos = new AtomicLong(System.nanoTime() - HURRY_NANOS);
    private volatile boolean closed;
    private @Nullable HttpClient http;

    private Wire(ManagedChannel channel) {
        this.channel = channel;
    }

    /** @param direct callbacks of streams run on the network thread and must not block; else on gRPC's own threads */
    static Wire open(Rpc.Target target, boolean direct) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(target.host(), target.port())
                .maxInboundMessageSize(INBOUND_BYTES_MAX)
                .initialFlowControlWindow(FLOW_WINDOW_BYTES)
                .userAgent("fairlane-java/" + Version.CURRENT);
        if (!target.tls()) {
            builder.usePlaintext();
        }
        if (direct) {
            builder.directExecutor();
        }
        return new Wire(builder.build());
    }

    ManagedChannel channel() {
        return channel;
    }

    boolean closed() {
        return closed;
    }

    /** For what is too large for messages. Made when first needed. */
    synchronized HttpClient http() {
        if (http == null) {
            http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();
        }
        return http;
    }

    /** The next call tries to connect at once, instead of waiting out gRPC's own pauses. A connection that stands is left alone. */
    void hurry() {
        long last = hurriedNanos.get();
        long now = System.nanoTime();
        if (now - last >= HURRY_NANOS && hurriedNanos.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
        }
    }

    /** The next call is made over a new connection; those under way keep the present one until they end. */
    void renew() {
        channel.enterIdle();
    }

    @Override
    public void close() {
        closed = true;
        closeHttp();
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

    private synchronized void closeHttp() {
        if (http != null) {
            http.shutdownNow();
        }
    }
}
