package dev.fairlane.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The rules of a tenant, as options. */
final class TenantOptions {
    private static final Pattern LIMIT =
            Pattern.compile("(concurrency|rate):(.+)=(\\d{1,9})(?:/(.+))?", Pattern.DOTALL);

    @Option(
            names = "--weight",
            paramLabel = "N",
            description = "Its share against others, 1 to 100,000. Default: what its tier says")
    private @Nullable Integer weight;

    @Option(
            names = "--tier",
            paramLabel = "TIER",
            description = "free, standard, pro or enterprise. A new tenant is standard")
    private @Nullable String tier;

    @Option(names = "--submit-rate", paramLabel = "N", description = "Jobs a second it may submit; 0: as its tier says")
    private @Nullable Integer submitRate;

    @Option(names = "--max-open-jobs", paramLabel = "N", description = "Jobs it may have open; 0: as the server says")
    private @Nullable Integer maxOpenJobs;

    @Option(names = "--in-flight", paramLabel = "POOL=N", description = "Most executions at once. Repeatable")
    private Map<String, Integer> inFlight = new LinkedHashMap<>();

    @Option(names = "--reserved", paramLabel = "POOL=N", description = "Slots nobody else may use. Repeatable")
    private Map<String, Integer> reserved = new LinkedHashMap<>();

    @Option(
            names = "--lane",
            paramLabel = "NAME=WEIGHT[:SPANS]",
            description = "Share against its other lanes (default 10), and ten spans, per priority how long until a job"
                    + " counts as priority 0. Repeatable")
    private List<String> lanes = List.of();

    @Option(
            names = "--limit",
            paramLabel = "KIND:KEY=N[/SPAN]",
            description = "concurrency:KEY=N at once, or rate:KEY=N/SPAN starts; a star at the end of KEY stands for"
                    + " anything. Repeatable")
    private List<String> limits = List.of();

    @Option(
            names = "--quota",
            paramLabel = "KIND=soft:N,hard:N",
            description = "jobs or slot_seconds in a month; KIND=0: none. Repeatable")
    private List<String> quotas = List.of();

    @Option(
            names = "--closed-types",
            negatable = true,
            description = "Refuse jobs of types that are not registered, or no longer")
    private @Nullable Boolean closedTypes;

    @Option(names = "--replace", description = "Forget all its rules and its weight first")
    private boolean replace;

    /** As the server reads it; empty when nothing was given. */
    Map<String, @Nullable Object> body() {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        put(body, "tier", tier);
        put(body, "weight", weight);
        put(body, "submit_rate", submitRate);
        put(body, "max_open_jobs", maxOpenJobs);
        put(body, "in_flight", inFlight.isEmpty() ? null : inFlight);
        put(body, "reserved", reserved.isEmpty() ? null : reserved);
        if (!lanes.isEmpty()) {
            Map<String, @Nullable Object> byName = new LinkedHashMap<>();
            lanes.forEach(lane -> lane(lane, byName));
            body.put("lanes", byName);
        }
        if (!limits.isEmpty()) {
            List<@Nullable Object> all = new ArrayList<>();
            limits.forEach(limit -> all.add(limit(limit)));
            body.put("key_limits", all);
        }
        if (!quotas.isEmpty()) {
            List<@Nullable Object> all = new ArrayList<>();
            quotas.forEach(quota -> all.add(quota(quota)));
            body.put("quotas", all);
        }
        put(body, "closed_types", closedTypes);
        put(body, "replace", replace ? true : null);
        return body;
    }

    private static void put(Map<String, @Nullable Object> body, String name, @Nullable Object value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    private static void lane(String given, Map<String, @Nullable Object> byName) {
        int equals = given.lastIndexOf('=');
        if (equals < 1) {
            throw wrong("--lane NAME=WEIGHT[:SPANS]", given);
        }
        String[] parts = given.substring(equals + 1).split(":", 2);
        Map<String, @Nullable Object> lane = new LinkedHashMap<>();
        lane.put("weight", whole("--lane NAME=WEIGHT[:SPANS]", parts[0], given));
        if (parts.length == 2) {
            lane.put(
                    "aging_ms",
                    Arrays.stream(parts[1].split(",", -1))
                            .map(span -> Spans.span("--lane", span).toMillis())
                            .toList());
        }
        byName.put(given.substring(0, equals), lane);
    }

    private static Map<String, @Nullable Object> limit(String given) {
        Matcher matcher = LIMIT.matcher(given);
        if (!matcher.matches()) {
            throw wrong("--limit concurrency:KEY=N or rate:KEY=N/SPAN", given);
        }
        Map<String, @Nullable Object> limit = new LinkedHashMap<>();
        limit.put("kind", matcher.group(1));
        limit.put("key", matcher.group(2));
        limit.put("limit", whole("--limit KIND:KEY=N[/SPAN]", matcher.group(3), given));
        if (matcher.group(4) != null) {
            limit.put("per_ms", Spans.span("--limit", matcher.group(4)).toMillis());
        }
        return limit;
    }

    private static Map<String, @Nullable Object> quota(String given) {
        String[] parts = given.split("=", 2);
        Map<String, @Nullable Object> quota = new LinkedHashMap<>();
        quota.put("kind", parts[0]);
        if (parts.length == 2 && parts[1].equals("0")) {
            return quota;
        }
        for (String bound : parts.length == 2 ? parts[1].split(",", -1) : new String[] {""}) {
            String[] named = bound.split(":", 2);
            if (named.length < 2 || !List.of("soft", "hard").contains(named[0]) || quota.containsKey(named[0])) {
                throw wrong("--quota KIND=soft:N,hard:N", given);
            }
            quota.put(named[0], whole("--quota KIND=soft:N,hard:N", named[1], given));
        }
        return quota;
    }

    private static long whole(String form, String number, String given) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            throw wrong(form, given);
        }
    }

    private static Failed wrong(String form, String given) {
        return Failed.usage("expected " + form + ", but got '" + given + "'");
    }
}
