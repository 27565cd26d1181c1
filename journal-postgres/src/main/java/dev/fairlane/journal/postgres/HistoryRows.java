package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.RowCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finished jobs into their day, dead ones into the dead-letter queue, keys into their hour. */
final class HistoryRows {
    private static final String LATE = "job_done_late";

    /** Days that one flush may make on demand; rows of others are late. */
    private static final int MADE_AT_ONCE = 8;

    /** Of a failure's message; what is longer is kept whole, but not searched to its end. */
    private static final int SEARCHED_LENGTH = 1_024;

    private static final long NO_HOUR = Long.MIN_VALUE;

    private final Partitions days;
    private final Partitions hours;
    private final RowCodec codec = new RowCodec();
    private final CopyRows dead = new CopyRows();
    private final Map<String, CopyRows> done = new TreeMap<>();
    private final Map<String, CopyRows> keys = new TreeMap<>();
    private long lastDay;
    private @Nullable CopyRows lastDone;
    private long lastHour;
    /** Of the keys that were looked at last before a flush: it has a table, or will have, or needs none. */
    private long lookedHour;

    private @Nullable CopyRows lastKeys;

    HistoryRows(Partitions days, Partitions hours) {
        this.days = days;
        this.hours = hours;
    }

    /** Makes the partitions a flush needs and that nobody made ahead. */
    void prepare(Connection connection, Flush flush) throws SQLException {
        Set<Long> newDays = new HashSet<>();
        Set<Long> newHours = new HashSet<>();
        lookedHour = NO_HOUR;
        long asked = Long.MIN_VALUE;
        for (Flush.Ended job : flush.ended()) {
            long day = Partitions.HISTORY.unitOf(job.id().millis());
            if (day != asked && !days.has(day) && !days.dropped(day)) {
                newDays.add(day);
            }
            asked = day;
            if (job.spec() != null) {
                hour(job.spec(), newHours);
            }
        }
        for (Flush.Added job : flush.added()) {
            hour(job.spec(), newHours);
        }
        for (long day : newDays.stream().sorted().limit(MADE_AT_ONCE).toList()) {
            days.make(connection, day);
        }
        for (long hour : newHours.stream().sorted().toList()) {
            if (!hours.make(connection, hour)) {
                throw new JournalFault.Unavailable("no table yet for the keys of hour " + hour, null);
            }
        }
    }

    private void hour(JobSpec spec, Set<Long> into) {
        if (hasKeys(spec)) {
            long hour = hourOf(spec);
            if (hour != lookedHour) {
                lookedHour = hour;
                if (!hours.has(hour) && !hours.dropped(hour)) {
                    into.add(hour);
                }
            }
        }
    }

    private static boolean hasKeys(JobSpec spec) {
        return !spec.idempotencyKey().isEmpty() || !spec.terms().uniqueKey().isEmpty();
    }

    private static long hourOf(JobSpec spec) {
        return Partitions.KEYS.unitOf(Math.floorDiv(spec.submittedAt(), 1000L));
    }

    void write(Connection connection, Flush flush, Map<JobId, JobSpec> stored, Pace pace) throws SQLException {
        done.values().forEach(CopyRows::clear);
        keys.values().forEach(CopyRows::clear);
        dead.clear();
        lastDone = null;
        lastKeys = null;
        Set<JobId> replayed = revive(connection, flush.replayed());
        for (Flush.Added job : flush.added()) {
            if (!replayed.contains(job.spec().id())) {
                keys(job.spec());
            }
        }
        for (Finished job : inOrder(flush, stored)) {
            end(job.ended, job.spec);
            pace.made();
            if (job.ended.segment() == Flush.Ended.NOT_STORED && !replayed.contains(job.ended.id())) {
                keys(job.spec);
            }
        }
        for (var entry : done.entrySet()) {
            entry.getValue().send(connection, Sql.on("copy_done", entry.getKey()), pace);
        }
        for (var entry : keys.entrySet()) {
            entry.getValue().send(connection, Sql.on("copy_keys", entry.getKey()), pace);
        }
        dead.send(connection, Sql.of("copy_dead"), pace);
        forgetOld(done);
        forgetOld(keys);
    }

