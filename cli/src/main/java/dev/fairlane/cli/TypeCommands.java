package dev.fairlane.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fairlane type …}: how jobs of a type run, and what is done when they fail. */
final class TypeCommands {
    private TypeCommands() {}

    static CommandLine type(Session session) {
        return new CommandLine(new Type())
                .addSubcommand(new Put(session))
                .addSubcommand(new Get(session))
                .addSubcommand(new ListTypes(session))
                .addSubcommand(new Release(session));
    }

    @Command(name = "type", description = "Job types: pool, attempts, time limit, and what is done when jobs fail.")
    private static final class Type {}

    @Command(
            name = "put",
            description = "Declare a job type, or change it.",
            footer = {
                "",
                "Giving any of the rules (from --retry-delay on) replaces all rules the type has; without one they stay.",
                "Example: fairlane type put charge --retry-delay 1s --retry-delay 1m --depends-on stripe",
                "           --dependency-cap stripe=20 --retry-on IOException",
                "         fairlane type put train --pool long --checkpoints --max-in-flight 4 --demand gpus=1 --requires a100"
            })
    private static final class Put extends One {
        @Mixin
        private final RuleOptions rules = new RuleOptions();

        @Option(
                names = "--pool",
                paramLabel = "POOL",
                description = "short, medium, long or one the server adds. Default: short")
        private String pool = "short";

        @Option(names = "--max-attempts", paramLabel = "N", description = "Default: what the pool says")
        private @Nullable Integer maxAttempts;

        @Option(
                names = "--time-limit",
                paramLabel = "SPAN",
                description = "Of one attempt. Default: what the pool says")
        private @Nullable String timeLimit;

        Put(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("pool", pool);
            if (maxAttempts != null) {
                body.put("max_attempts", maxAttempts);
            }
            if (timeLimit != null) {
                body.put("time_limit_ms", Spans.span("--time-limit", timeLimit).toMillis());
            }
            if (tenant != null) {
                body.put("tenant", tenant);
            }
            Map<String, @Nullable Object> given = rules.body();
            if (!given.isEmpty()) {
                body.put("rules", given);
            }
            printer.sheet(api.send("PUT", "/v1/types/" + Api.segment(name), body), "name");
        }
    }

    private static String ofTenant(@Nullable String tenant) {
        return tenant == null ? "" : Api.query(List.of(Map.entry("tenant", tenant)));
    }

    /** A command about one type. */
    private abstract static class One extends ServerCommand.OfName {
        @Option(
                names = "--tenant",
                paramLabel = "NAME",
                description = "Whose type it is, for keys that see all tenants")
        @Nullable String tenant;

        One(Session session) {
            super(session);
        }
    }

    @Command(name = "get", description = "One type with its rules, its pace and pool, its quarantine and its breakers.")
    private static final class Get extends One {
        Get(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.sheet(api.get("/v1/types/" + Api.segment(name) + ofTenant(tenant)), "name");
        }
    }

    @Command(name = "list", description = "Declared types, with those in quarantine and their open breakers.")
    private static final class ListTypes extends ServerCommand {
        @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's")
        private @Nullable String tenant;

        ListTypes(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.rows(
                    Json.objects(
                            Json.object(api.get("/v1/types" + ofTenant(tenant))).get("types")),
                    "name",
                    List.of("TENANT", "NAME", "POOL", "ATTEMPTS", "TIME LIMIT (MS)", "QUARANTINED", "OPEN BREAKERS"),
                    type -> List.of(
                            Json.text(type, "tenant"),
                            Json.text(type, "name"),
                            pool(type),
                            Json.text(type, "max_attempts"),
                            Json.text(type, "time_limit_ms"),
                            Json.text(type, "quarantined_at"),
                            openBreakers(type)));
        }

        private static String pool(Map<String, @Nullable Object> type) {
            String moved = Json.text(Json.object(type.get("moved")), "pool");
            return Json.text(type, "pool") + (moved.isEmpty() ? "" : " (now " + moved + ")");
        }

        private static String openBreakers(Map<String, @Nullable Object> type) {
            List<String> open = Json.objects(type.get("breakers")).stream()
                    .filter(breaker -> Boolean.TRUE.equals(breaker.get("open")))
                    .map(breaker -> Json.text(breaker, "dependency"))
                    .toList();
            return String.join(",", open);
        }
    }

    @Command(name = "release", description = "End the quarantine of a type.")
    private static final class Release extends One {
        Release(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            if (tenant != null) {
                body.put("tenant", tenant);
            }
            printer.print(
                    api.send("POST", "/v1/types/" + Api.segment(name) + "/release", body),
                    "name",
                    type -> server.session()
                            .err()
                            .println("Type " + Json.text(type, "name") + " is not in quarantine."));
        }
    }
}
