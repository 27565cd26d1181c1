package dev.fairlane.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The running SHA-256 of a log: each batch is hashed together with the hash before it. One instance per log and thread. */
public final class HashChain {
    public static final int BYTES = 32;

    private final MessageDigest digest = sha256();
    private byte[] head;

    /** @param head hash of the last batch, or the log's genesis hash before the first */
    public HashChain(byte[] head) {
        if (head.length != BYTES) {
            throw new IllegalArgumentException("expected a hash of " + BYTES + " bytes, but got " + head.length);
        }
        this.head = head.clone();
    }

    /** Where a log starts: bound to its epoch and to what came before it. */
    public static byte[] genesis(LogId log, byte[] before) {
        MessageDigest digest = sha256();
        digest.update("fairlane log".getBytes(StandardCharsets.US_ASCII));
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(log.epoch()).flip());
        return digest.digest(before);
    }

    /** Puts a batch behind the head and returns its hash, the new head. */
    public byte[] extend(byte[] bytes) {
        digest.update(head);
        digest.update(bytes);
        byte[] hash = new byte[BYTES];
        try {
            digest.digest(hash, 0, BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 gives " + BYTES + " bytes", e);
        }
        head = hash;
        return hash.clone();
    }

    public byte[] head() {
        return head.clone();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
