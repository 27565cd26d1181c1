package dev.fairlane.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.server.routes.RouteTable.Match;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    private final RouteTable table = RouteTable.build();

    @Test
    void everyRpcHasARowAndEveryRowAnRpc() {
        assertThat(table.rpcs().stream().map(Rpc::name))
                .containsExactlyInAnyOrderElementsOf(Permissions.BY_RPC.keySet());
    }

    @Test
    void everyRpcButTheWorkersStreamIsOfferedInRest() {
        assertThat(table.rpcs().stream().filter(rpc -> rpc.bindings().isEmpty()).map(Rpc::name))
                .containsExactly("fairlane.v1.Workers/Connect");
    }

    @Test
    void verbsAreNotTakenForIds() {
        assertThat(rpcOf("GET", "v1", "jobs", "1:await")).isEqualTo("fairlane.v1.Jobs/Await");
        assertThat(rpcOf("GET", "v1", "jobs", "1")).isEqualTo("fairlane.v1.Jobs/Get");
        assertThat(rpcOf("POST", "v1", "jobs:batch")).isEqualTo("fairlane.v1.Jobs/SubmitBatch");
        assertThat(rpcOf("POST", "v1", "jobs")).isEqualTo("fairlane.v1.Jobs/Submit");
        assertThat(rpcOf("DELETE", "v1", "jobs", "1")).isEqualTo("fairlane.v1.Jobs/Cancel");
        assertThat(rpcOf("POST", "v1", "jobs", "1:cancel")).isEqualTo("fairlane.v1.Jobs/Cancel");
        assertThat(table.match("GET", List.of("v1", "jobs", "1:await")).variables())
                .isEqualTo(Map.of("id", "1"));
        assertThat(table.match("PUT", List.of("v1", "types", "a/b:c")).variables())
                .isEqualTo(Map.of("name", "a/b:c"));
    }

    @Test
    void otherMethodsAreToldWhatThereIs() {
        Match match = table.match("PUT", List.of("v1", "jobs", "1"));
        assertThat(match.route()).isNull();
        assertThat(match.allowed()).isEqualTo(Set.of("GET", "PATCH", "DELETE"));
        assertThat(table.match("GET", List.of("v1", "nothing")).allowed()).isEmpty();
        assertThat(table.match("GET", List.of("v1", "jobs", "")).allowed()).isEmpty();
    }

    @Test
    void noTwoRpcsShareARoute() {
        assertThat(table.rpcs().stream()
                        .flatMap(rpc -> rpc.bindings().stream())
                        .map(binding -> binding.method() + " " + binding.path())
                        .collect(Collectors.toList()))
                .doesNotHaveDuplicates();
    }

    private String rpcOf(String method, String... path) {
        RouteTable.Route route = table.match(method, List.of(path)).route();
        return route == null ? "" : route.rpc().name();
    }
}
