package dev.fairlane.sdk;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes with a content type: what a job carries in, or its handler hands out, when it is not an object to be written as JSON. */
public final class Payload {
    /** The content type of everything the SDK writes from objects. */
    public static final String JSON = "application/json";

    /** The content type of bytes nothing else is known of. */
    public static final String BYTES = "application/octet-stream";

    private static final int CONTENT_TYPE_LENGTH_MAX = 127;

    private final byte[] bytes;
    private final String contentType;

    private Payload(byte[] bytes, String contentType) {
        this.bytes = bytes;
        this.contentType = checked(contentType);
    }

    private static String checked(String contentType) {
        if (contentType.length() > CONTENT_TYPE_LENGTH_MAX
                || contentType.indexOf('/') < 1
                || contentType.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("expected a content type like text/plain of at most "
                    + CONTENT_TYPE_LENGTH_MAX + " characters, but got '" + contentType + "'");
        }
        return contentType;
    }

    /**
     * Takes a copy of the bytes.
     *
     * @throws IllegalArgumentException if the content type cannot be one
     */
    public static Payload of(byte[] bytes, String contentType) {
        return new Payload(bytes.clone(), contentType);
    }

    /** Text that already is JSON. */
    public static Payload json(String json) {
        return new Payload(json.getBytes(StandardCharsets.UTF_8), JSON);
    }

    /** {@code text/plain} in UTF-8. */
    public static Payload text(String text) {
        return new Payload(text.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Number of bytes. */
    public int size() {
        return bytes.length;
    }

    public String contentType() {
        return contentType;
    }

    /** The bytes read as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && contentType.equals(that.contentType)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bytes) + contentType.hashCode();
    }

    @Override
    public String toString() {
        return contentType + ", " + bytes.length + " bytes";
    }
}
