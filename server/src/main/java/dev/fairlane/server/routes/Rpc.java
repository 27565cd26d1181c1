package dev.fairlane.server.routes;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.fault.Refused;
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

    /** @throws Refused if there is a key on a stream of jobs, where it could not say which of them it means */
    public void requireNoKeyOnStream(String key) {
        if (method.isClientStreaming() && !key.isEmpty()) {
            throw Refused.invalid(
                    "Idempotency-Key", "a stream takes no such header; give each job an idempotency_key of its own");
        }
    }

    public boolean streams() {
        return method.isClientStreaming() || method.isServerStreaming();
    }
}
