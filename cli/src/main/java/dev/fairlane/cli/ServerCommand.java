package dev.fairlane.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that asks a server for something and prints what it says. */
abstract class ServerCommand implements Callable<Integer> {
    @Mixin
    final ServerOptions server;

    ServerCommand(Session session) {
        this.server = new ServerOptions(session);
    }

    abstract void ask(Api api, Printer printer) throws IOException;

    Api api() {
        return server.api(null);
    }

    @Override
    public final Integer call() throws IOException {
        ask(api(), server.printer());
        return ExitCode.OK;
    }

    /** About one thing that has an id: a job, a group. */
    abstract static class OfId extends ServerCommand {
        @Parameters(index = "0", paramLabel = "ID")
        String id = "";

        OfId(Session session) {
            super(session);
        }
    }

    /** About one thing that has a name. */
    abstract static class OfName extends ServerCommand {
        @Parameters(index = "0", paramLabel = "NAME")
        String name = "";

        OfName(Session session) {
            super(session);
        }
    }

    /** Of the tenant that is named, or of the key's. */
    abstract static class InTenant extends ServerCommand {
        @Option(
                names = "--tenant",
                paramLabel = "NAME",
                description = "For keys that see all tenants. Default: default")
        private @Nullable String tenant;

        InTenant(Session session) {
            super(session);
        }

        @Override
        Api api() {
            return server.api(tenant);
        }
    }
}
