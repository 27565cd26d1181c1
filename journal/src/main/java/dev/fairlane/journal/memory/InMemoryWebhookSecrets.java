package dev.fairlane.journal.memory;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.WebhookSecretStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Secrets of an {@link InMemoryStore}. */
final class InMemoryWebhookSecrets implements WebhookSecretStore {
    private final InMemoryJournal journal;
    private final Map<TenantId, List<Secret>> secrets;

    InMemoryWebhookSecrets(InMemoryJournal journal, InMemoryStore store) {
        this.journal = journal;
        this.secrets = store.webhookSecrets();
    }

    @Override
    public CompletableFuture<List<Secret>> of(TenantId tenant) {
        return journal.read("webhook secrets", () -> secrets.getOrDefault(tenant, List.of()));
    }

    @Override
    public CompletableFuture<List<Secret>> ensure(TenantId tenant, Secret secret) {
        return journal.run(
                "ensure a webhook secret",
                true,
                operation -> operation.commit(() -> secrets.computeIfAbsent(tenant, _ -> List.of(secret))));
    }

    @Override
    public CompletableFuture<List<Secret>> rotate(TenantId tenant, Secret secret) {
        return journal.run(
                "rotate the webhook secret",
                true,
                operation -> operation.commit(() ->
                        secrets.merge(tenant, List.of(secret), (before, fresh) -> List.of(secret, before.getFirst()))));
    }
}
