package dev.fairlane.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fairlane tenant …}: who shares the server, and how. */
final class TenantCommands {
    private TenantCommands() {}

    static CommandLine tenant(Session session) {
        return new CommandLine(new Tenant())
                .addSubcommand(new Put(session))
                .addSubcommand(new Get(session))
                .addSubcommand(new ListTenants(session))
                .addSubcommand(new Quench(session))
                .addSubcommand(new Unquench(session));
    }

    @Command(name = "tenant", description = "Tenants: their share, limits, lanes and quotas.")
    private static final class Tenant {}

    @Command(
            name = "put",
            description = "Make a tenant, or change it. What is not named stays; 0 takes a rule away.",
            footer = {
                "",
                "Examples:",
                "  fairlane tenant put acme --tier pro --submit-rate 5000 --in-flight short=100 --reserved long=2",
                "  fairlane tenant put acme --lane training=20 --limit concurrency:user-*=2 --limit rate:mail=100/1m",
                "  fairlane tenant put acme --quota slot_seconds=soft:100000,hard:200000 --limit rate:mail=0"
            })
    private static final class Put extends ServerCommand.OfName {
        @Mixin
        private final TenantOptions rules = new TenantOptions();

        Put(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            show(printer, api.send("PUT", "/v1/tenants/" + Api.segment(name), rules.body()));
        }
    }

    @Command(
            name = "get",
            description = "One tenant: its rules, what its tier gives it where it has none, and how it stands.")
    private static final class Get extends ServerCommand.OfName {
        Get(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            show(printer, api.get("/v1/tenants/" + Api.segment(name)));
        }
    }

    private static void show(Printer printer, @Nullable Object tenant) {
        printer.print(tenant, "name", one -> TenantText.sheet(one, printer));
    }

    @Command(name = "list", description = "All tenants.")
    private static final class ListTenants extends ServerCommand {
        ListTenants(Session session) {
            super(session);
        }

        @Override
        void ask(Api api, Printer printer) {
            printer.columns(
                    Json.objects(Json.object(api.get("/v1/tenants")).get("tenants")),
                    "name",
                    List.of("NAME", "TIER", "WEIGHT"),
                    List.of("name", "tier", "weight"));
        }
    }

    /** No more of its jobs are started, or they are again. */
    private abstract static class Hold extends ServerCommand.OfName {
        private final boolean quenched;

        @Option(names = "--why", paramLabel = "TEXT", description = "For those who wonder")
        private @Nullable String why;

        Hold(Session session, boolean quenched) {
            super(session);
            this.quenched = quenched;
        }

        @Override
        void ask(Api api, Printer printer) {
            ControlCommands.hold(api, printer, "tenant", name, why, quenched, is -> is ? "quenched" : "not quenched");
        }
    }

    @Command(
            name = "quench",
            description = "Start no more jobs of a tenant. Its submits are still taken, what runs runs on.")
    private static final class Quench extends Hold {
        Quench(Session session) {
            super(session, true);
        }
    }

    @Command(name = "unquench", description = "Start jobs of a quenched tenant again.")
    private static final class Unquench extends Hold {
        Unquench(Session session) {
            super(session, false);
        }
    }
}
