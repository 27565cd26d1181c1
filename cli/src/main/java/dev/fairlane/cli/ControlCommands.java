package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane pause|resume|pauses}, and the changes of single jobs: {@code fairlane job update|prioritize|move|…}. */
final class ControlCommands {
    private ControlCommands() {}

    static CommandLine pause(Session session) {
        return new CommandLine(new Pause(session));
    }

    static CommandLine resume(Session session) {
        return new CommandLine(new Resume(session));
    }

    static CommandLine pauses(Session session) {
        return new CommandLine(new Pauses(session));
    }

    /** What can be done to a single job that waits. */
    static CommandLine addTo(CommandLine job, Session session) {
        return job.addSubcommand(new Update(session))
                .addSubcommand(new Prioritize(session))
                .addSubcommand(new Move(session));
    }

    enum Kind {
        job,
        type,
        lane,
        tenant,
        pool,
        /** Everything: maintenance. */
        system
    }

    /** What became of one job. */
    static void print(Printer printer, String id, @Nullable Object answer) {
        if (printer.format() == Format.name) {
            printer.out().println(id);
        } else {
            printer.print(
                    answer,
                    "outcome",
                    done -> printer.out()
                            .println(id + "  " + Json.text(done, "outcome") + "  "
                                    + printer.state(Json.text(done, "state"))));
        }
    }

