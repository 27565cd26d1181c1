package dev.fairlane.server.rest;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How a message looks in JSON. */
public final class JsonForm {
    private static final String MICROS = "_micros";
    private static final Map<Descriptor, JsonForm> ALL = new ConcurrentHashMap<>();

    /** What a member holds. */
    public enum Kind {
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        ENUM,
        /** RFC 3339; microseconds since the epoch in the message. */
        TIME,
        /** Bytes that are JSON, as they are. */
        JSON,
        /** Bytes of any kind. */
        BASE64,
        MESSAGE,
        /** From strings to values of one kind: see {@link #valueOf}. */
        MAP
    }

    /** @param contentType for bytes: the field that says what they are */
    public record Member(
            String name,
            FieldDescriptor field,
            Kind kind,
            @Nullable FieldDescriptor contentType) {
        public boolean repeated() {
            return field.isRepeated() && kind != Kind.MAP;
        }

        /** Whether a query can hold it. */
        public boolean isPlain() {
            return switch (kind) {
                case STRING, INTEGER, BOOLEAN, ENUM, TIME -> true;
                case NUMBER, JSON, BASE64, MESSAGE, MAP -> false;
            };
        }
    }

    private final Map<String, Member> members = new LinkedHashMap<>();

    private JsonForm(Descriptor descriptor) {
        descriptor.getFields().forEach(field -> add(descriptor, field));
    }

    public static JsonForm of(Descriptor descriptor) {
        return ALL.computeIfAbsent(descriptor, JsonForm::new);
    }

    /** What the values of a map are. */
    public static Member valueOf(Member map) {
        return Objects.requireNonNull(of(map.field().getMessageType()).members.get("value"));
    }

    public List<Member> members() {
        return new ArrayList<>(members.values());
    }

    @Nullable Member member(String name) {
        return members.get(name);
    }

    private void add(Descriptor descriptor, FieldDescriptor field) {
        String name = field.getName();
        if (field.isMapField()) {
            put(name, field, Kind.MAP, null);
            return;
        }
        switch (field.getJavaType()) {
            case STRING -> put(name, field, Kind.STRING, null);
            case INT -> put(name, field, Kind.INTEGER, null);
            case LONG -> {
                if (name.endsWith(MICROS)) {
                    put(name.substring(0, name.length() - MICROS.length()), field, Kind.TIME, null);
                } else {
                    put(name, field, Kind.INTEGER, null);
                }
            }
            case DOUBLE, FLOAT -> put(name, field, Kind.NUMBER, null);
            case BOOLEAN -> put(name, field, Kind.BOOLEAN, null);
            case ENUM -> put(name, field, Kind.ENUM, null);
            case MESSAGE -> put(name, field, Kind.MESSAGE, null);
            case BYTE_STRING -> {
                FieldDescriptor own = descriptor.findFieldByName(name + "_content_type");
                FieldDescriptor contentType = own != null ? own : descriptor.findFieldByName("content_type");
                if (contentType == null) {
                    throw new IllegalStateException("expected a content type beside " + field.getFullName());
                }
                put(name, field, Kind.JSON, contentType);
                put(name + "_base64", field, Kind.BASE64, contentType);
            }
        }
    }

    private void put(String name, FieldDescriptor field, Kind kind, @Nullable FieldDescriptor contentType) {
        if (members.put(name, new Member(name, field, kind, contentType)) != null) {
            throw new IllegalStateException("two members named " + name + " in " + field.getContainingType());
        }
    }
}
