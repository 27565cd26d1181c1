package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.ApiKey;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.DrainWorkerRequest;
import dev.fairlane.protocol.v1.GetTenantRequest;
import dev.fairlane.protocol.v1.GetTypeRequest;
import dev.fairlane.protocol.v1.ListKeysRequest;
import dev.fairlane.protocol.v1.ListTenantsRequest;
import dev.fairlane.protocol.v1.ListTypesRequest;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.protocol.v1.PutTypeRequest;
import dev.fairlane.protocol.v1.ReleaseTypeRequest;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Running a server: tenants, job types and API keys. Most of it needs an admin key. */
public final class Admin {
    private final Rpc rpc;

    Admin(Rpc rpc) {
        this.rpc = rpc;
    }

    /**
     * A tenant.
     *
     * @param weight its share against others under load, 1 to 100,000
     * @param rules in lists without lanes and limits of keys
     * @param effective empty in lists
     */
    public record TenantInfo(String name, int weight, TenantRules rules, Optional<TenantStanding> effective) {}

    /**
     * What holds for a tenant now, its tier, the server and its month considered.
     *
     * @param submitRate jobs a second; empty: no bound
     * @param submitBurst jobs at once after a second's pause; empty: no bound
     * @param slowed whether the rate is half of what it would be, because a soft quota is used up
     * @param monthJobs that ran and came to their end in the present calendar month, UTC
     * @param quenchedSince since when nothing of it is started; empty: it is
     */
    public record TenantStanding(
            int weight,
            OptionalInt submitRate,
            OptionalInt submitBurst,
            boolean slowed,
            long maxOpenJobs,
            long openJobs,
            long monthJobs,
            long monthSlotSeconds,
            Optional<Instant> quenchedSince) {}

    /**
     * What a job type declares for its jobs, and how they fare.
     *
     * @param quarantinedAt since when its jobs have two attempts because most of them fail
     * @param breakers on the dependencies its jobs blamed lately
     * @param movedTo where its jobs run instead, while they break the bounds of the pool it declares
     * @param movedUntil when that is looked at again
     * @param pace how long its executions take; empty in the answer to a change
     */
    public record TypeInfo(
            String tenant,
            String name,
            Pool pool,
            int maxAttempts,
            Duration timeLimit,
            TypeRules rules,
            Optional<Instant> quarantinedAt,
            List<BreakerInfo> breakers,
            Optional<Pool> movedTo,
            Optional<Instant> movedUntil,
            Optional<TypePace> pace) {}

    /**
     * How long executions of a type take, as measured since the start of the server.
     *
     * @param estimate learned; before the first execution, what the pool says
     * @param p95 one in twenty takes longer; empty before the first
     * @param violations executions within the server's {@code moves.window} that broke the bound of the type's present pool
     */
    public record TypePace(Duration estimate, Optional<Duration> p95, int violations) {}

    /**
     * A breaker of (type, dependency).
     *
     * @param heldBack retries that wait for it
     */
    public record BreakerInfo(String dependency, boolean open, Optional<Instant> openedAt, long heldBack) {}

    /** What a key may do. */
    public enum Role {
        ADMIN,
        SUBMITTER,
        WORKER,
        VIEWER
    }

    /**
     * A key as the server knows it; the secret itself is not stored.
     *
     * @param tenant empty: sees all tenants
     */
    public record KeyInfo(
            String id, String name, String tenant, Role role, Instant createdAt, Optional<Instant> revokedAt) {}

    /**
     * A key that was just made.
     *
     * @param secret the key itself: shown here and never again
     */
    public record NewKey(KeyInfo key, String secret) {
        @Override
        public String toString() {
            return "NewKey[" + key + "]";
        }
    }

    /**
     * Creates a tenant or changes its weight.
     *
     * @param weight 0: stays; that of a new tenant is what its tier, standard, says
     */
    public TenantInfo putTenant(String name, int weight) {
        return put(PutTenantRequest.newBuilder().setName(name).setWeight(weight).build());
    }

    /** Creates a tenant or changes it: what the rules do not name stays. */
    public TenantInfo putTenant(String name, TenantRules rules) {
        return put(rules.wire().toBuilder().setName(name).build());
    }

