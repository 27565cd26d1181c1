package dev.fairlane.dist;

import dev.fairlane.server.api.Version;
import dev.fairlane.server.config.CannotStart;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The server's program. */
@Command(
        name = "fairlane",
        subcommands = {Up.class, ShowConfig.class},
        mixinStandardHelpOptions = true,
        versionProvider = Main.OfThisBuild.class,
        description = "The server of Fairlane.")
public final class Main {
    private static final int FAILED = 1;

    Main() {}

    public static void main(String[] arguments) {
        System.exit(run(new CommandLine(new Main()), arguments));
    }

    static int run(CommandLine program, String... arguments) {
        return program.setExecutionExceptionHandler((failure, line, _) -> {
                    if (failure instanceof CannotStart) {
                        line.getErr().println("fairlane: " + failure.getMessage());
                        return FAILED;
                    }
                    throw failure;
                })
                .execute(arguments);
    }

    static final class OfThisBuild implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"fairlane " + Version.TEXT};
        }
    }
}
