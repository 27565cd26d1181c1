package dev.fairlane.server.admit;

import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import dev.fairlane.protocol.v1.TypeRules;
import dev.fairlane.server.fault.Refused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks the rules of a type, field by field. */
public final class RulesCheck {
    private static final int MOST_DELAYS = 100;
    private static final int MOST_NAMES = 64;
    private static final int MOST_DEPENDENCIES = 16;
    private static final int MOST_CRASHES = 1_000;
    private static final int MOST_RUNS = 1_000_000;
    private static final int MOST_EXECUTIONS = 1_000_000;
    private static final long LONGEST_WINDOW_MS = 24L * 3_600 * 1_000;
    private static final int SCHEMA_LENGTH = 64 << 10;
    private static final PayloadSchemas SCHEMAS = new PayloadSchemas();

    private RulesCheck() {}

    /** @throws Refused with the name of the field that is wrong */
    public static dev.fairlane.core.model.TypeRules rules(TypeRules rules) {
        double jitter = rules.hasRetryJitter() ? rules.getRetryJitter() : -1;
        if (rules.hasRetryJitter() && !(jitter >= 0 && jitter <= 1)) {
            throw Refused.invalid("rules.retry_jitter", "expected 0 to 1, but got " + jitter);
        }
        return new dev.fairlane.core.model.TypeRules(
                delays(rules.getRetryDelaysMsList()),
                jitter,
                rules.hasTimeoutRetries()
                        ? number("rules.timeout_retries", rules.getTimeoutRetries(), Limits.ATTEMPTS)
                        : -1,
                rules.hasResourceRetries()
                        ? number("rules.resource_retries", rules.getResourceRetries(), Limits.ATTEMPTS)
                        : -1,
                rules.hasCrashLimit() ? number("rules.crash_limit", rules.getCrashLimit(), MOST_CRASHES) : -1,
                names("rules.retry_on", rules.getRetryOnList(), MOST_NAMES, Limits.ERROR_NAME_LENGTH),
                span("rules.max_age_ms", rules.getMaxAgeMs(), Limits.MAX_AGE_MS),
                names("rules.dependencies", rules.getDependenciesList(), MOST_DEPENDENCIES, Limits.NAME_LENGTH),
                caps(rules.getDependencyCapsList()),
                threshold("rules.breaker", rules.getBreaker()),
                threshold("rules.quarantine", rules.getQuarantine()),
                span("rules.duration_ms", rules.getDurationMs(), Limits.TIME_LIMIT_MS),
                rules.getCheckpoints(),
                rules.getRestartable(),
                span("rules.progress_window_ms", rules.getProgressWindowMs(), Limits.TIME_LIMIT_MS),
                rules.hasUnique() ? unique(rules.getUnique()) : null,
                schema(rules.getPayloadSchema()),
                number("rules.max_in_flight", rules.getMaxInFlight(), MOST_EXECUTIONS),
                NeedsCheck.of("rules.needs", rules.getNeeds()),
                rules.getPreemptible());
    }

    private static List<Long> delays(List<Long> millis) {
        atMost("rules.retry_delays_ms", millis.size(), MOST_DELAYS);
        List<Long> micros = new ArrayList<>(millis.size());
        for (long one : millis) {
            micros.add(span("rules.retry_delays_ms", one, Limits.MAX_AGE_MS));
        }
        return List.copyOf(micros);
    }

    private static List<String> names(String field, List<String> names, int most, int length) {
        atMost(field, names.size(), most);
        for (String name : names) {
            name(field, name, length);
        }
        if (names.stream().distinct().count() < names.size()) {
            throw Refused.invalid(field, "expected every name once");
        }
        return List.copyOf(names);
    }

    private static String name(String field, String name, int length) {
        if (name.isEmpty()) {
            throw Refused.invalid(field, "expected a name, but it is empty");
        }
        return Text.line(field, name, length);
    }

    private static Map<String, Integer> caps(List<TypeRules.DependencyCap> caps) {
        atMost("rules.dependency_caps", caps.size(), MOST_DEPENDENCIES);
        Map<String, Integer> byName = new HashMap<>();
        for (TypeRules.DependencyCap cap : caps) {
            String dependency = name("rules.dependency_caps.dependency", cap.getDependency(), Limits.NAME_LENGTH);
            int executions =
                    (int) JobCheck.between("rules.dependency_caps.executions", cap.getExecutions(), 1, MOST_EXECUTIONS);
            if (byName.put(dependency, executions) != null) {
                throw Refused.invalid("rules.dependency_caps.dependency", "expected every name once");
            }
        }
        return Map.copyOf(byName);
    }

    private static Threshold threshold(String field, TypeRules.Threshold threshold) {
        return new Threshold(
                number(field + ".runs", threshold.getRuns(), MOST_RUNS),
                number(field + ".failing_percent", threshold.getFailingPercent(), 100),
                span(field + ".window_ms", threshold.getWindowMs(), LONGEST_WINDOW_MS));
    }

    private static UniqueRule unique(TypeRules.UniqueRule unique) {
        During during = one("rules.unique.during", unique.getDuring(), During.values());
        Conflict conflict = one("rules.unique.conflict", unique.getConflict(), Conflict.values());
        long period = span("rules.unique.period_ms", unique.getPeriodMs(), Limits.MAX_AGE_MS);
        if (period == 0 && (during == During.A_TIME || conflict == Conflict.DEBOUNCE)) {
            throw Refused.invalid("rules.unique.period_ms", "expected a time for a_time and debounce");
        }
        return new UniqueRule(one("rules.unique.by", unique.getBy(), By.values()), during, period, conflict);
    }

    static <E extends Enum<E>> E one(String field, String text, E[] values) {
        for (E value : values) {
            if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
                return value;
            }
        }
        throw Refused.invalid(
                field, "expected one of " + Arrays.toString(values).toLowerCase(Locale.ROOT));
    }

    private static String schema(String schema) {
        if (schema.length() > SCHEMA_LENGTH) {
            throw Refused.invalid(
                    "rules.payload_schema",
                    "expected at most " + SCHEMA_LENGTH + " characters, but got " + schema.length());
        }
        if (!schema.isEmpty() && !Json.wellFormed(schema.getBytes(StandardCharsets.UTF_8))) {
            throw Refused.invalid("rules.payload_schema", "expected JSON");
        }
        if (!schema.isEmpty()) {
            SCHEMAS.requireSchema("rules.payload_schema", schema);
        }
        return schema;
    }

    private static int number(String field, int value, int most) {
        return (int) JobCheck.between(field, value, 0, most);
    }

    /** Milliseconds to microseconds. */
    private static long span(String field, long millis, long most) {
        return JobCheck.between(field, millis, 0, most) * 1_000;
    }

    private static void atMost(String field, int count, int most) {
        if (count > most) {
            throw Refused.invalid(field, "expected at most " + most + ", but got " + count);
        }
    }
}
