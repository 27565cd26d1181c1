package dev.fairlane.runtime;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Work over dead letters that fit a filter, the oldest first. */
interface DeadWork extends BulkWork<DeadQuery.Place> {
    LocalDeadLetters letters();

    DeadFilter which();

    @Override
    default @Nullable TenantId scope() {
        return which().scope();
    }

    @Override
    default String filter() {
        return LocalDeadLetters.inWords(which());
    }

    @Override
    default String outline() {
        return LocalDeadLetters.outline(which());
    }

    @Override
    default CompletableFuture<Long> count() {
        return letters().countAll(which());
    }

    @Override
    default CompletableFuture<Page<DeadQuery.Place>> find(DeadQuery.@Nullable Place after, int limit) {
        return letters().find(which(), after, limit);
    }
}
