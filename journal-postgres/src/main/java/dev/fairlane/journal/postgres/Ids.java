package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;

/** Ids as PostgreSQL knows them; both sides order them alike. */
final class Ids {
    static final UUID GREATEST = new UUID(-1, -1);
    static final UUID LEAST = new UUID(0, 0);

    private Ids() {}

    static UUID uuid(JobId id) {
        return new UUID(id.hi(), id.lo());
    }

    static JobId of(ResultSet rows, int column) throws SQLException {
        return of(rows.getObject(column, UUID.class));
    }

    static JobId of(UUID uuid) {
        return new JobId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /** No id of this millisecond or later is smaller. */
    static UUID firstOf(long millis) {
        return new UUID(Math.clamp(millis, 0, (1L << 48) - 1) << 16, 0);
    }

    static UUID[] array(Collection<JobId> ids) {
        return ids.stream().map(Ids::uuid).toArray(UUID[]::new);
    }
}