    private TenantInfo put(PutTenantRequest request) {
        return tenant(rpc.call(AdminGrpc.getPutTenantMethod(), request, Rpc.Repeat.SAFE));
    }

    /** One tenant with all its rules; a key of a tenant may look at its own. */
    public TenantInfo tenant(String name) {
        return tenant(rpc.call(
                AdminGrpc.getGetTenantMethod(),
                GetTenantRequest.newBuilder().setName(name).build(),
                Rpc.Repeat.SAFE));
    }

    private static TenantInfo tenant(dev.fairlane.protocol.v1.Tenant tenant) {
        return new TenantInfo(
                tenant.getName(),
                tenant.getWeight(),
                TenantRules.ofWire(tenant),
                tenant.hasEffective() ? Optional.of(standing(tenant.getEffective())) : Optional.empty());
    }

    private static TenantStanding standing(dev.fairlane.protocol.v1.TenantStanding standing) {
        return new TenantStanding(
                standing.getWeight(),
                standing.hasSubmitRate() ? OptionalInt.of(standing.getSubmitRate()) : OptionalInt.empty(),
                standing.hasSubmitBurst() ? OptionalInt.of(standing.getSubmitBurst()) : OptionalInt.empty(),
                standing.getSlowed(),
                standing.getMaxOpenJobs(),
                standing.getOpenJobs(),
                standing.getMonthJobs(),
                standing.getMonthSlotSeconds(),
                time(standing.getQuenched().getSinceMicros()));
    }

    public List<TenantInfo> tenants() {
        return rpc
                .call(AdminGrpc.getListTenantsMethod(), ListTenantsRequest.getDefaultInstance(), Rpc.Repeat.SAFE)
                .getTenantsList()
                .stream()
                .map(Admin::tenant)
                .toList();
    }

    /**
     * Declares a job type or changes it; rules it has stay.
     *
     * @param tenant whose type it is, for keys that see all tenants; null for the key's own
     * @param maxAttempts 0 for the pool's default
     * @param timeLimit null for the pool's default
     */
    public TypeInfo putType(
            @Nullable String tenant, String name, Pool pool, int maxAttempts, @Nullable Duration timeLimit) {
        return put(tenant, name, pool, maxAttempts, timeLimit, null);
    }

    /** The same with rules of its own; they replace those it had. */
    public TypeInfo putType(
            @Nullable String tenant,
            String name,
            Pool pool,
            int maxAttempts,
            @Nullable Duration timeLimit,
            TypeRules rules) {
        return put(tenant, name, pool, maxAttempts, timeLimit, rules);
    }

    private TypeInfo put(
            @Nullable String tenant,
            String name,
            Pool pool,
            int maxAttempts,
            @Nullable Duration timeLimit,
            @Nullable TypeRules rules) {
        var request = PutTypeRequest.newBuilder()
                .setName(name)
                .setPool(pool.wireName())
                .setMaxAttempts(maxAttempts)
                .setTimeLimitMs(timeLimit == null ? 0 : timeLimit.toMillis());
        if (rules != null) {
            request.setRules(rules.wire());
        }
        if (tenant != null) {
            request.setTenant(tenant);
        }
        return type(rpc.call(AdminGrpc.getPutTypeMethod(), request.build(), Rpc.Repeat.SAFE));
    }

    /** One type, with its breakers. */
    public TypeInfo type(@Nullable String tenant, String name) {
        var request = GetTypeRequest.newBuilder().setName(name);
        if (tenant != null) {
            request.setTenant(tenant);
        }
        return type(rpc.call(AdminGrpc.getGetTypeMethod(), request.build(), Rpc.Repeat.SAFE));
    }

    /** Ends the quarantine of a type. */
    public TypeInfo releaseType(@Nullable String tenant, String name) {
        var request = ReleaseTypeRequest.newBuilder().setName(name);
        if (tenant != null) {
            request.setTenant(tenant);
        }
        return type(rpc.call(AdminGrpc.getReleaseTypeMethod(), request.build(), Rpc.Repeat.SAFE));
    }