    /** Holds back what is named, or lets it go, and prints how it is then. */
    static void hold(
            Api api,
            Printer printer,
            String kind,
            String name,
            @Nullable String why,
            boolean paused,
            Function<Boolean, String> words) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("kind", kind);
        if (!name.isEmpty()) {
            body.put("name", name);
        }
        if (why != null) {
            body.put("why", why);
        }
        printer.print(
                api.send("POST", paused ? "/v1/pauses" : "/v1/pauses:end", body),
                "name",
                state -> printer.out()
                        .println(kind + " " + Json.text(state, "name") + "  "
                                + words.apply(Boolean.TRUE.equals(state.get("paused")))));
    }

    /** What is held back or let go. */
    private abstract static class Hold extends ServerCommand {
        private final boolean paused;

        @Parameters(index = "0", paramLabel = "KIND", description = "job, type, lane, tenant, pool or system")
        private Kind kind = Kind.job;

        @Parameters(index = "1", paramLabel = "NAME", arity = "0..1", description = "Of it; the system has none")
        private String name = "";

        @Option(names = "--why", paramLabel = "TEXT", description = "For those who wonder")
        private @Nullable String why;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Whose, for keys that see all tenants")
        private @Nullable String tenant;

        Hold(Session session, boolean paused) {
            super(session);
            this.paused = paused;
        }

        @Override
        Api api() {
            return server.api(tenant);
        }

        @Override
        void ask(Api api, Printer printer) {
            if (name.isEmpty() != (kind == Kind.system)) {
                throw Failed.usage("expected the name of the " + kind + (name.isEmpty() ? "" : " to be left out"));
            }
            if (kind == Kind.job) {
                String path = "/v1/jobs/" + Api.segment(name) + (paused ? ":pause" : ":resume");
                print(printer, name, api.send("POST", path, null));
                return;
            }
            hold(api, printer, kind.name(), name, why, paused, is -> is ? "paused" : "not paused");
        }
    }

    @Command(
            name = "pause",
            description =
                    "Hold back a job, or all jobs of a type, lane, tenant or pool, or the whole system for maintenance."
                            + " Submits are still taken.")
    private static final class Pause extends Hold {
        Pause(Session session) {
            super(session, true);
        }
    }

    @Command(name = "resume", description = "Let go on what was paused.")
    private static final class Resume extends Hold {
        Resume(Session session) {
            super(session, false);
        }
    }

    @Command(name = "pauses", description = "What is paused, by whom and why. Single jobs are not among it.")
    private static final class Pauses extends ServerCommand {
        Pauses(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.columns(
                    Json.objects(Json.object(api.get("/v1/pauses")).get("pauses")),
                    "name",
                    List.of("KIND", "NAME", "TENANT", "SINCE", "BY", "WHY"),
                    List.of("kind", "name", "tenant", "changed_at", "by", "why"));
        }
    }

    /** Changes one job that waits. */
    private abstract static class Change extends ServerCommand.OfId {
        Change(Session session) {
            super(session);
        }

        abstract Map<String, @Nullable Object> change() throws IOException;

        List<Entry<String, String>> query() {
            return List.of();
        }

        @Override
        void ask(Api api, Printer printer) throws IOException {
            Map<String, @Nullable Object> change = change();
            String path = "/v1/jobs/" + Api.segment(id) + ":update" + Api.query(query());
            print(printer, id, api.send("POST", path, change));
        }
    }

    @Command(name = "update", description = "Change a job that waits. One that runs or has ended stays as it is.")
    private static final class Update extends Change {
        @Option(names = "--priority", paramLabel = "N", description = "0 (most urgent) to 9")
        private @Nullable Integer priority;

        @Option(names = "--run-at", paramLabel = "TIME", description = "Not before this time; \"now\" for at once")
        private @Nullable String runAt;

        @Option(
                names = "--not-after",
                paramLabel = "TIME",
                description = "Not worth starting after this time; \"never\" for always worth it")
        private @Nullable String notAfter;

        @Option(names = "--lane", paramLabel = "NAME", description = "To the end of this lane")
        private @Nullable String lane;

        @Option(names = "--payload", paramLabel = "JSON", description = "JSON, @FILE, or - for stdin")
        private @Nullable String payload;

        @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "All it is to have. Repeatable")
        private Map<String, String> tags = new LinkedHashMap<>();

        @Option(names = "--if-revision", paramLabel = "N", description = "Only if the job is at this revision")
        private @Nullable Integer ifRevision;

        Update(Session session) {
            super(session);
        }

        @Override
        List<Entry<String, String>> query() {
            return ifRevision == null ? List.of() : List.of(Map.entry("if_revision", ifRevision.toString()));
        }

        @Override
        Map<String, @Nullable Object> change() throws IOException {
            Map<String, @Nullable Object> change = new LinkedHashMap<>();
            if (priority != null) {
                change.put("priority", priority);
            }
            if (payload != null) {
                change.put("payload", Json.parse(SubmitCommand.read(payload, server.session())));
            }
            if (runAt != null) {
                change.put("run_at", runAt.equals("now") ? "1970-01-01T00:00:00Z" : Spans.time("--run-at", runAt));
            }
            if (notAfter != null && notAfter.equals("never")) {
                change.put("clear_not_after", true);
            } else if (notAfter != null) {
                change.put("not_after", Spans.time("--not-after", notAfter));
            }
            if (lane != null) {
                change.put("lane", lane);
            }
            if (!tags.isEmpty()) {
                change.put("tags", tags);
            }
            if (change.isEmpty()) {
                throw Failed.usage("expected something to change, e.g. --priority 1");
            }
            return change;
        }
    }

    @Command(name = "prioritize", description = "Give a waiting job another priority: 0 (most urgent) to 9.")
    private static final class Prioritize extends Change {
        @Parameters(index = "1", paramLabel = "N")
        private int priority;

        Prioritize(Session session) {
            super(session);
        }

        @Override
        Map<String, @Nullable Object> change() {
            return Map.of("priority", priority);
        }
    }

    @Command(name = "move", description = "Put a waiting job at the end of another lane.")
    private static final class Move extends Change {
        @Parameters(index = "1", paramLabel = "LANE")
        private String lane = "";

        Move(Session session) {
            super(session);
        }

        @Override
        Map<String, @Nullable Object> change() {
            return Map.of("lane", lane);
        }
    }
}
