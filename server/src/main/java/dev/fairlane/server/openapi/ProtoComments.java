package dev.fairlane.server.openapi;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The comments of the .proto files, by the full name of what they stand before. The build keeps them beside the classes. */
final class ProtoComments {
    private final Map<String, String> byName = new HashMap<>();

    private ProtoComments() {}

    static ProtoComments read() {
        ProtoComments comments = new ProtoComments();
        try (InputStream in = Objects.requireNonNull(
                ProtoComments.class.getResourceAsStream("/fairlane/v1/descriptors.binpb"),
                "the build of protocol writes the descriptors with their comments")) {
            FileDescriptorSet.parseFrom(in).getFileList().forEach(comments::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return comments;
    }

    /** Empty when there is none. */
    String of(String fullName) {
        return byName.getOrDefault(fullName, "");
    }

    private void add(FileDescriptorProto file) {
        for (Location location : file.getSourceCodeInfo().getLocationList()) {
            String text = location.getLeadingComments().strip().replaceAll("\\s*\\n\\s*", " ");
            String name = nameOf(file, location.getPathList());
            if (!text.isEmpty() && !name.isEmpty()) {
                byName.put(file.getPackage() + "." + name, text);
            }
        }
    }

    /** A path alternates field numbers of descriptor.proto and indexes; empty for places that carry no name. */
    private static String nameOf(FileDescriptorProto file, List<Integer> path) {
        if (path.size() < 2) {
            return "";
        }
        if (path.get(0) == FileDescriptorProto.SERVICE_FIELD_NUMBER) {
            ServiceDescriptorProto service = file.getService(path.get(1));
            return path.size() == 4 && path.get(2) == ServiceDescriptorProto.METHOD_FIELD_NUMBER
                    ? service.getName() + "." + method(service, path.get(3)).getName()
                    : path.size() == 2 ? service.getName() : "";
        }
        if (path.get(0) != FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER) {
            return "";
        }
        DescriptorProto message = file.getMessageType(path.get(1));
        StringBuilder name = new StringBuilder(message.getName());
        int i = 2;
        while (i + 1 < path.size() && path.get(i) == DescriptorProto.NESTED_TYPE_FIELD_NUMBER) {
            message = message.getNestedType(path.get(i + 1));
            name.append('.').append(message.getName());
            i += 2;
        }
        if (i == path.size()) {
            return name.toString();
        }
        if (i + 2 == path.size() && path.get(i) == DescriptorProto.FIELD_FIELD_NUMBER) {
            FieldDescriptorProto field = message.getField(path.get(i + 1));
            return name + "." + field.getName();
        }
        return "";
    }

    private static MethodDescriptorProto method(ServiceDescriptorProto service, int index) {
        return service.getMethod(index);
    }
}
