package dev.fairlane.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** {@code fairlane group …}: jobs that are looked at together. */
@Command(name = "group", description = "Groups of jobs: progress, results, and a callback when all are done.")
final class GroupCommand {
    private static final String STEP = ":await?timeout_ms=10000";

    private GroupCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new GroupCommand())
                .addSubcommand(new Create(session))
                .addSubcommand(new Get(session))
                .addSubcommand(new Seal(session))
                .addSubcommand(new Jobs(session))
                .addSubcommand(new Cancel(session))
                .addSubcommand(new Watch(session));
    }

    private static String path(String id) {
        return "/v1/groups/" + Api.segment(id);
    }

    @Command(name = "create", description = "Make an open group; jobs join it with submit --group.")
    private static final class Create extends ServerCommand.InTenant {
        @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "For people")
        private String name = "";

        @Option(names = "--callback", paramLabel = "TYPE", description = "Type of the job to submit when all are done")
        private @Nullable String callback;

        @Option(names = "--callback-payload", paramLabel = "JSON", description = "Its payload")
        private @Nullable String payload;

        @Option(names = "--all-succeeded", description = "Submit the callback only when every job succeeded")
        private boolean allSucceeded;

        Create(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("name", name);
            if (callback != null) {
                Map<String, @Nullable Object> job = new LinkedHashMap<>();
                job.put("type", callback);
                if (payload != null) {
                    job.put("payload", json(payload));
                }
                body.put("callback", job);
            }
            if (allSucceeded) {
                body.put("callback_on", "all_succeeded");
            }
            printer.print(
                    api.send("POST", "/v1/groups", body),
                    "id",
                    group -> printer.out().println(Json.text(group, "id")));
        }

        private static @Nullable Object json(String text) {
            try {
                return Json.parse(text.getBytes(StandardCharsets.UTF_8));
            } catch (JacksonException e) {
                throw Failed.usage("--callback-payload is not JSON (" + e.getOriginalMessage() + ")");
            }
        }
    }

    @Command(name = "get", description = "How far a group is.")
    private static final class Get extends ServerCommand.OfId {
        Get(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.sheet(api.get(path(id)), "id");
        }
    }

    @Command(name = "seal", description = "No more jobs: when all it has are at their end, the group is done.")
    private static final class Seal extends ServerCommand.OfId {
        Seal(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.sheet(api.send("POST", path(id) + ":seal", null), "id");
        }
    }

    @Command(name = "jobs", description = "Its jobs with their results.")
    private static final class Jobs extends ServerCommand.OfId {
        Jobs(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            String cursor = "";
            do {
                Map<String, @Nullable Object> page = Json.object(
                        api.get(path(id) + "/jobs?page_size=100" + (cursor.isEmpty() ? "" : "&cursor=" + cursor)));
                List<Map<String, @Nullable Object>> jobs = Json.objects(page.get("jobs"));
                printer.printAll(
                        jobs,
                        "id",
                        () -> printer.table(jobs.stream()
                                .map(job -> List.of(
                                        Json.text(job, "id"),
                                        Json.text(job, "type"),
                                        Json.text(job, "state"),
                                        JobText.content(job, "result", "result_content_type")))
                                .toList()));
                cursor = Json.text(page, "next_cursor");
            } while (!cursor.isEmpty());
        }
    }

    @Command(name = "cancel", description = "Seal it and cancel its jobs.")
    private static final class Cancel extends ServerCommand.OfId {
        Cancel(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            String cursor = "";
            do {
                Map<String, @Nullable Object> body = new LinkedHashMap<>();
                if (!cursor.isEmpty()) {
                    body.put("cursor", cursor);
                }
                Map<String, @Nullable Object> page = Json.object(api.send("POST", path(id) + ":cancel", body));
                cursor = Json.text(page, "next_cursor");
                printer.print(
                        page,
                        "cancelled",
                        one -> one.forEach((name, value) -> printer.field(name, Json.compact(value))));
            } while (!cursor.isEmpty());
        }
    }

    @Command(name = "watch", description = "Tell how far it is until it is done.")
    private static final class Watch extends ServerCommand.OfId {
        Watch(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> group = Json.object(api.get(path(id)));
            while (!Json.text(group, "state").equals("done")) {
                server.session()
                        .err()
                        .println(Json.text(group, "state") + ": " + Json.text(group, "succeeded") + " of "
                                + Json.text(group, "total") + " succeeded");
                group = Json.object(api.get(path(id) + STEP, Duration.ofSeconds(30)));
            }
            printer.sheet(group, "id");
        }
    }
}
