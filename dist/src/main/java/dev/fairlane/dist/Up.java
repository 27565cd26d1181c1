package dev.fairlane.dist;

import dev.fairlane.server.config.ServerConfig;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The server in the foreground. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Starts the server and runs until it is stopped (Ctrl-C or SIGTERM).",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped",
            "1:could not start; the message says why",
            "2:wrong usage",
            "75:another server took over its database; start it again when that is gone",
            "130, 143:stopped by SIGINT, SIGTERM"
        })
final class Up implements Callable<Integer> {
    /** EX_TEMPFAIL: nothing is wrong with this server, but somebody else is the owner now. */
    private static final int FENCED = 75;

    private static final Logger log = LoggerFactory.getLogger(Up.class);

    @Mixin
    private final ConfigFlags flags = new ConfigFlags();

    @Option(
            names = "--new-admin-key",
            description =
                    "Makes a new admin key and writes it to the home; older ones stay good until they are revoked.")
    private boolean newAdminKey;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        ServerConfig config = ServerConfig.of(flags.load(System.getenv()));
        LogSetup.apply(config.log());
        Installation installation = Installation.start(config, newAdminKey);
        Thread stopping = new Thread(installation::close, "fairlane-stop");
        Runtime.getRuntime().addShutdownHook(stopping);
        spec.commandLine().getOut().println(Banner.of(installation));
        spec.commandLine().getOut().flush();
        String lost = installation.ended().join();
        if (lost.isEmpty()) {
            return 0;
        }
        log.error("this server no longer owns its jobs: {}", lost);
        installation.close();
        return FENCED;
    }
}
