package dev.fairlane.server.api;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.shard.TenantStanding;
import dev.fairlane.protocol.v1.KeyLimit;
import dev.fairlane.protocol.v1.LaneRules;
import dev.fairlane.protocol.v1.Quota;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tenants as callers see them. */
final class TenantText {
    private TenantText() {}

    static dev.fairlane.protocol.v1.Tenant whole(Tenant tenant, @Nullable TenantStanding standing) {
        dev.fairlane.protocol.v1.Tenant.Builder text = summary(tenant);
        if (standing != null) {
            text.setEffective(effective(tenant, standing));
        }
        TenantRules rules = tenant.rules();
        new TreeMap<>(rules.lanes())
                .forEach((name, lane) -> text.putLanes(
                        name,
                        LaneRules.newBuilder()
                                .setWeight(lane.weight())
                                .addAllAgingMs(lane.agingMicros().stream()
                                        .map(micros -> micros / 1_000)
                                        .toList())
                                .build()));
        rules.keyLimits()
                .forEach(limit -> text.addKeyLimits(KeyLimit.newBuilder()
                        .setKind(lower(limit.kind()))
                        .setKey(limit.key())
                        .setLimit(limit.limit())
                        .setPerMs(limit.perMicros() / 1_000)));
        return text.build();
    }

    private static dev.fairlane.protocol.v1.TenantStanding effective(Tenant tenant, TenantStanding standing) {
        dev.fairlane.protocol.v1.TenantStanding.Builder text = dev.fairlane.protocol.v1.TenantStanding.newBuilder()
                .setWeight(tenant.weight())
                .setSlowed(standing.slowed())
                .setMaxOpenJobs(standing.maxOpenJobs())
                .setOpenJobs(standing.openJobs())
                .setMonthJobs(standing.monthJobs())
                .setMonthSlotSeconds(standing.monthSlotSeconds());
        if (standing.submitRate() > 0) {
            text.setSubmitRate(standing.submitRate()).setSubmitBurst(standing.submitRate());
        }
        Gate quench = standing.quench();
        if (quench != null) {
            text.setQuenched(dev.fairlane.protocol.v1.TenantStanding.Quench.newBuilder()
                    .setSinceMicros(quench.changedAt())
                    .setBy(quench.by())
                    .setWhy(quench.why()));
        }
        return text.build();
    }

    /** As lists show it: without what there may be a thousand of. */
    static dev.fairlane.protocol.v1.Tenant.Builder summary(Tenant tenant) {
        TenantRules rules = tenant.rules();
        dev.fairlane.protocol.v1.Tenant.Builder text = dev.fairlane.protocol.v1.Tenant.newBuilder()
                .setName(tenant.name())
                .setWeight(tenant.weight())
                .setTier(lower(rules.tier()))
                .setClosedTypes(rules.closedTypes())
                .setChangedAtMicros(tenant.changedAt())
                .putAllInFlight(new TreeMap<>(rules.inFlight()))
                .putAllReserved(new TreeMap<>(rules.reserved()));
        if (rules.submitRate() != 0) {
            text.setSubmitRate(rules.submitRate());
        }
        if (rules.maxOpenJobs() != 0) {
            text.setMaxOpenJobs(rules.maxOpenJobs());
        }
        rules.quotas()
                .forEach(quota -> text.addQuotas(Quota.newBuilder()
                        .setKind(lower(quota.kind()))
                        .setSoft(quota.soft())
                        .setHard(quota.hard())));
        return text;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
