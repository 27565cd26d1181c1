package dev.fairlane.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code fairlane operation …}: what was begun for many jobs at once. */
@Command(name = "operation", description = "Operations over many jobs: look at them, stop them.")
final class OperationCommand {
    private OperationCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new OperationCommand())
                .addSubcommand(new ListOperations(session))
                .addSubcommand("show", new One(session, "", "GET"))
                .addSubcommand("cancel", new One(session, ":cancel", "POST"));
    }

    @Command(name = "list", description = "List operations, newest first.")
    private static final class ListOperations implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        ListOperations(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Printer printer = server.printer();
            List<Map<String, @Nullable Object>> all = Json.objects(
                    Json.object(server.api(null).get("/v1/operations")).get("operations"));
            printer.printAll(all, "id", () -> {
                List<List<String>> rows = new ArrayList<>();
                rows.add(List.of("ID", "KIND", "STATE", "DONE", "SKIPPED", "FAILED", "AGE", "BY", "WHY"));
                for (Map<String, @Nullable Object> one : all) {
                    rows.add(List.of(
                            Json.text(one, "id"),
                            Json.text(one, "kind"),
                            Json.text(one, "state"),
                            String.valueOf(Json.number(one, "done")),
                            String.valueOf(Json.number(one, "skipped")),
                            String.valueOf(Json.number(one, "failed")),
                            Spans.ago(Json.text(one, "started_at"), Instant.now()),
                            Json.text(one, "by"),
                            Json.text(one, "why")));
                }
                printer.table(rows);
            });
            return ExitCode.OK;
        }
    }

    @Command(description = "Show one, or stop it before its next step.")
    private static final class One implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        private final String verb;
        private final String method;

        @Parameters(index = "0", paramLabel = "ID")
        private String id = "";

        One(Session session, String verb, String method) {
            this.server = new ServerOptions(session);
            this.verb = verb;
            this.method = method;
        }

        @Override
        public Integer call() {
            Printer printer = server.printer();
            String path = "/v1/operations/" + Api.segment(id) + verb;
            Object answer = method.equals("GET")
                    ? server.api(null).get(path)
                    : server.api(null).send(method, path, null);
            printer.print(answer, "id", operation -> BulkCall.sheet(operation, printer));
            return ExitCode.OK;
        }
    }
}
