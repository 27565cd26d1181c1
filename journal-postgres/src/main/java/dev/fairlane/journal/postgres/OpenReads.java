package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact.JobAdded;
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
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Open jobs, inside one reading transaction. */
final class OpenReads {
    private static final int BUNDLES_AT_ONCE = 16;

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

    /** Jobs at home anywhere, whether they ended or not. */
    Map<JobId, Stored> stored(Collection<StoredJob> jobs) throws SQLException {
        Map<JobId, Stored> found = new HashMap<>();
        for (Slot slot : slots.reversed()) {
            List<StoredJob> here = jobs.stream()
                    .filter(job -> !found.containsKey(job.id()) && slot.mayHold(job.id()))
                    .toList();
            if (!here.isEmpty()) {
                find(slot, here, found, null);
            }
        }
        return found;
    }

    private void find(Slot slot, List<StoredJob> jobs, Map<JobId, Stored> found, @Nullable List<JobSpec> beside)
            throws SQLException {
        new SpecSearch(connection, slot).find(jobs, job -> {
            if (job.asked()) {
                // Of a job that was changed, the last row counts.
                found.merge(job.spec().id(), new Stored(job.spec(), job.status(), job.number(), slot), Stored::newer);
            } else if (beside != null) {
                beside.add(job.spec());
            }
        });
    }

    /**
     * Jobs at home where they are said to be. Those that are not there may be elsewhere.
     *
     * @param beside takes what else was in the same bundles
     */
    Map<JobId, Stored> atHome(List<StoredJob> jobs, List<JobSpec> beside) throws SQLException {
        Map<Integer, List<StoredJob>> byHome = new HashMap<>();
        for (StoredJob job : jobs) {
            byHome.computeIfAbsent(job.home(), home -> new ArrayList<>()).add(job);
        }
        Map<JobId, Stored> found = new HashMap<>();
        for (Slot slot : slots) {
            List<StoredJob> here = byHome.get(slot.segment());
            if (here != null) {
                find(slot, here, found, beside);
            }
        }
        return found;
    }

    /** Open jobs among these, newest image. */
    Map<JobId, JobView> views(Collection<StoredJob> jobs) throws SQLException {
        Map<JobId, Stored> stored = stored(jobs);
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
        Newest page = new Newest(count);
        for (Slot slot : slots.reversed()) {
            if (slot.last() == null || page.wants(Ids.of(slot.last()))) {
                pageRows(slot, scope, before, count, page);
                if (slot != Slot.FAR) {
                    pageBundles(slot, scope, before, page);
                }
            }
        }
        return page.entries();
    }

    private void pageRows(Slot slot, @Nullable TenantId scope, UUID before, int count, Newest page)
            throws SQLException {
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

    /** By their greatest ids, some at a time: when that of a bundle is too small, so are all that follow. */
    private void pageBundles(Slot slot, @Nullable TenantId scope, UUID before, Newest page) throws SQLException {
        String deed = scope == null ? "page_bundles" : "page_bundles_of_tenant";
        List<String> places = new ArrayList<>();
        List<JobId> lasts = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.on(deed, slot.table()))) {
            int at = 1;
            if (scope != null) {
                statement.setInt(at++, scope.number());
            }
            statement.setObject(at, before);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    places.add(rows.getString(1));
                    lasts.add(Ids.of(rows, 2));
                }
            }
        }
        SpecSearch search = new SpecSearch(connection, slot);
        for (int from = 0; from < places.size() && page.wants(lasts.get(from)); from += BUNDLES_AT_ONCE) {
            List<String> some = places.subList(from, Math.min(places.size(), from + BUNDLES_AT_ONCE));
            search.read(some, (place, number, bundle) -> pageBundle(slot, before, number, bundle, page));
        }
    }

    private static void pageBundle(Slot slot, UUID before, long number, byte[] bundle, Newest page) {
        JobId end = Ids.of(before);
        for (JobAdded job : Bundle.jobs(bundle)) {
            JobSpec spec = job.spec();
            if (spec.id().compareTo(end) < 0) {
                int size = spec.payload().bytes().length;
                page.add(new Entry(spec.id(), number, spec.tenant().number(), spec.type(), size, slot));
            }
        }
    }

    /** The newest so many entries, newest first. */
    private static final class Newest {
        private static final Comparator<Entry> ORDER =
                Comparator.comparing(Entry::id).thenComparing(Entry::number).reversed();

        private final int count;
        private final NavigableSet<Entry> entries = new TreeSet<>(ORDER);

        Newest(int count) {
            this.count = count;
        }

        void add(Entry entry) {
            entries.add(entry);
            if (entries.size() > count) {
                entries.pollLast();
            }
        }

        /** Whether one with this id would be among them. */
        boolean wants(JobId id) {
            return entries.size() < count || id.compareTo(entries.last().id()) >= 0;
        }

        List<Entry> entries() {
            return new ArrayList<>(entries);
        }
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
