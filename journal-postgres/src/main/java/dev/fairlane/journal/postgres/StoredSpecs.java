package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.journal.postgres.Slots.Slot;
import dev.fairlane.journal.postgres.SpecSearch.Found;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Completes jobs that end without their spec at hand from their stored rows. */
final class StoredSpecs {
    private final Connection connection;
    private final Slots slots;

    StoredSpecs(Connection connection, Slots slots) {
        this.connection = connection;
        this.slots = slots;
    }

    Map<JobId, JobSpec> of(List<Flush.Ended> ended) throws SQLException {
        Map<Integer, List<JobId>> missing = new TreeMap<>();
        for (Flush.Ended job : ended) {
            if (job.spec() == null) {
                missing.computeIfAbsent(job.segment(), segment -> new ArrayList<>())
                        .add(job.id());
            }
        }
        Map<JobId, JobSpec> specs = new HashMap<>();
        for (var entry : missing.entrySet()) {
            Slot home = entry.getKey() == Flush.FAR ? Slot.FAR : slots.home(entry.getKey());
            if (home != null) {
                read(home, entry.getValue(), specs);
            }
            for (JobId id : entry.getValue()) {
                if (!specs.containsKey(id)) {
                    throw new IllegalStateException("expected job " + id + " to be stored in segment " + entry.getKey()
                            + ", but it is not there");
                }
            }
        }
        return specs;
    }

    private void read(Slot home, List<JobId> ids, Map<JobId, JobSpec> into) throws SQLException {
        Map<JobId, Found> newest = new HashMap<>();
        new SpecSearch(connection, home).find(StoredJob.anywhere(ids), found -> {
            if (found.asked()) {
                newest.merge(found.spec().id(), found, (one, other) -> one.number() > other.number() ? one : other);
            }
        });
        newest.forEach((id, found) -> into.put(id, found.spec()));
    }
}
