package dev.fairlane.server.openapi;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.fairlane.server.rest.JsonForm;
import dev.fairlane.server.rest.JsonForm.Kind;
import dev.fairlane.server.rest.JsonForm.Member;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON Schemas of the messages, each under its name once it was asked for. */
final class Schemas {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ProtoComments comments;
    private final Map<String, ObjectNode> byName = new TreeMap<>();

    Schemas(ProtoComments comments) {
        this.comments = comments;
    }

    /** @param excluded members that are given in the path */
    ObjectNode request(Descriptor message, Set<String> excluded) {
        return excluded.isEmpty() ? reference(message, true) : object(message, true, excluded);
    }

    ObjectNode answer(Descriptor message) {
        return reference(message, false);
    }

    ObjectNode parameter(Member member) {
        return schema(member, true);
    }

    Map<String, ObjectNode> all() {
        return byName;
    }

    private ObjectNode reference(Descriptor message, boolean strict) {
        String name =
                message.getFullName().substring(message.getFile().getPackage().length() + 1);
        if (!byName.containsKey(name)) {
            byName.put(name, NODES.objectNode()); // a message may hold itself
            byName.put(name, object(message, strict, Set.of()));
        }
        return pointer(name);
    }

    private ObjectNode object(Descriptor message, boolean strict, Set<String> excluded) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        describe(schema, comments.of(message.getFullName()));
        ObjectNode properties = NODES.objectNode();
        ArrayNode required = NODES.arrayNode();
        for (Member member : JsonForm.of(message).members()) {
            if (excluded.contains(member.name())) {
                continue;
            }
            ObjectNode property = schema(member, strict);
            describe(property, about(member));
            properties.set(member.name(), property);
            if (!strict && alwaysThere(member)) {
                required.add(member.name());
            }
        }
        schema.set("properties", properties);
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        if (strict) {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    private String about(Member member) {
        return switch (member.kind()) {
            case JSON -> "Any JSON value; there when the bytes are JSON.";
            case BASE64 -> "The bytes, when they are not JSON.";
            default -> comments.of(member.field().getFullName());
        };
    }

    private static boolean alwaysThere(Member member) {
        if (member.repeated()) {
            return true;
        }
        return !member.field().hasPresence()
                && (member.kind() == Kind.INTEGER || member.kind() == Kind.NUMBER || member.kind() == Kind.BOOLEAN);
    }

    private ObjectNode schema(Member member, boolean strict) {
        ObjectNode one = single(member, strict);
        if (!member.repeated()) {
            return one;
        }
        ObjectNode list = NODES.objectNode().put("type", "array");
        list.set("items", one);
        return list;
    }

    private ObjectNode single(Member member, boolean strict) {
        FieldDescriptor field = member.field();
        return switch (member.kind()) {
            case STRING -> NODES.objectNode().put("type", "string");
            case INTEGER ->
                NODES.objectNode()
                        .put("type", "integer")
                        .put("format", field.getJavaType() == FieldDescriptor.JavaType.INT ? "int32" : "int64");
            case NUMBER -> NODES.objectNode().put("type", "number").put("format", "double");
            case BOOLEAN -> NODES.objectNode().put("type", "boolean");
            case ENUM -> enumeration(field.getEnumType());
            case TIME -> NODES.objectNode().put("type", "string").put("format", "date-time");
            case JSON -> NODES.objectNode();
            case BASE64 -> NODES.objectNode().put("type", "string").put("contentEncoding", "base64");
            case MESSAGE -> reference(field.getMessageType(), strict);
            case MAP -> {
                ObjectNode map = NODES.objectNode().put("type", "object");
                map.set("additionalProperties", single(JsonForm.valueOf(member), strict));
                yield map;
            }
        };
    }

    private ObjectNode enumeration(EnumDescriptor type) {
        if (!byName.containsKey(type.getName())) {
            ArrayNode values = NODES.arrayNode();
            type.getValues().stream()
                    .filter(value -> value.getNumber() != 0)
                    .map(EnumValueDescriptor::getName)
                    .forEach(values::add);
            ObjectNode schema = NODES.objectNode().put("type", "string");
            schema.set("enum", values);
            byName.put(type.getName(), schema);
        }
        return pointer(type.getName());
    }

    static ObjectNode pointer(String name) {
        return NODES.objectNode().put("$ref", "#/components/schemas/" + name);
    }

    static void describe(ObjectNode node, String text) {
        if (!text.isEmpty()) {
            node.put("description", text);
        }
    }
}
