package dev.fairlane.server.api;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The place where a list goes on, opaque to callers. It remembers what the list was about, so that a cursor of one list is not taken
 * for a place in another.
 */
final class Cursor {
    private static final int BYTES = 20;

    private Cursor() {}

    static String write(JobQuery query, JobId next) {
        ByteBuffer bytes =
                ByteBuffer.allocate(BYTES).putLong(next.hi()).putLong(next.lo()).putInt(fingerprint(query));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** @param query the list it is used on, without its place */
    static JobId read(JobQuery query, String cursor) {
        try {
            byte[] decoded = cursor.length() > 2 * BYTES
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(cursor);
            ByteBuffer bytes = ByteBuffer.wrap(decoded);
            JobId next = new JobId(bytes.getLong(), bytes.getLong());
            if (bytes.getInt() == fingerprint(query) && !bytes.hasRemaining()) {
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

    private static int fingerprint(JobQuery query) {
        int states = new TreeSet<>(query.states())
                .stream().mapToInt(state -> 1 << state.ordinal()).sum();
        return Objects.hash(query.scope() == null ? -1 : query.scope().number(), states, query.type());
    }
}
