package dev.fairlane.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Bytes too large for the journal, which lie in the object store. It travels as a {@link Payload} of a content type nobody else may
 * use, so that whatever keeps payloads keeps it too; the edges write and read it.
 *
 * @param ref name in the object store; that of a job's payload ends with the id the job must have, a slash, the digest of the bytes
 *     and their size
 * @param size of the bytes, as told
 * @param contentType of the bytes
 */
public record PayloadRef(String ref, long size, String contentType) {
    /** Reserved: a caller's payload of this type is refused. */
    public static final String CONTENT_TYPE = "application/vnd.fairlane.object-reference";

    public Payload payload() {
        return new Payload((size + "\n" + contentType + "\n" + ref).getBytes(StandardCharsets.UTF_8), CONTENT_TYPE);
    }

    /** Whether the payload is a reference. */
    public static boolean is(Payload payload) {
        return payload.contentType().length() == CONTENT_TYPE.length()
                && payload.contentType().equals(CONTENT_TYPE);
    }

    /** What the payload refers to, or empty when it is the bytes themselves. */
    public static Optional<PayloadRef> of(Payload payload) {
        if (!is(payload) || payload.bytes().length == 0) {
            return Optional.empty(); // lists leave the bytes out
        }
        String[] parts = new String(payload.bytes(), StandardCharsets.UTF_8).split("\n", 3);
        return Optional.of(new PayloadRef(parts[2], Long.parseLong(parts[0]), parts[1]));
    }

    /** The id of the job whose payload this is. */
    public Optional<JobId> job() {
        String[] segments = ref.split("/", -1);
        return segments.length < 2 ? Optional.empty() : JobId.find(segments[segments.length - 2]);
    }

    /** Digest of the bytes of a payload, SHA-256 in hexadecimal. */
    public String digest() {
        String last = ref.substring(ref.lastIndexOf('/') + 1);
        int end = last.indexOf('-');
        return end < 0 ? last : last.substring(0, end);
    }
}
