package dev.fairlane.sdk.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.fairlane.sdk.Payload;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Between objects and the bytes of payloads and results. */
public final class Codec {
    private final Mapper mapper;

    public Codec(@Nullable JsonMapper mapper) {
        this.mapper = new Mapper(mapper);
    }

    /** Content type and bytes of an object. An empty content type stands for JSON, the default on the wire. */
    public record Encoded(ByteString bytes, String contentType) {}

    public Encoded encode(@Nullable Object value) {
        return switch (value) {
            case null -> new Encoded(ByteString.EMPTY, "");
            // The wrapped arrays are private copies or results nobody writes to any more.
            case byte[] bytes -> new Encoded(ByteString.copyFrom(bytes), Payload.BYTES);
            case Payload payload ->
                new Encoded(UnsafeByteOperations.unsafeWrap(payload.bytes()), wireType(payload.contentType()));
            default -> new Encoded(UnsafeByteOperations.unsafeWrap(mapper.get().writeValueAsBytes(value)), "");
        };
    }

    /**
     * @return null only for an empty body
     * @throws tools.jackson.core.JacksonException if the bytes are not what the class needs
     */
    public <T> @Nullable T decode(ByteString bytes, String contentType, Class<T> as) {
        if (as == Payload.class) {
            return as.cast(payload(bytes, contentType));
        }
        if (as == byte[].class) {
            return as.cast(bytes.toByteArray());
        }
        if (as == String.class && !json(contentType)) {
            return as.cast(bytes.toStringUtf8());
        }
        if (bytes.isEmpty() || as == Void.class) {
            return null;
        }
        return mapper.get().readValue(bytes.toByteArray(), as);
    }

    public static Payload payload(ByteString bytes, String contentType) {
        return Payload.of(bytes.toByteArray(), contentType.isEmpty() ? Payload.JSON : contentType);
    }

    private static String wireType(String contentType) {
        return contentType.equals(Payload.JSON) ? "" : contentType;
    }

    private static boolean json(String contentType) {
        return contentType.isEmpty() || contentType.startsWith(Payload.JSON) || contentType.endsWith("+json");
    }

    /** Made when first needed: a client that only moves bytes never loads Jackson. */
    private static final class Mapper {
        private volatile @Nullable JsonMapper mapper;

        Mapper(@Nullable JsonMapper given) {
            this.mapper = given;
        }

        JsonMapper get() {
            JsonMapper made = mapper;
            if (made == null) {
                made = new JsonMapper();
                mapper = made;
            }
            return made;
        }
    }
}
