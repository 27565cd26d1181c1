package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
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

/** {@code fairlane job …}: look at jobs, wait for them, stop them. */
@Command(name = "job", description = "Look at jobs, follow them, cancel them.")
final class JobCommand {
    private JobCommand() {}

    static CommandLine of(Session session) {
        CommandLine job = new CommandLine(new JobCommand())
                .addSubcommand(new SubmitCommand(session))
                .addSubcommand(new Get(session))
                .addSubcommand(new ListJobs(session))
                .addSubcommand(new Watch(session))
                .addSubcommand(new Explain(session))
                .addSubcommand(new Result(session))
                .addSubcommand(new Cancel(session));
        return ControlCommands.addTo(job, session);
    }

    @Command(name = "get", description = "Show one job.")
    private static final class Get implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "ID")
        private String id = "";

        Get(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Printer printer = server.printer();
            printer.print(new JobCalls(server.api(null), id).get(), "id", job -> JobText.sheet(job, printer));
            return ExitCode.OK;
        }
    }

    @Command(name = "explain", description = "Say why a job waits, when it may run and what would let it go on.")
    private static final class Explain implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "ID")
        private String id = "";

        Explain(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Printer printer = server.printer();
            Map<String, @Nullable Object> told =
                    Json.object(server.api(null).get("/v1/jobs/" + Api.segment(id) + "/explain"));
            printer.print(told, "id", explanation -> ExplanationText.sheet(explanation, printer));
            return ExitCode.OK;
        }
    }

    @Command(name = "list", description = "List jobs, newest first.")
    private static final class ListJobs implements Callable<Integer> {
        private static final int PAGE_MAX = 1_000;

        @Mixin
        private final ServerOptions server;

        @Option(names = "--state", paramLabel = "STATE", split = ",", description = "Only these, e.g. QUEUED,RUNNING")
        private List<String> states = List.of();

        @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type")
        private @Nullable String type;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant, for keys that see all")
        private @Nullable String tenant;

        @Option(names = "--limit", paramLabel = "N", description = "At most this many. Default: 50")
        private int limit = 50;

        ListJobs(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            if (limit < 1) {
                throw Failed.usage("--limit: expected at least 1, but got " + limit);
            }
            Api api = server.api(null);
            List<Map<String, @Nullable Object>> jobs = new ArrayList<>();
            String cursor = "";
            do {
                Map<String, @Nullable Object> page =
                        Json.object(api.get("/v1/jobs" + Api.query(parameters(limit - jobs.size(), cursor))));
                jobs.addAll(Json.objects(page.get("jobs")));
                cursor = Json.text(page, "next_cursor");
            } while (!cursor.isEmpty() && jobs.size() < limit);
            Printer printer = server.printer();
            printer.printAll(jobs, "id", () -> JobText.list(jobs, Instant.now(), printer));
            if (!cursor.isEmpty() && printer.format() == Format.table) {
                server.session().err().println("There are more; see --limit.");
            }
            return ExitCode.OK;
        }

        private List<Entry<String, String>> parameters(int left, String cursor) {
            List<Entry<String, String>> parameters = new ArrayList<>();
            states.forEach(state -> parameters.add(Map.entry("state", state.toUpperCase(Locale.ROOT))));
            if (type != null) {
                parameters.add(Map.entry("type", type));
            }
            if (tenant != null) {
                parameters.add(Map.entry("tenant", tenant));
            }
            parameters.add(Map.entry("page_size", String.valueOf(Math.min(PAGE_MAX, left))));
            if (!cursor.isEmpty()) {
                parameters.add(Map.entry("cursor", cursor));
            }
            return parameters;
        }
    }

    @Command(name = "watch", description = "Follow one job until its end. The exit code is 0 if it succeeded, else 1.")
    private static final class Watch implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "ID")
        private String id = "";

        Watch(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Printer printer = server.printer();
            Map<String, @Nullable Object> job = new JobCalls(server.api(null), id).watch(change -> {
                switch (printer.format()) {
                    case table -> printer.out().println(JobText.line(change, printer));
                    case json -> Json.print(change, false, printer.out());
                    case yaml -> printer.print(change, "id", sheet -> {});
                    case name -> printer.out().println(Json.text(change, "state"));
                }
                printer.out().flush();
            });
            return Json.text(job, "state").equals("SUCCEEDED") ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    @Command(name = "result", description = "Download the result of a job as it is, however large.")
    private static final class Result implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "ID")
        private String id = "";

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "Where to; default: standard output")
        private @Nullable Path file;

        Result(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() throws IOException {
            Api api = server.api(null);
            try (InputStream result = api.stream("/v1/jobs/" + Api.segment(id) + "/result", "*/*", null)) {
                if (file != null) {
                    Files.copy(result, file, StandardCopyOption.REPLACE_EXISTING);
                } else {
                    result.transferTo(server.session().out());
                    server.session().out().flush();
                }
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "cancel", description = "Ask for jobs not to run, or to stop.")
    private static final class Cancel implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0..*", arity = "1..*", paramLabel = "ID")
        private List<String> ids = List.of();

        Cancel(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Api api = server.api(null);
            Printer printer = server.printer();
            for (String id : ids) {
                Map<String, @Nullable Object> answer = new JobCalls(api, id).cancel();
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
            return ExitCode.OK;
        }
    }
}
