package dev.fairlane.server.routes;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.fairlane.server.auth.Role;
import java.util.List;
import java.util.Set;

/**
 * A row of the table.
 *
 * @param name as gRPC has it, e.g. {@code fairlane.v1.Jobs/Submit}
 * @param bindings empty for what REST does not offer
 */
public record Rpc(String name, MethodDescriptor method, Set<Role> roles, List<HttpBinding> bindings) {

    /** Whether its request or its answer is bytes as they are: REST only. */
    public boolean raw() {
        return method.getService().getName().equals("Objects");
    }

    public boolean streams() {
        return method.isClientStreaming() || method.isServerStreaming();
    }
}
