package dev.fairlane.cli;

import java.time.Instant;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

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
    private static final class ListOperations extends ServerCommand {
        ListOperations(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Instant now = Instant.now();
            printer.rows(
                    Json.objects(Json.object(api.get("/v1/operations")).get("operations")),
                    "id",
                    List.of("ID", "KIND", "STATE", "DONE", "SKIPPED", "FAILED", "AGE", "BY", "WHY"),
                    one -> List.of(
                            Json.text(one, "id"),
                            Json.text(one, "kind"),
                            Json.text(one, "state"),
                            String.valueOf(Json.number(one, "done")),
                            String.valueOf(Json.number(one, "skipped")),
                            String.valueOf(Json.number(one, "failed")),
                            Spans.ago(Json.text(one, "started_at"), now),
                            Json.text(one, "by"),
                            Json.text(one, "why")));
        }
    }

    @Command(description = "Show one, or stop it before its next step.")
    private static final class One extends ServerCommand.OfId {
        private final String verb;
        private final String method;

        One(Session session, String verb, String method) {
            super(session);
            this.verb = verb;
            this.method = method;
        }

        @Override
        void ask(Api api, Printer printer) {
            String path = "/v1/operations/" + Api.segment(id) + verb;
            Object answer = method.equals("GET") ? api.get(path) : api.send(method, path, null);
            printer.print(answer, "id", operation -> BulkCall.sheet(operation, printer));
        }
    }
}