    /** Takes those who come back out of the dead-letter queue; their keys were written in their first life. */
    private static Set<JobId> revive(Connection connection, List<Flush.Replayed> replayed) throws SQLException {
        if (replayed.isEmpty()) {
            return Set.of();
        }
        List<JobId> ids = replayed.stream().map(Flush.Replayed::id).toList();
        Integer[] tenants = replayed.stream().map(job -> job.tenant().number()).toArray(Integer[]::new);
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("revive_dead"))) {
            statement.setArray(1, connection.createArrayOf("int4", tenants));
            statement.setArray(2, connection.createArrayOf("uuid", Ids.array(ids)));
            statement.executeUpdate();
        }
        return new HashSet<>(ids);
    }

    private record Finished(Flush.Ended ended, JobSpec spec) {}

    private static List<Finished> inOrder(Flush flush, Map<JobId, JobSpec> stored) {
        List<Flush.Ended> ended = flush.ended();
        JobId[] ids = new JobId[ended.size()];
        int[] tenants = new int[ids.length];
        Finished[] came = new Finished[ids.length];
        for (int i = 0; i < came.length; i++) {
            Flush.Ended job = ended.get(i);
            JobSpec spec = job.spec() != null ? job.spec() : stored.get(job.id());
            if (spec == null) {
                throw new IllegalStateException("expected job " + job.id() + " to be given with its spec or stored");
            }
            ids[i] = job.id();
            tenants[i] = spec.tenant().number();
            came[i] = new Finished(job, spec);
        }
        List<Finished> jobs = new ArrayList<>(came.length);
        for (int place : IndexOrder.of(ids, tenants)) {
            jobs.add(came[place]);
        }
        return jobs;
    }

    /** Buffers of tables that were written long ago. */
    private static void forgetOld(Map<String, CopyRows> buffers) {
        if (buffers.size() > MADE_AT_ONCE) {
            buffers.clear();
        }
    }

    private void end(Flush.Ended job, JobSpec spec) {
        boolean isDead = job.status().state() == JobState.DEAD;
        CopyRows rows =
                isDead ? dead : doneOf(Partitions.HISTORY.unitOf(job.id().millis()));
        rows.row(isDead ? 12 : 9)
                .uuid(job.id())
                .timestamp(job.status().changedAt())
                .int4(spec.tenant().number())
                .int2(job.status().state().ordinal())
                .text(spec.type())
                .bytea(codec.encodeSpecExtras(spec))
                .bytea(codec.encodeStatus(job.status()))
                .bytea(codec.encodeEnding(job.result(), job.failure()))
                .bytea(spec.payload().bytes());
        if (isDead) {
            rows.text(KeyName.isGiven(spec.idempotencyKey()) ? spec.idempotencyKey() : null);
            found(rows, job.failure());
        }
    }

    /** What a dead letter is found by. */
    private static void found(CopyRows rows, @Nullable Failure failure) {
        if (failure == null) {
            rows.none().text("");
            return;
        }
        String message = failure.message().replace('\0', '\uFFFD');
        rows.int2(failure.failureClass().ordinal())
                .text(message.length() > SEARCHED_LENGTH ? message.substring(0, SEARCHED_LENGTH) : message);
    }

    /** Nearly all rows of a flush are of one day. */
    private CopyRows doneOf(long day) {
        CopyRows rows = lastDone;
        if (rows == null || day != lastDay) {
            String table = days.has(day) ? Partitions.HISTORY.table(day) : LATE;
            rows = done.computeIfAbsent(table, name -> new CopyRows());
            lastDay = day;
            lastDone = rows;
        }
        return rows;
    }

    private void keys(JobSpec spec) {
        if (!hasKeys(spec)) {
            return;
        }
        CopyRows rows = keysOf(hourOf(spec));
        if (rows != null) {
            if (!spec.idempotencyKey().isEmpty()) {
                key(rows, spec, spec.bodyHash(), spec.idempotencyKey());
            }
            if (!spec.terms().uniqueKey().isEmpty()) {
                key(rows, spec, 0, KeyName.unique(spec.type(), spec.terms().uniqueKey()));
            }
        }
    }

    private static void key(CopyRows rows, JobSpec spec, long bodyHash, String name) {
        rows.row(5)
                .uuid(spec.id())
                .int8(spec.submittedAt())
                .int8(bodyHash)
                .int4(spec.tenant().number())
                .text(name);
    }

    /** Null where there is no table: the keys of that hour count no longer. */
    private @Nullable CopyRows keysOf(long hour) {
        CopyRows rows = lastKeys;
        if (rows == null || hour != lastHour) {
            if (!hours.has(hour)) {
                return null;
            }
            rows = keys.computeIfAbsent(Partitions.KEYS.table(hour), table -> new CopyRows());
            lastHour = hour;
            lastKeys = rows;
        }
        return rows;
    }
}
