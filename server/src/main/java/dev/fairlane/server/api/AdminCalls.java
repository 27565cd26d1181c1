package dev.fairlane.server.api;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.ApiKey;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.CreateKeyResponse;
import dev.fairlane.protocol.v1.DrainWorkerRequest;
import dev.fairlane.protocol.v1.DrainWorkerResponse;
import dev.fairlane.protocol.v1.GetStatusRequest;
import dev.fairlane.protocol.v1.GetTenantRequest;
import dev.fairlane.protocol.v1.GetTypeRequest;
import dev.fairlane.protocol.v1.JobType;
import dev.fairlane.protocol.v1.ListKeysRequest;
import dev.fairlane.protocol.v1.ListKeysResponse;
import dev.fairlane.protocol.v1.ListTenantsRequest;
import dev.fairlane.protocol.v1.ListTenantsResponse;
import dev.fairlane.protocol.v1.ListTypesRequest;
import dev.fairlane.protocol.v1.ListTypesResponse;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.protocol.v1.PutTypeRequest;
import dev.fairlane.protocol.v1.ReleaseTypeRequest;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.protocol.v1.Status;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.RulesCheck;
import dev.fairlane.server.admit.TenantCheck;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.auth.Credential;
import dev.fairlane.server.auth.KeyRing;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.fault.RefusalCounts;
import dev.fairlane.server.fault.Refused;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;

/** Running Fairlane: tenants, types, keys, status. Methods throw {@link Refused} or return a future that may fail with it. */
public final class AdminCalls {
    private final Node node;
    private final KeyRing keys;
    private final SecureRandom random;
    private final InstantSource clock;
    private final Tenants tenants;
    private final Messages messages;
    private final StatusReport report;

    public AdminCalls(Node node, KeyRing keys, SecureRandom random, InstantSource clock, RefusalCounts refusals) {
        this.node = node;
        this.keys = keys;
        this.random = random;
        this.clock = clock;
        this.tenants = new Tenants(node);
        this.messages = new Messages(node);
        this.report = new StatusReport(refusals);
    }

    public CompletableFuture<Status> getStatus(Call call, GetStatusRequest request) {
        if (!request.getFresh()) {
            return CompletableFuture.completedFuture(report.status(call.caller(), node.status()));
        }
        // A node that is over tells how it ended, although it takes no calls.
        return node.statusNow(call.caller().scope())
                .exceptionally(_ -> node.status())
                .thenApplyAsync(status -> report.status(call.caller(), status), call.executor());
    }

    public CompletableFuture<dev.fairlane.protocol.v1.Tenant> putTenant(Call call, PutTenantRequest request) {
        call.caller().requireAllTenants("change tenants");
        String name = Text.tenantName("name", request.getName());
        int weight = (int) JobCheck.between("weight", request.getWeight(), 0, Tenant.MAX_WEIGHT);
        return node.putTenant(new Command.PutTenant(name, weight, TenantCheck.change(request)), call.author(request))
                .thenComposeAsync(
                        answer -> switch (answer) {
                            // it is durable: whatever becomes of the question how it stands, that is no longer refused
                            case Answer.TenantIs is ->
                                whole(call, is.tenant())
                                        .exceptionallyAsync(_ -> TenantText.whole(is.tenant(), null), call.executor());
                            case Answer.Refused refused -> throw Refused.of(refused.refusal());
                            case Answer other -> throw new IllegalStateException("the node answered with " + other);
                        },
                        call.executor());
    }

    private CompletableFuture<dev.fairlane.protocol.v1.Tenant> whole(Call call, Tenant tenant) {
        return node.standing(tenant.id())
                .thenApplyAsync(standing -> TenantText.whole(tenant, standing), call.executor());
    }

    public CompletableFuture<dev.fairlane.protocol.v1.Tenant> getTenant(Call call, GetTenantRequest request) {
        String name = Text.tenantName("name", request.getName());
        return whole(call, tenants.named(call.caller(), name));
    }

    public CompletableFuture<ListTenantsResponse> listTenants(Call call, ListTenantsRequest request) {
        ListTenantsResponse.Builder response = ListTenantsResponse.newBuilder();
        node.tenants().stream()
                .filter(tenant -> call.caller().named() == null
                        || tenant.id().equals(call.caller().scope()))
                .sorted(Comparator.comparing(Tenant::name))
                .forEach(tenant -> response.addTenants(TenantText.summary(tenant)));
        return CompletableFuture.completedFuture(response.build());
    }

    public CompletableFuture<JobType> putType(Call call, PutTypeRequest request) {
        String name = Text.typeName("name", request.getName());
        String pool = request.getPool().isEmpty() ? PoolRules.SHORT : Text.line("pool", request.getPool(), 64);
        int attempts = (int) JobCheck.between("max_attempts", request.getMaxAttempts(), 0, Limits.ATTEMPTS);
        long limit = JobCheck.between("time_limit_ms", request.getTimeLimitMs(), 0, Limits.TIME_LIMIT_MS) * 1_000;
        Tenant tenant = tenantOfType(call, request.getTenant());
        TypeRules rules = request.hasRules() ? RulesCheck.rules(request.getRules()) : null;
        return node.putType(new Command.PutType(tenant.id(), name, pool, attempts, limit, rules), call.author(request))
                .thenApplyAsync(this::type, call.executor());
    }

    private JobType type(Answer answer) {
        return switch (answer) {
            case Answer.TypeIs is -> messages.type(is.type());
            case Answer.Refused refused -> throw Refused.of(refused.refusal());
            case Answer other -> throw new IllegalStateException("the node answered with " + other);
        };
    }

