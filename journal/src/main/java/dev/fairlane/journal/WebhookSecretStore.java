package dev.fairlane.journal;

import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** With what a tenant's webhooks are signed: its newest secret and the one before, so that a receiver can change over in between. */
public interface WebhookSecretStore {

    /** The newest first; none, one or two. */
    CompletableFuture<List<Secret>> of(TenantId tenant);

    /** Keeps the secret if the tenant has none. Answers with what it has then. */
    CompletableFuture<List<Secret>> ensure(TenantId tenant, Secret secret);

    /** Puts the secret in front; the one before stays second and the one before that is gone. Answers with what it has then. */
    CompletableFuture<List<Secret>> rotate(TenantId tenant, Secret secret);

    /** @param text the secret as its receiver gets it */
    record Secret(String text, long madeAt) {
        @Override
        public String toString() {
            return "a secret made at " + madeAt;
        }
    }
}
