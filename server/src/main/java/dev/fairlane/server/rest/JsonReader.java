package dev.fairlane.server.rest;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.admit.Json;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.rest.JsonForm.Kind;
import dev.fairlane.server.rest.JsonForm.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.InputCoercionException;

/** Reads a JSON document into a message, strictly: what is not understood is refused, with the path of the field. */
final class JsonReader {
    private final byte[] source;
    private final JsonParser parser;
    private final Set<String> bound;

    private JsonReader(byte[] source, JsonParser parser, Set<String> bound) {
        this.source = source;
        this.parser = parser;
        this.bound = bound;
    }

    /**
     * @param bound members of the outermost object that are given elsewhere (in the path) and may not be in the body
     * @throws Refused for anything but an object of this message
     */
    static void read(byte[] source, Message.Builder into, Set<String> bound) {
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), source)) {
            JsonReader reader = new JsonReader(source, parser, bound);
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Refused.of(ErrorCode.WRONG_TYPE, "expected a JSON object as the body");
            }
            reader.object(into, 0);
            if (parser.nextToken() != null) {
                throw Refused.of(
                        ErrorCode.MALFORMED_REQUEST, "expected one JSON object as the body, but there is more");
            }
        } catch (JacksonException e) {
            throw Refused.of(
                    ErrorCode.MALFORMED_REQUEST, "expected well-formed JSON: " + e.getOriginalMessage() + at(e));
        }
    }

    private void object(Message.Builder into, int depth) {
        JsonForm form = JsonForm.of(into.getDescriptorForType());
        Map<FieldDescriptor, Member> seen = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Member member = form.member(name);
            if (member == null || depth == 0 && bound.contains(name)) {
                throw Refused.field(
                        ErrorCode.UNKNOWN_FIELD,
                        name.length() > Limits.NAME_LENGTH ? name.substring(0, Limits.NAME_LENGTH) : name,
                        member == null ? "this call has no such field" : "this field is given in the path");
            }
            if (seen.put(member.field(), member) != null) {
                throw Refused.field(ErrorCode.DUPLICATE_FIELD, name, "this field is there more than once");
            }
            parser.nextToken();
            try {
                value(into, member, depth);
            } catch (Refused refused) {
                throw refused.inside(name);
            }
        }
        seen.values().forEach(member -> checkContentType(into, member));
    }

    private void value(Message.Builder into, Member member, int depth) {
        if (member.kind() == Kind.MAP) {
            map(into, member, depth);
        } else if (member.repeated()) {
            expect(parser.currentToken() == JsonToken.START_ARRAY, "an array");
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                if (i >= Limits.JOBS_PER_CALL) {
                    throw Refused.over(
                            ErrorCode.TOO_MANY_JOBS,
                            "",
                            "expected at most " + Limits.JOBS_PER_CALL + " items, but there are more",
                            Limits.JOBS_PER_CALL,
                            i + 1);
                }
                try {
                    into.addRepeatedField(member.field(), single(into, member, depth));
                } catch (Refused refused) {
                    throw refused.inside("[" + i + "]");
                }
            }
        } else {
            into.setField(member.field(), single(into, member, depth));
        }
    }

    private Object single(Message.Builder into, Member member, int depth) {
        return switch (member.kind()) {
            case STRING -> string();
            case INTEGER -> integer(member.field());
            case NUMBER -> {
                expect(parser.currentToken().isNumeric(), "a number");
                yield parser.getDoubleValue();
            }
            case BOOLEAN -> {
                expect(parser.currentToken().isBoolean(), "true or false");
                yield parser.getBooleanValue();
            }
            case ENUM -> Scalars.enumOf(member.field(), string());
            case TIME -> Scalars.time(string());
            case BASE64 -> Scalars.base64(string());
            case JSON -> inlineJson();
            case MESSAGE -> {
                expect(parser.currentToken() == JsonToken.START_OBJECT, "an object");
                Message.Builder child = into.newBuilderForField(member.field());
                object(child, depth + 1);
                yield child.build();
            }
            case MAP -> throw new IllegalStateException("a map is no single value");
        };
    }

    /** The bytes of the value as they stand in the source, so that nothing of a number or an order of keys is lost. */
    private ByteString inlineJson() {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        int depth = 0;
        do {
            if (parser.currentToken().isStructStart()) {
                if (++depth > Limits.JSON_DEPTH) {
                    throw Json.tooDeep("", depth);
                }
            } else if (parser.currentToken().isStructEnd()) {
                depth--;
            }
            if (depth > 0) {
                parser.nextToken();
            }
        } while (depth > 0);
        parser.finishToken();
        int end = (int) parser.currentLocation().getByteOffset();
        return UnsafeByteOperations.unsafeWrap(source, start, end - start);
    }

    private void map(Message.Builder into, Member member, int depth) {
        expect(parser.currentToken() == JsonToken.START_OBJECT, "an object");
        FieldDescriptor key = member.field().getMessageType().findFieldByNumber(1);
        Member value = JsonForm.valueOf(member);
        int most = value.kind() == Kind.STRING ? Limits.ENTRIES : Limits.JOBS_PER_CALL;
        Set<String> seen = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (!seen.add(name)) {
                throw Refused.of(ErrorCode.DUPLICATE_FIELD, "a name is there more than once");
            }
            if (seen.size() > 4 * most) {
                throw Refused.of(ErrorCode.INVALID_ARGUMENT, "expected at most " + most + ", but there are more");
            }
            parser.nextToken();
            Message.Builder entry = into.newBuilderForField(member.field()).setField(key, name);
            into.addRepeatedField(
                    member.field(),
                    entry.setField(value.field(), single(entry, value, depth + 1))
                            .build());
        }
    }

    /** JSON in place of bytes says that they are JSON; the content type may come later in the object, so this is checked at its end. */
    private static void checkContentType(Message.Builder into, Member member) {
        if (member.kind() == Kind.JSON && member.contentType() != null) {
            String contentType = (String) into.getField(member.contentType());
            if (!contentType.isEmpty() && !Json.isJson(contentType)) {
                throw Refused.invalid(
                        member.name(),
                        "expected " + member.name() + "_base64 for a content type that is not JSON, but got JSON");
            }
        }
    }

    private String string() {
        expect(parser.currentToken() == JsonToken.VALUE_STRING, "a string");
        return parser.getString();
    }

    private Object integer(FieldDescriptor field) {
        expect(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, "a whole number");
        try {
            return Scalars.integer(field, parser.getNumberValue().toString());
        } catch (InputCoercionException e) {
            throw Refused.of(ErrorCode.WRONG_TYPE, "expected a whole number of 64 bits");
        }
    }

    private void expect(boolean met, String what) {
        if (!met) {
            throw Refused.of(
                    ErrorCode.WRONG_TYPE, "expected " + what + ", but got " + Scalars.nameOf(parser.currentToken()));
        }
    }

    private static String at(JacksonException e) {
        return e.getLocation() == null
                ? ""
                : " (line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ")";
    }
}
