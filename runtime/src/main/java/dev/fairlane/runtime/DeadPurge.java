package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.DeadFilter;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Removes dead letters for good, the oldest first. */
record DeadPurge(LocalDeadLetters letters, DeadFilter which, String by, String why) implements DeadWork {

    @Override
    public String kind() {
        return "purge_dead";
    }

    @Override
    public CompletableFuture<Treated> treat(List<JobId> ids) {
        return letters.purge(scope(), ids).thenApply(purged -> new Treated(purged, ids.size() - purged, 0, ""));
    }
}
