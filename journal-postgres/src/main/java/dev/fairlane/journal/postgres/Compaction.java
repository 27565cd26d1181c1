package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.journal.FlushReceipt;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.OpenFold.Image;
import dev.fairlane.journal.postgres.Slots.Filling;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Empties a sealed segment: its open jobs, with their newest image, and newer images of jobs at home elsewhere go to the segment that
 * is being filled; the table is left behind and truncated when nobody reads it.
 *
 * <p>Which jobs are still open is decided by what is stored, not by what the caller believes: a job whose end is only in the journal's
 * tail needs its stored spec until that end is projected.
 */
final class Compaction {
    private final Slots slots;
    private final OpenRows open;

    Compaction(Slots slots, int bundleFrom) {
        this.slots = slots;
        this.open = new OpenRows(new CopyRows(), bundleFrom, bundle -> {});
    }

    /** @param connection in auto-commit mode; left so unless this throws */
    FlushReceipt compact(Connection connection, LogId log, int segment) throws SQLException {
        slots.know(connection);
        connection.setAutoCommit(false);
        long number = begin(connection, log, segment);
        if (number == 0) {
            connection.rollback();
            connection.setAutoCommit(true);
            return new FlushReceipt(slots.into(segment));
        }
        Slot from = slots.of(segment);
        if (from == null || segment >= slots.newest()) {
            throw new IllegalStateException(
                    "expected a sealed segment below " + slots.newest() + ", but got " + segment);
        }
        Survey survey = survey(connection, from);
        Map<JobId, @Nullable Image> survivors = survivors(connection, from, survey);
        Map<JobId, Image> strays = strays(connection, from, survey);
        Filling filling = slots.place(connection, !survivors.isEmpty() || !strays.isEmpty());
        filling = move(connection, number, from, filling, survey, survivors);
        filling = moveBundles(connection, number, from, filling, survey, survivors);
        open.clear();
        unpack(connection, from, survey, survivors);
        strays.forEach((id, image) -> open.image(id, image.status()));
        filling = open.send(connection, number, filling, Pace.BRISK);
        Transactions.call(connection, "leave_slot", segment);
        try {
            Transactions.commit(connection, "compact");
        } catch (JournalFault.UnknownOutcome e) {
            slots.forget();
            throw e;
        }
        connection.setAutoCommit(true);
        slots.filled(filling);
        slots.left(segment, filling.segment());
        return new FlushReceipt(filling.segment());
    }

