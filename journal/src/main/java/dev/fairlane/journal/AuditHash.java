package dev.fairlane.journal;

import dev.fairlane.core.model.AuditEntry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How entries of the audit are chained: SHA-256 over the 32 bytes of the hash before and over the entry. The entry is a row of netstrings
 * ({@code length:bytes,}) of its fields in a fixed order, numbers in decimal, so that anybody can check a chain in a few lines of any
 * language; {@code docs/guides/audit.md} shows how. The command line has a reader of its own.
 */
public final class AuditHash {
    /** Stands first in every entry. Another order or another field is another format. */
    public static final String FORMAT = "fairlane-audit-1";

    private static final HexFormat HEX = HexFormat.of();

    private AuditHash() {}

    /**
     * @param previous hash of the entry before, or {@link dev.fairlane.core.model.AuditHead#NONE}
     * @param chain name of the entry's tenant, empty for the system
     * @param entry its own hash is not looked at, nor the text of its reason
     */
    public static String of(String previous, String chain, AuditEntry entry) {
        MessageDigest digest = sha256();
        digest.update(HEX.parseHex(previous));
        digest.update(canonical(chain, entry));
        return HEX.formatHex(digest.digest());
    }

    /** SHA-256 of a text, in hexadecimal. */
    public static String digest(String text) {
        return HEX.formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** What stands for a reason in the chain: nothing for none. */
    public static String ofReason(String reason) {
        return reason.isEmpty() ? "" : digest(reason);
    }

    static byte[] canonical(String chain, AuditEntry entry) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        for (String field : new String[] {
            FORMAT,
            chain,
            Long.toString(entry.sequence()),
            Long.toString(entry.at()),
            entry.by().keyId(),
            entry.by().keyName(),
            entry.by().role(),
            entry.by().request(),
            entry.by().trace(),
            entry.by().digest(),
            entry.deed().action(),
            entry.deed().target(),
            entry.deed().summary(),
            entry.reasonDigest(),
            entry.deed().before(),
            entry.deed().after()
        }) {
            byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
            out.writeBytes((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(bytes);
            out.write(',');
        }
        return out.toByteArray();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