    /**
     * Asks a connected worker to take no more jobs and to end after its last one.
     *
     * @param handOver running jobs are asked to save a checkpoint and hand over
     * @return how many jobs it runs
     */
    public int drainWorker(String name, boolean handOver) {
        return rpc.call(
                        AdminGrpc.getDrainWorkerMethod(),
                        DrainWorkerRequest.newBuilder()
                                .setName(name)
                                .setHandOver(handOver)
                                .build(),
                        Rpc.Repeat.SAFE)
                .getRunning();
    }

    /**
     * Declared types.
     *
     * @param tenant only its types, for keys that see all tenants; null for all the key sees
     */
    public List<TypeInfo> types(@Nullable String tenant) {
        var request = ListTypesRequest.newBuilder();
        if (tenant != null) {
            request.setTenant(tenant);
        }
        return rpc.call(AdminGrpc.getListTypesMethod(), request.build(), Rpc.Repeat.SAFE).getTypesList().stream()
                .map(Admin::type)
                .toList();
    }

    /**
     * Makes a key.
     *
     * @param tenant null for a key that sees all tenants
     */
    public NewKey createKey(String name, @Nullable String tenant, Role role) {
        var request =
                CreateKeyRequest.newBuilder().setName(name).setRole(role.name().toLowerCase(Locale.ROOT));
        if (tenant != null) {
            request.setTenant(tenant);
        }
        var answer = rpc.call(AdminGrpc.getCreateKeyMethod(), request.build(), Rpc.Repeat.ONLY_IF_NOT_DONE);
        return new NewKey(key(answer.getKey()), answer.getSecret());
    }

    public List<KeyInfo> keys() {
        return rpc
                .call(AdminGrpc.getListKeysMethod(), ListKeysRequest.getDefaultInstance(), Rpc.Repeat.SAFE)
                .getKeysList()
                .stream()
                .map(Admin::key)
                .toList();
    }

    /** Ends a key for good. */
    public KeyInfo revokeKey(String id) {
        return key(rpc.call(
                AdminGrpc.getRevokeKeyMethod(),
                RevokeKeyRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    private static TypeInfo type(dev.fairlane.protocol.v1.JobType type) {
        return new TypeInfo(
                type.getTenant(),
                type.getName(),
                Pool.named(type.getPool()),
                type.getMaxAttempts(),
                Duration.ofMillis(type.getTimeLimitMs()),
                TypeRules.ofWire(type.getRules()),
                time(type.getQuarantinedAtMicros()),
                type.getBreakersList().stream()
                        .map(breaker -> new BreakerInfo(
                                breaker.getDependency(),
                                breaker.getOpen(),
                                time(breaker.getOpenedAtMicros()),
                                breaker.getHeldBack()))
                        .toList(),
                type.hasMoved() ? Optional.of(Pool.named(type.getMoved().getPool())) : Optional.empty(),
                time(type.getMoved().getUntilMicros()),
                type.hasPace() ? Optional.of(pace(type.getPace())) : Optional.empty());
    }

    private static TypePace pace(dev.fairlane.protocol.v1.TypePace pace) {
        return new TypePace(
                millis(pace.getEstimateMs()),
                pace.hasP95Ms() ? Optional.of(millis(pace.getP95Ms())) : Optional.empty(),
                pace.getViolations());
    }

    private static Duration millis(double millis) {
        return Duration.of(Math.round(millis * 1_000), ChronoUnit.MICROS);
    }

    private static Optional<Instant> time(long micros) {
        return micros == 0 ? Optional.empty() : Optional.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    private static KeyInfo key(ApiKey key) {
        return new KeyInfo(
                key.getId(),
                key.getName(),
                key.getTenant(),
                Role.valueOf(key.getRole().toUpperCase(Locale.ROOT)),
                Instant.EPOCH.plus(key.getCreatedAtMicros(), ChronoUnit.MICROS),
                key.getRevokedAtMicros() == 0
                        ? Optional.empty()
                        : Optional.of(Instant.EPOCH.plus(key.getRevokedAtMicros(), ChronoUnit.MICROS)));
    }
}
