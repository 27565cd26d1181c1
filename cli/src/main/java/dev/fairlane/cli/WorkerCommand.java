package dev.fairlane.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlane worker drain}: steers workers that are connected. Without {@code drain} the launcher starts a worker instead. */
@Command(name = "worker", description = "Steer connected workers.")
final class WorkerCommand {
    private WorkerCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new WorkerCommand()).addSubcommand(new Drain(session));
    }

    @Command(name = "drain", description = "Ask a worker to take no more jobs and to end after its last one.")
    private static final class Drain implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "NAME", description = "As fairlane status shows it")
        private String name = "";

        @Option(
                names = "--hand-over",
                description = "Ask its jobs to save a checkpoint and go on elsewhere, instead of running to their end")
        private boolean handOver;

        Drain(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Object answer = server.api(null)
                    .send("POST", "/v1/workers/" + Api.segment(name) + ":drain", Map.of("hand_over", handOver));
            Printer printer = server.printer();
            printer.print(
                    answer,
                    "running",
                    told -> printer.out().println(name + " drains; it runs " + Json.number(told, "running") + " jobs"));
            return ExitCode.OK;
        }
    }
}
