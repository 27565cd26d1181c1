package dev.fairlane.cli;

import dev.fairlane.sdk.Environment;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options every command that talks to a server has. */
final class ServerOptions {
    private final Session session;

    @Option(
            names = {"--url", "--server"},
            paramLabel = "URL",
            description = "Server. Default: FAIRLANE_URL, else http://localhost:8080")
    private @Nullable String url;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the API key. Default: FAIRLANE_KEY, else ~/.fairlane/admin.key")
    private @Nullable Path keyFile;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json, yaml or name. Default: table")
    private Format format = Format.table;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    /** In lower case because they are typed. */
    enum Format {
        table,
        json,
        yaml,
        name
    }

    ServerOptions(Session session) {
        this.session = session;
    }

    /** @param tenant for keys that see all tenants; null for all or the default */
    Api api(@Nullable String tenant) {
        Environment environment = new Environment(session.environment(), session.userHome());
        Optional<String> key = keyFile != null ? Environment.readKey(keyFile) : environment.key();
        return new Api(
                url != null ? url : environment.url(),
                key.orElseThrow(() -> new Failed(
                        ExitCode.AUTH,
                        "",
                        "no API key: set FAIRLANE_KEY or --key-file; a server on this machine writes one to "
                                + environment.adminKeyFile())),
                tenant);
    }

    Printer printer() {
        return new Printer(session, format);
    }

    Session session() {
        return session;
    }
}
