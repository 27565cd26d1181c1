package dev.fairlane.cli;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A job as people read it. */
final class JobText {
    private static final int BAR_CHARS = 20;

    private JobText() {}

    static boolean ended(String state) {
        return switch (state) {
            case "SUCCEEDED", "DEAD", "CANCELLED", "EXPIRED" -> true;
            default -> false;
        };
    }

    static void sheet(Map<String, @Nullable Object> job, Printer printer) {
        printer.field("Id", Json.text(job, "id"));
        printer.field("Type", Json.text(job, "type"));
        printer.field(
                "State",
                Json.text(job, "state")
                        + (Boolean.TRUE.equals(job.get("cancel_requested")) ? " (cancel requested)" : ""));
        printer.field("Tenant", Json.text(job, "tenant"));
        printer.field("Pool", Json.text(job, "pool"));
        printer.field("Priority", String.valueOf(Json.number(job, "priority")));
        printer.field("Attempt", attempts(job));
        printer.field("Worker", Json.text(job, "worker"));
        printer.field("Progress", progress(job));
        printer.field("Checkpoint", checkpoint(job));
        printer.field("Submitted", Json.text(job, "submitted_at"));
        printer.field("Run at", Json.text(job, "run_at"));
        printer.field("Not after", Json.text(job, "not_after"));
        printer.field("Started", Json.text(job, "started_at"));
        printer.field("Due", ended(Json.text(job, "state")) ? "" : Json.text(job, "due_at"));
        printer.field("Ended", Json.text(job, "ended_at"));
        printer.field("Key", Json.text(job, "idempotency_key"));
        printer.field("Unique key", Json.text(job, "unique_key"));
        printer.field("Lane", lane(job));
        needs(Json.object(job.get("needs")), printer);
        printer.field("Tags", pairs(job, "tags"));
        printer.field("Headers", pairs(job, "headers"));
        printer.field("Payload", content(job, "payload", "content_type"));
        printer.field("Result", result(job));
        Map<String, @Nullable Object> failure = Json.object(job.get("failure"));
        printer.field("Failure", failure(failure));
        printer.field("Detail", Json.text(failure, "detail").strip().replace("\n", "\n             "));
        printer.field("Replayed", replay(Json.object(job.get("replay"))));
        history(job, printer);
    }

    private static void needs(Map<String, @Nullable Object> needs, Printer printer) {
        long cost = Json.number(needs, "rate_cost");
        printer.field("Fair key", Json.text(needs, "fair_key"));
        printer.field("Concurrency", Json.text(needs, "concurrency_key"));
        printer.field("Rate", Json.text(needs, "rate_key") + (cost > 1 ? " (costs " + cost + ")" : ""));
        printer.field("Demand", resources(Json.object(needs.get("demand"))));
        printer.field("Requires", words(needs, "requires"));
    }

    /** As {@code --demand} takes it; empty for none. */
    static String resources(Map<String, @Nullable Object> resources) {
        List<String> parts = new ArrayList<>();
        long millis = Json.number(resources, "cpu_millis");
        if (millis > 0) {
            parts.add("cpu="
                    + (millis % 1_000 == 0
                            ? String.valueOf(millis / 1_000)
                            : "%d.%03d".formatted(millis / 1_000, millis % 1_000)));
        }
        long memory = Json.number(resources, "memory_mib");
        if (memory > 0) {
            parts.add("memory=" + (memory % 1_024 == 0 ? memory / 1_024 + "GiB" : memory + "MiB"));
        }
        if (Json.number(resources, "gpus") > 0) {
            parts.add("gpus=" + Json.number(resources, "gpus"));
        }
        return String.join(",", parts);
    }

    static String words(Map<String, @Nullable Object> object, String member) {
        return object.get(member) instanceof List<?> words
                ? words.stream().map(String::valueOf).collect(Collectors.joining(" "))
                : "";
    }

    private static String replay(Map<String, @Nullable Object> replay) {
        return replay.isEmpty()
                ? ""
                : Json.text(replay, "replayed_at") + " by " + Json.text(replay, "by") + " (time "
                        + Json.number(replay, "count") + "): " + Json.text(replay, "why");
    }

