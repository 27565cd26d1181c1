package dev.fairlane.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fairlane webhook …}: what webhooks are signed with. */
@Command(name = "webhook", description = "Webhooks: what their calls are signed with.")
final class WebhookCommand {
    private WebhookCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new WebhookCommand()).addSubcommand(new Secret(session));
    }

    @Command(name = "secret", description = "The secret a receiver checks signatures with; made when first asked for.")
    private static final class Secret implements Callable<Integer> {
        @Mixin
        private final ServerOptions server;

        @Option(names = "--rotate", description = "Make a new one. Calls are signed with both until the next rotation")
        private boolean rotate;

        @Option(
                names = "--tenant",
                paramLabel = "NAME",
                description = "For keys that see all tenants. Default: default")
        private @Nullable String tenant;

        Secret(Session session) {
            this.server = new ServerOptions(session);
        }

        @Override
        public Integer call() {
            Api api = server.api(null);
            String path = "/v1/webhooks/secret";
            Object answer;
            if (rotate) {
                Map<String, @Nullable Object> body = new LinkedHashMap<>();
                if (tenant != null) {
                    body.put("tenant", tenant);
                }
                answer = api.send("POST", path + ":rotate", body);
            } else {
                answer = api.get(tenant == null ? path : path + "?tenant=" + Api.segment(tenant));
            }
            Printer printer = server.printer();
            printer.print(answer, "secret", secret -> printer.out().println(Json.text(secret, "secret")));
            return ExitCode.OK;
        }
    }
}
