package dev.fairlane.cli;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows one chain of the audit, entry by entry, and says where it breaks. It believes the server, or the file, nothing but the two ends
 * of the chain; a head that was kept elsewhere takes that away too, for all up to it that is still there. Made from the description of
 * the form alone, so that it checks the one who writes it.
 */
final class AuditChain {
    private static final String FORMAT = "fairlane-audit-1";
    private static final HexFormat HEX = HexFormat.of();

    /** What is hashed of an entry, in this order, behind format, chain, number and time. Reasons may be erased, their digests stay. */
    private static final String[] FIELDS = {
        "key_id",
        "key_name",
        "role",
        "request_id",
        "trace_id",
        "request_digest",
        "action",
        "target",
        "summary",
        "reason_digest",
        "before_digest",
        "after_digest"
    };

    private final String name;
    private final String headHash;
    private final long headSequence;
    private final String anchorHash;
    private final long anchor;
    private final Set<String> hashes = new HashSet<>();
    private String previous;
    private long sequence;
    private long entries;
    private @Nullable String broken;

    /** @param head as the server tells it */
    AuditChain(Map<String, @Nullable Object> head) {
        this.name = Json.text(head, "chain");
        this.headHash = Json.text(head, "hash");
        this.headSequence = Json.number(head, "sequence");
        this.anchorHash = Json.text(head, "anchor_hash");
        this.anchor = Json.number(head, "anchor_sequence");
        this.previous = anchorHash;
        this.sequence = anchor;
    }

    String name() {
        return name;
    }

    String shownName() {
        return name.isEmpty() ? "(system)" : name;
    }

    String headHash() {
        return headHash;
    }

    long headSequence() {
        return headSequence;
    }

    long entries() {
        return entries;
    }

    /** How many entries are no longer there, from the first on. */
    long dropped() {
        return anchor;
    }

    /** Whether this is the hash of the last entry that was dropped. */
    boolean hasDropped(String hash) {
        return anchor > 0 && anchorHash.equals(hash);
    }

    /** Whether this hash is one of an entry that was followed. */
    boolean has(String hash) {
        return hashes.contains(hash);
    }

    /** The next entry; one that was made after the head was read is passed over. */
    void follow(Map<String, @Nullable Object> entry) {
        long number = Json.number(entry, "sequence");
        if (broken != null || number > headSequence) {
            return;
        }
        if (number != sequence + 1) {
            broken = number <= sequence
                    ? "entry " + number + " comes after entry " + sequence
                    : "entry " + (sequence + 1) + " is missing; the next one is " + number;
            return;
        }
        String hash = hash(entry, number);
        if (hash.isEmpty() || !hash.equals(Json.text(entry, "hash")) || !isReasonGiven(entry)) {
            broken = "entry " + number + " is not what was written, or not in its place";
            return;
        }
        previous = hash;
        sequence = number;
        entries++;
        hashes.add(hash);
    }

    /** All entries were followed: where the chain breaks, if it does. */
    Optional<String> end() {
        if (broken == null && sequence != headSequence) {
            broken = "entry " + (sequence + 1) + " is missing; the chain ends with " + headSequence;
        }
        if (broken == null && !previous.equals(headHash)) {
            broken = "entry " + sequence + " is not the one the chain ends with";
        }
        return Optional.ofNullable(broken);
    }

    /** Empty for something that cannot be an entry. */
    private String hash(Map<String, @Nullable Object> entry, long number) {
        MessageDigest digest = sha256();
        try {
            digest.update(HEX.parseHex(previous));
            netstring(digest, FORMAT);
            netstring(digest, name);
            netstring(digest, Long.toString(number));
            netstring(digest, Long.toString(micros(Json.text(entry, "at"))));
        } catch (IllegalArgumentException | DateTimeException e) {
            return "";
        }
        for (String field : FIELDS) {
            netstring(digest, Json.text(entry, field));
        }
        return HEX.formatHex(digest.digest());
    }

    /** An erased reason is none to compare. */
    private static boolean isReasonGiven(Map<String, @Nullable Object> entry) {
        String reason = Json.text(entry, "reason");
        return reason.isEmpty() || digest(reason).equals(Json.text(entry, "reason_digest"));
    }

    private static void netstring(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
        digest.update((byte) ',');
    }

    private static long micros(String time) {
        return time.isEmpty() ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }

    private static String digest(String text) {
        return HEX.formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