    public CompletableFuture<JobType> getType(Call call, GetTypeRequest request) {
        Tenant tenant = tenantOfType(call, request.getTenant());
        String name = Text.typeName("name", request.getName());
        return node.typeStates(tenant.id())
                .thenApplyAsync(
                        types -> types.stream()
                                .filter(state -> state.type().name().equals(name))
                                .findFirst()
                                .map(messages::type)
                                .orElseThrow(() -> Refused.field(
                                        ErrorCode.TYPE_NOT_FOUND, "name", ErrorCode.TYPE_NOT_FOUND.title())),
                        call.executor());
    }

    public CompletableFuture<JobType> releaseType(Call call, ReleaseTypeRequest request) {
        Tenant tenant = tenantOfType(call, request.getTenant());
        return node.releaseType(tenant.id(), Text.typeName("name", request.getName()), call.author(request))
                .thenApplyAsync(this::type, call.executor());
    }

    private Tenant tenantOfType(Call call, String named) {
        return named.isEmpty() ? tenants.ofSubmit(call.caller()) : tenants.named(call.caller(), named);
    }

    public CompletableFuture<ListTypesResponse> listTypes(Call call, ListTypesRequest request) {
        return node.typeStates(tenants.scope(call.caller(), request.getTenant()))
                .thenApplyAsync(
                        types -> {
                            ListTypesResponse.Builder response = ListTypesResponse.newBuilder();
                            types.forEach(type -> response.addTypes(messages.type(type)));
                            return response.build();
                        },
                        call.executor());
    }

    public CompletableFuture<DrainWorkerResponse> drainWorker(Call call, DrainWorkerRequest request) {
        String name = Text.line("name", request.getName(), Limits.NAME_LENGTH);
        return node.drainWorker(call.caller().scope(), name, request.getHandOver(), call.author(request))
                .thenApplyAsync(
                        running -> DrainWorkerResponse.newBuilder()
                                .setRunning(running.orElseThrow(() -> Refused.field(
                                        ErrorCode.WORKER_NOT_FOUND, "name", ErrorCode.WORKER_NOT_FOUND.title())))
                                .build(),
                        call.executor());
    }

    public CompletableFuture<CreateKeyResponse> createKey(Call call, CreateKeyRequest request) {
        String name = Text.line("name", request.getName(), Limits.NAME_LENGTH);
        Role role = Role.find(request.getRole())
                .orElseThrow(() -> Refused.invalid("role", "expected admin, submitter, worker or viewer"));
        String tenant = "";
        if (request.getTenant().isEmpty()) {
            call.caller().requireAllTenants("make a key that sees all tenants");
        } else {
            tenant = tenants.named(call.caller(), request.getTenant()).name();
        }
        Credential credential = Credential.make(random);
        ApiKeyStore.ApiKey key =
                new ApiKeyStore.ApiKey(credential.id(), credential.hash(), name, tenant, role.text(), nowMicros(), 0);
        AuditDeed deed = new AuditDeed("key.create", "key/" + key.id(), "role " + key.role(), "");
        return node.audit()
                .note(chain(tenant), deed, call.author(request))
                .thenComposeAsync(_ -> keys.add(key), call.executor())
                .thenApplyAsync(
                        added -> {
                            if (!added) {
                                throw new IllegalStateException("48 random bits were those of key " + key.id());
                            }
                            return CreateKeyResponse.newBuilder()
                                    .setKey(Messages.key(key))
                                    .setSecret(credential.text())
                                    .build();
                        },
                        call.executor());
    }

    public CompletableFuture<ListKeysResponse> listKeys(Call call, ListKeysRequest request) {
        return keys.refresh()
                .thenApplyAsync(
                        all -> {
                            ListKeysResponse.Builder response = ListKeysResponse.newBuilder();
                            all.stream()
                                    .filter(key -> sees(call.caller(), key))
                                    .sorted(Comparator.comparingLong(ApiKeyStore.ApiKey::createdAt)
                                            .thenComparing(ApiKeyStore.ApiKey::id))
                                    .forEach(key -> response.addKeys(Messages.key(key)));
                            return response.build();
                        },
                        call.executor());
    }

    public CompletableFuture<ApiKey> revokeKey(Call call, RevokeKeyRequest request) {
        String id = Text.line("id", request.getId(), Limits.NAME_LENGTH);
        ApiKeyStore.ApiKey key =
                keys.find(id).filter(one -> sees(call.caller(), one)).orElseThrow(AdminCalls::unknown);
        AuditDeed deed = new AuditDeed("key.revoke", "key/" + id, "role " + key.role(), "");
        CompletableFuture<Void> noted = key.revokedAt() > 0
                ? CompletableFuture.completedFuture(null)
                : node.audit().note(chain(key.tenant()), deed, call.author(request));
        return noted.thenComposeAsync(_ -> keys.revoke(id, nowMicros()), call.executor())
                .thenApplyAsync(_ -> Messages.key(keys.find(id).orElseThrow(AdminCalls::unknown)), call.executor());
    }

    /** Where a change of a key of this tenant is written down. */
    private TenantId chain(String tenantName) {
        Tenant tenant = node.tenant(tenantName);
        return tenant == null ? AuditEntry.SYSTEM : tenant.id();
    }

    private static boolean sees(Caller caller, ApiKeyStore.ApiKey key) {
        return caller.named() == null || caller.named().name().equals(key.tenant());
    }

    private static Refused unknown() {
        return Refused.field(ErrorCode.KEY_NOT_FOUND, "id", ErrorCode.KEY_NOT_FOUND.title());
    }

    private long nowMicros() {
        return clock.millis() * 1_000;
    }
}
