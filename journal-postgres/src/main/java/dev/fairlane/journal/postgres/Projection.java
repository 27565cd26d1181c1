package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.FlushReceipt;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Slots.Filling;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One fenced transaction: what a flush says, in rows, and the position it covers. Runs on the flush thread. */
final class Projection {
    /** Ends are stored in line, below a page each. */
    private static final int ENDS_PER_ROW = 900;

    private final Slots slots;
    private final Standing standing;
    private final HistoryRows history;
    private final CopyRows rows = new CopyRows();
    private final OpenRows open;
    private final RecentBundles recent;
    /** Of the flush that is being written. */
    private final List<Bundle> bundles = new ArrayList<>();

    private final RowCodec codec = new RowCodec();
    private final GroupRows groups = new GroupRows();
    private final ScheduleRows schedules = new ScheduleRows();
    private final FlushRing ring = new FlushRing();

    Projection(
            Slots slots, Partitions days, Partitions hours, Standing standing, int bundleFrom, RecentBundles recent) {
        this.slots = slots;
        this.standing = standing;
        this.recent = recent;
        this.open = new OpenRows(rows, bundleFrom, bundles::add);
        this.history = new HistoryRows(days, hours);
    }

    FlushRing ring() {
        return ring;
    }

    /** @param connection in auto-commit mode; left so unless this throws */
    FlushReceipt flush(Connection connection, LogId log, Flush flush, long highWaterAt) throws SQLException {
        Pace pace = Pace.of(flush);
        standing.flushing(pace);
        slots.know(connection);
        history.prepare(connection, flush);
        connection.setAutoCommit(false);
        Begun begun = begin(connection, log, flush);
        if (begun.repeated) {
            connection.rollback();
            connection.setAutoCommit(true);
            recent.flushed(flush, List.of());
            return new FlushReceipt(begun.segment);
        }
        Map<Integer, List<JobId>> left = leftBySlot(flush);
        FarRows far = new FarRows(connection, flush, pace);
        far.replace();
        far.change(begun.number, codec);
        Filling filling = far.move(begun.number, writeOpen(connection, flush, begun.number, pace), codec);
        far.add(begun.number, rows, codec);
        writeEnds(connection, begun.number, left);
        history.write(connection, flush, new StoredSpecs(connection, slots).of(flush.ended()), pace);
        far.end();
        tenants(connection, flush.tenants());
        types(connection, flush.types());
        GateRows.write(connection, flush.gates());
        groups.write(connection, flush.groups());
        schedules.write(connection, flush.schedules());
        UsageRows.add(connection, flush.usage());
        AuditRows.add(connection, flush.audit());
        end(connection, log, flush, begun.number, filling.segment(), Math.max(highWaterAt, flush.highWaterAt()));
        try {
            Transactions.commit(connection, "flush");
        } catch (JournalFault.UnknownOutcome e) {
            slots.forget();
            throw e;
        }
        connection.setAutoCommit(true);
        slots.filled(filling);
        ring.wrote();
        recent.flushed(flush, bundles);
        bundles.clear();
        return new FlushReceipt(filling.segment());
    }

    private record Begun(boolean repeated, long number, int segment) {}

