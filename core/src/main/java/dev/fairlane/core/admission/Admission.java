package dev.fairlane.core.admission;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shape, defaults and limits of what is submitted and registered. Reads only. */
public final class Admission {
    public static final int MAX_ATTEMPTS = 1_000;
    /** A run of such a length is not thrown away lightly. */
    private static final long LONG_MICROS = 300L * 1_000_000;

    public static final int MAX_NAME = 200;
    public static final int MAX_TYPES_PER_TENANT = 1_000;
    /** Farthest a job may be put into the future, and the longest time limit. */
    public static final long MAX_AHEAD_MICROS = 3_660L * 86_400 * 1_000_000;

    private static final Refusal RESERVED = new Refusal(
            RefusalCode.RESERVED_TYPE,
            "types that begin with \"" + ReservedTypes.PREFIX + "\" are the server's own; use another name",
            0);

    private final EngineConfig config;
    private final Directory directory;
    private final TenantBounds tenantBounds;

    public Admission(EngineConfig config, Directory directory) {
        if (config.pools().isEmpty()) {
            throw new IllegalArgumentException("expected at least one pool, but got none");
        }
        this.config = config;
        this.directory = directory;
        this.tenantBounds = new TenantBounds(config.pools());
    }

    /** Why the job cannot be taken whatever the state of the node, or null. */
    public @Nullable Refusal shape(NewJob job, long now) {
        if (job.type().isEmpty() || job.type().length() > MAX_NAME) {
            return invalid(
                    "type", "1 to " + MAX_NAME + " characters", job.type().length());
        }
        if (ReservedTypes.reserved(job.type())) {
            return RESERVED;
        }
        if (job.priority() < -1 || job.priority() > 9) {
            return invalid("priority", "0 to 9", job.priority());
        }
        if (job.maxAttempts() < 0 || job.maxAttempts() > MAX_ATTEMPTS) {
            return invalid("maxAttempts", "0 to " + MAX_ATTEMPTS, job.maxAttempts());
        }
        if (job.timeLimitMicros() < 0 || job.timeLimitMicros() > MAX_AHEAD_MICROS) {
            return invalid("timeLimit", "at most ten years", job.timeLimitMicros());
        }
        if (job.delayMicros() < 0 || job.delayMicros() > MAX_AHEAD_MICROS) {
            return invalid("delay", "at most ten years", job.delayMicros());
        }
        if (job.runAt() < 0 || job.runAt() > now + MAX_AHEAD_MICROS) {
            return invalid("runAt", "at most ten years ahead", job.runAt());
        }
        if (job.notAfter() < 0 || job.notAfter() > 0 && job.runAt() > 0 && job.notAfter() <= job.runAt()) {
            return invalid("notAfter", "a time after runAt", job.notAfter());
        }
        return null;
    }

    /** Why there is no sense in the job any more, or null. */
    public @Nullable Refusal late(NewJob job, long now) {
        if (job.notAfter() > 0 && job.notAfter() <= now) {
            return invalid("notAfter", "a time in the future", job.notAfter());
        }
        return job.notAfter() > 0 && job.delayMicros() > 0 && job.notAfter() <= now + job.delayMicros()
                ? invalid("notAfter", "a time after the delay is over", job.notAfter())
                : null;
    }

    /** Why the tenant has no jobs of this type, or null. */
    public @Nullable Refusal closed(Tenant tenant, String type) {
        if (!tenant.rules().closedTypes() || directory.type(tenant.id().number(), type) != null) {
            return null;
        }
        return new Refusal(
                RefusalCode.TYPES_CLOSED,
                "expected a registered type, since the tenant's types are closed, but there is no \"" + type
                        + "\"; register it first",
                0);
    }

    /** Why the tenant cannot have this type too, or null. */
    static @Nullable Refusal oneTypeMore(Directory directory, int tenant, String type) {
        int present = directory.typeCount(tenant);
        if (present < MAX_TYPES_PER_TENANT || directory.type(tenant, type) != null) {
            return null;
        }
        return new Refusal(
                RefusalCode.TYPE_LIMIT,
                "expected at most " + MAX_TYPES_PER_TENANT + " job types of a tenant, and \"" + type
                        + "\" would be one more; use one there is",
                0,
                MAX_TYPES_PER_TENANT,
                present);
    }

