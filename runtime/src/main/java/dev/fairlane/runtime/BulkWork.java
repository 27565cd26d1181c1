package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an operation does to jobs: it finds them page by page and treats each page. A step whose outcome is unknown is repeated, so
 * treating a job twice must leave it as treating it once. Methods are called on the loop and must not block; futures may complete
 * anywhere.
 *
 * @param <C> where a search goes on
 */
interface BulkWork<C> {

    /** What is done, e.g. {@code replay_dead}. */
    String kind();

    @Nullable TenantId scope();

    /** Which jobs, in words. */
    String filter();

    /** The same without anything that could belong to a person, for the audit. */
    String outline();

    String by();

    String why();

    /** Jobs treated a second, at most; 0: as fast as the node takes them. */
    default int rate() {
        return 0;
    }

    /** Jobs treated first and waited for: all must end well before the others are treated; 0 for none. */
    default int canaries() {
        return 0;
    }

    /** How many jobs it will treat, or −1. */
    default CompletableFuture<Long> count() {
        return CompletableFuture.completedFuture(-1L);
    }

    /** The next jobs, at most {@code limit}; a page may be empty and not the last. */
    CompletableFuture<Page<C>> find(@Nullable C after, int limit);

    CompletableFuture<Treated> treat(List<JobId> ids);

    /** How these canaries are by now. */
    default CompletableFuture<Canaries> look(List<JobId> ids) {
        return CompletableFuture.completedFuture(Canaries.GOOD);
    }

    /** @param next null: there are no more */
    record Page<C>(List<JobId> ids, @Nullable C next) {}

    /** @param note the last refusal; empty for none */
    record Treated(int done, int skipped, int failed, String note) {}

    enum Canaries {
        UNDER_WAY,
        GOOD,
        BAD
    }
}
