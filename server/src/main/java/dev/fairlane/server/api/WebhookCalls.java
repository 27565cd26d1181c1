package dev.fairlane.server.api;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.WebhookSecretStore.Secret;
import dev.fairlane.protocol.v1.GetWebhookSecretRequest;
import dev.fairlane.protocol.v1.RotateWebhookSecretRequest;
import dev.fairlane.protocol.v1.WebhookSecret;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.webhook.Secrets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What webhooks are signed with. */
public final class WebhookCalls {
    private final Node node;
    private final Tenants tenants;
    private final Secrets secrets;

    public WebhookCalls(Node node, Secrets secrets) {
        this.node = node;
        this.tenants = new Tenants(node);
        this.secrets = secrets;
    }

    public CompletableFuture<WebhookSecret> get(Call call, GetWebhookSecretRequest request) {
        return answer(call, secrets.of(tenant(call, request.getTenant()).id()));
    }

    public CompletableFuture<WebhookSecret> rotate(Call call, RotateWebhookSecretRequest request) {
        Tenant tenant = tenant(call, request.getTenant());
        return answer(
                call,
                node.audit()
                        .note(
                                tenant.id(),
                                new AuditDeed("webhook.rotate", "webhook-secret", "", ""),
                                call.author(request))
                        .thenComposeAsync(_ -> secrets.rotate(tenant.id()), call.executor()));
    }

    private Tenant tenant(Call call, String named) {
        return named.isEmpty() ? tenants.ofSubmit(call.caller()) : tenants.named(call.caller(), named);
    }

    private static CompletableFuture<WebhookSecret> answer(Call call, CompletableFuture<List<Secret>> secrets) {
        return secrets.thenApplyAsync(
                found -> {
                    WebhookSecret.Builder answer = WebhookSecret.newBuilder()
                            .setSecret(found.getFirst().text())
                            .setMadeAtMicros(found.getFirst().madeAt());
                    if (found.size() > 1) {
                        answer.setPrevious(found.get(1).text());
                    }
                    return answer.build();
                },
                call.executor());
    }
}
