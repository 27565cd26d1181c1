package dev.fairlane.server.auth;

import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.journal.ApiKeyStore.ApiKey;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All keys, in memory. Reading never waits; changes go to the store first and are seen here when it has them. */
public final class KeyRing {
    private final ApiKeyStore store;
    private final AtomicLong asked = new AtomicLong();
    private volatile Map<String, ApiKey> byId = Map.of();
    private long kept;

    public KeyRing(ApiKeyStore store) {
        this.store = store;
    }

    /** Reads the store again. */
    public CompletableFuture<List<ApiKey>> refresh() {
        long number = asked.incrementAndGet();
        return store.all().thenApply(keys -> {
            keep(number, keys.stream().collect(Collectors.toUnmodifiableMap(ApiKey::id, Function.identity())));
            return keys;
        });
    }

    /** An answer that was overtaken by that of a later question is dropped: it may still show a key as good that was revoked. */
    private synchronized void keep(long number, Map<String, ApiKey> keys) {
        if (number > kept) {
            kept = number;
            byId = keys;
        }
    }

    /** The good key this credential belongs to. */
    public Optional<ApiKey> verify(Credential credential) {
        ApiKey key = byId.get(credential.id());
        return key != null && key.revokedAt() == 0 && MessageDigest.isEqual(key.hash(), credential.hash())
                ? Optional.of(key)
                : Optional.empty();
    }

    public Optional<ApiKey> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public List<ApiKey> all() {
        return List.copyOf(byId.values());
    }

    public CompletableFuture<Boolean> add(ApiKey key) {
        return store.add(key).thenCompose(added -> refresh().thenApply(_ -> added));
    }

    public CompletableFuture<Boolean> revoke(String id, long at) {
        return store.revoke(id, at).thenCompose(found -> refresh().thenApply(_ -> found));
    }
}
