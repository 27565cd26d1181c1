package dev.fairlane.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
    private static final class Put implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Mixin
        private final TenantOptions rules = new TenantOptions();

        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        Put(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            show(server, server.api(null).send("PUT", "/v1/tenants/" + Api.segment(name), rules.body()));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "get",
            description = "One tenant: its rules, what its tier gives it where it has none, and how it stands.")
    private static final class Get implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        Get(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            show(server, server.api(null).get("/v1/tenants/" + Api.segment(name)));
            return ExitCode.OK;
        }
    }

    private static void show(ServerOptions server, @Nullable Object tenant) {
        Printer printer = server.printer();
        printer.print(tenant, "name", one -> TenantText.sheet(one, printer));
    }

    @Command(name = "list", description = "All tenants.")
    private static final class ListTenants implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        ListTenants(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            AdminCommands.list(
                    server,
                    "/v1/tenants",
                    "tenants",
                    "name",
                    List.of("NAME", "TIER", "WEIGHT"),
                    List.of("name", "tier", "weight"));
            return ExitCode.OK;
        }
    }

    private static int hold(ServerOptions server, String name, @Nullable String why, boolean quenched) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("kind", "tenant");
        body.put("name", name);
        if (why != null) {
            body.put("why", why);
        }
        Printer printer = server.printer();
        printer.print(
                server.api(null).send("POST", quenched ? "/v1/pauses" : "/v1/pauses:end", body),
                "name",
                state -> printer.out()
                        .println("tenant " + Json.text(state, "name") + "  "
                                + (Boolean.TRUE.equals(state.get("paused")) ? "quenched" : "not quenched")));
        return ExitCode.OK;
    }

    @Command(
            name = "quench",
            description = "Start no more jobs of a tenant. Its submits are still taken, what runs runs on.")
    private static final class Quench implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        @Option(names = "--why", paramLabel = "TEXT", description = "For those who wonder")
        private @Nullable String why;

        Quench(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            return hold(server, name, why, true);
        }
    }

    @Command(name = "unquench", description = "Start jobs of a quenched tenant again.")
    private static final class Unquench implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        @Option(names = "--why", paramLabel = "TEXT", description = "For those who wonder")
        private @Nullable String why;

        Unquench(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            return hold(server, name, why, false);
        }
    }
}
