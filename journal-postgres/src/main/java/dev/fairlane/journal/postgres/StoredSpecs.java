package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_specs", home.table()))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(ids)));
            try (ResultSet rows = statement.executeQuery()) {
                Map<JobId, Long> numbers = new HashMap<>();
                while (rows.next()) {
                    // A job that was replayed is there once for each of its lives; the last one counts.
                    JobSpec spec = spec(rows);
                    if (numbers.merge(spec.id(), rows.getLong(1), Math::max) == rows.getLong(1)) {
                        into.put(spec.id(), spec);
                    }
                }
            }
        }
    }

    /** From a row of {@code find_specs}. */
    static JobSpec spec(ResultSet rows) throws SQLException {
        byte[] payload = rows.getBytes(7);
        if (payload == null) {
            throw new JournalFault.Corrupt("job " + rows.getString(2) + " is stored without its payload", null);
        }
        return RowCodec.decodeSpec(
                Ids.of(rows, 2), new TenantId(rows.getInt(3)), rows.getString(4), payload, rows.getBytes(5));
    }
}
