package dev.fairlane.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.protocol.v1.PutTenantRequest;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.NodeFault;
import dev.fairlane.server.ScriptedNode;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.auth.KeyRing;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.fault.RefusalCounts;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PutTenantTest {
    @Test
    void aChangeThatIsDurableIsToldAsDoneAlsoIfTheNodeHasNoRoomForTheQuestionHowItStands() {
        Tenant tenant = new Tenant(new TenantId(7), "acme", 30, 1, TenantRules.NONE);
        Node node = ScriptedNode.answering(Map.of(
                "putTenant",
                CompletableFuture.completedFuture(new Answer.TenantIs(tenant)),
                "standing",
                CompletableFuture.failedFuture(NodeFault.overloaded("nothing was done", 1, 1))));
        InMemoryStore store = new InMemoryStore(() -> 1);
        AdminCalls calls = new AdminCalls(
                node,
                new KeyRing(new InMemoryJournal(store, "test").keys()),
                new SecureRandom(),
                InstantSource.system(),
                new RefusalCounts());
        Call call = new Call(new Caller("k1", "ops", Role.ADMIN, null, null), Runnable::run, "", "");

        var answer = calls.putTenant(
                        call,
                        PutTenantRequest.newBuilder()
                                .setName("acme")
                                .setWeight(30)
                                .build())
                .join();

        assertThat(answer.getWeight()).isEqualTo(30);
        assertThat(answer.hasEffective()).isFalse();
    }
}
