package dev.fairlane.journal.memory;

import dev.fairlane.journal.ApiKeyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Credentials of an {@link InMemoryStore}. */
final class InMemoryKeys implements ApiKeyStore {
    private final InMemoryJournal journal;
    private final InMemoryStore store;

    InMemoryKeys(InMemoryJournal journal, InMemoryStore store) {
        this.journal = journal;
        this.store = store;
    }

    @Override
    public CompletableFuture<Boolean> add(ApiKey key) {
        return journal.run(
                "add key",
                true,
                operation -> operation.commit(() -> store.keys().putIfAbsent(key.id(), key) == null));
    }

    @Override
    public CompletableFuture<List<ApiKey>> all() {
        return journal.read("all keys", () -> List.copyOf(store.keys().values()));
    }

    @Override
    public CompletableFuture<Boolean> revoke(String id, long at) {
        return journal.run(
                "revoke key",
                true,
                operation -> operation.commit(() -> {
                    ApiKey key = store.keys().get(id);
                    if (key != null && key.revokedAt() == 0) {
                        store.keys()
                                .put(
                                        id,
                                        new ApiKey(
                                                id,
                                                key.hash(),
                                                key.name(),
                                                key.tenant(),
                                                key.role(),
                                                key.createdAt(),
                                                at));
                    }
                    return key != null;
                }));
    }
}
