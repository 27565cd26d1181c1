package dev.fairlane.core.admission;

import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.KeyLimit;
import dev.fairlane.core.model.TenantRules.LaneRules;
import dev.fairlane.core.model.TenantRules.Quota;
import dev.fairlane.core.model.Tier;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the rules of a tenant may say, so that they cost bounded memory and make sense. */
public final class TenantBounds {
    public static final int MAX_SUBMIT_RATE = 1_000_000;
    public static final int MAX_OPEN_JOBS = 100_000_000;
    /** Slots of a pool, in a cap or a reservation. */
    public static final int MAX_SLOTS = 1_000_000;

    public static final int MAX_LANES = 1_000;
    public static final int MAX_KEY_LIMITS = 1_000;
    public static final int MAX_KEY_LENGTH = 200;
    public static final int MAX_KEY_LIMIT = 1_000_000;
    public static final long MAX_PERIOD_MICROS = 31L * 86_400 * 1_000_000;
    public static final long MAX_AGING_MICROS = 366L * 86_400 * 1_000_000;
    public static final long MAX_QUOTA = 1_000_000_000_000_000L;
    public static final int PRIORITIES = 10;

    private final List<PoolRules> pools;

    TenantBounds(List<PoolRules> pools) {
        this.pools = pools;
    }

    /** Why there cannot be such rules, or null. */
    @Nullable Refusal refusal(TenantRules rules) {
        Refusal refusal = first(
                outside("submit_rate", rules.submitRate(), 0, MAX_SUBMIT_RATE),
                outside("max_open_jobs", rules.maxOpenJobs(), 0, MAX_OPEN_JOBS));
        if (refusal == null) {
            refusal = first(pools("in_flight", rules.inFlight()), pools("reserved", rules.reserved()));
        }
        if (refusal == null) {
            refusal = first(reserved(rules), lanes(rules.lanes()));
        }
        if (refusal == null) {
            refusal = first(keyLimits(rules.keyLimits()), quotas(rules.quotas()));
        }
        return refusal;
    }

    private @Nullable Refusal pools(String what, Map<String, Integer> amounts) {
        for (Map.Entry<String, Integer> amount : amounts.entrySet()) {
            if (pools.stream().noneMatch(pool -> pool.name().equals(amount.getKey()))) {
                return new Refusal(
                        RefusalCode.UNKNOWN_POOL,
                        what + ": no pool \"" + amount.getKey() + "\"; there are "
                                + String.join(
                                        ", ",
                                        pools.stream().map(PoolRules::name).toList()),
                        0);
            }
            Refusal refusal = outside(what + "." + amount.getKey(), amount.getValue(), 1, MAX_SLOTS);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Slots kept for a tenant that its own cap or the free tenants' slice keeps it from using would be lost to everybody. */
    private static @Nullable Refusal reserved(TenantRules rules) {
        if (rules.tier() == Tier.FREE && !rules.reserved().isEmpty()) {
            Map.Entry<String, Integer> any =
                    rules.reserved().entrySet().iterator().next();
            return invalid("reserved." + any.getKey(), "none in the free tier", any.getValue());
        }
        for (Map.Entry<String, Integer> reserved : rules.reserved().entrySet()) {
            int cap = rules.inFlight().getOrDefault(reserved.getKey(), Integer.MAX_VALUE);
            if (reserved.getValue() > cap) {
                return invalid(
                        "reserved." + reserved.getKey(),
                        "at most the " + cap + " it may have in flight there",
                        reserved.getValue());
            }
        }
        return null;
    }

    private static @Nullable Refusal lanes(Map<String, LaneRules> lanes) {
        if (lanes.size() > MAX_LANES) {
            return invalid("lanes", "at most " + MAX_LANES, lanes.size());
        }
        for (Map.Entry<String, LaneRules> lane : lanes.entrySet()) {
            String what = "lanes." + lane.getKey();
            if (lane.getKey().isEmpty() || lane.getKey().length() > Admission.MAX_NAME) {
                return invalid(
                        "lanes",
                        "names of 1 to " + Admission.MAX_NAME + " characters",
                        lane.getKey().length());
            }
            Refusal refusal = outside(what + ".weight", lane.getValue().weight(), 0, Tenant.MAX_WEIGHT);
            if (refusal != null) {
                return refusal;
            }
            List<Long> aging = lane.getValue().agingMicros();
            if (!aging.isEmpty() && aging.size() != PRIORITIES) {
                return invalid(what + ".aging", "one time per priority, " + PRIORITIES, aging.size());
            }
            for (long micros : aging) {
                if (micros < 0 || micros > MAX_AGING_MICROS) {
                    return invalid(what + ".aging", "at most a year", micros);
                }
            }
        }
        return null;
    }

    private static @Nullable Refusal keyLimits(List<KeyLimit> limits) {
        if (limits.size() > MAX_KEY_LIMITS) {
            return invalid("key_limits", "at most " + MAX_KEY_LIMITS, limits.size());
        }
        for (KeyLimit limit : limits) {
            String key = limit.key();
            if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
                return invalid("key_limits.key", "1 to " + MAX_KEY_LENGTH + " characters", key.length());
            }
            if (key.indexOf('*') >= 0 && key.indexOf('*') < key.length() - 1) {
                return invalid("key_limits.key", "a star at its end only", key.indexOf('*'));
            }
            Refusal refusal = outside("key_limits.limit", limit.limit(), 1, MAX_KEY_LIMIT);
            if (refusal != null) {
                return refusal;
            }
            boolean rate = limit.kind() == KeyLimit.Kind.RATE;
            if (rate && (limit.perMicros() <= 0 || limit.perMicros() > MAX_PERIOD_MICROS)) {
                return invalid("key_limits.per", "above 0 and at most 31 days for a rate", limit.perMicros());
            }
            if (!rate && limit.perMicros() != 0) {
                return invalid("key_limits.per", "none for concurrency", limit.perMicros());
            }
        }
        return null;
    }

    private static @Nullable Refusal quotas(List<Quota> quotas) {
        for (Quota quota : quotas) {
            if (quota.soft() < 0 || quota.soft() > MAX_QUOTA || quota.hard() < 0 || quota.hard() > MAX_QUOTA) {
                return invalid("quotas", "0 to " + MAX_QUOTA, quota.soft() < 0 ? quota.soft() : quota.hard());
            }
            if (quota.hard() != 0 && quota.soft() > quota.hard()) {
                return invalid("quotas.soft", "at most the hard bound " + quota.hard(), quota.soft());
            }
        }
        return null;
    }

    private static @Nullable Refusal first(@Nullable Refusal one, @Nullable Refusal other) {
        return one != null ? one : other;
    }

    private static @Nullable Refusal outside(String what, int value, int least, int most) {
        return value < least || value > most ? invalid(what, least + " to " + most, value) : null;
    }

    private static Refusal invalid(String what, String expected, long came) {
        return new Refusal(RefusalCode.INVALID_ARGUMENT, what + ": expected " + expected + ", but got " + came, 0);
    }
}
