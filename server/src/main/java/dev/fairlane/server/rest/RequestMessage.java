package dev.fairlane.server.rest;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.QueryParams;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.rest.JsonForm.Member;
import dev.fairlane.server.routes.HttpBinding;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A request put together from path, query and body, as its binding says. */
public final class RequestMessage {
    private static final int QUERY_VALUES_MAX = 64;

    private RequestMessage() {}

    static Message read(
            Message prototype, HttpBinding binding, Map<String, String> variables, QueryParams query, byte[] body) {
        Message.Builder request = prototype.newBuilderForType();
        variables.forEach(
                (name, value) -> request.setField(request.getDescriptorForType().findFieldByName(name), value));
        query(request, binding, variables.keySet(), query);
        body(request, binding, variables.keySet(), body);
        return request.build();
    }

    /** The same for a call whose body is bytes and is read by others. */
    public static Message readWithoutBody(
            Message prototype, HttpBinding binding, Map<String, String> variables, QueryParams query) {
        Message.Builder request = prototype.newBuilderForType();
        variables.forEach(
                (name, value) -> request.setField(request.getDescriptorForType().findFieldByName(name), value));
        query(request, binding, variables.keySet(), query);
        return request.build();
    }

    private static void query(Message.Builder request, HttpBinding binding, Set<String> inPath, QueryParams query) {
        JsonForm form = JsonForm.of(request.getDescriptorForType());
        for (String name : query.names()) {
            Member member = form.member(name);
            if (member == null
                    || !member.isPlain()
                    || inPath.contains(name)
                    || !binding.inQuery(member.field().getName())) {
                throw Refused.field(
                        ErrorCode.UNKNOWN_FIELD,
                        name.length() > Limits.NAME_LENGTH ? name.substring(0, Limits.NAME_LENGTH) : name,
                        "this call has no such query parameter");
            }
            List<String> values = query.getAll(name);
            if (values.size() > (member.repeated() ? QUERY_VALUES_MAX : 1)) {
                throw Refused.field(ErrorCode.DUPLICATE_FIELD, name, "this query parameter is there too often");
            }
            try {
                for (String value : values) {
                    Object parsed = single(member, value);
                    if (member.repeated()) {
                        request.addRepeatedField(member.field(), parsed);
                    } else {
                        request.setField(member.field(), parsed);
                    }
                }
            } catch (Refused refused) {
                throw refused.inside(name);
            }
        }
    }

    private static Object single(Member member, String text) {
        return switch (member.kind()) {
            case STRING -> text;
            case INTEGER -> Scalars.integer(member.field(), text);
            case BOOLEAN -> Scalars.bool(text);
            case ENUM -> Scalars.enumOf(member.field(), text);
            case TIME -> Scalars.time(text);
            case NUMBER, JSON, BASE64, MESSAGE, MAP ->
                throw new IllegalStateException(
                        "cannot stand in a query: " + member.field().getFullName());
        };
    }

    private static void body(Message.Builder request, HttpBinding binding, Set<String> inPath, byte[] body) {
        if (!binding.hasBody()) {
            if (body.length > 0) {
                JsonReader.read(body, request.getDefaultInstanceForType().newBuilderForType(), allNames(request));
            }
            return;
        }
        if (binding.body().equals("*")) {
            JsonReader.read(body, request, inPath);
        } else {
            FieldDescriptor field = request.getDescriptorForType().findFieldByName(binding.body());
            Message.Builder child = request.newBuilderForField(field);
            JsonReader.read(body, child, Set.of());
            request.setField(field, child.build());
        }
    }

    /** A call without a body takes none, or an empty object. */
    private static Set<String> allNames(Message.Builder request) {
        Set<String> names = new HashSet<>();
        JsonForm.of(request.getDescriptorForType()).members().forEach(member -> names.add(member.name()));
        return names;
    }
}