    /** The registered type, or what an unknown one is registered as. */
    public JobType typeFor(TenantId tenant, String name, long now) {
        JobType known = directory.type(tenant.number(), name);
        return known != null
                ? known
                : new JobType(tenant, name, config.pools().getFirst().name(), 0, 0, now);
    }

    /** The job with every default filled in. */
    public JobSpec spec(JobId id, TenantId tenant, NewJob job, JobType type, long now) {
        return spec(id, tenant, job, type, 0, now);
    }

    /** @param random any 64 bits, for the jitter of a job due far ahead */
    public JobSpec spec(JobId id, TenantId tenant, NewJob job, JobType type, long random, long now) {
        PoolRules pool = pool(type.presentPool());
        if (pool == null) {
            pool = config.pools().getFirst();
        }
        return new JobSpec(
                id,
                tenant,
                type.name(),
                pool.name(),
                job.priority() < 0 ? NewJob.DEFAULT_PRIORITY : job.priority(),
                job.payload(),
                job.payloadVersion(),
                now,
                DueTime.of(job, type.rules().unique(), random, now),
                job.notAfter(),
                firstSet(job.maxAttempts(), type.maxAttempts(), pool.retries() + 1),
                firstSet(job.timeLimitMicros(), type.timeLimitMicros(), pool.timeLimitMicros()),
                job.idempotencyKey(),
                job.bodyHash(),
                job.tags(),
                job.headers(),
                terms(OneOfAKind.terms(job, type.rules().unique()), type.rules()));
    }

    /** A job keeps the maximum age and the needs its type had when it was submitted. */
    private static JobTerms terms(JobTerms job, TypeRules type) {
        JobTerms aged = type.maxAgeMicros() == 0 || job.maxAgeMicros() > 0 ? job : job.withMaxAge(type.maxAgeMicros());
        boolean usual = type.needs() == JobNeeds.NONE || type.needs().equals(JobNeeds.NONE);
        return usual && aged.needs().rateCost() != JobNeeds.JUST_ONE
                ? aged
                : aged.needing(Needs.of(aged.needs(), type.needs()));
    }

    public Decision putTenant(Command.PutTenant put, long now) {
        if (put.name().isEmpty() || put.name().length() > MAX_NAME) {
            return refused(invalid(
                    "tenant name",
                    "1 to " + MAX_NAME + " characters",
                    put.name().length()));
        }
        if (put.weight() < 0 || put.weight() > Tenant.MAX_WEIGHT) {
            return refused(invalid("weight", "1 to " + Tenant.MAX_WEIGHT, put.weight()));
        }
        Tenant known = directory.tenant(put.name());
        TenantRules rules = put.change().of(known == null ? TenantRules.NONE : known.rules());
        Refusal wrong = tenantBounds.refusal(rules);
        if (wrong != null) {
            return refused(wrong);
        }
        int weight = weight(put, known, rules.tier());
        if (known != null && known.weight() == weight && known.rules().equals(rules)) {
            return Decision.of(new Answer.TenantIs(known));
        }
        if (known == null && directory.highest() >= Directory.MAX_TENANTS) {
            return refused(new Refusal(
                    RefusalCode.INVALID_ARGUMENT,
                    "tenants: expected at most " + Directory.MAX_TENANTS + ", and there are " + directory.highest(),
                    0,
                    Directory.MAX_TENANTS,
                    directory.highest()));
        }
        TenantId id = known == null ? directory.nextId() : known.id();
        Tenant tenant = new Tenant(id, put.name(), weight, now, rules);
        return Decision.of(new Answer.TenantIs(tenant), new Fact.TenantSet(tenant));
    }

    /** A weight that is the tier's moves with the tier; any other was given by hand and stays. */
    private static int weight(Command.PutTenant put, @Nullable Tenant known, Tier tier) {
        if (put.weight() > 0) {
            return put.weight();
        }
        if (known == null || put.change().replace()) {
            return tier.weight();
        }
        return known.weight() == known.rules().tier().weight() ? tier.weight() : known.weight();
    }

