package dev.fairlane.server.admit;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * JSON Schemas of job types: read once, kept while they are few. References to other documents are not followed, so no schema makes
 * the server call somebody.
 */
public final class PayloadSchemas {
    private static final int SCHEMA_LENGTH = 64 << 10;
    private static final int KEPT = 1_000;
    private static final String META = "https://json-schema.org/draft/2020-12/schema";

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Map<String, Schema> read = new ConcurrentHashMap<>();

    /** @throws Refused if it is not a JSON Schema */
    public void requireSchema(String field, String text) {
        if (text.length() > SCHEMA_LENGTH) {
            throw Refused.invalid(field, "expected at most " + SCHEMA_LENGTH + " characters, but got " + text.length());
        }
        try {
            List<Error> errors = registry.getSchema(SchemaLocation.of(META)).validate(text, InputFormat.JSON);
            if (!errors.isEmpty()) {
                throw Refused.invalid(field, "expected a JSON Schema, but " + said(errors.getFirst()));
            }
            // What a reference that leads nowhere would only show at the first payload.
            read(text).validate("{}", InputFormat.JSON);
        } catch (Refused refused) {
            throw refused;
        } catch (RuntimeException e) {
            throw Refused.invalid(field, "expected a JSON Schema, but it cannot be read: " + firstLine(e));
        }
    }

    /** @throws Refused if the payload does not obey the schema; it names the first place that does not */
    public void check(String schema, Payload payload) {
        if (PayloadRef.is(payload)) {
            throw mismatch("expected the payload itself, as the type has a schema, but got a reference to a large one");
        }
        if (!Json.isJson(payload.contentType())) {
            throw mismatch("expected JSON, as the type has a schema, but got " + payload.contentType());
        }
        String text = payload.bytes().length == 0 ? "null" : new String(payload.bytes(), StandardCharsets.UTF_8);
        List<Error> errors = read(schema).validate(text, InputFormat.JSON);
        if (!errors.isEmpty()) {
            throw mismatch(
                    said(errors.getFirst()) + (errors.size() == 1 ? "" : " (and " + (errors.size() - 1) + " more)"));
        }
    }

    private Schema read(String text) {
        if (read.size() >= KEPT) {
            read.clear();
        }
        return read.computeIfAbsent(text, schema -> registry.getSchema(schema, InputFormat.JSON));
    }

    private static Refused mismatch(String detail) {
        return Refused.field(ErrorCode.SCHEMA_MISMATCH, "payload", detail);
    }

    /** The place as a JSON Pointer, and what is wrong there. */
    private static String said(Error error) {
        String place = String.valueOf(error.getInstanceLocation());
        String message = error.getMessage();
        return (place.isEmpty() ? "the whole" : place) + ": "
                + (message.length() <= 500 ? message : message.substring(0, 500));
    }

    private static String firstLine(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        String line = message.lines().findFirst().orElse("");
        return line.length() <= 300 ? line : line.substring(0, 300);
    }
}
