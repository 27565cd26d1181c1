package dev.fairlane.core.model;

import java.util.List;
import java.util.Map;

/**
 * How a tenant is treated where it differs from its tier. Numbers: 0 means "as the tier or the node says".
 *
 * @param submitRate jobs a second it may submit
 * @param maxOpenJobs jobs it may have open
 * @param inFlight per pool, most executions at once
 * @param reserved per pool, slots nobody else may use
 * @param lanes what differs in its lanes, by name
 * @param keyLimits limits of its concurrency keys and rate keys, the most exact name first
 * @param quotas what it may use in a month
 * @param closedTypes jobs of types that are not registered are refused
 */
public record TenantRules(
        Tier tier,
        int submitRate,
        int maxOpenJobs,
        Map<String, Integer> inFlight,
        Map<String, Integer> reserved,
        Map<String, LaneRules> lanes,
        List<KeyLimit> keyLimits,
        List<Quota> quotas,
        boolean closedTypes) {
    public static final TenantRules NONE =
            new TenantRules(Tier.STANDARD, 0, 0, Map.of(), Map.of(), Map.of(), List.of(), List.of(), false);

    private static final TenantRules[] OF_TIERS = new TenantRules[Tier.values().length];

    static {
        for (Tier each : Tier.values()) {
            OF_TIERS[each.ordinal()] = each == NONE.tier ? NONE : NONE.inTier(each);
        }
    }

    /** The same rules; one object for all tenants that have none of their own. */
    TenantRules shared() {
        TenantRules plain = OF_TIERS[tier.ordinal()];
        return equals(plain) ? plain : this;
    }

    /** The same with another tier. */
    public TenantRules inTier(Tier other) {
        return new TenantRules(
                other, submitRate, maxOpenJobs, inFlight, reserved, lanes, keyLimits, quotas, closedTypes);
    }

    /** The same with another bound on submits. */
    public TenantRules withSubmitRate(int other) {
        return new TenantRules(tier, other, maxOpenJobs, inFlight, reserved, lanes, keyLimits, quotas, closedTypes);
    }

    /**
     * @param weight share against the tenant's other lanes; 0: {@link #DEFAULT_WEIGHT}
     * @param agingMicros per priority, how long until a job of it counts as priority 0; empty: as the node says
     */
    public record LaneRules(int weight, List<Long> agingMicros) {
        public static final int DEFAULT_WEIGHT = 10;
        public static final LaneRules NONE = new LaneRules(0, List.of());
    }

    /**
     * @param key the key, or its beginning and a star
     * @param limit at once, or in a period
     * @param perMicros length of the period of a rate; 0 for concurrency
     */
    public record KeyLimit(Kind kind, String key, int limit, long perMicros) {
        /** The order is part of the stored format: append only. */
        public enum Kind {
            CONCURRENCY,
            RATE
        }

        public boolean covers(String name) {
            return key.endsWith("*") ? name.startsWith(key.substring(0, key.length() - 1)) : name.equals(key);
        }
    }

    /**
     * Of one calendar month, UTC.
     *
     * @param soft from here on the tenant is slowed and told; 0: no such bound
     * @param hard from here on its submits are refused; 0: no such bound
     */
    public record Quota(Kind kind, long soft, long hard) {
        /** The order is part of the stored format: append only. */
        public enum Kind {
            JOBS,
            SLOT_SECONDS
        }
    }
}
