package dev.fairlane.runtime;

import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Operations over many jobs, under way and lately ended. They live in the memory of their node: one that the node's end cut short is
 * started again by whoever wants it, which is safe because each of its steps may be repeated.
 */
public interface Operations {

    CompletableFuture<Optional<Operation>> get(@Nullable TenantId scope, String id);

    /** Newest first. */
    CompletableFuture<List<Operation>> list(@Nullable TenantId scope);

    /** As it stands after it was told to stop; one that had ended stays as it is. Empty: there is none of that id. */
    CompletableFuture<Optional<Operation>> cancel(@Nullable TenantId scope, String id, @Nullable Author author);

    default CompletableFuture<Optional<Operation>> cancel(@Nullable TenantId scope, String id) {
        return cancel(scope, id, null);
    }
}
