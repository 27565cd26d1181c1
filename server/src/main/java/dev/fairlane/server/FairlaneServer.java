package dev.fairlane.server;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.Tier;
import dev.fairlane.objects.InMemoryObjects;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.NodeStatus;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.api.AdminCalls;
import dev.fairlane.server.api.AuditCalls;
import dev.fairlane.server.api.ControlCalls;
import dev.fairlane.server.api.DeadLetterCalls;
import dev.fairlane.server.api.GroupCalls;
import dev.fairlane.server.api.Intake;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.api.OperationCalls;
import dev.fairlane.server.api.RememberedAnswers;
import dev.fairlane.server.api.ScheduleCalls;
import dev.fairlane.server.api.Tenants;
import dev.fairlane.server.api.TraceId;
import dev.fairlane.server.api.UnaryCalls;
import dev.fairlane.server.api.UsageCalls;
import dev.fairlane.server.api.WebhookCalls;
import dev.fairlane.server.auth.Gate;
import dev.fairlane.server.auth.KeyRing;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.config.CannotStart;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.RefusalCounts;
import dev.fairlane.server.grpc.GrpcEdge;
import dev.fairlane.server.objects.ObjectCalls;
import dev.fairlane.server.objects.ObjectRules;
import dev.fairlane.server.openapi.OpenApi;
import dev.fairlane.server.rest.ProblemResponse;
import dev.fairlane.server.rest.RestEdge;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.telemetry.Metrics;
import dev.fairlane.server.webhook.Secrets;
import dev.fairlane.server.webhook.WebhookRules;
import dev.fairlane.server.webhook.WebhookWorker;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All edges of a node on one port. */
public final class FairlaneServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FairlaneServer.class);
    private static final Duration QUIET_BEFORE_STOP = Duration.ofMillis(50);
    private static final Duration CALL_TIMEOUT = Duration.ofMillis(Limits.AWAIT_MS + 10_000);
    private static final int MAX_CONNECTIONS = 20_000;
    private static final int MAX_STREAMS_PER_CONNECTION = 10_000;
    private static final Duration KEYS_REFRESHED_EVERY = Duration.ofSeconds(10);
    private static final MediaType PROMETHEUS = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");
    private static final Set<Role> LOOK_AT_METRICS = Set.of(Role.ADMIN, Role.VIEWER);

    private final Server server;
    private final Metrics metrics;
    private final List<ScheduledFuture<?>> repeated;
    private final ObjectCalls objects;
    private final @Nullable WebhookWorker deliveries;

    private FairlaneServer(
            Server server,
            Metrics metrics,
            List<ScheduledFuture<?>> repeated,
            ObjectCalls objects,
            @Nullable WebhookWorker deliveries) {
        this.server = server;
        this.metrics = metrics;
        this.repeated = repeated;
        this.objects = objects;
        this.deliveries = deliveries;
    }

    /** Like the other one, without webhooks, and with large things in memory. */
    public static FairlaneServer start(
            Node node,
            KeyRing keys,
            ServerConfig.Listen listen,
            List<PoolRules> pools,
            SecureRandom random,
            InstantSource clock) {
        return start(
                node,
                keys,
                listen,
                pools,
                ServerConfig.Webhooks.OFF,
                random,
                clock,
                new InMemoryObjects(clock),
                ObjectRules.DEFAULT,
                ServerConfig.Billing.FREE);
    }

    /**
     * Listens and answers when it returns. The key ring must have been read.
     *
     * @throws CannotStart if the address cannot be used
     */
    public static FairlaneServer start(
            Node node,
            KeyRing keys,
            ServerConfig.Listen listen,
            List<PoolRules> pools,
            ServerConfig.Webhooks webhooks,
            SecureRandom random,
            InstantSource clock,
            ObjectStore store,
            ObjectRules objectRules,
            ServerConfig.Billing billing) {
        Set<String> poolNames =
                new TreeSet<>(pools.stream().map(PoolRules::name).toList());
        RefusalCounts refusals = new RefusalCounts();
        Metrics metrics = new Metrics(node, List.copyOf(poolNames), refusals);
        Gate gate = new Gate(keys, node);
        RouteTable table = RouteTable.build();
        WebhookRules rules = new WebhookRules(webhooks);
        ObjectCalls objects = new ObjectCalls(node, store, objectRules, clock);
        Intake intake = new Intake(node, rules, objects.payloads());
        JobCalls jobs = new JobCalls(node, intake, refusals);
        Secrets secrets = new Secrets(node.webhookSecrets(), random, clock);
        OperationCalls operations = new OperationCalls(node);
        UnaryCalls calls = new UnaryCalls(
                refusals,
                jobs,
                new AdminCalls(node, keys, random, clock, refusals),
                operations,
                new WebhookCalls(node, secrets),
                new ControlCalls(node, operations),
                new DeadLetterCalls(node, operations),
                new GroupCalls(node, rules, intake, refusals),
                new ScheduleCalls(node, intake, clock, refusals),
                new UsageCalls(node, billing, clock),
                new AuditCalls(node),
                new RememberedAnswers(clock));
        GrpcEdge grpc = new GrpcEdge(gate, table, calls, jobs, node, poolNames);
        ServerBuilder builder = Server.builder()
                .http(new InetSocketAddress(listen.host(), listen.port()))
                .maxNumConnections(MAX_CONNECTIONS)
                .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
                .maxRequestLength(Limits.CALL_BYTES)
                .requestTimeout(CALL_TIMEOUT)
                .idleTimeout(Duration.ofSeconds(120))
                .pingInterval(Duration.ofSeconds(30))
                .http2InitialConnectionWindowSize(Limits.CALL_BYTES)
                .http2InitialStreamWindowSize(Limits.CALL_BYTES / 2)
                // A caller refused before its body was read may still be sending it; a reset would hide the refusal.
                .requestAutoAbortDelay(Duration.ofSeconds(1))
                .disableServerHeader()
                .bossGroupFactory(AcceptLoop::named)
                .errorHandler(new ServerFaults())
                .gracefulShutdownTimeout(shorter(QUIET_BEFORE_STOP, listen.stopGrace()), listen.stopGrace())
                .connectionDrainDuration(shorter(QUIET_BEFORE_STOP, listen.stopGrace()))
                .service(grpc.api(), grpc::unbounded)
                .service(grpc.workers(), grpc::unbounded)
                .service("/healthz", (_, _) -> HttpResponse.of(MediaType.PLAIN_TEXT_UTF_8, "alive\n"))
                .service("/readyz", (_, _) -> ready(node))
                .service("/openapi.json", (_, _) -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, OpenApi.stored()))
                .service("/metrics", (context, request) -> scrape(gate, metrics, context, request));
        new RestEdge(gate, table, calls, jobs, objects).mount(builder);
        Server server = builder.build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            objects.close();
            metrics.close();
            throw cannotListen(listen, Faults.unwrap(e));
        }
        WebhookWorker deliveries =
                webhooks.enabled() ? WebhookWorker.start(node, secrets, webhooks, pools.getFirst(), clock) : null;
        AtomicBoolean underWay = new AtomicBoolean();
        ScheduledFuture<?> refreshing = server.config()
                .workerGroup()
                .scheduleWithFixedDelay(
                        () -> refresh(keys, underWay),
                        KEYS_REFRESHED_EVERY.toSeconds(),
                        KEYS_REFRESHED_EVERY.toSeconds(),
                        TimeUnit.SECONDS);
        long sweepSeconds = Math.max(1, objects.sweepEvery().toSeconds());
        ScheduledFuture<?> sweeping = server.config()
                .workerGroup()
                .scheduleWithFixedDelay(objects::sweep, sweepSeconds, sweepSeconds, TimeUnit.SECONDS);
        return new FairlaneServer(server, metrics, List.of(refreshing, sweeping), objects, deliveries);
    }

    /**
     * Makes the tenant that keys without a tenant submit to, if it is not there yet. Whoever runs Fairlane for themselves has sold
     * themselves no tier: it has no submit rate.
     */
    public static void ensureDefaultTenant(Node node) {
        if (node.tenant(Tenants.DEFAULT) == null) {
            Command.PutTenant put =
                    new Command.PutTenant(Tenants.DEFAULT, Tenant.DEFAULT_WEIGHT, TenantChange.toTier(Tier.ENTERPRISE));
            Answer answer = node.putTenant(put).join();
            if (answer instanceof Answer.Refused refused) {
                throw new CannotStart("cannot make the tenant " + Tenants.DEFAULT + ": "
                        + refused.refusal().message());
            }
        }
    }

    public int port() {
        return server.activeLocalPort();
    }

    /** Stops taking calls and lets those under way end. */
    @Override
    public void close() {
        repeated.forEach(task -> task.cancel(false));
        if (deliveries != null) {
            deliveries.close();
        }
        server.stop().join();
        objects.close();
        metrics.close();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static HttpResponse ready(Node node) {
        NodeStatus.State state = node.status().state();
        return HttpResponse.of(
                state == NodeStatus.State.SERVING ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
                MediaType.PLAIN_TEXT_UTF_8,
                state.name().toLowerCase(Locale.ROOT) + "\n");
    }

    /** Metrics are about all tenants, so the key must see all. */
    private static HttpResponse scrape(Gate gate, Metrics metrics, ServiceRequestContext context, HttpRequest request) {
        String traceId = TraceId.of(request.headers().get("traceparent"));
        try {
            gate.admit(request.headers().get(HttpHeaderNames.AUTHORIZATION), null, LOOK_AT_METRICS)
                    .requireAllTenants("read metrics");
            return HttpResponse.of(HttpStatus.OK, PROMETHEUS, metrics.scrape());
        } catch (RuntimeException e) {
            return ProblemResponse.of(Faults.of(e, traceId), traceId);
        }
    }

    private static void refresh(KeyRing keys, AtomicBoolean underWay) {
        if (!underWay.compareAndSet(false, true)) {
            return; // a store that does not answer is not asked again and again
        }
        keys.refresh().whenComplete((_, failure) -> {
            underWay.set(false);
            if (failure != null) {
                log.warn("API keys could not be read again; the known ones hold: {}", failure.toString());
            }
        });
    }

    private static CannotStart cannotListen(ServerConfig.Listen listen, Throwable cause) {
        String address = listen.host() + ":" + listen.port();
        return switch (cause) {
            case BindException _ ->
                new CannotStart(
                        "cannot listen on " + address + ": " + cause.getMessage()
                                + "; is another server running? choose another with --port",
                        cause);
            case UnknownHostException _ -> new CannotStart("cannot listen on " + address + ": unknown host", cause);
            case IOException _ -> new CannotStart("cannot listen on " + address + ": " + cause.getMessage(), cause);
            default -> new CannotStart("cannot listen on " + address + ": " + cause, cause);
        };
    }
}
