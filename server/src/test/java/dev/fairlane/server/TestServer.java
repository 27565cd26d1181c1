package dev.fairlane.server;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.objects.LocalDisk;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.auth.AdminKey;
import dev.fairlane.server.auth.KeyRing;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.objects.ObjectRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The real server and the real node on a journal in memory, and short ways to talk to it. */
public final class TestServer implements AutoCloseable {
    /** Prices of every test server. */
    public static final ServerConfig.Billing BILLING = new ServerConfig.Billing(
            "EUR", price("0.01", "0"), Map.of("short", price("0.01", "0.5"), "medium", price("0.01", "2")));

    /**
     * Without the JDK client's upgrade to HTTP/2 in the middle of its first call: now and then it takes the bytes of a large first answer for a
     * frame's header.
     */
    private static final HttpClient.Builder HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);

    private static final HttpClient CLOSING = HTTP.build();

    /** Fits into the buffers of a connection: it is sent, whether or not the server reads it before it answers and closes. */
    private static final long SMALL = 64 << 10;

    private static final ObjectRules SMALL_OBJECTS =
            new ObjectRules(1 << 20, 4 << 20, 4 << 20, Duration.ofHours(24), 64, Duration.ofHours(1));

    private final RunningNode running;
    private final FairlaneServer server;
    private final String adminKey;

    private static ServerConfig.Price price(String job, String slotSecond) {
        return new ServerConfig.Price(new BigDecimal(job), new BigDecimal(slotSecond));
    }

    private TestServer(RunningNode running, FairlaneServer server, String adminKey) {
        this.running = running;
        this.server = server;
        this.adminKey = adminKey;
    }

    public static TestServer start(Path home) {
        return start(home, NodeConfig.named("test"));
    }

    public static TestServer start(Path home, NodeConfig config) {
        return start(home, config, ServerConfig.Webhooks.OFF);
    }

    public static TestServer start(Path home, NodeConfig config, ServerConfig.Webhooks webhooks) {
        return start(home, config, webhooks, journal -> journal, node -> node, SMALL_OBJECTS);
    }

    /** @param objects how large what is stored apart may be */
    public static TestServer start(Path home, ObjectRules objects) {
        return start(
                home, NodeConfig.named("test"), ServerConfig.Webhooks.OFF, journal -> journal, node -> node, objects);
    }

    /** @param edge what the server has for the node */
    public static TestServer startBehind(Path home, UnaryOperator<Node> edge) {
        return start(
                home, NodeConfig.named("test"), ServerConfig.Webhooks.OFF, journal -> journal, edge, SMALL_OBJECTS);
    }

    /** @param store what stands before the journal */
    public static TestServer start(Path home, NodeConfig config, UnaryOperator<Journal> store) {
        return start(home, config, ServerConfig.Webhooks.OFF, store, node -> node, SMALL_OBJECTS);
    }

    private static TestServer start(
            Path home,
            NodeConfig config,
            ServerConfig.Webhooks webhooks,
            UnaryOperator<Journal> behind,
            UnaryOperator<Node> edge,
            ObjectRules objects) {
        InstantSource clock = InstantSource.system();
        InMemoryStore store = new InMemoryStore(() -> clock.millis() * 1_000);
        RunningNode running = RunningNode.start(behind.apply(new InMemoryJournal(store, "test")), config);
        FairlaneServer.ensureDefaultTenant(running.node());
        KeyRing keys = new KeyRing(running.node().keys());
        keys.refresh().join();
        AdminKey admin = new AdminKey(home, keys, new SecureRandom());
        admin.ensure(false, 1);
        FairlaneServer server = FairlaneServer.start(
                edge.apply(running.node()),
                keys,
                // Who closes it has heard all answers; while connections are open, any grace costs a second.
                new ServerConfig.Listen("127.0.0.1", 0, Duration.ZERO),
                config.engine().pools(),
                webhooks,
                new SecureRandom(),
                clock,
                LocalDisk.open(home.resolve("objects")),
                objects,
                BILLING);
        running.reachable();
        try {
            return new TestServer(
                    running, server, Files.readString(admin.file()).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Node node() {
        return running.node();
    }

    public String adminKey() {
        return adminKey;
    }

    /** A stub that sends this key, and names no tenant. */
    public <T> T stub(Class<T> kind, String key) {
        return GrpcClients.builder("gproto+http://127.0.0.1:" + server.port() + "/")
                .setHeader("authorization", "Bearer " + key)
                .maxResponseLength(0)
                .responseTimeoutMillis(30_000)
                .build(kind);
    }

    public <T> T stub(Class<T> kind) {
        return stub(kind, adminKey);
    }

    /** Makes a tenant if need be and a key for it; an empty tenant means all. */
    public String newKey(String tenant, String role) {
        AdminGrpc.AdminBlockingStub admin = stub(AdminGrpc.AdminBlockingStub.class);
        if (!tenant.isEmpty()) {
            admin.putTenant(PutTenantRequest.newBuilder()
                    .setName(tenant)
                    .setTier("enterprise")
                    .build());
        }
        return admin.createKey(CreateKeyRequest.newBuilder()
                        .setName(tenant + " " + role)
                        .setTenant(tenant)
                        .setRole(role)
                        .build())
                .getSecret();
    }

    public int port() {
        return server.port();
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + adminKey);
    }

    /**
     * Every request has a connection of its own, small ones by asking the server to close it, others by a client of their own: now and then the
     * JDK's pool gives the answer to a request to nobody and says that there were no bytes (JDK-8357639). It is not sent again: the server may
     * have heard it.
     */
    public static HttpResponse<String> send(HttpRequest request) {
        long length = request.bodyPublisher().map(BodyPublisher::contentLength).orElse(0L);
        try {
            if (length >= 0 && length <= SMALL) {
                HttpRequest closing = HttpRequest.newBuilder(request, (_, _) -> true)
                        .setHeader("Connection", "close")
                        .build();
                return CLOSING.send(closing, BodyHandlers.ofString());
            }
            try (HttpClient own = HTTP.build()) {
                return own.send(request, BodyHandlers.ofString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpResponse<String> get(String path) {
        return send(request(path).build());
    }

    public HttpResponse<String> send(String method, String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json))
                .build());
    }

    @Override
    public void close() {
        running.close(); // first: it ends the workers' streams, for which the server would wait
        server.close();
    }
}
