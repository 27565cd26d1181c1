package dev.fairlane.journal;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Credentials as stored: hashed, with what they may do. */
public interface ApiKeyStore {

    /** Keeps a key; an existing id is left as it is and answered false. */
    CompletableFuture<Boolean> add(ApiKey key);

    CompletableFuture<List<ApiKey>> all();

    /** False when there is no such key. */
    CompletableFuture<Boolean> revoke(String id, long at);

    /**
     * @param id public part, shown in lists
     * @param hash SHA-256 of the whole secret
     * @param tenant name of its tenant, or empty for one that may see all
     * @param role lower-case role name; the edge knows what it allows
     * @param revokedAt 0 while it is good
     */
    record ApiKey(String id, byte[] hash, String name, String tenant, String role, long createdAt, long revokedAt) {}
}
