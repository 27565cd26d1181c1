package dev.fairlane.server.admit;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** JSON as bytes that are looked through once and kept as they came. */
public final class Json {
    /** For all reading of JSON at the edges. Buffers belong to threads: the edges run on few, platform, event-loop threads. */
    public static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(2 * Limits.JSON_DEPTH)
                    .maxStringLength(Limits.CALL_BYTES)
                    .build())
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .build();

    private Json() {}

    /** Whether bytes of this type can stand in a JSON document as they are. */
    public static boolean isJson(String contentType) {
        if (contentType.equals("application/json")) {
            return true;
        }
        int semicolon = contentType.indexOf(';');
        String type = (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** One well-formed value, not nested deeper than {@link Limits#JSON_DEPTH}. */
    public static void check(String field, byte[] bytes) {
        Refused refused = refusal(field, bytes);
        if (refused != null) {
            throw refused;
        }
    }

    public static boolean wellFormed(byte[] bytes) {
        return refusal("", bytes) == null;
    }

    /** The same JSON without white space between its tokens; {@code bytes} must be well-formed. */
    public static byte[] onOneLine(byte[] bytes) {
        byte[] kept = new byte[bytes.length];
        int length = 0;
        boolean quoted = false;
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (quoted) {
                kept[length++] = b;
                if (b == '\\') {
                    kept[length++] = bytes[++i];
                } else if (b == '"') {
                    quoted = false;
                }
            } else if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                kept[length++] = b;
                quoted = b == '"';
            }
        }
        return length == bytes.length ? bytes : Arrays.copyOf(kept, length);
    }

    private static @Nullable Refused refusal(String field, byte[] bytes) {
        return JsonGlance.passes(bytes) ? null : closeLook(field, bytes);
    }

    /** What the parser says; it costs some objects for every call. */
    static @Nullable Refused closeLook(String field, byte[] bytes) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            int depth = 0;
            int values = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructStart()) {
                    if (++depth > Limits.JSON_DEPTH) {
                        return tooDeep(field, depth);
                    }
                } else if (token.isStructEnd()) {
                    depth--;
                } else if (token.isScalarValue()) {
                    parser.finishToken(); // a string is only looked through when somebody asks for it
                }
                if (depth == 0 && ++values > 1) {
                    return Refused.field(
                            ErrorCode.INVALID_PAYLOAD, field, "expected one JSON value, but there are more");
                }
            }
            return values == 1
                    ? null
                    : Refused.field(ErrorCode.INVALID_PAYLOAD, field, "expected a JSON value, but there is none");
        } catch (JacksonException e) {
            return Refused.field(
                    ErrorCode.INVALID_PAYLOAD, field, "expected well-formed JSON, but it is not at byte " + offset(e));
        }
    }

    public static Refused tooDeep(String field, int depth) {
        return Refused.over(
                ErrorCode.NESTED_TOO_DEEP,
                field,
                "expected at most " + Limits.JSON_DEPTH + " levels",
                Limits.JSON_DEPTH,
                depth);
    }

    private static long offset(JacksonException e) {
        return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
    }
}
