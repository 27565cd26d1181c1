package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What owners and operators may want of jobs that are open. The rules of {@link Node} hold. */
public interface Controls {

    /**
     * Changes a waiting job: {@link Answer.Changed} or {@link Answer.Refused}.
     *
     * @param ifRevision only if the job is at this revision, or {@link Command#ANY_REVISION}
     * @param author for the audit; null for none, here as in all that follows
     */
    CompletableFuture<Answer> change(
            @Nullable TenantId scope, JobId id, JobChange change, int ifRevision, @Nullable Author author);

    default CompletableFuture<Answer> change(@Nullable TenantId scope, JobId id, JobChange change, int ifRevision) {
        return change(scope, id, change, ifRevision, null);
    }

    /** Holds a waiting job back, or lets it go on: {@link Answer.Changed} or {@link Answer.Refused}. */
    CompletableFuture<Answer> pause(@Nullable TenantId scope, JobId id, boolean paused, @Nullable Author author);

    default CompletableFuture<Answer> pause(@Nullable TenantId scope, JobId id, boolean paused) {
        return pause(scope, id, paused, null);
    }

    /** {@link Answer.GateIs} or {@link Answer.Refused}. */
    CompletableFuture<Answer> setGate(Command.SetGate gate, @Nullable Author author);

    default CompletableFuture<Answer> setGate(Command.SetGate gate) {
        return setGate(gate, null);
    }

    /** Closed gates that hold back jobs of this tenant, or all. */
    CompletableFuture<List<Gate>> gates(@Nullable TenantId scope);

    /** Begins to do the same to all open jobs that fit; the operation as it begins. */
    CompletableFuture<Operation> start(Bulk bulk, @Nullable Author author);

    default CompletableFuture<Operation> start(Bulk bulk) {
        return start(bulk, null);
    }

    /**
     * One thing to do to many jobs.
     *
     * @param change for {@link Deed#CHANGE}, else nothing
     * @param filterText the filter in words
     * @param rate jobs a second at most; 0: as fast as the node takes them
     */
    record Bulk(Deed deed, JobFilter filter, JobChange change, String filterText, String by, String why, int rate) {}

    enum Deed {
        CANCEL,
        PAUSE,
        RESUME,
        CHANGE
    }
}
