package dev.fairlane.server.api;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery.Place;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Objects;

/** The place where a list of dead letters goes on, opaque to callers, and good for that list only. */
final class DeadCursor {
    private static final int BYTES = 28;

    private DeadCursor() {}

    static String write(DeadFilter filter, Place next) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES)
                .putLong(next.diedAt())
                .putLong(next.id().hi())
                .putLong(next.id().lo())
                .putInt(fingerprint(filter));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    static Place read(DeadFilter filter, String cursor) {
        try {
            byte[] decoded = cursor.length() > 2 * BYTES
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(cursor);
            ByteBuffer bytes = ByteBuffer.wrap(decoded);
            Place next = new Place(bytes.getLong(), new JobId(bytes.getLong(), bytes.getLong()));
            if (bytes.getInt() == fingerprint(filter) && !bytes.hasRemaining()) {
                return next;
            }
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            // no cursor at all: told below, like one of another list
        }
        throw Refused.field(
                ErrorCode.INVALID_CURSOR,
                "cursor",
                "expected next_cursor of a page of this same list, with the same filters");
    }

    private static int fingerprint(DeadFilter filter) {
        return Objects.hash(
                filter.scope() == null ? -1 : filter.scope().number(),
                filter.type(),
                filter.failureClass() == null ? -1 : filter.failureClass().ordinal(),
                filter.text(),
                filter.from(),
                filter.to());
    }
}
