package dev.fairlane.cli;

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
    private static final class Get extends ServerCommand.OfId {
        Get(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.print(new JobCalls(api, id).get(), "id", job -> JobText.sheet(job, printer));
        }
    }

    @Command(name = "explain", description = "Say why a job waits, when it may run and what would let it go on.")
    private static final class Explain extends ServerCommand.OfId {
        Explain(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.print(
                    api.get("/v1/jobs/" + Api.segment(id) + "/explain"),
                    "id",
                    explanation -> ExplanationText.sheet(explanation, printer));
        }
    }

    @Command(name = "list", description = "List jobs, newest first.")
    private static final class ListJobs extends Listing {
        @Option(names = "--state", paramLabel = "STATE", split = ",", description = "Only these, e.g. QUEUED,RUNNING")
        private List<String> states = List.of();

        @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type")
        private @Nullable String type;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant, for keys that see all")
        private @Nullable String tenant;

        ListJobs(Session session) {
            super(session, "/v1/jobs", "jobs");
        }

        @Override
        List<Entry<String, String>> chosen() {
            List<Entry<String, String>> chosen = new ArrayList<>();
            states.forEach(state -> chosen.add(Map.entry("state", state.toUpperCase(Locale.ROOT))));
            if (type != null) {
                chosen.add(Map.entry("type", type));
            }
            if (tenant != null) {
                chosen.add(Map.entry("tenant", tenant));
            }
            return chosen;
        }

        @Override
        void print(List<Map<String, @Nullable Object>> listed, Printer printer) {
            printer.printAll(listed, "id", () -> JobText.list(listed, Instant.now(), printer));
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
    private static final class Result extends ServerCommand.OfId {
        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "Where to; default: standard output")
        private @Nullable Path file;

        Result(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) throws IOException {
            try (InputStream result = api.stream("/v1/jobs/" + Api.segment(id) + "/result", "*/*", null)) {
                if (file != null) {
                    Files.copy(result, file, StandardCopyOption.REPLACE_EXISTING);
                } else {
                    result.transferTo(server.session().out());
                    server.session().out().flush();
                }
            }
        }
    }

    @Command(name = "cancel", description = "Ask for jobs not to run, or to stop.")
    private static final class Cancel extends ServerCommand {
        @Parameters(index = "0..*", arity = "1..*", paramLabel = "ID")
        private List<String> ids = List.of();

        Cancel(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            for (String id : ids) {
                ControlCommands.print(printer, id, new JobCalls(api, id).cancel());
            }
        }
    }
}
