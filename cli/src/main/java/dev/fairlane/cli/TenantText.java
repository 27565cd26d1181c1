package dev.fairlane.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A tenant as people read it; rules are written as {@code tenant put} takes them. */
final class TenantText {
    private TenantText() {}

    static void sheet(Map<String, @Nullable Object> tenant, Printer printer) {
        printer.field("Name", Json.text(tenant, "name"));
        printer.field("Tier", Json.text(tenant, "tier"));
        printer.field("Weight", Json.text(tenant, "weight"));
        Map<String, @Nullable Object> effective = Json.object(tenant.get("effective"));
        printer.field("Quenched", quenched(Json.object(effective.get("quenched"))));
        printer.field("Submit rate", rate(tenant, effective));
        printer.field("Open jobs", open(tenant, effective));
        printer.field("This month", month(effective));
        printer.field("In flight", amounts(tenant, "in_flight"));
        printer.field("Reserved", amounts(tenant, "reserved"));
        Json.object(tenant.get("lanes")).forEach((name, lane) -> printer.field("Lane", lane(name, Json.object(lane))));
        Json.objects(tenant.get("key_limits")).forEach(limit -> printer.field("Limit", limit(limit)));
        Json.objects(tenant.get("quotas")).forEach(quota -> printer.field("Quota", quota(quota)));
        printer.field("Types", Boolean.TRUE.equals(tenant.get("closed_types")) ? "closed" : "");
        printer.field("Changed", Json.text(tenant, "changed_at"));
    }

    private static String quenched(Map<String, @Nullable Object> quench) {
        return quench.isEmpty()
                ? ""
                : "since " + Json.text(quench, "since")
                        + (Json.text(quench, "by").isEmpty() ? "" : " by " + Json.text(quench, "by"))
                        + (Json.text(quench, "why").isEmpty() ? "" : ": " + Json.text(quench, "why"));
    }

    /** Its own, or what its tier says; the half of it when it is slowed. */
    private static String rate(Map<String, @Nullable Object> tenant, Map<String, @Nullable Object> effective) {
        String whose = tenant.containsKey("submit_rate") ? "" : " by its tier";
        if (effective.isEmpty()) { // a server that does not tell
            return tenant.containsKey("submit_rate") ? Json.text(tenant, "submit_rate") + "/s" : "";
        }
        return !effective.containsKey("submit_rate")
                ? "no bound" + whose
                : Json.text(effective, "submit_rate") + "/s" + whose + ", " + Json.text(effective, "submit_burst")
                        + " at once"
                        + (Boolean.TRUE.equals(effective.get("slowed")) ? "; halved, over a soft quota" : "");
    }

    private static String open(Map<String, @Nullable Object> tenant, Map<String, @Nullable Object> effective) {
        if (effective.isEmpty()) {
            return tenant.containsKey("max_open_jobs") ? Json.text(tenant, "max_open_jobs") : "";
        }
        return Json.number(effective, "open_jobs") + " of " + Json.number(effective, "max_open_jobs")
                + (tenant.containsKey("max_open_jobs") ? "" : " by the server");
    }

    private static String month(Map<String, @Nullable Object> effective) {
        return effective.isEmpty()
                ? ""
                : Json.number(effective, "month_jobs") + " jobs, " + Json.number(effective, "month_slot_seconds")
                        + " slot-seconds";
    }

    private static String amounts(Map<String, @Nullable Object> tenant, String member) {
        return Json.object(tenant.get(member)).entrySet().stream()
                .map(amount -> amount.getKey() + "=" + amount.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String lane(String name, Map<String, @Nullable Object> lane) {
        String aging = lane.get("aging_ms") instanceof List<?> spans
                ? spans.stream().map(span -> span(((Number) span).longValue())).collect(Collectors.joining(","))
                : "";
        return name + "=" + Json.number(lane, "weight") + (aging.isEmpty() ? "" : ":" + aging);
    }

    private static String limit(Map<String, @Nullable Object> limit) {
        long per = Json.number(limit, "per_ms");
        return Json.text(limit, "kind") + ":" + Json.text(limit, "key") + "=" + Json.number(limit, "limit")
                + (per == 0 ? "" : "/" + span(per));
    }

    private static String quota(Map<String, @Nullable Object> quota) {
        long soft = Json.number(quota, "soft");
        long hard = Json.number(quota, "hard");
        return Json.text(quota, "kind") + "=" + (soft == 0 ? "" : "soft:" + soft)
                + (soft == 0 || hard == 0 ? "" : ",")
                + (hard == 0 ? "" : "hard:" + hard);
    }

    /** Exactly, in the largest unit that has no rest. */
    private static String span(long millis) {
        Duration span = Duration.ofMillis(millis);
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        if (span.toSeconds() % 60 != 0 || millis == 0) {
            return span.toSeconds() + "s";
        }
        return span.toMinutes() % 60 != 0 ? span.toMinutes() + "m" : span.toHours() + "h";
    }
}
