package dev.fairlane.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;

/** When a schedule ticks and what becomes of its ticks, as options. */
final class ScheduleOptions {
    @Option(
            names = "--cron",
            paramLabel = "EXPRESSION",
            description = "minute hour day month weekday, seconds first if there are six, or @daily and the like")
    private @Nullable String cron;

    @Option(names = "--every", paramLabel = "SPAN", description = "An interval, e.g. 30s")
    private @Nullable String every;

    @Option(names = "--at", paramLabel = "TIME", description = "Once, e.g. 2026-12-01T09:00:00Z")
    private @Nullable String at;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Of the cron expression, e.g. Europe/Berlin. Default: UTC")
    private @Nullable String zone;

    @Option(names = "--from-completion", description = "Count the interval from the end of the run before")
    private boolean fromCompletion;

    @Option(
            names = "--dst-gap",
            paramLabel = "HOW",
            description = "Times the clocks jump over: skip or shift. Default: skip")
    private @Nullable String dstGap;

    @Option(
            names = "--dst-overlap",
            paramLabel = "HOW",
            description = "Times that happen twice: first, second or both. Default: first")
    private @Nullable String dstOverlap;

    @Option(names = "--start", paramLabel = "TIME", description = "No ticks before")
    private @Nullable String start;

    @Option(names = "--end", paramLabel = "TIME", description = "No ticks after")
    private @Nullable String end;

    @Option(names = "--max-runs", paramLabel = "N", description = "Ends after so many runs")
    private @Nullable Long maxRuns;

    @Option(
            names = "--jitter",
            paramLabel = "SPAN",
            description =
                    "Later by up to so much, at most 60s. Default: up to 60s, and a tenth of the time to the next tick")
    private @Nullable String jitter;

    @Option(names = "--exact", description = "No jitter")
    private boolean exact;

    /** Adds what was given. */
    void addTo(Map<String, @Nullable Object> spec) {
        put(spec, "cron", cron);
        put(
                spec,
                "every_ms",
                every == null ? null : Spans.span("--every", every).toMillis());
        put(spec, "at", at == null ? null : Spans.time("--at", at));
        put(spec, "zone", zone);
        put(spec, "from_completion", fromCompletion ? true : null);
        put(spec, "dst_gap", dstGap);
        put(spec, "dst_overlap", dstOverlap);
        put(spec, "start", start == null ? null : Spans.time("--start", start));
        put(spec, "end", end == null ? null : Spans.time("--end", end));
        put(spec, "max_runs", maxRuns);
        if (exact && jitter != null) {
            throw Failed.usage("expected --exact or --jitter, but there are both");
        }
        put(
                spec,
                "jitter_ms",
                exact
                        ? Long.valueOf(0)
                        : jitter == null ? null : Spans.span("--jitter", jitter).toMillis());
    }

    /** The rest of what a schedule says: what becomes of its ticks, and its job. */
    static final class Whole {
        @Option(names = "--type", paramLabel = "TYPE", required = true, description = "Name of the handler")
        private String type = "";

        @Option(names = "--payload", paramLabel = "JSON", description = "JSON, or @FILE. Default: none")
        private @Nullable String payload;

        @Option(names = "--priority", paramLabel = "N", description = "0 (most urgent) to 9. Default: 5")
        private @Nullable Integer priority;

        @Option(names = "--lane", paramLabel = "NAME", description = "Stream of work inside the tenant")
        private @Nullable String lane;

        @Option(names = "--max-attempts", paramLabel = "N", description = "Default: what the type says")
        private @Nullable Integer maxAttempts;

        @Option(names = "--time-limit", paramLabel = "SPAN", description = "Of one attempt")
        private @Nullable String timeLimit;

        @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "To find its jobs by. Repeatable")
        private Map<String, String> tags = new LinkedHashMap<>();

        @Option(
                names = "--overlap",
                paramLabel = "HOW",
                description = "While a run is open: skip, buffer_one, cancel_previous or allow. Default: skip")
        private @Nullable String overlap;

        @Option(
                names = "--catchup",
                paramLabel = "HOW",
                description = "Missed ticks: none, latest or all. Default: none")
        private @Nullable String catchup;

        @Option(
                names = "--catchup-per-minute",
                paramLabel = "N",
                description = "Bound on all missed ticks. Default: 60")
        private @Nullable Integer catchupPerMinute;

        @Option(names = "--pause-on-failure", description = "Pause when a run ends DEAD")
        private boolean pauseOnFailure;

        @Option(names = "--description", paramLabel = "TEXT", description = "For people")
        private @Nullable String description;

        void addTo(Map<String, @Nullable Object> spec) {
            put(spec, "overlap", overlap);
            put(spec, "catchup", catchup);
            put(spec, "catchup_per_minute", catchupPerMinute);
            put(spec, "pause_on_failure", pauseOnFailure ? true : null);
            put(spec, "description", description);
            Map<String, @Nullable Object> job = new LinkedHashMap<>();
            job.put("type", type);
            put(job, "payload", payload == null ? null : json(payload));
            put(job, "priority", priority);
            put(job, "lane", lane);
            put(job, "max_attempts", maxAttempts);
            put(
                    job,
                    "time_limit_ms",
                    timeLimit == null
                            ? null
                            : Spans.span("--time-limit", timeLimit).toMillis());
            put(job, "tags", tags.isEmpty() ? null : tags);
            spec.put("job", job);
        }

        private static @Nullable Object json(String given) {
            try {
                byte[] text = given.startsWith("@")
                        ? Files.readAllBytes(Path.of(given.substring(1)))
                        : given.getBytes(StandardCharsets.UTF_8);
                return Json.parse(text);
            } catch (JacksonException e) {
                throw Failed.usage("--payload is not JSON (" + e.getOriginalMessage() + ")");
            } catch (IOException e) {
                throw Failed.usage("--payload: cannot read " + given.substring(1) + " (" + e.getMessage() + ")");
            }
        }
    }

    private static void put(Map<String, @Nullable Object> body, String name, @Nullable Object value) {
        if (value != null) {
            body.put(name, value);
        }
    }
}
