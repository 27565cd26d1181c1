package dev.fairlane.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The rules of a type, as options. */
final class RuleOptions {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--retry-delay",
            paramLabel = "SPAN",
            description = "Wait before a retry. Repeatable: after the first, second, … failure; the last repeats")
    private List<String> retryDelays = List.of();

    @Option(names = "--retry-jitter", paramLabel = "FRACTION", description = "0 to 1. Default: 0.2")
    private @Nullable Double retryJitter;

    @Option(names = "--timeout-retries", paramLabel = "N", description = "After its time limit. Default: 1")
    private @Nullable Integer timeoutRetries;

    @Option(names = "--resource-retries", paramLabel = "N", description = "After a kill for memory or CPU. Default: 1")
    private @Nullable Integer resourceRetries;

    @Option(names = "--crash-limit", paramLabel = "N", description = "Crashes a job survives. Default: 20")
    private @Nullable Integer crashLimit;

    @Option(
            names = "--retry-on",
            paramLabel = "ERROR",
            description = "Error worth a retry; any other named error is permanent. Repeatable")
    private List<String> retryOn = List.of();

    @Option(names = "--max-age", paramLabel = "SPAN", description = "From submit to the end. Default: 7 days")
    private @Nullable String maxAge;

    @Option(
            names = "--depends-on",
            paramLabel = "NAME",
            description = "Outside system: while its breaker is open, first attempts wait too. Repeatable")
    private List<String> dependencies = List.of();

    @Option(
            names = "--dependency-cap",
            paramLabel = "NAME=N",
            description = "Most executions at once of the tenant's jobs that need it. Repeatable")
    private List<String> caps = List.of();

    @Option(
            names = "--breaker",
            paramLabel = "RUNS,PERCENT,SPAN",
            description = "When breakers open. Default: 20,50,10s")
    private @Nullable String breaker;

    @Option(
            names = "--quarantine",
            paramLabel = "RUNS,PERCENT,SPAN",
            description = "When the type counts as poison. Default: 20,50,1h")
    private @Nullable String quarantine;

    @Option(names = "--duration", paramLabel = "SPAN", description = "How long its jobs run")
    private @Nullable String duration;

    @Option(names = "--checkpoints", description = "Its jobs make checkpoints")
    private boolean checkpoints;

    @Option(names = "--restartable", description = "Its jobs may begin anew without a checkpoint")
    private boolean restartable;

    @Option(
            names = "--progress-window",
            paramLabel = "SPAN",
            description = "Stop an execution that shows no progress for so long")
    private @Nullable String progressWindow;

    @Option(
            names = "--unique",
            paramLabel = "BY,DURING,CONFLICT[,SPAN]",
            description = {
                "One job of a kind. BY: args or key; DURING: queued, running or a_time;",
                "CONFLICT: return_existing, reject, replace or debounce; SPAN for a_time and debounce"
            })
    private @Nullable String unique;

    @Option(names = "--payload-schema", paramLabel = "JSON|@FILE", description = "JSON Schema that payloads must obey")
    private @Nullable String payloadSchema;

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            description = "Most executions of it at once. Default: no bound")
    private @Nullable Integer maxInFlight;

    @Option(
            names = "--preemptible",
            description =
                    "Its jobs may be asked to hand over at a checkpoint, to make room for tenants below their share")
    private boolean preemptible;

    @Mixin
    private final NeedsOptions needs = new NeedsOptions();

    /** As the server reads it; empty when nothing was given. */
    Map<String, @Nullable Object> body() {
        Map<String, @Nullable Object> rules = new LinkedHashMap<>();
        if (!retryDelays.isEmpty()) {
            rules.put(
                    "retry_delays_ms",
                    retryDelays.stream()
                            .map(one -> millis("--retry-delay", one))
                            .toList());
        }
        put(rules, "retry_jitter", retryJitter);
        put(rules, "timeout_retries", timeoutRetries);
        put(rules, "resource_retries", resourceRetries);
        put(rules, "crash_limit", crashLimit);
        if (!retryOn.isEmpty()) {
            rules.put("retry_on", retryOn);
        }
        put(rules, "max_age_ms", maxAge == null ? null : millis("--max-age", maxAge));
        if (!dependencies.isEmpty()) {
            rules.put("dependencies", dependencies);
        }
        if (!caps.isEmpty()) {
            List<Map<String, Object>> all = new ArrayList<>();
            caps.forEach(cap -> all.add(cap(cap)));
            rules.put("dependency_caps", all);
        }
        put(rules, "breaker", breaker == null ? null : threshold("--breaker", breaker));
        put(rules, "quarantine", quarantine == null ? null : threshold("--quarantine", quarantine));
        put(rules, "duration_ms", duration == null ? null : millis("--duration", duration));
        put(rules, "checkpoints", checkpoints ? true : null);
        put(rules, "restartable", restartable ? true : null);
        put(rules, "progress_window_ms", progressWindow == null ? null : millis("--progress-window", progressWindow));
        put(rules, "unique", unique == null ? null : unique(unique));
        put(rules, "payload_schema", payloadSchema == null ? null : schema(payloadSchema));
        put(rules, "max_in_flight", maxInFlight);
        put(rules, "preemptible", preemptible ? true : null);
        Map<String, @Nullable Object> needed = new LinkedHashMap<>();
        needs.addTo(needed);
        put(rules, "needs", needed.isEmpty() ? null : needed);
        return rules;
    }

    private Map<String, Object> unique(String given) {
        String[] parts = given.split(",", -1);
        if (parts.length != 3 && parts.length != 4) {
            throw wrong("expected --unique BY,DURING,CONFLICT[,SPAN], but got '" + given + "'");
        }
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("by", parts[0]);
        rule.put("during", parts[1]);
        rule.put("conflict", parts[2]);
        if (parts.length == 4) {
            rule.put("period_ms", millis("--unique", parts[3]));
        }
        return rule;
    }

    private String schema(String given) {
        if (!given.startsWith("@")) {
            return given;
        }
        try {
            return Files.readString(Path.of(given.substring(1)));
        } catch (IOException e) {
            throw wrong("cannot read " + given.substring(1) + ": " + e.getMessage());
        }
    }

    private static void put(Map<String, @Nullable Object> rules, String name, @Nullable Object value) {
        if (value != null) {
            rules.put(name, value);
        }
    }

    private static long millis(String option, String span) {
        return Spans.span(option, span).toMillis();
    }

    private Map<String, Object> cap(String given) {
        int equals = given.lastIndexOf('=');
        try {
            Map<String, Object> cap = new LinkedHashMap<>();
            cap.put("dependency", given.substring(0, Math.max(0, equals)));
            cap.put("executions", Integer.parseInt(given.substring(equals + 1)));
            return cap;
        } catch (NumberFormatException e) {
            throw wrong("expected --dependency-cap NAME=N, but got '" + given + "'");
        }
    }

    private Map<String, Object> threshold(String option, String given) {
        String[] parts = given.split(",", -1);
        try {
            if (parts.length == 3) {
                Map<String, Object> threshold = new LinkedHashMap<>();
                threshold.put("runs", Integer.parseInt(parts[0]));
                threshold.put("failing_percent", Integer.parseInt(parts[1]));
                threshold.put("window_ms", millis(option, parts[2]));
                return threshold;
            }
        } catch (NumberFormatException e) {
            throw wrong("expected whole numbers in " + option + " RUNS,PERCENT,SPAN, but got '" + given + "'");
        }
        throw wrong("expected " + option + " RUNS,PERCENT,SPAN, but got '" + given + "'");
    }

    private ParameterException wrong(String message) {
        if (spec == null) {
            throw new IllegalStateException(message);
        }
        return new ParameterException(spec.commandLine(), message);
    }
}
