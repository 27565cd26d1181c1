package dev.fairlane.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane schedule …}: jobs by the clock. */
final class ScheduleCommand {
    private ScheduleCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new Schedule())
                .addSubcommand(new Put(session))
                .addSubcommand(new Get(session))
                .addSubcommand(new ListSchedules(session))
                .addSubcommand(new Pause(session))
                .addSubcommand(new Resume(session))
                .addSubcommand(new Delete(session))
                .addSubcommand(new Trigger(session))
                .addSubcommand(new Preview(session));
    }

    @Command(
            name = "schedule",
            description = "Jobs by the clock: cron, intervals, one time. Files of them: fairlane apply.")
    private static final class Schedule {}

    static String path(String name) {
        return "/v1/schedules/" + Api.segment(name);
    }

    /** A command about one of them. */
    private abstract static class One extends ServerCommand.InTenant {
        @Parameters(index = "0", paramLabel = "NAME")
        String name = "";

        One(Session session) {
            super(session);
        }
    }

    /** One that is told to do something, and shows how it is then. */
    private abstract static class Steer extends One {
        private final String deed;

        Steer(Session session, String deed) {
            super(session);
            this.deed = deed;
        }

        @Nullable Object body() {
            return null;
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.sheet(api.send("POST", path(name) + ":" + deed, body()), "name");
        }
    }

    @Command(
            name = "put",
            description = "Make a schedule, or make it another. Saying the same again changes nothing.",
            footer = {
                "",
                "Examples:",
                "  fairlane schedule put nightly --cron '0 2 * * *' --zone Europe/Berlin --type report",
                "  fairlane schedule put poll --every 30s --type poll_partner --payload '{\"of\":\"acme\"}'"
            })
    private static final class Put extends One {
        @Mixin
        private final ScheduleOptions when = new ScheduleOptions();

        @Mixin
        private final ScheduleOptions.Whole what = new ScheduleOptions.Whole();

        @Option(names = "--dry-run", description = "Only say what would change")
        private boolean dryRun;

        Put(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> spec = new LinkedHashMap<>();
            when.addTo(spec);
            what.addTo(spec);
            Object answer = api.send("PUT", path(name) + (dryRun ? "?dry_run=true" : ""), spec);
            printer.print(answer, "outcome", put -> {
                if (dryRun) {
                    ScheduleDiff.plan(printer, name, put);
                } else {
                    ScheduleDiff.print(printer, name, put);
                }
            });
        }
    }

    @Command(name = "get", description = "What a schedule is and how far.")
    private static final class Get extends One {
        Get(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.sheet(api.get(path(name)), "name");
        }
    }

    @Command(name = "list", description = "All schedules, by name.")
    private static final class ListSchedules extends ServerCommand.InTenant {
        ListSchedules(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            List<Map<String, @Nullable Object>> all = new ArrayList<>();
            api.pages("/v1/schedules", List.of(), page -> all.addAll(Json.objects(page.get("schedules"))));
            printer.rows(
                    all,
                    "name",
                    List.of("NAME", "WHEN", "TYPE", "STATE", "NEXT", "FIRED", "SKIPPED", "MISSED"),
                    ListSchedules::row);
        }

        private static List<String> row(Map<String, @Nullable Object> schedule) {
            Map<String, @Nullable Object> spec = Json.object(schedule.get("spec"));
            return List.of(
                    Json.text(schedule, "name"),
                    when(spec),
                    Json.text(Json.object(spec.get("job")), "type"),
                    Json.text(schedule, "state"),
                    Json.text(schedule, "next"),
                    Json.text(schedule, "fired"),
                    Json.text(schedule, "skipped"),
                    Json.text(schedule, "missed"));
        }

        private static String when(Map<String, @Nullable Object> spec) {
            String cron = Json.text(spec, "cron");
            if (!cron.isEmpty()) {
                return cron + " " + Json.text(spec, "zone");
            }
            String at = Json.text(spec, "at");
            return at.isEmpty()
                    ? "every " + Spans.brief(java.time.Duration.ofMillis(Json.number(spec, "every_ms")))
                    : "at " + at;
        }
    }

    @Command(name = "pause", description = "No ticks until it is resumed; those that come meanwhile are left out.")
    private static final class Pause extends Steer {
        @Option(names = "--why", paramLabel = "TEXT", description = "For those who wonder")
        private String why = "";

        Pause(Session session) {
            super(session, "pause");
        }

        @Override
        Object body() {
            return Map.of("why", why);
        }
    }

    @Command(name = "resume", description = "Ticks count again.")
    private static final class Resume extends Steer {
        Resume(Session session) {
            super(session, "resume");
        }
    }

    @Command(name = "delete", description = "Forget it. Its open runs go on.")
    private static final class Delete extends One {
        Delete(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            api.send("DELETE", path(name), null);
        }
    }

    @Command(name = "trigger", description = "Submit its job now. Prints the job's id.")
    private static final class Trigger extends One {
        Trigger(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.print(
                    api.send("POST", path(name) + ":trigger", null),
                    "job_id",
                    answer -> printer.out().println(Json.text(answer, "job_id")));
        }
    }

    @Command(name = "preview", description = "The next ticks of a schedule, or of a rule: --cron '0 9 * * MON#1'.")
    private static final class Preview extends ServerCommand.InTenant {
        @Parameters(index = "0", arity = "0..1", paramLabel = "NAME")
        private @Nullable String name;

        @Mixin
        private final ScheduleOptions when = new ScheduleOptions();

        @Option(names = "--count", paramLabel = "N", description = "1 to 100. Default: 10")
        private int count = 10;

        @Option(names = "--after", paramLabel = "TIME", description = "Default: now")
        private @Nullable String after;

        Preview(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            Map<String, @Nullable Object> spec = new LinkedHashMap<>();
            when.addTo(spec);
            if (name != null) {
                body.put("name", name);
            }
            if (!spec.isEmpty()) {
                body.put("spec", spec);
            }
            body.put("count", count);
            if (after != null) {
                body.put("after", Spans.time("--after", after));
            }
            Map<String, @Nullable Object> answer = Json.object(api.send("POST", "/v1/schedules:preview", body));
            List<Map<String, @Nullable Object>> ticks = Json.objects(answer.get("ticks"));
            printer.printAll(
                    ticks, "at", () -> ticks.forEach(tick -> printer.out().println(Json.text(tick, "local"))));
        }
    }
}
