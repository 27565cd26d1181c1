package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Looks up stored jobs in one segment, or among the far ones: in rows of their own by id, in bundles by tenant and the ids it spans. */
final class SpecSearch {
    /** Ids of a tenant that are farther apart than this are not expected in one bundle. */
    private static final long APART_MILLIS = 1_000;

    private final Connection connection;
    private final Slot slot;

    /**
     * @param status as of the row; a newer image may be elsewhere
     * @param asked false for one that was only beside another
     */
    record Found(JobSpec spec, JobStatus status, long number, boolean asked) {}

    SpecSearch(Connection connection, Slot slot) {
        this.connection = connection;
        this.slot = slot;
    }

    /** A job that was changed or replayed may be found several times: the greatest number counts. */
    void find(Collection<StoredJob> jobs, Consumer<Found> found) throws SQLException {
        Set<JobId> asked = jobs.stream().map(StoredJob::id).collect(Collectors.toSet());
        if (slot == Slot.FAR) {
            findFar(asked, found);
            return;
        }
        List<StoredJob> known =
                jobs.stream().filter(job -> job.tenant() != StoredJob.ANYBODY).toList();
        Stretches stretches = Stretches.of(known);
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_open", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(asked)));
            statement.setArray(2, connection.createArrayOf("int4", stretches.tenants.toArray()));
            statement.setArray(3, stretches.firsts(connection));
            statement.setArray(4, stretches.lasts(connection));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    byte[] bundle = rows.getBytes(8);
                    if (bundle == null) {
                        found.accept(whole(rows));
                    } else {
                        unpack(rows.getLong(1), bundle, asked, found);
                    }
                }
            }
        }
        if (known.size() < jobs.size()) {
            Set<JobId> unknown = new HashSet<>(asked);
            known.forEach(job -> unknown.remove(job.id()));
            findOfAnybody(unknown, found);
        }
    }

    private void findFar(Set<JobId> asked, Consumer<Found> found) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_specs", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(asked)));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.accept(whole(rows));
                }
            }
        }
    }

    private static Found whole(ResultSet rows) throws SQLException {
        byte[] payload = rows.getBytes(7);
        if (payload == null) {
            throw new JournalFault.Corrupt("job " + rows.getString(2) + " is stored without its payload", null);
        }
        JobSpec spec = RowCodec.decodeSpec(
                Ids.of(rows, 2), new TenantId(rows.getInt(3)), rows.getString(4), payload, rows.getBytes(5));
        return new Found(spec, RowCodec.decodeStatus(rows.getBytes(6)), rows.getLong(1), true);
    }

    private static void unpack(long number, byte[] bundle, Set<JobId> asked, Consumer<Found> found) {
        for (JobAdded job : Bundle.jobs(bundle)) {
            found.accept(new Found(job.spec(), job.status(), number, asked.contains(job.id())));
        }
    }

    /** Bundles of all tenants span the same ids: first it is seen which of them have the jobs. */
    private void findOfAnybody(Set<JobId> asked, Consumer<Found> found) throws SQLException {
        List<String> places = new ArrayList<>();
        eachBundle(asked, (number, id, place) -> places.add(place));
        read(places.stream().distinct().toList(), (number, bundle) -> unpack(number, bundle, asked, found));
    }

    interface Bundled {
        /** @param place of the bundle in its segment */
        void at(long number, JobId id, String place);
    }

    /** Where these jobs are in bundles; each may be in several. */
    void eachBundle(Collection<JobId> ids, Bundled bundled) throws SQLException {
        Stretches stretches = Stretches.ofAnybody(ids);
        Lows lows = new Lows(ids);
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_bundle_ids", slot.table()))) {
            statement.setArray(1, stretches.firsts(connection));
            statement.setArray(2, stretches.lasts(connection));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long number = rows.getLong(1);
                    String place = rows.getString(3);
                    for (JobId id : lows.in(rows.getBytes(2))) {
                        bundled.at(number, id, place);
                    }
                }
            }
        }
    }

    interface Bytes {
        void take(long number, byte[] bundle) throws SQLException;
    }

    /** Bundles by their place in the segment. */
    void read(List<String> places, Bytes bundles) throws SQLException {
        if (places.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("read_bundles", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("text", places.toArray()));
            try (ResultSet rows = Streaming.rows(statement)) {
                while (rows.next()) {
                    bundles.take(rows.getLong(1), rows.getBytes(2));
                }
            }
        }
    }

    /** Where to look for ids that are close to each other: one look for each tenant, as a rule. */
    private static final class Stretches {
        final List<Integer> tenants = new ArrayList<>();
        private final List<UUID> firsts = new ArrayList<>();
        private final List<UUID> lasts = new ArrayList<>();
        private JobId end = new JobId(0, 0);

        static Stretches of(List<StoredJob> jobs) {
            Stretches stretches = new Stretches();
            jobs.stream()
                    .sorted(Comparator.comparingInt(StoredJob::tenant).thenComparing(StoredJob::id))
                    .forEach(job -> stretches.add(job.tenant(), job.id()));
            return stretches;
        }

        static Stretches ofAnybody(Collection<JobId> ids) {
            Stretches stretches = new Stretches();
            ids.stream().sorted().forEach(id -> stretches.add(StoredJob.ANYBODY, id));
            return stretches;
        }

        private void add(int tenant, JobId id) {
            if (!tenants.isEmpty() && tenants.getLast() == tenant && id.millis() - end.millis() <= APART_MILLIS) {
                lasts.set(lasts.size() - 1, Ids.uuid(id));
            } else {
                tenants.add(tenant);
                firsts.add(Ids.uuid(id));
                lasts.add(Ids.uuid(id));
            }
            end = id;
        }

        Array firsts(Connection connection) throws SQLException {
            return connection.createArrayOf("uuid", firsts.toArray());
        }

        Array lasts(Connection connection) throws SQLException {
            return connection.createArrayOf("uuid", lasts.toArray());
        }
    }
}
