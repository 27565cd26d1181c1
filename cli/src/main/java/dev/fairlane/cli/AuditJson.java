package dev.fairlane.cli;

import dev.fairlane.sdk.AuditEntry;
import dev.fairlane.sdk.AuditHead;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The audit as a server or an export tells it. Nonsense is read as something that no chain holds. */
final class AuditJson {
    private AuditJson() {}

    static AuditHead head(Map<String, @Nullable Object> head) {
        return new AuditHead(
                Json.text(head, "chain"),
                Json.number(head, "sequence"),
                Json.text(head, "hash"),
                time(head),
                Json.number(head, "anchor_sequence"),
                Json.text(head, "anchor_hash"));
    }

    static AuditEntry entry(Map<String, @Nullable Object> entry) {
        return new AuditEntry(
                Json.text(entry, "chain"),
                Json.number(entry, "sequence"),
                time(entry),
                Json.text(entry, "key_id"),
                Json.text(entry, "key_name"),
                Json.text(entry, "role"),
                Json.text(entry, "request_id"),
                Json.text(entry, "trace_id"),
                Json.text(entry, "request_digest"),
                Json.text(entry, "action"),
                Json.text(entry, "target"),
                Json.text(entry, "summary"),
                Json.text(entry, "reason"),
                Json.text(entry, "reason_digest"),
                Json.text(entry, "before_digest"),
                Json.text(entry, "after_digest"),
                Json.text(entry, "hash"));
    }

    private static Instant time(Map<String, @Nullable Object> of) {
        try {
            return Instant.parse(Json.text(of, "at"));
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }
}
