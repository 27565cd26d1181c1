package dev.fairlane.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.journal.ApiKeyStore.ApiKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class KeyRingTest {
    private final Credential credential = Credential.make(new SecureRandom());

    @Test
    void onlyTheWholeSecretOfAGoodKeyPasses() {
        SlowStore store = new SlowStore();
        KeyRing ring = new KeyRing(store);
        ring.refresh();
        store.answer(0, List.of(key(0)));
        assertThat(ring.verify(credential)).isPresent();
        String text = credential.text();
        String other = text.substring(0, text.length() - 1) + (text.endsWith("A") ? "B" : "A");
        assertThat(ring.verify(Credential.parse(other).orElseThrow())).isEmpty();
        assertThat(ring.verify(Credential.make(new SecureRandom()))).isEmpty();
    }

    @Test
    void aRevokedKeyDoesNotComeBackWithAnOldAnswer() {
        SlowStore store = new SlowStore();
        KeyRing ring = new KeyRing(store);
        ring.refresh();
        ring.refresh();
        store.answer(1, List.of(key(9)));
        assertThat(ring.verify(credential)).isEmpty();
        store.answer(0, List.of(key(0)));
        assertThat(ring.verify(credential)).isEmpty();
    }

    @Test
    void aCredentialNeverShowsItsSecret() {
        assertThat(credential.toString()).doesNotContain(credential.text()).contains(credential.id());
    }

    private ApiKey key(long revokedAt) {
        return new ApiKey(credential.id(), credential.hash(), "k", "", "admin", 1, revokedAt);
    }

    /** Answers when it is told to. */
    private static final class SlowStore implements ApiKeyStore {
        private final List<CompletableFuture<List<ApiKey>>> asked = new ArrayList<>();

        void answer(int question, List<ApiKey> keys) {
            asked.get(question).complete(keys);
        }

        @Override
        public CompletableFuture<List<ApiKey>> all() {
            CompletableFuture<List<ApiKey>> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
        }

        @Override
        public CompletableFuture<Boolean> add(ApiKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Boolean> revoke(String id, long at) {
            throw new UnsupportedOperationException();
        }
    }
}
