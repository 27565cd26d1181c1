package dev.fairlane.runtime;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.journal.AuditHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A tenant or a type as names and values in a fixed order: its digest goes into the audit, and the difference of two of them is told
 * in words. Numbers and words of ours are told with their values; what users named or wrote is only told to have changed.
 */
final class Portrait {
    private static final int LONGEST_SUMMARY = 400;
    private static final String TIER = "tier";

    private final Map<String, String> told = new LinkedHashMap<>();
    private final Map<String, String> kept = new LinkedHashMap<>();

    private Portrait() {}

    static Portrait of(Tenant tenant) {
        TenantRules rules = tenant.rules();
        Portrait portrait = new Portrait();
        portrait.tell(TIER, rules.tier().name());
        portrait.tell("weight", tenant.weight());
        portrait.tell("submit rate", rules.submitRate());
        portrait.tell("open jobs", rules.maxOpenJobs());
        portrait.tell("in flight", sorted(rules.inFlight(), String::valueOf));
        portrait.tell("reserved", sorted(rules.reserved(), String::valueOf));
        portrait.tell("closed types", rules.closedTypes());
        portrait.tell("quotas", join(rules.quotas(), quota -> quota.kind() + " " + quota.soft() + "/" + quota.hard()));
        portrait.keep(
                "lanes",
                sorted(rules.lanes(), lane -> lane.weight() + " " + join(lane.agingMicros(), String::valueOf)));
        portrait.keep(
                "key limits",
                join(
                        rules.keyLimits(),
                        limit -> limit.kind() + " " + limit.key() + " " + limit.limit() + "/" + limit.perMicros()));
        return portrait;
    }

    static Portrait of(JobType type) {
        TypeRules rules = type.rules();
        Portrait portrait = new Portrait();
        portrait.tell("pool", type.pool());
        JobType.Moved moved = type.moved();
        portrait.tell("moved to", moved == null ? "" : moved.pool());
        portrait.tell("attempts", type.maxAttempts());
        portrait.tell("time limit", type.timeLimitMicros());
        portrait.tell("quarantined", type.quarantinedAt() > 0);
        portrait.tell("in flight", rules.maxInFlight());
        portrait.tell("retry delays", join(rules.retryDelaysMicros(), String::valueOf));
        portrait.tell("retry jitter", rules.retryJitter());
        portrait.tell("timeout retries", rules.timeoutRetries());
        portrait.tell("resource retries", rules.resourceRetries());
        portrait.tell("crash limit", rules.crashLimit());
        portrait.tell("longest age", rules.maxAgeMicros());
        portrait.tell("duration", rules.durationMicros());
        portrait.tell("checkpoints", rules.checkpoints());
        portrait.tell("restartable", rules.restartable());
        portrait.tell("preemptible", rules.preemptible());
        portrait.tell("progress window", rules.progressWindowMicros());
        portrait.tell("breaker", threshold(rules.breaker()));
        portrait.tell("quarantine", threshold(rules.quarantine()));
        portrait.tell("unique", unique(rules));
        portrait.keep("retry on", join(rules.retryOn(), name -> name));
        portrait.keep("dependencies", join(rules.dependencies(), name -> name));
        portrait.keep("dependency caps", sorted(rules.dependencyCaps(), String::valueOf));
        portrait.keep("needs", needs(rules.needs()));
        portrait.keep("payload schema", rules.payloadSchema());
        return portrait;
    }

    private static String threshold(TypeRules.Threshold threshold) {
        return threshold.runs() + " " + threshold.failingPercent() + "% " + threshold.windowMicros();
    }

    private static String unique(TypeRules rules) {
        TypeRules.UniqueRule unique = rules.unique();
        return unique == null
                ? ""
                : unique.by() + " " + unique.during() + " " + unique.periodMicros() + " " + unique.conflict();
    }

    private static String needs(JobNeeds needs) {
        return String.join(
                " ",
                needs.fairKey(),
                needs.concurrencyKey(),
                needs.rateKey(),
                Integer.toString(needs.rateCost()),
                Integer.toString(needs.demand().cpuMillis()),
                Integer.toString(needs.demand().memoryMib()),
                Integer.toString(needs.demand().gpus()),
                join(needs.tags(), tag -> tag));
    }

    private static <E> String join(List<E> all, Function<E, String> text) {
        return all.stream().map(text).collect(Collectors.joining(", "));
    }

    private static <V> String sorted(Map<String, V> map, Function<V, String> text) {
        return new TreeMap<>(map)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " " + text.apply(entry.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private void tell(String name, Object value) {
        told.put(name, value.toString());
    }

    private void keep(String name, String value) {
        kept.put(name, value);
    }

    String digest() {
        StringBuilder text = new StringBuilder();
        told.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        kept.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return AuditHash.digest(text.toString());
    }

    /**
     * What was made: its values.
     *
     * @param bare one of which nothing was said, whose values go without saying
     */
    String made(Portrait bare) {
        List<String> values = new ArrayList<>();
        told.forEach((name, value) -> {
            if (name.equals(TIER) || !value.equals(bare.told.get(name))) {
                values.add(name + " " + shown(value));
            }
        });
        kept.forEach((name, value) -> {
            if (!value.equals(bare.kept.get(name))) {
                values.add(name + " set");
            }
        });
        return shortened("made: " + String.join("; ", values));
    }

    /** What became of one that was like this. */
    String until(Portrait after) {
        List<String> changes = new ArrayList<>();
        after.told.forEach((name, value) -> {
            String was = told.getOrDefault(name, "");
            if (!was.equals(value)) {
                changes.add(name + " " + shown(was) + " → " + shown(value));
            }
        });
        after.kept.forEach((name, value) -> {
            if (!kept.getOrDefault(name, "").equals(value)) {
                changes.add(name + " changed");
            }
        });
        return shortened(String.join("; ", changes));
    }

    private static String shortened(String summary) {
        return summary.length() <= LONGEST_SUMMARY ? summary : summary.substring(0, LONGEST_SUMMARY) + "…";
    }

    private static String shown(String value) {
        return value.isEmpty() ? "none" : value;
    }
}
