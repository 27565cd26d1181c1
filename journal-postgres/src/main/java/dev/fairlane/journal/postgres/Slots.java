package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.Flush;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where segments of open jobs live, as the one who writes them knows it: read from the store when unsure, changed after commits only.
 *
 * <pre>
 * free ──taken by a new segment──► live ──compacted──► dirty ──truncated──► free
 * </pre>
 */
final class Slots {
    private static final long INDEX_AFTER_NANOS = 3_000_000_000L;

    private final int segmentRows;
    private final long segmentBytes;

    /** By slot number. */
    private final Map<Integer, Slot> slots = new HashMap<>();

    /** Segments emptied by this owner and where their jobs went: an end may still name the old one. */
    private final Map<Integer, Integer> moved = new HashMap<>();

    private final Map<Integer, Long> sealedAt = new HashMap<>();
    /** Segments somebody wants to look jobs up in; told by readers. */
    private final Set<Integer> wanted = ConcurrentHashMap.newKeySet();

    private boolean known;
    private @Nullable Filling filling;

    /**
     * @param segment 0 when none lives here
     * @param first smallest id of the jobs at home here, null while unknown
     */
    record Slot(
            int slot,
            int segment,
            boolean dirty,
            boolean indexed,
            @Nullable UUID first,
            @Nullable UUID last) {
        /** Where jobs far from due are, which is no segment: nothing there is an end or an image alone. */
        static final Slot FAR = new Slot(Flush.FAR, Flush.FAR, false, true, null, null);

        String table() {
            return slot == Flush.FAR ? "job_far" : "job_open_" + slot;
        }

        boolean mayHold(JobId id) {
            return first == null
                    || last == null
                    || Ids.of(first).compareTo(id) <= 0 && Ids.of(last).compareTo(id) >= 0;
        }
    }

    /** The segment that takes rows. */
    record Filling(
            int slot,
            int segment,
            long rows,
            long bytes,
            @Nullable UUID first,
            @Nullable UUID last,
            boolean whole) {
        String table() {
            return "job_open_" + slot;
        }

        /** @param home false for an image only */
        Filling with(JobId id, boolean home) {
            UUID uuid = Ids.uuid(id);
            return new Filling(
                    slot,
                    segment,
                    rows + 1,
                    bytes,
                    home && (first == null || Ids.of(first).compareTo(id) > 0) ? uuid : first,
                    home && (last == null || Ids.of(last).compareTo(id) < 0) ? uuid : last,
                    whole);
        }

        /** A bundle of so many jobs, with its smallest and its greatest id. */
        Filling with(JobId smallest, JobId greatest, int jobs) {
            Filling ends = with(smallest, true).with(greatest, true);
            return new Filling(slot, segment, rows + jobs, bytes, ends.first, ends.last, whole);
        }

        Filling withBytes(long more) {
            return new Filling(slot, segment, rows, bytes + more, first, last, whole);
        }
    }

    Slots(int segmentRows, long segmentBytes) {
        this.segmentRows = segmentRows;
        this.segmentBytes = segmentBytes;
    }

    /** Live segments as the store has them, oldest first. */
    static List<Slot> live(Connection connection) throws SQLException {
        return all(connection).stream()
                .filter(slot -> slot.segment > 0)
                .sorted(Comparator.comparingInt(Slot::segment))
                .toList();
    }

