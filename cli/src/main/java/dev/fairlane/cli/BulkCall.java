package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call that begins an operation over many jobs: asks first, then shows how it goes on until its end. */
final class BulkCall {
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int BAR = 30;

    private final ServerOptions server;
    private final Api api;
    private final String path;
    private final Map<String, @Nullable Object> body;

    /** @param body of the call; must take {@code dry_run} */
    BulkCall(ServerOptions server, Api api, String path, Map<String, @Nullable Object> body) {
        this.server = server;
        this.api = api;
        this.path = path;
        this.body = body;
    }

    /** @param deed what is done to jobs, as the question names it */
    int run(String deed, boolean dryRun, boolean yes, boolean detach) {
        Printer printer = server.printer();
        if (dryRun || !yes) {
            Map<String, @Nullable Object> dry = new LinkedHashMap<>(body);
            dry.put("dry_run", true);
            Map<String, @Nullable Object> counted = Json.object(api.send("POST", path, dry));
            long count = Json.number(counted, "expected");
            if (dryRun) {
                printer.print(counted, "expected", any -> printer.out().println(count + " jobs would be treated."));
                return ExitCode.OK;
            }
            if (!agreed(deed + " " + count + " jobs? [y/N] ")) {
                server.session().err().println("Nothing was done.");
                return ExitCode.FAILED;
            }
        }
        Map<String, @Nullable Object> operation = Json.object(api.send("POST", path, body));
        if (!detach) {
            operation = follow(operation);
        }
        printer.print(operation, "id", ended -> sheet(ended, printer));
        return switch (Json.text(operation, "state")) {
            case "stopped", "failed", "cancelled" -> ExitCode.FAILED;
            default -> ExitCode.OK;
        };
    }

    private boolean agreed(String question) {
        server.session().err().print(question);
        server.session().err().flush();
        try {
            String answer =
                    new BufferedReader(new InputStreamReader(server.session().in(), StandardCharsets.UTF_8)).readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the answer: " + e.getMessage(), e);
        }
    }

    private Map<String, @Nullable Object> follow(Map<String, @Nullable Object> begun) {
        Map<String, @Nullable Object> operation = begun;
        boolean watched = server.session().errTerminal() && server.printer().format() == Format.table;
        while (Json.text(operation, "ended_at").isEmpty()) {
            if (watched) {
                server.session().err().print("\r" + bar(operation));
                server.session().err().flush();
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            operation = Json.object(api.get("/v1/operations/" + Api.segment(Json.text(begun, "id"))));
        }
        if (watched) {
            server.session().err().println("\r" + bar(operation));
        }
        return operation;
    }

    static String bar(Map<String, @Nullable Object> operation) {
        long treated =
                Json.number(operation, "done") + Json.number(operation, "skipped") + Json.number(operation, "failed");
        long expected = Math.max(treated, Json.number(operation, "expected"));
        int full = expected == 0 ? BAR : (int) (treated * BAR / expected);
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] " + treated + "/" + expected + "  "
                + Json.text(operation, "state").replace('_', ' ') + "   ";
    }

    static void sheet(Map<String, @Nullable Object> operation, Printer printer) {
        printer.field("Operation", Json.text(operation, "id"));
        printer.field("Kind", Json.text(operation, "kind"));
        printer.field("Filter", Json.text(operation, "filter"));
        printer.field("State", Json.text(operation, "state"));
        printer.field("Done", String.valueOf(Json.number(operation, "done")));
        printer.field("Skipped", unlessZero(Json.number(operation, "skipped")));
        printer.field("Failed", unlessZero(Json.number(operation, "failed")));
        printer.field("Note", Json.text(operation, "note"));
        printer.field("By", Json.text(operation, "by"));
        printer.field("Why", Json.text(operation, "why"));
        printer.field("Started", Json.text(operation, "started_at"));
        printer.field("Ended", Json.text(operation, "ended_at"));
    }

    private static String unlessZero(long count) {
        return count == 0 ? "" : String.valueOf(count);
    }
}
