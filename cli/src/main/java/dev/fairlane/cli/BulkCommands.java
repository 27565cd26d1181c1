package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane jobs …}: the same done to all open jobs that fit. */
@Command(name = "jobs", description = "Cancel, pause, resume, prioritize or move all open jobs that fit.")
final class BulkCommands {
    private static final long LOOK_EVERY_MS = 200;

    private BulkCommands() {}

    static CommandLine of(Session session) {
        return new CommandLine(new BulkCommands())
                .addSubcommand(new Cancel(session))
                .addSubcommand(new Pause(session))
                .addSubcommand(new Resume(session))
                .addSubcommand(new Prioritize(session))
                .addSubcommand(new Move(session));
    }

    /** Which jobs, and how. */
    static final class Choice {
        @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type")
        private @Nullable String type;

        @Option(names = "--lane", paramLabel = "NAME", description = "Only jobs in this lane")
        private @Nullable String lane;

        @Option(names = "--state", paramLabel = "STATE", split = ",", description = "Only these, e.g. QUEUED,SCHEDULED")
        private List<String> states = List.of();

        @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "Only jobs with this tag. Repeatable")
        private Map<String, String> tags = new LinkedHashMap<>();

        @Option(names = "--older-than", paramLabel = "SPAN", description = "Only jobs submitted longer ago, e.g. 2h")
        private @Nullable String olderThan;

        @Option(names = "--younger-than", paramLabel = "SPAN", description = "Only jobs submitted since then")
        private @Nullable String youngerThan;

        @Option(names = "--all", description = "All open jobs, with nothing else to choose by")
        private boolean all;

        @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant, for keys that see all")
        private @Nullable String tenant;

        @Option(names = "--rate", paramLabel = "N", description = "At most this many a second. Default: no bound")
        private int rate;

        @Option(names = "--why", paramLabel = "TEXT", description = "For those who wonder")
        private String why = "";

        @Option(names = "--yes", description = "Do it; without it nothing is done")
        private boolean yes;

        @Option(names = "--no-wait", description = "Only begin it and print its id")
        private boolean noWait;

        Map<String, @Nullable Object> body(String action, @Nullable Map<String, @Nullable Object> change) {
            if (!yes) {
                throw Failed.usage("this changes many jobs at once: say --yes to do it");
            }
            Map<String, @Nullable Object> filter = new LinkedHashMap<>();
            put(filter, "type", type);
            put(filter, "lane", lane);
            put(filter, "tenant", tenant);
            if (!states.isEmpty()) {
                filter.put(
                        "state",
                        states.stream()
                                .map(state -> state.toUpperCase(Locale.ROOT))
                                .toList());
            }
            if (!tags.isEmpty()) {
                filter.put("tags", tags);
            }
            if (olderThan != null) {
                filter.put("submitted_before", before("--older-than", olderThan));
            }
            if (youngerThan != null) {
                filter.put("submitted_after", before("--younger-than", youngerThan));
            }
            if (all) {
                filter.put("all", true);
            }
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("action", action);
            body.put("filter", filter);
            if (change != null) {
                body.put("change", change);
            }
            body.put("why", why);
            body.put("rate", rate);
            return body;
        }

        private static String before(String option, String span) {
            return Instant.now().minus(Spans.span(option, span)).toString();
        }

        private static void put(Map<String, @Nullable Object> filter, String name, @Nullable String value) {
            if (value != null) {
                filter.put(name, value);
            }
        }
    }

    /** One of the things that can be done to many. */
    private abstract static class Bulk implements Callable<Integer> {
        private final String action;

        @Mixin
        private final ServerOptions server;

        @Mixin
        private final Choice choice = new Choice();

        Bulk(Session session, String action) {
            this.server = new ServerOptions(session);
            this.action = action;
        }

        /** How the jobs are to be, where they are changed. */
        @Nullable Map<String, @Nullable Object> change() {
            return null;
        }

        @Override
        public Integer call() {
            Api api = server.api(null);
            Map<String, @Nullable Object> operation =
                    Json.object(api.send("POST", "/v1/jobs:bulk", choice.body(action, change())));
            if (!choice.noWait) {
                operation = follow(server, api, operation);
            }
            Printer printer = server.printer();
            printer.print(
                    operation,
                    "id",
                    ended -> printer.out()
                            .println(Json.text(ended, "id") + "  " + Json.text(ended, "state") + "  "
                                    + Json.text(ended, "done") + " done, " + Json.text(ended, "skipped") + " skipped, "
                                    + Json.text(ended, "failed") + " failed"
                                    + (Json.text(ended, "note").isEmpty() ? "" : ": " + Json.text(ended, "note"))));
            boolean good = choice.noWait || Json.text(operation, "state").equals("done");
            return good && Json.number(operation, "failed") == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private static Map<String, @Nullable Object> follow(
            ServerOptions server, Api api, Map<String, @Nullable Object> begun) {
        boolean bar = server.session().errTerminal() && server.printer().format() == Format.table;
        String path = "/v1/operations/" + Api.segment(Json.text(begun, "id"));
        Map<String, @Nullable Object> now = begun;
        while (Json.text(now, "state").equals("running")) {
            if (bar) {
                server.session().err().print("\r" + bar(Json.number(now, "matched"), Json.number(now, "expected")));
                server.session().err().flush();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Failed(ExitCode.FAILED, "", "interrupted; the operation goes on");
            }
            now = Json.object(api.get(path));
        }
        if (bar) {
            server.session().err().print("\r\033[K");
        }
        return now;
    }

    /** {@code [#####     ] 1,234 of 2,468}. */
    static String bar(long done, long of) {
        if (of <= 0) {
            return "%,d".formatted(done);
        }
        int width = 30;
        int full = (int) Math.min(width, done * width / of);
        return "[" + "#".repeat(full) + " ".repeat(width - full) + "] %,d of %,d".formatted(done, of);
    }

    @Command(name = "cancel", description = "Cancel all open jobs that fit; running ones are asked to stop.")
    private static final class Cancel extends Bulk {
        Cancel(Session session) {
            super(session, "cancel");
        }
    }

    @Command(name = "pause", description = "Hold back all waiting jobs that fit, each until it is resumed.")
    private static final class Pause extends Bulk {
        Pause(Session session) {
            super(session, "pause");
        }
    }

    @Command(name = "resume", description = "Let all paused jobs that fit go on.")
    private static final class Resume extends Bulk {
        Resume(Session session) {
            super(session, "resume");
        }
    }

    @Command(name = "prioritize", description = "Give all waiting jobs that fit another priority.")
    private static final class Prioritize extends Bulk {
        @Parameters(index = "0", paramLabel = "N", description = "0 (most urgent) to 9")
        private int priority;

        Prioritize(Session session) {
            super(session, "change");
        }

        @Override
        Map<String, @Nullable Object> change() {
            return Map.of("priority", priority);
        }
    }

    @Command(name = "move", description = "Put all waiting jobs that fit into another lane.")
    private static final class Move extends Bulk {
        @Parameters(index = "0", paramLabel = "LANE")
        private String to = "";

        Move(Session session) {
            super(session, "change");
        }

        @Override
        Map<String, @Nullable Object> change() {
            return Map.of("lane", to);
        }
    }
}
