package dev.fairlane.sdk;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows one chain of the audit, entry by entry, and says where it breaks. It believes the server, or the file, nothing but the two ends
 * of the chain; a head that was kept elsewhere takes that away too, for all up to it that is still there. Made from the description of
 * the form alone, so that it checks the one who writes it. Not for several threads.
 */
public final class AuditChain {
    private static final String FORMAT = "fairlane-audit-1";
    private static final HexFormat HEX = HexFormat.of();

    private final AuditHead head;
    private final Set<String> hashes = new HashSet<>();
    private String previous;
    private long sequence;
    private long entries;
    private @Nullable String broken;

    /** @param head as the server tells it */
    public AuditChain(AuditHead head) {
        this.head = head;
        this.previous = head.anchorHash();
        this.sequence = head.anchorSequence();
    }

    public AuditHead head() {
        return head;
    }

    /** Name of the tenant, or {@code (system)}. */
    public String shownName() {
        return head.chain().isEmpty() ? "(system)" : head.chain();
    }

    /** How many were followed and hold. */
    public long entries() {
        return entries;
    }

    /** How many entries are no longer there, from the first on. */
    public long dropped() {
        return head.anchorSequence();
    }

    /** Whether this is the hash of the last entry that was dropped. */
    public boolean hasDropped(String hash) {
        return head.anchorSequence() > 0 && head.anchorHash().equals(hash);
    }

    /** Whether this hash is one of an entry that was followed. */
    public boolean has(String hash) {
        return hashes.contains(hash);
    }

    /** The next entry, the oldest first; one that was made after the head was read is passed over. */
    public void follow(AuditEntry entry) {
        long number = entry.sequence();
        if (broken != null || number > head.sequence()) {
            return;
        }
        if (number != sequence + 1) {
            broken = number <= sequence
                    ? "entry " + number + " comes after entry " + sequence
                    : "entry " + (sequence + 1) + " is missing; the next one is " + number;
            return;
        }
        String hash = hash(entry);
        if (hash.isEmpty() || !hash.equals(entry.hash()) || !isReasonGiven(entry)) {
            broken = "entry " + number + " is not what was written, or not in its place";
            return;
        }
        previous = hash;
        sequence = number;
        entries++;
        hashes.add(hash);
    }

    /** All entries were followed: where the chain breaks, if it does. */
    public Optional<String> end() {
        if (broken == null && sequence != head.sequence()) {
            broken = "entry " + (sequence + 1) + " is missing; the chain ends with " + head.sequence();
        }
        if (broken == null && !previous.equals(head.hash())) {
            broken = "entry " + sequence + " is not the one the chain ends with";
        }
        return Optional.ofNullable(broken);
    }

    /** Empty for something that cannot be an entry. */
    private String hash(AuditEntry entry) {
        MessageDigest digest = sha256();
        try {
            digest.update(HEX.parseHex(previous));
        } catch (IllegalArgumentException e) {
            return "";
        }
        // Reasons may be erased, their digests stay.
        for (String field : List.of(
                FORMAT,
                head.chain(),
                Long.toString(entry.sequence()),
                Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, entry.at())),
                entry.keyId(),
                entry.keyName(),
                entry.role(),
                entry.requestId(),
                entry.traceId(),
                entry.requestDigest(),
                entry.action(),
                entry.target(),
                entry.summary(),
                entry.reasonDigest(),
                entry.beforeDigest(),
                entry.afterDigest())) {
            netstring(digest, field);
        }
        return HEX.formatHex(digest.digest());
    }

    /** An erased reason is none to compare. */
    private static boolean isReasonGiven(AuditEntry entry) {
        return entry.reason().isEmpty() || digest(entry.reason()).equals(entry.reasonDigest());
    }

    private static void netstring(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
        digest.update((byte) ',');
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
