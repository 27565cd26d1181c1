package dev.fairlane.server.api;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import dev.fairlane.core.shard.BreakerState;
import dev.fairlane.core.shard.PaceStats;
import dev.fairlane.protocol.v1.TypePace;
import dev.fairlane.protocol.v1.TypeRules;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Rules of types as callers see them. */
final class RulesText {
    private RulesText() {}

    static TypeRules rules(dev.fairlane.core.model.TypeRules rules) {
        TypeRules.Builder text = TypeRules.newBuilder()
                .addAllRetryDelaysMs(millis(rules.retryDelaysMicros()))
                .addAllRetryOn(rules.retryOn())
                .setMaxAgeMs(rules.maxAgeMicros() / 1_000)
                .addAllDependencies(rules.dependencies())
                .setDurationMs(rules.durationMicros() / 1_000)
                .setCheckpoints(rules.checkpoints())
                .setRestartable(rules.restartable())
                .setProgressWindowMs(rules.progressWindowMicros() / 1_000)
                .setPayloadSchema(rules.payloadSchema())
                .setMaxInFlight(rules.maxInFlight())
                .setPreemptible(rules.preemptible());
        if (!rules.needs().equals(JobNeeds.NONE)) {
            text.setNeeds(NeedsText.needs(rules.needs()));
        }
        if (rules.retryJitter() >= 0) {
            text.setRetryJitter(rules.retryJitter());
        }
        if (rules.timeoutRetries() >= 0) {
            text.setTimeoutRetries(rules.timeoutRetries());
        }
        if (rules.resourceRetries() >= 0) {
            text.setResourceRetries(rules.resourceRetries());
        }
        if (rules.crashLimit() >= 0) {
            text.setCrashLimit(rules.crashLimit());
        }
        new TreeMap<>(rules.dependencyCaps())
                .forEach((dependency, cap) -> text.addDependencyCaps(TypeRules.DependencyCap.newBuilder()
                        .setDependency(dependency)
                        .setExecutions(cap)));
        if (!rules.breaker().equals(Threshold.AS_NODE)) {
            text.setBreaker(threshold(rules.breaker()));
        }
        if (!rules.quarantine().equals(Threshold.AS_NODE)) {
            text.setQuarantine(threshold(rules.quarantine()));
        }
        UniqueRule unique = rules.unique();
        if (unique != null) {
            text.setUnique(TypeRules.UniqueRule.newBuilder()
                    .setBy(lower(unique.by()))
                    .setDuring(lower(unique.during()))
                    .setPeriodMs(unique.periodMicros() / 1_000)
                    .setConflict(lower(unique.conflict())));
        }
        return text.build();
    }

    private static List<Long> millis(List<Long> micros) {
        return micros.stream().map(one -> one / 1_000).toList();
    }

    private static TypeRules.Threshold threshold(Threshold threshold) {
        return TypeRules.Threshold.newBuilder()
                .setRuns(threshold.runs())
                .setFailingPercent(threshold.failingPercent())
                .setWindowMs(threshold.windowMicros() / 1_000)
                .build();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static TypePace pace(String pool, PaceStats pace) {
        TypePace.Builder text = TypePace.newBuilder()
                .setPool(pool)
                .setEstimateMs(pace.estimateMicros() / 1e3)
                .setViolations(pace.violations());
        if (pace.p95Micros() > 0) {
            text.setP95Ms(pace.p95Micros() / 1e3);
        }
        return text.build();
    }

    static dev.fairlane.protocol.v1.BreakerState breaker(BreakerState breaker) {
        return dev.fairlane.protocol.v1.BreakerState.newBuilder()
                .setDependency(breaker.dependency())
                .setOpen(breaker.open())
                .setOpenedAtMicros(breaker.openedAt())
                .setNextProbeAtMicros(breaker.nextProbeAt())
                .setHeldBack(breaker.heldBack())
                .setFailing(breaker.failing())
                .build();
    }
}
