package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.journal.postgres.OpenFold.Image;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Open jobs, inside one reading transaction. */
final class OpenReads {
    private final Connection connection;
    private final List<Slot> slots;
    private final Map<Integer, LongNumbers> ends = new HashMap<>();

    /** A job at home in a segment, open or not, without its contents. */
    record Entry(JobId id, long number, int tenant, String type, long size, Slot slot) {}

    /** @param status as of the row; a newer image may be elsewhere */
    record Stored(JobSpec spec, JobStatus status, long number, Slot slot) {
        /** A job that was replayed is there once for each of its lives. */
        static Stored newer(Stored one, Stored other) {
            return one.number > other.number ? one : other;
        }
    }

    OpenReads(Connection connection) throws SQLException {
        this.connection = connection;
        List<Slot> live = Slots.live(connection);
        this.slots = anyFar(connection)
                ? Stream.concat(live.stream(), Stream.of(Slot.FAR)).toList()
                : live;
    }

    private static boolean anyFar(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("ask_any_far"))) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /** Segments, oldest first. */
    List<Slot> segments() {
        return slots.stream().filter(slot -> slot != Slot.FAR).toList();
    }

    /** Rows of jobs at home anywhere, whether they ended or not. */
    Map<JobId, Stored> stored(Collection<JobId> ids) throws SQLException {
        Map<JobId, Stored> found = new HashMap<>();
        for (Slot slot : slots.reversed()) {
            List<JobId> here = ids.stream()
                    .filter(id -> !found.containsKey(id) && slot.mayHold(id))
                    .toList();
            if (!here.isEmpty()) {
                find(slot, here, found);
            }
        }
        return found;
    }

    private void find(Slot slot, List<JobId> ids, Map<JobId, Stored> found) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_specs", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(ids)));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    // Of a job that was changed, the last row counts.
                    JobSpec spec = StoredSpecs.spec(rows);
                    found.merge(
                            spec.id(),
                            new Stored(spec, RowCodec.decodeStatus(rows.getBytes(6)), rows.getLong(1), slot),
                            Stored::newer);
                }
            }
        }
    }

    /** Rows of jobs at home where they are said to be. Those that are not there may be elsewhere. */
    Map<JobId, Stored> atHome(List<StoredJob> jobs) throws SQLException {
        Map<Integer, List<JobId>> byHome = new HashMap<>();
        for (StoredJob job : jobs) {
            byHome.computeIfAbsent(job.home(), home -> new ArrayList<>()).add(job.id());
        }
        Map<JobId, Stored> found = new HashMap<>();
        for (Slot slot : slots) {
            List<JobId> here = byHome.get(slot.segment());
            if (here != null) {
                find(slot, here, found);
            }
        }
        return found;
    }

    /** Open jobs among these, newest image. */
    Map<JobId, JobView> views(Collection<JobId> ids) throws SQLException {
        Map<JobId, Stored> stored = stored(ids);
        Map<JobId, JobView> views = new HashMap<>();
        List<JobId> open = new ArrayList<>();
        for (Stored job : stored.values()) {
            if (!ended(job.slot, job.spec.id(), job.number)) {
                open.add(job.spec.id());
            }
        }
        Map<JobId, Image> images = images(open);
        for (JobId id : open) {
            Stored job = stored.get(id);
            if (job != null) {
                Image image = images.get(id);
                JobStatus status = image != null && image.number() > job.number
                        ? RowCodec.decodeStatus(image.status())
                        : job.status;
                views.put(id, new JobView(job.spec, status, null, null));
            }
        }
        return views;
    }

    /** The newest at home with an id below {@code before}, at most {@code count}; some of them may have ended. */
    List<Entry> page(@Nullable TenantId scope, UUID before, int count) throws SQLException {
        List<Entry> page = new ArrayList<>();
        for (Slot slot : slots) {
            String deed = scope == null ? "page_open" : "page_open_of_tenant";
            try (PreparedStatement statement = connection.prepareStatement(Sql.on(deed, slot.table()))) {
                int at = 1;
                if (scope != null) {
                    statement.setInt(at++, scope.number());
                }
                statement.setObject(at++, before);
                statement.setInt(at, count);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        page.add(new Entry(
                                Ids.of(rows, 2),
                                rows.getLong(1),
                                rows.getInt(3),
                                rows.getString(4),
                                rows.getLong(5),
                                slot));
                    }
                }
            }
        }
        page.sort(Comparator.comparing(Entry::id).thenComparing(Entry::number).reversed());
        return page.subList(0, Math.min(count, page.size()));
    }

    boolean ended(Slot slot, JobId id, long number) throws SQLException {
        LongNumbers here = ends.get(slot.slot());
        if (here == null) {
            here = OpenFold.ends(connection, slot);
            ends.put(slot.slot(), here);
        }
        return here.get(id.lo()) > number;
    }

    private Map<JobId, Image> images(List<JobId> ids) throws SQLException {
        Map<JobId, Image> images = new HashMap<>();
        if (ids.isEmpty()) {
            return images;
        }
        for (Slot slot : segments()) {
            try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_images", slot.table()))) {
                statement.setArray(1, connection.createArrayOf("uuid", Ids.array(ids)));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        images.merge(Ids.of(rows, 2), new Image(rows.getLong(1), rows.getBytes(3)), Image::newer);
                    }
                }
            }
        }
        return images;
    }
}