    private static Begun begin(Connection connection, LogId log, Flush flush) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("begin_flush"))) {
            statement.setInt(1, (int) log.epoch());
            statement.setLong(2, flush.upTo());
            statement.setLong(3, flush.keptFrom());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return switch (rows.getString(1)) {
                    case "closed" -> throw Transactions.fenced(log);
                    case "beyond" ->
                        throw new IllegalStateException("expected a flush up to a batch of log " + log.epoch()
                                + ", but there is no batch " + flush.upTo());
                    case "back" ->
                        throw new IllegalStateException("expected a flush of log " + log.epoch()
                                + " to cover and to give up no less than the last, but got one up to batch "
                                + flush.upTo() + " that keeps those from " + flush.keptFrom() + " on");
                    case "repeated" -> new Begun(true, 0, rows.getInt(3));
                    default -> new Begun(false, rows.getLong(2), 0);
                };
            }
        }
    }

    private Filling writeOpen(Connection connection, Flush flush, long number, Pace pace) throws SQLException {
        boolean any = !flush.added().isEmpty()
                || !flush.revised().isEmpty()
                || !flush.changed().isEmpty();
        Filling filling = slots.place(connection, any);
        open.clear();
        bundles.clear();
        for (Flush.Added job : flush.added()) {
            if (job.wakeAt() == 0) {
                open.job(job.spec(), job.status());
            }
        }
        for (Flush.Revised job : flush.revised()) {
            if (job.wakeAt() == 0) {
                open.job(job.spec(), job.status());
            }
        }
        for (Flush.Changed job : flush.changed()) {
            if (!job.far()) {
                open.image(job.id(), codec.encodeStatus(job.status()));
            }
        }
        return open.send(connection, number, filling, pace);
    }

    /** Stored jobs that ended, or that are at home elsewhere from now on, by the slot of their segment. */
    private Map<Integer, List<JobId>> leftBySlot(Flush flush) {
        Map<Integer, List<JobId>> left = new TreeMap<>();
        Map<Integer, Slot> homes = new HashMap<>();
        for (Flush.Ended job : flush.ended()) {
            if (job.segment() != Flush.Ended.NOT_STORED && job.segment() != Flush.FAR) {
                leaves(job.id(), job.segment(), homes, left);
            }
        }
        for (Flush.Revised job : flush.revised()) {
            if (job.segment() != Flush.FAR) {
                leaves(job.spec().id(), job.segment(), homes, left);
            }
        }
        return left;
    }

    private void leaves(JobId id, int segment, Map<Integer, Slot> homes, Map<Integer, List<JobId>> left) {
        Slot home = homes.computeIfAbsent(segment, this::home);
        left.computeIfAbsent(home.slot(), slot -> new ArrayList<>()).add(id);
    }

    private Slot home(int segment) {
        Slot home = slots.home(segment);
        if (home == null) {
            throw new IllegalStateException("expected a live segment, but jobs are to leave " + segment);
        }
        return home;
    }

    private static void writeEnds(Connection connection, long number, Map<Integer, List<JobId>> left)
            throws SQLException {
        if (left.isEmpty()) {
            return;
        }
        List<Integer> into = new ArrayList<>();
        List<byte[]> ends = new ArrayList<>();
        left.forEach((slot, jobs) -> {
            for (int from = 0; from < jobs.size(); from += ENDS_PER_ROW) {
                List<JobId> some = jobs.subList(from, Math.min(jobs.size(), from + ENDS_PER_ROW));
                ByteBuffer bytes = ByteBuffer.allocate(some.size() * Long.BYTES);
                for (JobId id : some) {
                    bytes.putLong(id.lo());
                }
                into.add(slot);
                ends.add(bytes.array());
            }
        });
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("write_ends"))) {
            statement.setLong(1, number);
            statement.setArray(2, connection.createArrayOf("int4", into.toArray(Integer[]::new)));
            statement.setArray(3, connection.createArrayOf("bytea", ends.toArray(byte[][]::new)));
            statement.execute();
        }
    }

    private static void tenants(Connection connection, List<Tenant> tenants) throws SQLException {
        if (tenants.isEmpty()) {
            return;
        }
        RowCodec rules = new RowCodec();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("put_tenant"))) {
            for (Tenant tenant : tenants) {
                statement.setInt(1, tenant.id().number());
                statement.setString(2, tenant.name());
                statement.setInt(3, tenant.weight());
                statement.setLong(4, tenant.changedAt());
                statement.setBytes(5, rules.encodeTenantRules(tenant.rules()));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static void types(Connection connection, List<JobType> types) throws SQLException {
        if (types.isEmpty()) {
            return;
        }
        RowCodec rules = new RowCodec();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("put_type"))) {
            for (JobType type : types) {
                statement.setInt(1, type.tenant().number());
                statement.setString(2, type.name());
                statement.setString(3, type.pool());
                statement.setInt(4, type.maxAttempts());
                statement.setLong(5, type.timeLimitMicros());
                statement.setLong(6, type.changedAt());
                statement.setBytes(7, rules.encodeRules(type.rules()));
                statement.setLong(8, type.quarantinedAt());
                JobType.Moved moved = type.moved();
                statement.setString(9, moved == null ? "" : moved.pool());
                statement.setLong(10, moved == null ? 0 : moved.until());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void end(Connection connection, LogId log, Flush flush, long number, int segment, long highWaterAt)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("end_flush"))) {
            statement.setInt(1, (int) log.epoch());
            statement.setLong(2, flush.upTo());
            statement.setLong(3, flush.keptFrom());
            statement.setLong(4, number);
            statement.setInt(5, segment);
            statement.setLong(6, highWaterAt);
            statement.setInt(7, ring.current());
            statement.execute();
        }
    }
}
