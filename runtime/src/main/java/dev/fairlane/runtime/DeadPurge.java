package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Removes dead letters for good, the oldest first. */
record DeadPurge(LocalDeadLetters letters, DeadFilter which, String by, String why)
        implements BulkWork<DeadQuery.Place> {

    @Override
    public String kind() {
        return "purge_dead";
    }

    @Override
    public @Nullable TenantId scope() {
        return which.scope();
    }

    @Override
    public String filter() {
        return LocalDeadLetters.inWords(which);
    }

    @Override
    public String outline() {
        return LocalDeadLetters.outline(which);
    }

    @Override
    public CompletableFuture<Long> count() {
        return letters.countAll(which);
    }

    @Override
    public CompletableFuture<Page<DeadQuery.Place>> find(DeadQuery.@Nullable Place after, int limit) {
        return letters.find(which, after, limit);
    }

    @Override
    public CompletableFuture<Treated> treat(List<JobId> ids) {
        return letters.purge(scope(), ids).thenApply(purged -> new Treated(purged, ids.size() - purged, 0, ""));
    }
}
