package dev.fairlane.cli;

import dev.fairlane.cli.demo.DemoCommand;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** The command line of Fairlane. */
@Command(
        name = "fairlane",
        description = "Hand in jobs, look at them, steer a server.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Also there: up (the server), config (its configuration), worker (runs a command per job), and for work",
            "on Fairlane itself test, bench, sim, chaos, build, format.",
            "",
            "Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 auth, 5 conflict, 6 unreachable, 124 wait timed out."
        })
public final class Main {
    private static final Map<String, Function<Session, CommandLine>> COMMANDS = commands();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Session.ofProcess(), arguments));
    }

    static int run(Session session, String... arguments) {
        int exitCode = commandLine(session, arguments).execute(arguments);
        session.out().flush();
        session.err().flush();
        return exitCode;
    }

    /** Only the command that is asked for: building all of them takes longer than most of them run. */
    private static CommandLine commandLine(Session session, String... arguments) {
        Function<Session, CommandLine> asked = arguments.length == 0 ? null : COMMANDS.get(arguments[0]);
        if (asked == null) {
            return everything(session);
        }
        return prepared(new CommandLine(new Main()).addSubcommand(arguments[0], asked.apply(session)), session);
    }

    static CommandLine everything(Session session) {
        CommandLine all = new CommandLine(new Main());
        COMMANDS.forEach((name, command) -> all.addSubcommand(name, command.apply(session)));
        return prepared(all, session);
    }

    private static CommandLine prepared(CommandLine line, Session session) {
        return line.setOut(new PrintWriter(new OutputStreamWriter(session.out(), StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(session.err(), StandardCharsets.UTF_8), true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(session.colour() ? Ansi.ON : Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((fault, command, result) -> failed(fault, session))
                .setExecutionStrategy(result -> {
                    CommandLine last = result.asCommandLineList().getLast();
                    if (last.getCommand() instanceof Callable<?> || result.isUsageHelpRequested()) {
                        return new CommandLine.RunLast().execute(result);
                    }
                    // A group without its command: the list of what there is, as a mistake.
                    last.usage(last.getErr());
                    return CommandLine.ExitCode.USAGE;
                });
    }

    private static int failed(Exception fault, Session session) throws Exception {
        session.out().flush();
        if (fault instanceof Failed failed) {
            String code = failed.code().isEmpty() ? "" : " (" + failed.code() + ")";
            session.err().println("fairlane: " + failed.getMessage() + code);
            return failed.exitCode();
        }
        if (fault instanceof UncheckedIOException unreadable) {
            session.err().println("fairlane: " + unreadable.getMessage());
            return ExitCode.FAILED;
        }
        throw fault;
    }

    private static Map<String, Function<Session, CommandLine>> commands() {
        Map<String, Function<Session, CommandLine>> commands = new LinkedHashMap<>();
        commands.put("submit", session -> new CommandLine(new SubmitCommand(session)));
        commands.put("job", JobCommand::of);
        commands.put("jobs", BulkCommands::of);
        commands.put("pause", ControlCommands::pause);
        commands.put("resume", ControlCommands::resume);
        commands.put("pauses", ControlCommands::pauses);
        commands.put("dead", DeadCommand::of);
        commands.put("operation", OperationCommand::of);
        commands.put("status", session -> new CommandLine(new StatusCommand(session)));
        commands.put("usage", session -> new CommandLine(new UsageCommand(session)));
        commands.put("audit", AuditCommands::of);
        commands.put("tenant", TenantCommands::tenant);
        commands.put("type", TypeCommands::type);
        commands.put("key", AdminCommands::key);
        commands.put("webhook", WebhookCommand::of);
        commands.put("group", GroupCommand::of);
        commands.put("schedule", ScheduleCommand::of);
        commands.put("apply", session -> new CommandLine(new ApplyCommand(session)));
        commands.put("worker", WorkerCommand::of);
        commands.put(
                "demo",
                session -> new CommandLine(
                        new DemoCommand(session.out(), session.err(), session.outTerminal(), session.colour())));
        commands.put("completion", session -> new CommandLine(new CompletionCommand(session)));
        return commands;
    }
}
