package dev.fairlane.server.routes;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.fairlane.protocol.v1.AdminOuterClass;
import dev.fairlane.protocol.v1.AuditOuterClass;
import dev.fairlane.protocol.v1.ControlOuterClass;
import dev.fairlane.protocol.v1.DeadLettersOuterClass;
import dev.fairlane.protocol.v1.GroupsOuterClass;
import dev.fairlane.protocol.v1.JobsOuterClass;
import dev.fairlane.protocol.v1.LedgerOuterClass;
import dev.fairlane.protocol.v1.ObjectsOuterClass;
import dev.fairlane.protocol.v1.OperationsOuterClass;
import dev.fairlane.protocol.v1.SchedulesOuterClass;
import dev.fairlane.protocol.v1.WebhooksOuterClass;
import dev.fairlane.protocol.v1.WorkersOuterClass;
import dev.fairlane.server.auth.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All that can be called, in the order of the .proto files. */
public final class RouteTable {
    private final Map<String, Rpc> byName = new LinkedHashMap<>();
    private final List<Route> routes = new ArrayList<>();

    /** A way in through REST. */
    public record Route(Rpc rpc, HttpBinding binding) {}

    /** @param allowed methods of the path, when there are others than the one asked for */
    public record Match(@Nullable Route route, Map<String, String> variables, Set<String> allowed) {}

    private RouteTable() {}

    /** @throws IllegalStateException if an RPC has no permission, or REST cannot offer it */
    public static RouteTable build() {
        RouteTable table = new RouteTable();
        Stream.of(
                        JobsOuterClass.getDescriptor(),
                        GroupsOuterClass.getDescriptor(),
                        SchedulesOuterClass.getDescriptor(),
                        WebhooksOuterClass.getDescriptor(),
                        WorkersOuterClass.getDescriptor(),
                        AdminOuterClass.getDescriptor(),
                        OperationsOuterClass.getDescriptor(),
                        ObjectsOuterClass.getDescriptor(),
                        ControlOuterClass.getDescriptor(),
                        DeadLettersOuterClass.getDescriptor(),
                        LedgerOuterClass.getDescriptor(),
                        AuditOuterClass.getDescriptor())
                .map(FileDescriptor::getServices)
                .flatMap(List::stream)
                .map(ServiceDescriptor::getMethods)
                .flatMap(List::stream)
                .forEach(table::add);
        table.routes.sort(
                Comparator.comparingInt((Route route) -> route.binding().path().precision())
                        .reversed());
        return table;
    }

    private void add(MethodDescriptor method) {
        String name = method.getService().getFullName() + "/" + method.getName();
        Set<Role> roles = Permissions.BY_RPC.get(name);
        if (roles == null) {
            throw new IllegalStateException("expected a row in Permissions for " + name + ", but there is none");
        }
        List<HttpBinding> bindings = new ArrayList<>();
        if (method.getOptions().hasExtension(AnnotationsProto.http)) {
            HttpRule rule = method.getOptions().getExtension(AnnotationsProto.http);
            bindings.add(HttpBinding.of(rule));
            rule.getAdditionalBindingsList().forEach(more -> bindings.add(HttpBinding.of(more)));
        }
        Rpc rpc = new Rpc(name, method, roles, List.copyOf(bindings));
        byName.put(name, rpc);
        bindings.forEach(binding -> routes.add(new Route(rpc, binding)));
    }

    public List<Rpc> rpcs() {
        return List.copyOf(byName.values());
    }

    /** @throws IllegalArgumentException if there is none of that name */
    public Rpc rpc(String name) {
        Rpc rpc = byName.get(name);
        if (rpc == null) {
            throw new IllegalArgumentException("no such RPC: " + name);
        }
        return rpc;
    }

    /** Whether a path of gRPC, {@code /service/method}, is one of a stream. */
    public boolean streams(String path) {
        Rpc rpc = byName.get(path.substring(1));
        return rpc != null && rpc.streams();
    }

    public Match match(String method, List<String> path) {
        Set<String> allowed = new TreeSet<>();
        for (Route route : routes) {
            Map<String, String> variables = route.binding().path().match(path).orElse(null);
            if (variables != null) {
                if (route.binding().method().equals(method)) {
                    return new Match(route, variables, Set.of());
                }
                allowed.add(route.binding().method());
            }
        }
        return new Match(null, Map.of(), allowed);
    }
}
