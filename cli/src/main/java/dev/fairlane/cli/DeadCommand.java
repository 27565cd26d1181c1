package dev.fairlane.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane dead …}: the dead-letter queue. */
@Command(name = "dead", description = "Dead letters: look at jobs that were given up, bring them back, remove them.")
final class DeadCommand {
    private DeadCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new DeadCommand())
                .addSubcommand(new ListDead(session))
                .addSubcommand(new Show(session))
                .addSubcommand(new Summary(session))
                .addSubcommand(new Replay(session))
                .addSubcommand(new Purge(session));
    }

    /** Which dead letters. */
    private static final class Which {
        @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type")
        private @Nullable String type;

        @Option(names = "--class", paramLabel = "CLASS", description = "Only this failure class, e.g. TIMEOUT")
        private @Nullable String failureClass;

        @Option(names = "--text", paramLabel = "TEXT", description = "Only with this in the failure's message")
        private @Nullable String text;

        @Option(names = "--since", paramLabel = "SPAN", description = "Only those that died within this time, e.g. 2h")
        private @Nullable String since;

        @Option(names = "--from", paramLabel = "TIME", description = "Only those that died at or after this time")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "TIME", description = "Only those that died before this time")
        private @Nullable String to;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant, for keys that see all")
        private @Nullable String tenant;

        Map<String, String> fields() {
            Map<String, String> fields = new LinkedHashMap<>();
            put(fields, "type", type);
            put(fields, "error_class", failureClass == null ? null : failureClass.toUpperCase(Locale.ROOT));
            put(fields, "text", text);
            if (since != null && from != null) {
                throw Failed.usage("expected --since or --from, but there are both");
            }
            if (since != null) {
                put(
                        fields,
                        "from",
                        Instant.now().minus(Spans.span("--since", since)).toString());
            }
            put(fields, "from", from == null ? null : Spans.time("--from", from));
            put(fields, "to", to == null ? null : Spans.time("--to", to));
            put(fields, "tenant", tenant);
            return fields;
        }

        private static void put(Map<String, String> fields, String name, @Nullable String value) {
            if (value != null) {
                fields.put(name, value);
            }
        }

        List<Entry<String, String>> parameters() {
            return new ArrayList<>(fields().entrySet());
        }

        /** The filter of a call that changes something; all of them only when that was said. */
        Map<String, @Nullable Object> filter(boolean all) {
            Map<String, @Nullable Object> filter = new LinkedHashMap<>(fields());
            boolean empty = filter.isEmpty() || filter.keySet().equals(java.util.Set.of("tenant"));
            if (empty && !all) {
                throw Failed.usage("expected something to choose by, like --type or --class, or --all");
            }
            if (all) {
                filter.put("all", true);
            }
            return filter;
        }
    }

    @Command(name = "list", description = "List dead letters, the last to die first.")
    private static final class ListDead extends Listing {
        @Mixin
        private final Which which = new Which();

        ListDead(Session session) {
            super(session, "/v1/dead-letters", "jobs");
        }

        @Override
        List<Entry<String, String>> chosen() {
            return which.parameters();
        }

        @Override
        void print(List<Map<String, @Nullable Object>> listed, Printer printer) {
            Instant now = Instant.now();
            printer.rows(
                    listed,
                    "id",
                    List.of("ID", "TYPE", "TENANT", "DIED", "EXECUTIONS", "CLASS", "MESSAGE"),
                    job -> row(job, now));
        }

        private static List<String> row(Map<String, @Nullable Object> job, Instant now) {
            Map<String, @Nullable Object> failure = Json.object(job.get("failure"));
            return List.of(
                    Json.text(job, "id"),
                    Json.text(job, "type"),
                    Json.text(job, "tenant"),
                    Spans.ago(Json.text(job, "ended_at"), now),
                    Json.text(job, "execution"),
                    Json.text(failure, "failure_class"),
                    Json.text(failure, "message"));
        }
    }

    @Command(name = "show", description = "Show one dead letter with all its attempts.")
    private static final class Show extends ServerCommand.OfId {
        Show(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.print(new JobCalls(api, id).get(), "id", job -> {
                JobText.sheet(job, printer);
                for (Map<String, @Nullable Object> attempt : Json.objects(job.get("attempts"))) {
                    String detail = Json.text(attempt, "detail").strip();
                    if (!detail.isEmpty()) {
                        printer.out().println();
                        printer.out().println("Execution " + Json.text(attempt, "execution") + ":");
                        printer.out().println("  " + detail.replace("\n", "\n  "));
                    }
                }
            });
        }
    }

    @Command(name = "summary", description = "Count dead letters by type and failure class.")
    private static final class Summary extends ServerCommand {
        @Mixin
        private final Which which = new Which();

        Summary(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Object answer = api.get("/v1/dead-letters:summary" + Api.query(which.parameters()));
            printer.print(answer, "count", summary -> {
                Instant now = Instant.now();
                List<List<String>> rows = new ArrayList<>();
                rows.add(List.of("TENANT", "TYPE", "CLASS", "COUNT", "LAST HOUR", "NEWEST"));
                for (Map<String, @Nullable Object> group : Json.objects(summary.get("groups"))) {
                    rows.add(List.of(
                            Json.text(group, "tenant"),
                            Json.text(group, "type"),
                            Json.text(group, "error_class"),
                            String.valueOf(Json.number(group, "count")),
                            String.valueOf(Json.number(group, "last_hour")),
                            Spans.ago(Json.text(group, "newest_at"), now)));
                }
                rows.add(List.of(
                        "",
                        "",
                        "all",
                        String.valueOf(Json.number(summary, "count")),
                        String.valueOf(Json.number(summary, "last_hour")),
                        ""));
                printer.table(rows);
            });
        }
    }

    /** What is done to all that fit: what Replay and Purge have in common. */
    private abstract static class Many implements Callable<Integer> {
        @Mixin
        final ServerOptions server;

        @Mixin
        private final Which which = new Which();

        @Option(names = "--why", paramLabel = "TEXT", required = true, description = "The reason, for the record")
        String why = "";

        @Option(names = "--all", description = "Every dead letter")
        private boolean all;

        @Option(names = "--yes", description = "Do not ask")
        private boolean yes;

        @Option(names = "--dry-run", description = "Only say how many there are")
        private boolean dryRun;

        Many(Session session) {
            this.server = new ServerOptions(session);
        }

        int run(String deed, Map<String, Integer> how, boolean detach) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("filter", which.filter(all));
            body.putAll(how);
            body.put("why", why);
            return new BulkCall(server, server.api(null), "/v1/dead-letters:" + deed, body)
                    .run(deed, dryRun, yes, detach);
        }
    }

    @Command(
            name = "replay",
            description = "Bring dead letters back: those named, or all that fit. Attempts count from zero again.")
    private static final class Replay extends Many {
        @Parameters(index = "0..*", paramLabel = "ID", description = "These, one by one")
        private List<String> ids = List.of();

        @Option(names = "--payload", paramLabel = "JSON", description = "In place of the payload (@FILE reads a file)")
        private @Nullable String payload;

        @Option(names = "--rate", paramLabel = "N", description = "At most so many a second. Default: no limit")
        private int rate;

        @Option(names = "--canary", paramLabel = "N", description = "So many first; go on only if all succeed")
        private int canary;

        @Option(names = "--detach", description = "Do not wait for the end")
        private boolean detach;

        Replay(Session session) {
            super(session);
        }

        @Override
        public Integer call() throws IOException {
            if (!ids.isEmpty()) {
                return each(server.api(null), server.printer());
            }
            if (payload != null) {
                throw Failed.usage("--payload: expected ids with it; many jobs keep their own payloads");
            }
            Map<String, Integer> how = new LinkedHashMap<>();
            how.put("rate", rate);
            how.put("canary", canary);
            return run("replay", how, detach);
        }

        private int each(Api api, Printer printer) throws IOException {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("why", why);
            if (payload != null) {
                body.put("payload", Json.parse(SubmitCommand.read(payload, server.session())));
            }
            int exitCode = ExitCode.OK;
            for (String id : ids) {
                Map<String, @Nullable Object> answer =
                        Json.object(api.send("POST", "/v1/jobs/" + Api.segment(id) + ":replay", body));
                if (!Json.text(answer, "outcome").equals("replayed")) {
                    exitCode = ExitCode.CONFLICT;
                }
                ControlCommands.print(printer, id, answer);
            }
            return exitCode;
        }
    }

    @Command(name = "purge", description = "Remove dead letters for good.")
    private static final class Purge extends Many {
        Purge(Session session) {
            super(session);
        }

        @Override
        public Integer call() {
            return run("purge", Map.of(), false);
        }
    }
}