    public Decision putType(Command.PutType put, long now) {
        if (directory.tenant(put.tenant().number()) == null) {
            return Decision.refused(
                    RefusalCode.TENANT_NOT_FOUND, "no tenant " + put.tenant().number());
        }
        if (put.name().isEmpty() || put.name().length() > MAX_NAME) {
            return refused(invalid(
                    "type", "1 to " + MAX_NAME + " characters", put.name().length()));
        }
        if (ReservedTypes.reserved(put.name())) {
            return refused(RESERVED);
        }
        if (put.maxAttempts() < 0 || put.maxAttempts() > MAX_ATTEMPTS) {
            return refused(invalid("maxAttempts", "0 to " + MAX_ATTEMPTS, put.maxAttempts()));
        }
        if (put.timeLimitMicros() < 0 || put.timeLimitMicros() > MAX_AHEAD_MICROS) {
            return refused(invalid("timeLimit", "at most ten years", put.timeLimitMicros()));
        }
        PoolRules pool = pool(put.pool());
        if (pool == null) {
            return Decision.refused(
                    RefusalCode.UNKNOWN_POOL, "no pool \"" + put.pool() + "\"; there are " + poolNames());
        }
        JobType known = directory.type(put.tenant().number(), put.name());
        TypeRules rules = rules(put, known);
        Refusal unique = uniqueRule(rules.unique());
        if (unique != null) {
            return refused(unique);
        }
        if (rules.durationMicros() > LONG_MICROS && !rules.checkpoints() && !rules.restartable()) {
            return Decision.refused(
                    RefusalCode.CHECKPOINTS_REQUIRED,
                    "expected checkpoints or restartable for a type that runs longer than 5 minutes, but \""
                            + put.name() + "\" declares " + rules.durationMicros() / 1_000_000 + " s and neither");
        }
        Refusal more = oneTypeMore(directory, put.tenant().number(), put.name());
        if (more != null) {
            return refused(more);
        }
        JobType changed = new JobType(
                put.tenant(),
                put.name(),
                pool.name(),
                put.maxAttempts(),
                put.timeLimitMicros(),
                now,
                rules,
                known == null ? 0 : known.quarantinedAt(),
                // whoever declares a type says where its jobs go from now on, whatever was measured before
                null);
        return known != null && declareTheSame(changed, known)
                ? Decision.of(new Answer.TypeIs(known))
                : Decision.of(new Answer.TypeIs(changed), new Fact.TypeSet(changed));
    }

    private @Nullable Refusal uniqueRule(@Nullable UniqueRule rule) {
        if (rule == null) {
            return null;
        }
        boolean timed = rule.during() == During.A_TIME || rule.conflict() == Conflict.DEBOUNCE;
        if (timed
                && (rule.periodMicros() <= 0
                        || rule.periodMicros() > config.keys().retentionMicros())) {
            return invalid(
                    "unique.period",
                    "above 0 and at most " + config.keys().retentionMicros()
                            + " microseconds, as long as keys are kept",
                    rule.periodMicros());
        }
        return null;
    }

    private static TypeRules rules(Command.PutType put, @Nullable JobType known) {
        if (put.rules() != null) {
            return put.rules();
        }
        return known == null ? TypeRules.NONE : known.rules();
    }

    /** Whether two types declare the same; when they were changed is no difference. */
    private static boolean declareTheSame(JobType a, JobType b) {
        return a.pool().equals(b.pool())
                && a.maxAttempts() == b.maxAttempts()
                && a.timeLimitMicros() == b.timeLimitMicros()
                && a.rules().equals(b.rules())
                && Objects.equals(a.moved(), b.moved());
    }

    private @Nullable PoolRules pool(String name) {
        for (int i = 0; i < config.pools().size(); i++) {
            PoolRules pool = config.pools().get(i);
            if (pool.name().equals(name)) {
                return pool;
            }
        }
        return null;
    }

    private String poolNames() {
        StringBuilder names = new StringBuilder();
        for (PoolRules pool : config.pools()) {
            names.append(names.isEmpty() ? "" : ", ").append(pool.name());
        }
        return names.toString();
    }

    private static int firstSet(int a, int b, int c) {
        return a != 0 ? a : b != 0 ? b : c;
    }

    private static long firstSet(long a, long b, long c) {
        return a != 0 ? a : b != 0 ? b : c;
    }

    private static Decision refused(Refusal refusal) {
        return Decision.of(new Answer.Refused(refusal));
    }

    private static Refusal invalid(String what, String expected, long came) {
        return new Refusal(RefusalCode.INVALID_ARGUMENT, what + ": expected " + expected + ", but got " + came, 0);
    }
}
