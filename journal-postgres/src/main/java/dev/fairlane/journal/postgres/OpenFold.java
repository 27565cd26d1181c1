package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Folds the rows of all segments into the jobs that are open.
 *
 * <p>A job is at home where its spec is, in one segment at a time. It has ended, or has another spec in a later row, if that segment holds
 * its end with a greater number; the later row has the number of that end. Its image is the one with the greatest number in any segment.
 */
final class OpenFold {
    private static final byte[] NO_PAYLOAD = {};

    private final Connection connection;

    /** Only jobs that changed after they were stored: far fewer than there are jobs. */
    private final Map<Long, Image> images = new HashMap<>();

    record Image(long number, byte[] status) {
        static Image newer(Image one, Image other) {
            return one.number > other.number ? one : other;
        }
    }

    OpenFold(Connection connection) {
        this.connection = connection;
    }

    void read(List<Slot> slots, RecoverySink sink) throws SQLException {
        long[] rows = new long[slots.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = images(slots.get(i));
        }
        for (int i = 0; i < rows.length; i++) {
            Slot slot = slots.get(i);
            rows[i] += homes(slot, sink);
            sink.segment(slot.segment(), rows[i], i < rows.length - 1);
        }
    }

    /** How many there were. */
    private long images(Slot slot) throws SQLException {
        long count = 0;
        try (ResultSet rows = Streaming.query(connection, Sql.on("list_images", slot.table()))) {
            while (rows.next()) {
                count++;
                images.merge(Ids.of(rows, 2).lo(), new Image(rows.getLong(1), rows.getBytes(3)), Image::newer);
            }
        }
        return count;
    }

    private long homes(Slot slot, RecoverySink sink) throws SQLException {
        long count = 0;
        LongNumbers ends = ends(connection, slot);
        try (ResultSet rows = Streaming.query(connection, Sql.on("list_homes", slot.table()))) {
            while (rows.next()) {
                count++;
                long number = rows.getLong(1);
                JobId id = Ids.of(rows, 2);
                if (ends.get(id.lo()) > number) {
                    continue;
                }
                Image image = images.get(id.lo());
                byte[] status = image != null && image.number > number ? image.status : rows.getBytes(6);
                sink.open(
                        withoutPayload(RowCodec.decodeSpec(
                                id, new TenantId(rows.getInt(3)), rows.getString(4), NO_PAYLOAD, rows.getBytes(5))),
                        RowCodec.decodeStatus(status),
                        slot.segment());
            }
        }
        return count + bundled(slot, ends, sink);
    }

    private long bundled(Slot slot, LongNumbers ends, RecoverySink sink) throws SQLException {
        long count = 0;
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("list_bundles", slot.table()));
                ResultSet rows = Streaming.bundles(statement)) {
            while (rows.next()) {
                long number = rows.getLong(1);
                byte[] ids = rows.getBytes(2);
                count += ids.length / Long.BYTES;
                if (!Bundle.any(ids, lo -> ends.get(lo) <= number)) {
                    continue;
                }
                for (JobAdded job : Bundle.jobs(rows.getBytes(3))) {
                    if (ends.get(job.id().lo()) <= number) {
                        Image image = images.get(job.id().lo());
                        sink.open(
                                withoutPayload(job.spec()),
                                image != null && image.number > number
                                        ? RowCodec.decodeStatus(image.status)
                                        : job.status(),
                                slot.segment());
                    }
                }
            }
        }
        return count;
    }

    /** The content type stays in the store with the content. */
    static JobSpec withoutPayload(JobSpec spec) {
        if (spec.payload().equals(Payload.EMPTY)) {
            return spec;
        }
        return spec.withPayload(Payload.EMPTY);
    }

    /** What ended in a segment, by the low half of its id. */
    static LongNumbers ends(Connection connection, Slot slot) throws SQLException {
        LongNumbers ends = new LongNumbers(64);
        if (slot == Slot.FAR) {
            return ends;
        }
        try (ResultSet rows = Streaming.query(connection, Sql.on("list_ends", slot.table()))) {
            while (rows.next()) {
                note(ends, rows.getLong(1), rows.getBytes(2));
            }
        }
        return ends;
    }

    static void note(LongNumbers ends, long number, byte[] bytes) {
        ByteBuffer ids = ByteBuffer.wrap(bytes);
        while (ids.hasRemaining()) {
            ends.raise(ids.getLong(), number);
        }
    }
}
