package dev.fairlane.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code fairlane status}. */
@Command(name = "status", description = "What the server is doing: pools, tenants, workers.")
final class StatusCommand extends ServerCommand {
    StatusCommand(Session session) {
        super(session);
    }

    @Override
    void ask(Api api, Printer printer) {
        printer.print(api.get("/v1/status?fresh=true"), "state", status -> print(status, printer));
    }

    private static void print(Map<String, @Nullable Object> status, Printer printer) {
        printer.field("State", Json.text(status, "state"));
        printer.field("Node", Json.text(status, "node"));
        printer.field("Version", Json.text(status, "version"));
        printer.field("Up", Spans.brief(Duration.ofMillis(Json.number(status, "uptime_ms"))));
        printer.field(
                "Jobs",
                "%,d submitted, %,d succeeded, %,d retried, %,d dead, %,d cancelled"
                        .formatted(
                                Json.number(status, "submitted"),
                                Json.number(status, "succeeded"),
                                Json.number(status, "retried"),
                                Json.number(status, "dead"),
                                Json.number(status, "cancelled")));
        List<List<String>> pools = new ArrayList<>();
        pools.add(List.of("POOL", "WAITING", "RUNNING", "SLOTS", "OLDEST"));
        for (Map<String, @Nullable Object> pool : Json.objects(status.get("pools"))) {
            pools.add(List.of(
                    Json.text(pool, "pool"),
                    count(pool, "waiting"),
                    count(pool, "running"),
                    count(pool, "slots"),
                    Spans.brief(Duration.ofMillis(Json.number(pool, "oldest_waiting_ms")))));
        }
        section(pools, printer);
        List<List<String>> tenants = new ArrayList<>();
        tenants.add(List.of("TENANT", "WEIGHT", "WAITING", "SCHEDULED", "RUNNING", "COMPLETED", "SLOT-SECONDS"));
        for (Map<String, @Nullable Object> tenant : Json.objects(status.get("tenants"))) {
            tenants.add(List.of(
                    Json.text(tenant, "tenant"),
                    count(tenant, "weight"),
                    count(tenant, "waiting"),
                    count(tenant, "scheduled"),
                    count(tenant, "running"),
                    count(tenant, "completed"),
                    tenant.get("slot_seconds") instanceof Number used ? "%,.1f".formatted(used.doubleValue()) : "0"));
        }
        section(tenants, printer);
        List<List<String>> workers = new ArrayList<>();
        workers.add(List.of("WORKER", "SLOTS", "RUNNING", "SEEN", "RESOURCES", "TAGS", "TYPES"));
        for (Map<String, @Nullable Object> worker : Json.objects(status.get("workers"))) {
            workers.add(List.of(
                    Json.text(worker, "worker") + (Boolean.TRUE.equals(worker.get("draining")) ? " (draining)" : ""),
                    Json.objects(worker.get("offers")).stream()
                            .map(offer -> Json.text(offer, "pool") + "=" + Json.number(offer, "slots"))
                            .collect(Collectors.joining(" ")),
                    count(worker, "running"),
                    Spans.brief(Duration.ofMillis(Json.number(worker, "last_seen_ms"))),
                    JobText.resources(Json.object(worker.get("resources"))),
                    JobText.words(worker, "tags"),
                    JobText.words(worker, "types")));
        }
        section(workers, printer);
        List<List<String>> stranded = new ArrayList<>();
        stranded.add(List.of("NO WORKER FOR", "TENANT", "POOL", "WAITING", "OLDEST", "REQUIRES"));
        for (Map<String, @Nullable Object> jobs : Json.objects(status.get("stranded"))) {
            stranded.add(List.of(
                    Json.text(jobs, "type"),
                    Json.text(jobs, "tenant"),
                    Json.text(jobs, "pool"),
                    count(jobs, "waiting"),
                    Spans.brief(Duration.ofMillis(Json.number(jobs, "oldest_waiting_ms"))),
                    (Json.text(jobs, "requires") + " " + Json.text(jobs, "demand")).strip()));
        }
        section(stranded, printer);
        List<List<String>> refusals = new ArrayList<>();
        refusals.add(List.of("TENANT", "REFUSED", "TIMES"));
        for (Map<String, @Nullable Object> refusal : Json.objects(status.get("refusals"))) {
            refusals.add(List.of(Json.text(refusal, "tenant"), Json.text(refusal, "code"), count(refusal, "count")));
        }
        section(refusals, printer);
    }

    private static void section(List<List<String>> rows, Printer printer) {
        if (rows.size() > 1) {
            printer.out().println();
            printer.table(rows);
        }
    }

    private static String count(Map<String, @Nullable Object> object, String name) {
        return "%,d".formatted(Json.number(object, name));
    }
}
