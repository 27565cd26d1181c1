package dev.fairlane.server.admit;

import dev.fairlane.core.admission.TenantBounds;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.protocol.v1.KeyLimit;
import dev.fairlane.protocol.v1.LaneRules;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.protocol.v1.Quota;
import dev.fairlane.server.fault.Refused;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks what is to change in a tenant, field by field. What depends on the rules it has, the node checks. */
public final class TenantCheck {
    private TenantCheck() {}

    /** @throws Refused with the name of the field that is wrong */
    public static TenantChange change(PutTenantRequest put) {
        return new TenantChange(
                put.getReplace(),
                tier(put.getTier()),
                put.hasSubmitRate() ? number("submit_rate", put.getSubmitRate(), TenantBounds.MAX_SUBMIT_RATE) : null,
                put.hasMaxOpenJobs() ? number("max_open_jobs", put.getMaxOpenJobs(), TenantBounds.MAX_OPEN_JOBS) : null,
                pools("in_flight", put.getInFlightMap()),
                pools("reserved", put.getReservedMap()),
                lanes(put.getLanesMap()),
                keyLimits(put.getKeyLimitsList()),
                quotas(put.getQuotasList()),
                put.hasClosedTypes() ? put.getClosedTypes() : null);
    }

    private static @Nullable Tier tier(String name) {
        return name.isEmpty() ? null : RulesCheck.one("tier", name, Tier.values());
    }

    private static Map<String, Integer> pools(String field, Map<String, Integer> given) {
        atMost(field, given.size(), Limits.POOLS);
        Map<String, Integer> amounts = new TreeMap<>();
        given.forEach((pool, amount) ->
                amounts.put(Text.typeName(field, pool), number(field + "." + pool, amount, TenantBounds.MAX_SLOTS)));
        return amounts;
    }

    private static Map<String, TenantRules.LaneRules> lanes(Map<String, LaneRules> given) {
        atMost("lanes", given.size(), TenantBounds.MAX_LANES);
        Map<String, TenantRules.LaneRules> lanes = new TreeMap<>();
        given.forEach((name, rules) -> {
            String field = "lanes." + Text.typeName("lanes", name);
            lanes.put(
                    name,
                    new TenantRules.LaneRules(
                            number(field + ".weight", rules.getWeight(), Tenant.MAX_WEIGHT),
                            aging(field + ".aging_ms", rules.getAgingMsList())));
        });
        return lanes;
    }

    private static List<Long> aging(String field, List<Long> millis) {
        if (!millis.isEmpty() && millis.size() != TenantBounds.PRIORITIES) {
            throw Refused.invalid(
                    field, "expected " + TenantBounds.PRIORITIES + ", one per priority, but got " + millis.size());
        }
        return millis.stream()
                .map(one -> JobCheck.between(field, one, 0, TenantBounds.MAX_AGING_MICROS / 1_000) * 1_000)
                .toList();
    }

    private static List<TenantRules.KeyLimit> keyLimits(List<KeyLimit> given) {
        atMost("key_limits", given.size(), TenantBounds.MAX_KEY_LIMITS);
        List<TenantRules.KeyLimit> limits = new ArrayList<>(given.size());
        Set<String> seen = new HashSet<>();
        for (KeyLimit one : given) {
            TenantRules.KeyLimit.Kind kind =
                    RulesCheck.one("key_limits.kind", one.getKind(), TenantRules.KeyLimit.Kind.values());
            String key = Text.line("key_limits.key", one.getKey(), TenantBounds.MAX_KEY_LENGTH);
            if (key.isEmpty()) {
                throw Refused.invalid("key_limits.key", "expected a key, but it is empty");
            }
            if (key.indexOf('*') >= 0 && key.indexOf('*') < key.length() - 1) {
                throw Refused.invalid("key_limits.key", "expected a star at its end only");
            }
            if (!seen.add(kind + ":" + key)) {
                throw Refused.invalid("key_limits.key", "expected every key once");
            }
            int limit = number("key_limits.limit", one.getLimit(), TenantBounds.MAX_KEY_LIMIT);
            limits.add(new TenantRules.KeyLimit(kind, key, limit, period(kind, limit, one.getPerMs())));
        }
        return limits;
    }

    private static long period(TenantRules.KeyLimit.Kind kind, int limit, long perMs) {
        boolean needed = kind == TenantRules.KeyLimit.Kind.RATE && limit > 0;
        long most = kind == TenantRules.KeyLimit.Kind.RATE ? TenantBounds.MAX_PERIOD_MICROS / 1_000 : 0;
        return JobCheck.between("key_limits.per_ms", perMs, needed ? 1 : 0, most) * 1_000;
    }

    private static List<TenantRules.Quota> quotas(List<Quota> given) {
        List<TenantRules.Quota> quotas = new ArrayList<>();
        Set<TenantRules.Quota.Kind> seen = new HashSet<>();
        for (Quota one : given) {
            TenantRules.Quota.Kind kind = RulesCheck.one("quotas.kind", one.getKind(), TenantRules.Quota.Kind.values());
            if (!seen.add(kind)) {
                throw Refused.invalid("quotas.kind", "expected every kind once");
            }
            long soft = JobCheck.between("quotas.soft", one.getSoft(), 0, TenantBounds.MAX_QUOTA);
            long hard = JobCheck.between("quotas.hard", one.getHard(), 0, TenantBounds.MAX_QUOTA);
            if (hard != 0 && soft > hard) {
                throw Refused.invalid("quotas.soft", "expected at most the hard bound " + hard + ", but got " + soft);
            }
            quotas.add(new TenantRules.Quota(kind, soft, hard));
        }
        return quotas;
    }

    private static int number(String field, int value, int most) {
        return (int) JobCheck.between(field, value, 0, most);
    }

    private static void atMost(String field, int count, int most) {
        if (count > most) {
            throw Refused.invalid(field, "expected at most " + most + ", but got " + count);
        }
    }
}
