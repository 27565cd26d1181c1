package dev.fairlane.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fairlane usage}: the ledger, for bills. */
@Command(name = "usage", description = "What tenants used and what it costs, by hour, tenant, lane, type and pool.")
final class UsageCommand implements Callable<Integer> {
    private static final List<String> NAMES = List.of("from", "tenant", "lane", "type", "pool");
    private static final Duration WITHIN = Duration.ofMinutes(2);

    @Mixin
    private final ServerOptions server;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Of one tenant. Default: all that the key may see")
    private @Nullable String tenant;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "A date or a whole hour, UTC: 2026-11-01 or 2026-11-01T13:00:00Z. Default: the present month")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Not included. Default: now")
    private @Nullable String to;

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            split = ",",
            description = "Told apart: tenant, lane, type, pool, and one of hour, day, month")
    private List<String> by = new ArrayList<>();

    @Option(names = "--format", paramLabel = "FORMAT", description = "csv or json, as the server sends it")
    private @Nullable String format;

    UsageCommand(Session session) {
        this.server = new ServerOptions(session);
    }

    @Override
    public Integer call() {
        List<Entry<String, String>> parameters = new ArrayList<>();
        by.forEach(word -> parameters.add(Map.entry("group_by", word)));
        if (tenant != null) {
            parameters.add(Map.entry("tenant", tenant));
        }
        if (from != null) {
            parameters.add(Map.entry("from", time("--from", from)));
        }
        if (to != null) {
            parameters.add(Map.entry("to", time("--to", to)));
        }
        if (format != null) {
            if (!format.equals("csv") && !format.equals("json")) {
                throw Failed.usage("--format: expected csv or json, but got " + format);
            }
            parameters.add(Map.entry("format", format));
            byte[] report = server.api(null).call("GET", "/v1/usage" + Api.query(parameters), null, Api.JSON, WITHIN);
            server.printer().out().print(new String(report, StandardCharsets.UTF_8));
            return ExitCode.OK;
        }
        Printer printer = server.printer();
        printer.print(
                server.api(null).get("/v1/usage" + Api.query(parameters), WITHIN),
                "currency",
                report -> print(report, printer));
        return ExitCode.OK;
    }

    private static String time(String option, String text) {
        try {
            Instant at = text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            return at.toString();
        } catch (DateTimeParseException e) {
            throw Failed.usage(option + ": expected a time like 2026-11-01 or 2026-11-01T13:00:00Z, but got " + text);
        }
    }

    private static void print(Map<String, @Nullable Object> report, Printer printer) {
        List<Map<String, @Nullable Object>> entries = Json.objects(report.get("entries"));
        List<String> names = NAMES.stream()
                .filter(name -> entries.stream()
                        .anyMatch(entry -> !Json.text(entry, name).isEmpty()))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(
                names.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList());
        heading.addAll(List.of("JOBS", "DEAD", "EXECUTIONS", "SLOT-SECONDS", "AMOUNT"));
        rows.add(heading);
        String currency = Json.text(report, "currency");
        entries.forEach(entry -> rows.add(row(entry, names, currency)));
        if (names.isEmpty()) {
            rows.subList(1, rows.size()).clear();
        }
        Map<String, @Nullable Object> total = Json.object(report.get("total"));
        List<String> last = row(total, names, currency);
        if (!names.isEmpty()) {
            last.set(0, "total");
        }
        rows.add(last);
        printer.table(rows);
    }

    private static List<String> row(Map<String, @Nullable Object> entry, List<String> names, String currency) {
        List<String> cells = new ArrayList<>(
                names.stream().map(name -> Json.text(entry, name)).toList());
        cells.add("%,d".formatted(Json.number(entry, "jobs")));
        cells.add("%,d".formatted(Json.number(entry, "dead")));
        cells.add("%,d".formatted(Json.number(entry, "executions")));
        cells.add(entry.get("slot_seconds") instanceof Number used ? "%,.3f".formatted(used.doubleValue()) : "0");
        cells.add((Json.text(entry, "amount") + " " + currency).strip());
        return cells;
    }
}