    /** 0 when the segment was emptied before. */
    private long begin(Connection connection, LogId log, int segment) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("begin_compaction"))) {
            statement.setInt(1, (int) log.epoch());
            statement.setInt(2, segment);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                switch (rows.getString(1)) {
                    case "closed" -> throw Transactions.fenced(log);
                    case "gone" -> {
                        if (segment >= slots.newest()) {
                            throw new IllegalStateException(
                                    "expected a segment below " + slots.newest() + ", but got " + segment);
                        }
                        return 0;
                    }
                    default -> {
                        return rows.getLong(2);
                    }
                }
            }
        }
    }

    /**
     * @param homes open jobs at home in the segment, with the number of their row
     * @param bundles in which jobs are open
     */
    private record Survey(Map<JobId, Long> homes, List<Bundled> bundles, Map<JobId, Image> images) {
        /** Those that have rows of their own. */
        List<JobId> alone() {
            Set<JobId> alone = new HashSet<>(homes.keySet());
            bundles.forEach(bundle -> bundle.open.forEach(alone::remove));
            return alone.stream().sorted().toList();
        }
    }

    /**
     * @param open its jobs that are open, in the order of their ids
     * @param whole all of them are
     */
    private record Bundled(String place, int bytes, List<JobId> open, boolean whole) {
        boolean unchanged(Map<JobId, @Nullable Image> survivors) {
            return whole && open.stream().allMatch(id -> survivors.get(id) == null);
        }
    }

    private static Survey survey(Connection connection, Slot from) throws SQLException {
        LongNumbers ends = OpenFold.ends(connection, from);
        Survey survey = new Survey(new HashMap<>(), new ArrayList<>(), new HashMap<>());
        try (ResultSet rows = Streaming.query(connection, Sql.on("list_images", from.table()))) {
            while (rows.next()) {
                survey.images.merge(Ids.of(rows, 2), new Image(rows.getLong(1), rows.getBytes(3)), Image::newer);
            }
        }
        // Who ended here was at home here, and has no newer image than its end.
        survey.images
                .entrySet()
                .removeIf(image ->
                        ends.get(image.getKey().lo()) > image.getValue().number());
        try (ResultSet rows = Streaming.query(connection, Sql.on("list_home_ids", from.table()))) {
            while (rows.next()) {
                JobId id = Ids.of(rows, 2);
                if (ends.get(id.lo()) <= rows.getLong(1)) {
                    survey.homes.put(id, rows.getLong(1));
                }
            }
        }
        new SpecSearch(connection, from).read(openBundles(connection, from, ends), (place, number, bundle) -> {
            List<JobAdded> jobs = Bundle.jobs(bundle);
            List<JobId> open = jobs.stream()
                    .map(JobAdded::id)
                    .filter(id -> ends.get(id.lo()) <= number)
                    .toList();
            open.forEach(id -> survey.homes.put(id, number));
            survey.bundles.add(new Bundled(place, bundle.length, open, open.size() == jobs.size()));
        });
        return survey;
    }

    /** Places of bundles in which a job is open. */
    private static List<String> openBundles(Connection connection, Slot from, LongNumbers ends) throws SQLException {
        List<String> places = new ArrayList<>();
        try (ResultSet rows = Streaming.query(connection, Sql.on("list_bundle_ids", from.table()))) {
            while (rows.next()) {
                long number = rows.getLong(1);
                if (Bundle.any(rows.getBytes(2), lo -> ends.get(lo) <= number)) {
                    places.add(rows.getString(3));
                }
            }
        }
        return places;
    }

    /** Open jobs at home in the segment, each with its newest image if that is not in its row. */
    private Map<JobId, @Nullable Image> survivors(Connection connection, Slot from, Survey survey) throws SQLException {
        Map<JobId, @Nullable Image> survivors = new HashMap<>();
        survey.homes.forEach((id, number) -> {
            Image image = survey.images.get(id);
            survivors.put(id, image != null && image.number() > number ? image : null);
        });
        for (var image : images(connection, from, survivors.keySet()).entrySet()) {
            Image known = survivors.get(image.getKey());
            long home = survey.homes.getOrDefault(image.getKey(), 0L);
            if (image.getValue().number() > Math.max(home, known == null ? 0 : known.number())) {
                survivors.put(image.getKey(), image.getValue());
            }
        }
        return survivors;
    }

    /** Images here that are the newest of a job at home elsewhere. */
    private Map<JobId, Image> strays(Connection connection, Slot from, Survey survey) throws SQLException {
        Map<JobId, Image> here = new HashMap<>(survey.images);
        here.keySet().removeAll(survey.homes.keySet());
        List<Slot> others = slots.live().stream()
                .filter(slot -> slot.segment() != from.segment())
                .toList();
        here.keySet().removeIf(id -> others.stream().noneMatch(slot -> slots.mayHold(slot, id)));
        Map<JobId, Image> strays = new HashMap<>();
        if (here.isEmpty()) {
            return strays;
        }
        Map<JobId, Image> elsewhere = images(connection, from, here.keySet());
        Map<JobId, Long> homes = new HashMap<>();
        for (Slot slot : others) {
            homes(connection, slot, here.keySet()).forEach((id, number) -> homes.merge(id, number, Math::max));
        }
        homes.forEach((id, number) -> {
            Image image = here.get(id);
            Image other = elsewhere.get(id);
            if (image != null && image.number() > number && (other == null || other.number() < image.number())) {
                strays.put(id, image);
            }
        });
        return strays;
    }

    /** Newest images of these jobs in all other segments. */
    private Map<JobId, Image> images(Connection connection, Slot from, Collection<JobId> ids) throws SQLException {
        Map<JobId, Image> found = new HashMap<>();
        if (ids.isEmpty()) {
            return found;
        }
        for (Slot slot : slots.live()) {
            if (slot.segment() != from.segment()) {
                try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_images", slot.table()))) {
                    statement.setArray(1, connection.createArrayOf("uuid", Ids.array(ids)));
                    try (ResultSet rows = statement.executeQuery()) {
                        while (rows.next()) {
                            found.merge(Ids.of(rows, 2), new Image(rows.getLong(1), rows.getBytes(3)), Image::newer);
                        }
                    }
                }
            }
        }
        return found;
    }

    private Map<JobId, Long> homes(Connection connection, Slot slot, Collection<JobId> ids) throws SQLException {
        Map<JobId, Long> found = new HashMap<>();
        List<JobId> likely = ids.stream().filter(id -> slots.mayHold(slot, id)).toList();
        if (likely.isEmpty()) {
            return found;
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("find_homes", slot.table()))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(likely)));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.merge(Ids.of(rows, 2), rows.getLong(1), Math::max);
                }
            }
        }
        new SpecSearch(connection, slot).eachBundle(likely, (number, id, place) -> found.merge(id, number, Math::max));
        return found;
    }

    /** Bundles of which nothing is to be said anew, as they are. */
    private static Filling moveBundles(
            Connection connection,
            long number,
            Slot from,
            Filling to,
            Survey survey,
            Map<JobId, @Nullable Image> survivors)
            throws SQLException {
        List<Bundled> unchanged = survey.bundles.stream()
                .filter(bundle -> bundle.unchanged(survivors))
                .toList();
        if (unchanged.isEmpty()) {
            return to;
        }
        Filling filling = to;
        for (Bundled bundle : unchanged) {
            filling = filling.with(bundle.open.getFirst(), bundle.open.getLast(), bundle.open.size())
                    .withBytes(bundle.bytes);
        }
        String sql = Sql.on("move_bundles", to.table()).replace("{from}", from.table());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, number);
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text", unchanged.stream().map(Bundled::place).toArray()));
            int moved = statement.executeUpdate();
            if (moved != unchanged.size()) {
                throw new JournalFault.Corrupt(
                        "expected to move " + unchanged.size() + " bundles of segment " + from.segment()
                                + ", but found " + moved,
                        null);
            }
        }
        return filling;
    }

    /** The open jobs of the other bundles, to be bundled anew. */
    private void unpack(Connection connection, Slot from, Survey survey, Map<JobId, @Nullable Image> survivors)
            throws SQLException {
        List<String> places = survey.bundles.stream()
                .filter(bundle -> !bundle.unchanged(survivors))
                .map(Bundled::place)
                .toList();
        new SpecSearch(connection, from).read(places, (place, number, bundle) -> {
            for (JobAdded job : Bundle.jobs(bundle)) {
                if (survey.homes.getOrDefault(job.id(), 0L) == number) {
                    open.job(job.spec(), status(job, survivors.get(job.id())));
                }
            }
        });
    }

    private static JobStatus status(JobAdded job, @Nullable Image newer) {
        return newer == null ? job.status() : RowCodec.decodeStatus(newer.status());
    }

    /** Jobs that have rows of their own. */
    private static Filling move(
            Connection connection,
            long number,
            Slot from,
            Filling to,
            Survey survey,
            Map<JobId, @Nullable Image> survivors)
            throws SQLException {
        List<JobId> ids = survey.alone();
        if (ids.isEmpty()) {
            return to;
        }
        Long[] numbers = new Long[ids.size()];
        byte[][] statuses = new byte[ids.size()][];
        Filling filling = to;
        for (int i = 0; i < statuses.length; i++) {
            numbers[i] = survey.homes.get(ids.get(i));
            Image image = survivors.get(ids.get(i));
            if (image != null) {
                statuses[i] = image.status();
            }
            filling = filling.with(ids.get(i), true);
        }
        String sql = Sql.on("move_open", to.table()).replace("{from}", from.table());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, number);
            statement.setArray(2, connection.createArrayOf("uuid", Ids.array(ids)));
            statement.setArray(3, connection.createArrayOf("int8", numbers));
            statement.setArray(4, connection.createArrayOf("bytea", statuses));
            int moved = statement.executeUpdate();
            if (moved != ids.size()) {
                throw new JournalFault.Corrupt(
                        "expected to move " + ids.size() + " jobs of segment " + from.segment() + ", but found "
                                + moved,
                        null);
            }
        }
        return filling;
    }
}
