package dev.fairlane.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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

    @Command(name = "create", description = "Make a key. Its secret is printed once and never again.")
    private static final class CreateKey extends ServerCommand {
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
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("name", name);
            body.put("role", role);
            if (tenant != null) {
                body.put("tenant", tenant);
            }
            printer.print(api.send("POST", "/v1/keys", body), "secret", made -> {
                server.session()
                        .err()
                        .println("Made key " + Json.text(Json.object(made.get("key")), "id")
                                + ". This is its secret; it is not shown again:");
                printer.out().println(Json.text(made, "secret"));
            });
        }
    }

    @Command(name = "list", description = "All keys, without their secrets.")
    private static final class Keys extends ServerCommand {
        Keys(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.columns(
                    Json.objects(Json.object(api.get("/v1/keys")).get("keys")),
                    "id",
                    List.of("ID", "NAME", "TENANT", "ROLE", "CREATED", "REVOKED"),
                    List.of("id", "name", "tenant", "role", "created_at", "revoked_at"));
        }
    }

    @Command(name = "revoke", description = "End a key for good.")
    private static final class RevokeKey extends ServerCommand.OfId {
        RevokeKey(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.print(
                    api.send("DELETE", "/v1/keys/" + Api.segment(id), null),
                    "id",
                    key -> server.session().err().println("Revoked key " + Json.text(key, "id") + "."));
        }
    }
}
