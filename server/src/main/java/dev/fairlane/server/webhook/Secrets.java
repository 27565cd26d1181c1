package dev.fairlane.server.webhook;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.WebhookSecretStore;
import dev.fairlane.journal.WebhookSecretStore.Secret;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The secrets of tenants, made when first asked for. */
public final class Secrets {
    private static final String PREFIX = "flwh_";
    private static final int BYTES = 32;

    private final WebhookSecretStore store;
    private final SecureRandom random;
    private final InstantSource clock;

    public Secrets(WebhookSecretStore store, SecureRandom random, InstantSource clock) {
        this.store = store;
        this.random = random;
        this.clock = clock;
    }

    /** One or two, the newest first. */
    public CompletableFuture<List<Secret>> of(TenantId tenant) {
        return store.of(tenant)
                .thenCompose(found ->
                        found.isEmpty() ? store.ensure(tenant, fresh()) : CompletableFuture.completedFuture(found));
    }

    public CompletableFuture<List<Secret>> rotate(TenantId tenant) {
        return store.rotate(tenant, fresh());
    }

    private Secret fresh() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String text = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return new Secret(text, clock.millis() * 1_000);
    }
}