    private static List<Slot> all(Connection connection) throws SQLException {
        List<Slot> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("list_slots"))) {
            while (rows.next()) {
                found.add(new Slot(
                        rows.getInt(1),
                        rows.getInt(2),
                        rows.getBoolean(3),
                        rows.getBoolean(4),
                        rows.getObject(5, UUID.class),
                        rows.getObject(6, UUID.class)));
            }
        }
        return found;
    }

    void forget() {
        known = false;
    }

    /** Reads them anew where what is known may be wrong. */
    void know(Connection connection) throws SQLException {
        if (known) {
            return;
        }
        slots.clear();
        all(connection).forEach(slot -> slots.put(slot.slot, slot));
        filling = null;
        Slot newest = live().stream().reduce((a, b) -> b).orElse(null);
        if (newest != null) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(Sql.on("measure_slot", newest.table()))) {
                rows.next();
                filling = new Filling(newest.slot, newest.segment, rows.getLong(1), rows.getLong(2), null, null, false);
            }
        }
        known = true;
    }

    /** Whether a job may be at home in a live segment: false for one older than all of them, as most are that ended. */
    boolean mayHold(Slot slot, JobId id) {
        Filling present = filling;
        if (present != null && present.segment == slot.segment && present.whole) {
            return present.first != null
                    && present.last != null
                    && Ids.of(present.first).compareTo(id) <= 0
                    && Ids.of(present.last).compareTo(id) >= 0;
        }
        return slot.mayHold(id);
    }

    List<Slot> live() {
        return slots.values().stream()
                .filter(slot -> slot.segment > 0)
                .sorted(Comparator.comparingInt(Slot::segment))
                .toList();
    }

    @Nullable Slot of(int segment) {
        return slots.values().stream()
                .filter(slot -> slot.segment == segment)
                .findFirst()
                .orElse(null);
    }

    /** The live segment where a job named with {@code segment} is at home now. */
    @Nullable Slot home(int segment) {
        int at = segment;
        while (moved.containsKey(at)) {
            at = moved.getOrDefault(at, 0);
        }
        return of(at);
    }

    int into(int segment) {
        Integer into = moved.get(segment);
        return into == null ? filling == null ? 0 : filling.segment : into;
    }

    int newest() {
        return filling == null ? 0 : filling.segment;
    }

    /** Where the next rows go, inside the writing transaction; nothing here changes until {@link #filled}. */
    Filling place(Connection connection, boolean anyRows) throws SQLException {
        Filling present = filling;
        if (present != null && !(anyRows && (present.rows >= segmentRows || present.bytes >= segmentBytes))) {
            return present;
        }
        if (present != null) {
            try (PreparedStatement seal = connection.prepareStatement(Sql.of("seal_slot"))) {
                seal.setObject(1, present.whole ? present.first : null, java.sql.Types.OTHER);
                seal.setObject(2, present.whole ? present.last : null, java.sql.Types.OTHER);
                seal.setInt(3, present.segment);
                seal.executeUpdate();
            }
        }
        int slot = slots.values().stream()
                .filter(one -> one.segment == 0 && !one.dirty)
                .mapToInt(Slot::slot)
                .min()
                .orElse(-1);
        if (slot < 0) {
            slot = slots.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1) + 1;
            Transactions.run(connection, Sql.on("make_slot", "job_open_" + slot));
        }
        try (PreparedStatement take = connection.prepareStatement(Sql.of("take_slot"))) {
            take.setInt(1, slot);
            try (ResultSet rows = take.executeQuery()) {
                rows.next();
                return new Filling(slot, rows.getInt(1), 0, 0, null, null, true);
            }
        }
    }

    /** After the commit. */
    void filled(Filling now) {
        Filling before = filling;
        if (before != null && before.segment != now.segment) {
            sealedAt.put(before.segment, System.nanoTime());
            Slot known = slots.get(before.slot);
            slots.put(
                    before.slot,
                    new Slot(
                            before.slot,
                            before.segment,
                            false,
                            known != null && known.indexed,
                            before.whole ? before.first : null,
                            before.whole ? before.last : null));
        }
        if (before == null || before.segment != now.segment) {
            slots.put(now.slot, new Slot(now.slot, now.segment, false, false, null, null));
        }
        filling = now;
    }

    void left(int segment, int into) {
        Slot slot = of(segment);
        if (slot != null) {
            slots.put(slot.slot, new Slot(slot.slot, 0, true, slot.indexed, null, null));
        }
        moved.put(segment, into);
        sealedAt.remove(segment);
        wanted.remove(segment);
    }

    @Nullable Slot dirty() {
        return slots.values().stream().filter(Slot::dirty).findFirst().orElse(null);
    }

    void freed(Slot slot) {
        slots.put(slot.slot, new Slot(slot.slot, 0, false, false, null, null));
    }

    /** False when it was wanted already. From any thread. */
    boolean want(int segment) {
        return wanted.add(segment);
    }

    /** A segment that is worth an index: sealed and not soon emptied, or asked for. */
    @Nullable Slot unindexed() {
        long now = System.nanoTime();
        for (Slot slot : live()) {
            if (!slot.indexed && wanted.contains(slot.segment)) {
                return slot;
            }
            if (!slot.indexed && slot.segment != newest()) {
                Long since = sealedAt.get(slot.segment);
                if (since == null || now - since > INDEX_AFTER_NANOS) {
                    return slot;
                }
            }
        }
        return null;
    }

    void indexed(Slot slot) {
        slots.put(slot.slot, new Slot(slot.slot, slot.segment, false, true, slot.first, slot.last));
        sealedAt.remove(slot.segment);
        wanted.remove(slot.segment);
    }
}
