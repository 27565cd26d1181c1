package dev.fairlane.sdk;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * For receivers of webhooks: is this call from our Fairlane, and is it new?
 *
 * <pre>{@code
 * String delivery = Webhooks.verify(headers, body, secret); // throws SecurityException when it is not
 * if (seen.add(delivery)) { … }                              // the same news may come twice
 * }</pre>
 *
 * The secret is what {@code fairlane webhook secret} prints. After a rotation calls are signed with the new secret and the one before,
 * so a receiver may change over at any time until the next rotation.
 */
public final class Webhooks {
    public static final String SIGNATURE_HEADER = "Fairlane-Signature";

    /** Id of the delivery: the same for every attempt of it. */
    public static final String DELIVERY_HEADER = "Fairlane-Delivery";

    /** How old, or how far ahead of our clock, a signature may be. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAX_PARTS = 16;

    private Webhooks() {}

    /**
     * Checks a call by the clock of this machine and with {@link #TOLERANCE}.
     *
     * @param headers as most servers give them; the case of names does not matter
     * @param body the bytes as they came, not parsed and written again
     * @return the id of the delivery
     * @throws SecurityException if the call is not signed with this secret, or was signed too long ago
     */
    public static String verify(Map<String, List<String>> headers, byte[] body, String secret) {
        return verify(headers, body, secret, TOLERANCE, InstantSource.system());
    }

    /** Like {@link #verify(Map, byte[], String)}, with a tolerance and a clock of one's own. */
    public static String verify(
            Map<String, List<String>> headers, byte[] body, String secret, Duration tolerance, InstantSource clock) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("expected the webhook secret, but it is empty");
        }
        String header = header(headers, SIGNATURE_HEADER);
        String[] parts = header.split(",", MAX_PARTS + 1);
        long time = parts.length > MAX_PARTS ? -1 : time(parts[0].strip());
        if (time < 0) {
            throw new SecurityException(
                    "expected " + SIGNATURE_HEADER + ": t=…,v1=…, but it is missing or not of that form");
        }
        byte[] expected = digest(secret, time, body);
        boolean signed = false;
        for (int i = 1; i < parts.length; i++) {
            // every part is compared, so that the time taken tells nothing
            signed |= MessageDigest.isEqual(expected, signature(parts[i].strip()));
        }
        if (!signed) {
            throw new SecurityException("the signature is not one of this secret");
        }
        if (Math.abs(clock.millis() / 1_000 - time) > tolerance.toSeconds()) {
            throw new SecurityException("the signature is from another time: an old call sent again, or a wrong clock");
        }
        return header(headers, DELIVERY_HEADER);
    }

    private static String header(Map<String, List<String>> headers, String name) {
        for (Map.Entry<String, List<String>> entry : headers.entrySet()) {
            // some servers keep the request line under a null name
            if (name.equalsIgnoreCase(entry.getKey()) && !entry.getValue().isEmpty()) {
                return entry.getValue().get(0);
            }
        }
        return "";
    }

    private static long time(String part) {
        boolean number = part.length() > 2
                && part.length() <= 14
                && part.startsWith("t=")
                && part.chars().skip(2).allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(part.substring(2)) : -1;
    }

    private static byte[] signature(String part) {
        try {
            return part.startsWith("v1=") ? HexFormat.of().parseHex(part, 3, part.length()) : new byte[0];
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static byte[] digest(String secret, long time, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
