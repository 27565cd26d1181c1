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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Looks up stored jobs in one segment, or among the far ones: in rows of their own by id, in bundles by tenant and the ids it spans. */
final class SpecSearch {
    /** Ids of a tenant that are not farther apart than this are looked for together: they are in one bundle, or in a few beside each other. */
    private static final long TOGETHER_MILLIS = 50;

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
        Stretches stretches = new Stretches(known);
        Lows lows = new Lows(asked);
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_open", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(asked)));
            statement.setArray(2, connection.createArrayOf("int4", stretches.tenants.toArray()));
            statement.setArray(3, stretches.firsts(connection));
            statement.setArray(4, stretches.lasts(connection));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    byte[] ids = rows.getBytes(8);
                    if (ids == null) {
                        found.accept(whole(rows));
                    } else if (!lows.in(ids).isEmpty()) {
                        unpack(rows.getLong(1), rows.getBytes(9), asked, found);
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
        read(places.stream().distinct().toList(), (place, number, bundle) -> unpack(number, bundle, asked, found));
    }

    interface Bundled {
        /** @param place of the bundle in its segment */
        void at(long number, JobId id, String place);
    }

    /** Where these jobs are in bundles; each may be in several. All bundles that were filled between the first of them and the last are asked. */
    void eachBundle(Collection<JobId> ids, Bundled bundled) throws SQLException {
        Lows lows = new Lows(ids);
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_bundle_ids", slot.table()))) {
            statement.setObject(1, Ids.uuid(Collections.min(ids)));
            statement.setObject(2, Ids.uuid(Collections.max(ids)));
            try (ResultSet rows = Streaming.rows(statement)) {
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
        void take(String place, long number, byte[] bundle);
    }

    /** Bundles by their place in the segment. */
    void read(List<String> places, Bytes bundles) throws SQLException {
        if (places.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("read_bundles", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("text", places.toArray()));
            try (ResultSet rows = Streaming.bundles(statement)) {
                while (rows.next()) {
                    bundles.take(rows.getString(3), rows.getLong(1), rows.getBytes(2));
                }
            }
        }
    }

    /** Where to look for the ids of each tenant: those that are close to each other are one stretch. */
    private static final class Stretches {
        final List<Integer> tenants = new ArrayList<>();
        private final List<UUID> firsts = new ArrayList<>();
        private final List<UUID> lasts = new ArrayList<>();
        private long begin;

        Stretches(List<StoredJob> jobs) {
            jobs.stream()
                    .sorted(Comparator.comparingInt(StoredJob::tenant).thenComparing(StoredJob::id))
                    .forEach(job -> add(job.tenant(), job.id()));
        }

        private void add(int tenant, JobId id) {
            if (!tenants.isEmpty() && tenants.getLast() == tenant && id.millis() - begin <= TOGETHER_MILLIS) {
                lasts.set(lasts.size() - 1, Ids.uuid(id));
            } else {
                tenants.add(tenant);
                firsts.add(Ids.uuid(id));
                lasts.add(Ids.uuid(id));
                begin = id.millis();
            }
        }

        Array firsts(Connection connection) throws SQLException {
            return connection.createArrayOf("uuid", firsts.toArray());
        }

        Array lasts(Connection connection) throws SQLException {
            return connection.createArrayOf("uuid", lasts.toArray());
        }
    }
}
