package dev.fairlane.core.model;

import dev.fairlane.core.model.TenantRules.KeyLimit;
import dev.fairlane.core.model.TenantRules.LaneRules;
import dev.fairlane.core.model.TenantRules.Quota;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to change in the rules of a tenant: what is not named stays, and an amount of 0 takes a rule away. Two people who change
 * different rules at the same time both get what they want.
 *
 * @param replace begin from a tenant without rules instead of those it has
 * @param tier null: stays
 * @param submitRate null: stays; 0: as the tier says
 * @param maxOpenJobs null: stays; 0: as the node says
 * @param inFlight by pool; 0: no cap
 * @param reserved by pool; 0: none
 * @param lanes by name; one that says nothing: no rules of its own
 * @param keyLimits by kind and key; limit 0: none
 * @param quotas by kind; without either bound: none
 * @param closedTypes null: stays
 */
public record TenantChange(
        boolean replace,
        @Nullable Tier tier,
        @Nullable Integer submitRate,
        @Nullable Integer maxOpenJobs,
        Map<String, Integer> inFlight,
        Map<String, Integer> reserved,
        Map<String, LaneRules> lanes,
        List<KeyLimit> keyLimits,
        List<Quota> quotas,
        @Nullable Boolean closedTypes) {
    public static final TenantChange NONE =
            new TenantChange(false, null, null, null, Map.of(), Map.of(), Map.of(), List.of(), List.of(), null);

    /** Exact keys before beginnings, long beginnings before short ones: the first that covers a key is the one that counts. */
    private static final Comparator<KeyLimit> MOST_EXACT_FIRST = Comparator.comparing(
                    (KeyLimit limit) -> limit.key().endsWith("*"))
            .thenComparing(limit -> -limit.key().length())
            .thenComparing(KeyLimit::key)
            .thenComparing(KeyLimit::kind);

    /** From whatever there is to exactly these rules. */
    public static TenantChange to(TenantRules rules) {
        return new TenantChange(
                true,
                rules.tier(),
                rules.submitRate(),
                rules.maxOpenJobs(),
                rules.inFlight(),
                rules.reserved(),
                rules.lanes(),
                rules.keyLimits(),
                rules.quotas(),
                rules.closedTypes());
    }

    public static TenantChange toTier(Tier tier) {
        return new TenantChange(false, tier, null, null, Map.of(), Map.of(), Map.of(), List.of(), List.of(), null);
    }

    /** The rules after the change of those before it. */
    public TenantRules of(TenantRules before) {
        TenantRules from = replace ? TenantRules.NONE : before;
        return new TenantRules(
                tier == null ? from.tier() : tier,
                submitRate == null ? from.submitRate() : submitRate,
                maxOpenJobs == null ? from.maxOpenJobs() : maxOpenJobs,
                merged(from.inFlight(), inFlight, 0),
                merged(from.reserved(), reserved, 0),
                merged(from.lanes(), lanes, LaneRules.NONE),
                keyLimits(from.keyLimits()),
                quotas(from.quotas()),
                closedTypes == null ? from.closedTypes() : closedTypes);
    }

    private static <V> Map<String, V> merged(Map<String, V> before, Map<String, V> changed, V none) {
        if (changed.isEmpty()) {
            return before;
        }
        Map<String, V> merged = new TreeMap<>(before); // an order that does not differ between runs
        changed.forEach((name, value) -> {
            if (value.equals(none)) {
                merged.remove(name);
            } else {
                merged.put(name, value);
            }
        });
        return Collections.unmodifiableMap(merged);
    }

    private List<KeyLimit> keyLimits(List<KeyLimit> before) {
        if (keyLimits.isEmpty()) {
            return before;
        }
        List<KeyLimit> merged = new ArrayList<>(before);
        for (KeyLimit limit : keyLimits) {
            merged.removeIf(one -> one.kind() == limit.kind() && one.key().equals(limit.key()));
            if (limit.limit() != 0) {
                merged.add(limit);
            }
        }
        merged.sort(MOST_EXACT_FIRST);
        return List.copyOf(merged);
    }

    private List<Quota> quotas(List<Quota> before) {
        if (quotas.isEmpty()) {
            return before;
        }
        List<Quota> merged = new ArrayList<>(before);
        for (Quota quota : quotas) {
            merged.removeIf(one -> one.kind() == quota.kind());
            if (quota.soft() != 0 || quota.hard() != 0) {
                merged.add(quota);
            }
        }
        merged.sort(Comparator.comparing(Quota::kind));
        return List.copyOf(merged);
    }
}
