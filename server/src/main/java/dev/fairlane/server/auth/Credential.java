package dev.fairlane.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The text a caller proves itself with.
 *
 * @param id public part, 12 hexadecimal digits
 * @param text the whole of it, {@code flk_<id>_<secret>}
 */
public record Credential(String id, String text) {
    private static final String PREFIX = "flk_";
    private static final int ID_BYTES = 6;
    private static final int SECRET_BYTES = 32;
    private static final int ID_LENGTH = 2 * ID_BYTES;
    private static final int LENGTH_MAX = 128;
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Credential::newDigest);

    public static Credential make(SecureRandom random) {
        byte[] id = new byte[ID_BYTES];
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(id);
        random.nextBytes(secret);
        String hex = HexFormat.of().formatHex(id);
        return new Credential(
                hex,
                PREFIX + hex + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Empty for anything that cannot be a credential. */
    public static Optional<Credential> parse(String text) {
        int dash = PREFIX.length() + ID_LENGTH;
        if (text.length() > LENGTH_MAX
                || text.length() <= dash + 1
                || !text.startsWith(PREFIX)
                || text.charAt(dash) != '_') {
            return Optional.empty();
        }
        return Optional.of(new Credential(text.substring(PREFIX.length(), dash), text));
    }

    public byte[] hash() {
        return SHA_256.get().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Never the secret: this ends up in logs. */
    @Override
    public String toString() {
        return PREFIX + id + "_…";
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
