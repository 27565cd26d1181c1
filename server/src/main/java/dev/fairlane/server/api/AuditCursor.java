package dev.fairlane.server.api;

import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.AuditQuery.Place;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Objects;

/** The place where a list of the audit goes on, opaque to callers, and good for that list only. */
final class AuditCursor {
    private static final int BYTES = 24;

    private AuditCursor() {}

    static String write(AuditQuery query, Place next) {
        return text(ByteBuffer.allocate(BYTES)
                .putLong(next.at())
                .putInt(next.chain())
                .putLong(next.sequence())
                .putInt(fingerprint(query)));
    }

    /** @param query what is asked for, from its begin */
    static Place read(AuditQuery query, String cursor) {
        try {
            ByteBuffer bytes = bytes(cursor);
            Place next = new Place(bytes.getLong(), bytes.getInt(), bytes.getLong());
            if (bytes.getInt() == fingerprint(query) && !bytes.hasRemaining()) {
                return next;
            }
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            // no cursor at all: told below, like one of another list
        }
        throw wrong();
    }

    /** Of a list of chains. */
    static String write(int chain) {
        return text(ByteBuffer.allocate(Integer.BYTES).putInt(chain));
    }

    static int readChain(String cursor) {
        try {
            ByteBuffer bytes = bytes(cursor);
            int chain = bytes.getInt();
            if (chain >= 0 && !bytes.hasRemaining()) {
                return chain;
            }
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            // no cursor at all: told below
        }
        throw wrong();
    }

    private static String text(ByteBuffer bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static ByteBuffer bytes(String cursor) {
        return ByteBuffer.wrap(
                cursor.length() > 2 * BYTES
                        ? new byte[0]
                        : Base64.getUrlDecoder().decode(cursor));
    }

    private static Refused wrong() {
        return Refused.field(
                ErrorCode.INVALID_CURSOR,
                "cursor",
                "expected next_cursor of a page of this same list, with the same filters");
    }

    private static int fingerprint(AuditQuery query) {
        return Objects.hash(
                query.chain() == null ? -1 : query.chain().number(), query.fromAt(), query.toAt(), query.oldestFirst());
    }
}