    private static void history(Map<String, @Nullable Object> job, Printer printer) {
        List<Map<String, @Nullable Object>> attempts = Json.objects(job.get("attempts"));
        if (attempts.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("EXECUTION", "WORKER", "LEASED", "ENDED", "FAILURE", "MESSAGE"));
        for (Map<String, @Nullable Object> attempt : attempts) {
            rows.add(List.of(
                    Json.text(attempt, "execution"),
                    Json.text(attempt, "worker"),
                    Json.text(attempt, "leased_at"),
                    Json.text(attempt, "ended_at"),
                    Json.text(attempt, "failure_class"),
                    Json.text(attempt, "message")));
        }
        printer.out().println();
        printer.table(rows);
    }

    static void list(List<Map<String, @Nullable Object>> jobs, Instant now, Printer printer) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ID", "TYPE", "STATE", "TENANT", "PRIO", "ATTEMPT", "AGE", "WORKER"));
        for (Map<String, @Nullable Object> job : jobs) {
            rows.add(List.of(
                    Json.text(job, "id"),
                    Json.text(job, "type"),
                    Json.text(job, "state"),
                    Json.text(job, "tenant"),
                    String.valueOf(Json.number(job, "priority")),
                    attempts(job),
                    Spans.ago(Json.text(job, "submitted_at"), now),
                    Json.text(job, "worker")));
        }
        printer.table(rows);
    }

    /** One change of a job in one line. */
    static String line(Map<String, @Nullable Object> job, Printer printer) {
        String failure = failure(Json.object(job.get("failure")));
        String worker = Json.text(job, "worker");
        return Json.text(job, "changed_at") + "  " + printer.state(Json.text(job, "state")) + "  attempt "
                + attempts(job)
                + (worker.isEmpty() ? "" : "  " + worker)
                + (progress(job).isEmpty() ? "" : "  " + progress(job))
                + (failure.isEmpty() ? "" : "  " + failure);
    }

    /** A bar where the fraction is known, then the words. */
    static String progress(Map<String, @Nullable Object> job) {
        Map<String, @Nullable Object> told = Json.object(job.get("progress"));
        String bar = "";
        if (told.get("fraction") instanceof Number fraction) {
            int percent = (int) Math.floor(fraction.doubleValue() * 100);
            int full = percent * BAR_CHARS / 100;
            bar = "[" + "#".repeat(full) + "-".repeat(BAR_CHARS - full) + "] " + percent + " % ";
        }
        return (bar + Json.text(told, "message")).strip();
    }

    private static String result(Map<String, @Nullable Object> job) {
        return job.containsKey("result_bytes")
                ? Json.number(job, "result_bytes") + " bytes of " + Json.text(job, "result_content_type")
                        + "; fairlane job result has them"
                : content(job, "result", "result_content_type");
    }

    private static String checkpoint(Map<String, @Nullable Object> job) {
        Map<String, @Nullable Object> saved = Json.object(job.get("checkpoint"));
        if (!saved.isEmpty()) {
            return Json.text(saved, "saved_at") + ", " + Json.number(saved, "bytes") + " bytes";
        }
        return Boolean.TRUE.equals(job.get("checkpoint_missing")) ? "none, though its type declares checkpoints" : "";
    }

    static String failure(Map<String, @Nullable Object> failure) {
        String kind = Json.text(failure, "failure_class");
        return kind.isEmpty() ? "" : kind + ": " + Json.text(failure, "message");
    }

    /** Payload or result: JSON as it is, text as text, other bytes as their size. */
    static String content(Map<String, @Nullable Object> job, String member, String typeMember) {
        if (job.containsKey(member)) {
            return Json.compact(job.get(member));
        }
        String base64 = Json.text(job, member + "_base64");
        if (base64.isEmpty()) {
            return "";
        }
        byte[] bytes = Base64.getDecoder().decode(base64);
        String type = Json.text(job, typeMember);
        return type.startsWith("text/")
                ? new String(bytes, StandardCharsets.UTF_8).stripTrailing()
                : bytes.length + " bytes of " + (type.isEmpty() ? "JSON that is none" : type);
    }

    /** Only where it is not the usual one. */
    private static String lane(Map<String, @Nullable Object> job) {
        String lane = Json.text(job, "lane");
        return lane.equals("default") ? "" : lane;
    }

    private static String attempts(Map<String, @Nullable Object> job) {
        return Json.number(job, "attempt") + "/" + Json.number(job, "max_attempts");
    }

    private static String pairs(Map<String, @Nullable Object> job, String member) {
        return Json.object(job.get(member)).entrySet().stream()
                .map(pair -> pair.getKey() + "=" + pair.getValue())
                .collect(Collectors.joining(" "));
    }
}
