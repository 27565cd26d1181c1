package dev.fairlane.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane key …}: who may do what. */
final class AdminCommands {
    private AdminCommands() {}

    static CommandLine key(Session session) {
        return new CommandLine(new Key())
                .addSubcommand(new CreateKey(session))
                .addSubcommand(new Keys(session))
                .addSubcommand(new RevokeKey(session));
    }

    @Command(name = "key", description = "API keys.")
    private static final class Key {}

    /** Lists of the server, each a member of its answer. */
    static void list(
            ServerOptions server, String path, String member, String name, List<String> heading, List<String> columns) {
        Map<String, @Nullable Object> answer = Json.object(server.api(null).get(path));
        List<Map<String, @Nullable Object>> all = Json.objects(answer.get(member));
        Printer printer = server.printer();
        printer.printAll(all, name, () -> {
            List<List<String>> rows = new ArrayList<>();
            rows.add(heading);
            all.forEach(one -> rows.add(
                    columns.stream().map(column -> Json.text(one, column)).toList()));
            printer.table(rows);
        });
    }

    static int put(ServerOptions server, String path, Map<String, @Nullable Object> body) {
        server.printer().sheet(server.api(null).send("PUT", path, body), "name");
        return ExitCode.OK;
    }

    @Command(name = "create", description = "Make a key. Its secret is printed once and never again.")
    private static final class CreateKey implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "NAME", description = "To know it by later")
        private String name = "";

        @Option(
                names = "--role",
                required = true,
                paramLabel = "ROLE",
                description = "admin, submitter, worker or viewer")
        private String role = "";

        @Option(names = "--tenant", paramLabel = "NAME", description = "Default: a key that sees all tenants")
        private @Nullable String tenant;

        CreateKey(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("name", name);
            body.put("role", role);
            if (tenant != null) {
                body.put("tenant", tenant);
            }
            Printer printer = server.printer();
            printer.print(server.api(null).send("POST", "/v1/keys", body), "secret", made -> {
                server.session()
                        .err()
                        .println("Made key " + Json.text(Json.object(made.get("key")), "id")
                                + ". This is its secret; it is not shown again:");
                printer.out().println(Json.text(made, "secret"));
            });
            return ExitCode.OK;
        }
    }

    @Command(name = "list", description = "All keys, without their secrets.")
    private static final class Keys implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        Keys(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            list(
                    server,
                    "/v1/keys",
                    "keys",
                    "id",
                    List.of("ID", "NAME", "TENANT", "ROLE", "CREATED", "REVOKED"),
                    List.of("id", "name", "tenant", "role", "created_at", "revoked_at"));
            return ExitCode.OK;
        }
    }

    @Command(name = "revoke", description = "End a key for good.")
    private static final class RevokeKey implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "ID")
        private String id = "";

        RevokeKey(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Printer printer = server.printer();
            printer.print(
                    server.api(null).send("DELETE", "/v1/keys/" + Api.segment(id), null),
                    "id",
                    key -> server.session().err().println("Revoked key " + Json.text(key, "id") + "."));
            return ExitCode.OK;
        }
    }
}
