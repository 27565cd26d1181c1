package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.RowCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Groups, one row each, and which jobs are in them. */
final class GroupRows {
    private static final UUID FIRST = new UUID(0, 0);

    private final CopyRows members = new CopyRows();
    private final RowCodec codec = new RowCodec();

    void write(Connection connection, Flush.Groups groups) throws SQLException {
        add(connection, groups.added());
        change(connection, groups.changed());
        if (!groups.members().isEmpty()) {
            members.clear();
            for (Flush.Member member : groups.members()) {
                members.row(2).uuid(member.group()).uuid(member.job());
            }
            members.send(connection, Sql.of("copy_group_members"));
        }
    }

    private void add(Connection connection, List<JobGroup> groups) throws SQLException {
        if (groups.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("add_group"))) {
            for (JobGroup group : groups) {
                JobSpec callback = group.callback();
                statement.setObject(1, uuid(group.id()));
                statement.setInt(2, group.tenant().number());
                statement.setString(3, group.name());
                statement.setInt(4, group.callbackOn().ordinal());
                statement.setString(5, callback == null ? null : callback.type());
                statement.setBytes(6, callback == null ? null : codec.encodeSpecExtras(callback));
                statement.setBytes(
                        7, callback == null ? null : callback.payload().bytes());
                statement.setLong(8, group.createdAt());
                progress(statement, 9, group.progress());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static void change(Connection connection, List<Flush.GroupChange> changes) throws SQLException {
        if (changes.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("change_group"))) {
            for (Flush.GroupChange change : changes) {
                progress(statement, 1, change.progress());
                statement.setObject(10, uuid(change.id()));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static void progress(PreparedStatement statement, int from, GroupProgress progress) throws SQLException {
        statement.setInt(from, progress.state().ordinal());
        statement.setInt(from + 1, progress.total());
        statement.setInt(from + 2, progress.succeeded());
        statement.setInt(from + 3, progress.dead());
        statement.setInt(from + 4, progress.cancelled());
        statement.setInt(from + 5, progress.expired());
        if (progress.callbackJob() == null) {
            statement.setNull(from + 6, Types.OTHER);
        } else {
            statement.setObject(from + 6, uuid(progress.callbackJob()));
        }
        statement.setLong(from + 7, progress.changedAt());
        statement.setLong(from + 8, progress.doneAt());
    }

    private static UUID uuid(JobId id) {
        return new UUID(id.hi(), id.lo());
    }

    static void tell(Connection connection, RecoverySink sink) throws SQLException {
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_open_groups"))) {
            while (rows.next()) {
                sink.group(group(rows));
            }
        }
    }

    static Optional<JobGroup> find(Connection connection, @Nullable TenantId scope, JobId id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("find_group"))) {
            statement.setObject(1, uuid(id));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of(group(rows)).filter(group -> scope == null || scope.equals(group.tenant()))
                        : Optional.empty();
            }
        }
    }

    static List<JobId> members(Connection connection, JobId group, @Nullable JobId after, int limit)
            throws SQLException {
        List<JobId> ids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_group_members"))) {
            statement.setObject(1, uuid(group));
            statement.setObject(2, after == null ? FIRST : uuid(after));
            statement.setInt(3, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(Ids.of(rows, 1));
                }
            }
        }
        return ids;
    }

    private static JobGroup group(ResultSet rows) throws SQLException {
        JobId id = Ids.of(rows, 1);
        TenantId tenant = new TenantId(rows.getInt(2));
        String callbackType = rows.getString(5);
        JobSpec callback = callbackType == null
                ? null
                : RowCodec.decodeSpec(id, tenant, callbackType, rows.getBytes(7), rows.getBytes(6));
        JobId callbackJob = rows.getObject(15) == null ? null : Ids.of(rows, 15);
        GroupProgress progress = new GroupProgress(
                GroupProgress.State.of(rows.getInt(9)),
                rows.getInt(10),
                rows.getInt(11),
                rows.getInt(12),
                rows.getInt(13),
                rows.getInt(14),
                callbackJob,
                rows.getLong(16),
                rows.getLong(17));
        return new JobGroup(
                id,
                tenant,
                rows.getString(3),
                JobGroup.CallbackOn.of(rows.getInt(4)),
                callback,
                rows.getLong(8),
                progress);
    }

    /** Groups that were done before a time, their lists of members first. */
    static void purge(Connection connection, long beforeMicros, int times) throws SQLException {
        for (String deed : List.of("purge_group_members", "purge_groups")) {
            try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
                int left = times;
                do {
                    statement.setLong(1, beforeMicros);
                } while (statement.executeUpdate() > 0 && --left > 0);
            }
        }
    }
}
