package dev.fairlane.core.model;

import java.util.Arrays;

/** Bytes with a content type: a job's input or its result. The bytes are not copied; nobody writes into them. */
public record Payload(byte[] bytes, String contentType) {
    public static final String JSON = "application/json";
    public static final Payload EMPTY = new Payload(new byte[0], JSON);

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && Arrays.equals(bytes, that.bytes)
                && contentType.equals(that.contentType);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return contentType + "[" + bytes.length + " bytes]";
    }
}
