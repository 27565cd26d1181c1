package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.KeyLimit;
import dev.fairlane.protocol.v1.LaneRules;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.protocol.v1.Quota;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a tenant is treated where it differs from its tier. As a change ({@link Admin#putTenant(String, TenantRules)}): what is not named
 * stays, and 0 takes a rule away.
 */
public final class TenantRules {
    /** What a tenant pays for; it decides its weight and its submit rate unless they are told. */
    public enum Tier {
        FREE,
        STANDARD,
        PRO,
        ENTERPRISE
    }

    /** Of what there is a quota a month. */
    public enum QuotaKind {
        JOBS,
        SLOT_SECONDS
    }

    private final PutTenantRequest wire;

    private TenantRules(PutTenantRequest wire) {
        this.wire = wire;
    }

    public static Builder builder() {
        return new Builder();
    }

    static TenantRules ofWire(dev.fairlane.protocol.v1.Tenant tenant) {
        PutTenantRequest.Builder wire = PutTenantRequest.newBuilder()
                .setTier(tenant.getTier())
                .putAllInFlight(tenant.getInFlightMap())
                .putAllReserved(tenant.getReservedMap())
                .putAllLanes(tenant.getLanesMap())
                .addAllKeyLimits(tenant.getKeyLimitsList())
                .addAllQuotas(tenant.getQuotasList())
                .setClosedTypes(tenant.getClosedTypes());
        if (tenant.hasSubmitRate()) {
            wire.setSubmitRate(tenant.getSubmitRate());
        }
        if (tenant.hasMaxOpenJobs()) {
            wire.setMaxOpenJobs(tenant.getMaxOpenJobs());
        }
        return new TenantRules(wire.build());
    }

    PutTenantRequest wire() {
        return wire;
    }

    /** Standard unless told. */
    public Tier tier() {
        return wire.getTier().isEmpty()
                ? Tier.STANDARD
                : Tier.valueOf(wire.getTier().toUpperCase(Locale.ROOT));
    }

    /** Jobs a second it may submit; empty: as its tier says. */
    public OptionalInt submitRate() {
        return wire.hasSubmitRate() ? OptionalInt.of(wire.getSubmitRate()) : OptionalInt.empty();
    }

    /** Jobs it may have open; empty: as the server says. */
    public OptionalInt maxOpenJobs() {
        return wire.hasMaxOpenJobs() ? OptionalInt.of(wire.getMaxOpenJobs()) : OptionalInt.empty();
    }

    /** Most executions at once, by pool. */
    public Map<String, Integer> inFlight() {
        return new TreeMap<>(wire.getInFlightMap());
    }

    /** Slots nobody else may use, by pool. */
    public Map<String, Integer> reserved() {
        return new TreeMap<>(wire.getReservedMap());
    }

    /** Weights of lanes that have one. */
    public Map<String, Integer> laneWeights() {
        Map<String, Integer> weights = new TreeMap<>();
        wire.getLanesMap().forEach((name, lane) -> weights.put(name, lane.getWeight()));
        return weights;
    }

    /** Limits of concurrency keys, and of keys that begin with what stands before a star. */
    public Map<String, Integer> concurrencyLimits() {
        Map<String, Integer> limits = new TreeMap<>();
        wire.getKeyLimitsList().stream()
                .filter(limit -> limit.getKind().equals("concurrency"))
                .forEach(limit -> limits.put(limit.getKey(), limit.getLimit()));
        return limits;
    }

    /** Whether jobs of types that are not registered are refused. */
    public boolean closedTypes() {
        return wire.getClosedTypes();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TenantRules that && wire.equals(that.wire);
    }

    @Override
    public int hashCode() {
        return wire.hashCode();
    }

    @Override
    public String toString() {
        return "TenantRules[" + wire.toString().replace("\n", " ").strip() + "]";
    }

    /** Collects what is to change. */
    public static final class Builder {
        private final PutTenantRequest.Builder rules = PutTenantRequest.newBuilder();

        private Builder() {}

        public Builder tier(Tier tier) {
            rules.setTier(tier.name().toLowerCase(Locale.ROOT));
            return this;
        }

        /** Its share against others, 1 to 100,000; unless told, what its tier says. */
        public Builder weight(int weight) {
            rules.setWeight(weight);
            return this;
        }

        /** Jobs a second it may submit; 0: as its tier says. */
        public Builder submitRate(int jobsPerSecond) {
            rules.setSubmitRate(jobsPerSecond);
            return this;
        }

        /** Jobs it may have open; 0: as the server says. */
        public Builder maxOpenJobs(int jobs) {
            rules.setMaxOpenJobs(jobs);
            return this;
        }

        /** Most executions at once in a pool; 0: no cap. */
        public Builder inFlight(Pool pool, int executions) {
            rules.putInFlight(pool.wireName(), executions);
            return this;
        }

        /** Slots of a pool that nobody else may use; 0: none. */
        public Builder reserved(Pool pool, int slots) {
            rules.putReserved(pool.wireName(), slots);
            return this;
        }

        /** A lane's share against the tenant's other lanes, 10 unless told; 0: as if it had never been told. */
        public Builder lane(String name, int weight) {
            rules.putLanes(name, LaneRules.newBuilder().setWeight(weight).build());
            return this;
        }

        /**
         * The same, and how its jobs age.
         *
         * @param aging ten, per priority how long until a job counts as priority 0
         */
        public Builder lane(String name, int weight, List<Duration> aging) {
            rules.putLanes(
                    name,
                    LaneRules.newBuilder()
                            .setWeight(weight)
                            .addAllAgingMs(
                                    aging.stream().map(Duration::toMillis).toList())
                            .build());
            return this;
        }

        /** How many jobs with this concurrency key run at once; a star at its end stands for anything. 0: no limit. */
        public Builder concurrencyLimit(String key, int executions) {
            rules.addKeyLimits(
                    KeyLimit.newBuilder().setKind("concurrency").setKey(key).setLimit(executions));
            return this;
        }

        /** How many starts of jobs with this rate key there are in a period; a star at its end stands for anything. 0: no limit. */
        public Builder rateLimit(String key, int starts, Duration per) {
            rules.addKeyLimits(KeyLimit.newBuilder()
                    .setKind("rate")
                    .setKey(key)
                    .setLimit(starts)
                    .setPerMs(per.toMillis()));
            return this;
        }

        /** What it may use in a calendar month: slowed from soft on, refused from hard on; 0: no such bound. */
        public Builder quota(QuotaKind kind, long soft, long hard) {
            rules.addQuotas(Quota.newBuilder()
                    .setKind(kind.name().toLowerCase(Locale.ROOT))
                    .setSoft(soft)
                    .setHard(hard));
            return this;
        }

        /** Whether jobs of types that are not registered are refused. */
        public Builder closedTypes(boolean closed) {
            rules.setClosedTypes(closed);
            return this;
        }

        /** Forget all rules and the weight it has first. */
        public Builder replace() {
            rules.setReplace(true);
            return this;
        }

        public TenantRules build() {
            return new TenantRules(rules.build());
        }
    }
}
