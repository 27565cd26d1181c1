package dev.fairlane.server.rest;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import dev.fairlane.server.admit.Json;
import dev.fairlane.server.rest.JsonForm.Kind;
import dev.fairlane.server.rest.JsonForm.Member;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * Writes a message as JSON on one line. Numbers, booleans and lists are always there; empty texts, absent times, messages and bytes, and
 * empty maps are left out.
 */
public final class JsonWriter {
    private JsonWriter() {}

    public static byte[] write(Message message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            object(json, message);
        }
        return out.toByteArray();
    }

    static void object(JsonGenerator json, MessageOrBuilder message) {
        json.writeStartObject();
        for (Member member : JsonForm.of(message.getDescriptorForType()).members()) {
            if (isShown(message, member)) {
                json.writeName(member.name());
                value(json, message, member);
            }
        }
        json.writeEndObject();
    }

    private static boolean isShown(MessageOrBuilder message, Member member) {
        FieldDescriptor field = member.field();
        if (member.repeated()) {
            return true;
        }
        if (field.hasPresence()) {
            return message.hasField(field);
        }
        return switch (member.kind()) {
            case INTEGER, NUMBER, BOOLEAN -> true;
            case STRING -> !((String) message.getField(field)).isEmpty();
            case TIME -> (long) message.getField(field) != 0;
            case ENUM -> ((EnumValueDescriptor) message.getField(field)).getNumber() != 0;
            case MAP -> message.getRepeatedFieldCount(field) > 0;
            case JSON -> !((ByteString) message.getField(field)).isEmpty() && isJson(message, member);
            case BASE64 -> !((ByteString) message.getField(field)).isEmpty() && !isJson(message, member);
            case MESSAGE -> throw new IllegalStateException("messages have presence");
        };
    }

    /** A worker may call its result JSON without it being so; such bytes are shown as bytes. */
    private static boolean isJson(MessageOrBuilder message, Member member) {
        FieldDescriptor field = member.contentType();
        String contentType = field == null ? "" : (String) message.getField(field);
        return (contentType.isEmpty() || Json.isJson(contentType))
                && Json.wellFormed(((ByteString) message.getField(member.field())).toByteArray());
    }

    private static void value(JsonGenerator json, MessageOrBuilder message, Member member) {
        FieldDescriptor field = member.field();
        if (member.kind() == Kind.MAP) {
            Member values = JsonForm.valueOf(member);
            json.writeStartObject();
            for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                Message entry = (Message) message.getRepeatedField(field, i);
                json.writeName(
                        (String) entry.getField(entry.getDescriptorForType().findFieldByNumber(1)));
                single(json, values, entry.getField(values.field()));
            }
            json.writeEndObject();
        } else if (member.repeated()) {
            json.writeStartArray();
            for (Object item : (List<?>) message.getField(field)) {
                single(json, member, item);
            }
            json.writeEndArray();
        } else {
            single(json, member, message.getField(field));
        }
    }

    private static void single(JsonGenerator json, Member member, Object value) {
        switch (member.kind()) {
            case STRING -> json.writeString((String) value);
            case INTEGER -> {
                switch (member.field().getType()) {
                    case UINT64, FIXED64 -> json.writeNumber(new BigInteger(Long.toUnsignedString((long) value)));
                    default -> json.writeNumber(((Number) value).longValue());
                }
            }
            case NUMBER -> json.writeNumber(((Number) value).doubleValue());
            case BOOLEAN -> json.writeBoolean((boolean) value);
            case ENUM -> json.writeString(((EnumValueDescriptor) value).getName());
            case TIME -> json.writeString(Scalars.timeText((long) value));
            case JSON ->
                json.writeRawValue(
                        new String(Json.onOneLine(((ByteString) value).toByteArray()), StandardCharsets.UTF_8));
            case BASE64 -> json.writeBinary(((ByteString) value).toByteArray());
            case MESSAGE -> object(json, (Message) value);
            case MAP -> throw new IllegalStateException("a map is no single value");
        }
    }
}
