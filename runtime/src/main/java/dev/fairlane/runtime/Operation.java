package dev.fairlane.runtime;

import dev.fairlane.core.model.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * How an operation over many jobs stands.
 *
 * @param kind what is done, e.g. {@code replay_dead}
 * @param scope whose jobs; null for those of all tenants
 * @param filter which jobs, in words
 * @param by name of the key that asked
 * @param expected jobs it will treat, as counted when it began; −1 while nobody has counted
 * @param matched found so far
 * @param skipped found, but no longer in a state to be treated
 * @param failed refused one by one
 * @param note the last refusal, or why it stopped; empty for nothing to say
 * @param endedAt 0 while it goes on
 */
public record Operation(
        String id,
        String kind,
        @Nullable TenantId scope,
        String filter,
        String by,
        String why,
        State state,
        long expected,
        long matched,
        long done,
        long skipped,
        long failed,
        String note,
        long startedAt,
        long endedAt) {

    public enum State {
        RUNNING,
        /** The first jobs were treated; it goes on when they have ended well. */
        WAITING_FOR_CANARIES,
        DONE,
        CANCELLED,
        /** Its canaries did not end well. */
        STOPPED,
        /** The store or the node kept refusing. */
        FAILED;

        public boolean ended() {
            return this != RUNNING && this != WAITING_FOR_CANARIES;
        }
    }
}
