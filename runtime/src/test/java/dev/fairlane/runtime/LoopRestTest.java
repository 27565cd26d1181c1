package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.memory.InMemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A loop that has nothing to do sleeps: whatever it waits for wakes it. */
class LoopRestTest {
    private static final long SECOND = 1_000_000;

    @Test
    void itSleepsUntilTheNextFlushAlsoWhenMuchHasChanged() {
        NodeRig rig = new NodeRig(with(20_000, 2), InMemoryStore.SEGMENT_ROWS);
        Tenant acme = rig.tenant("acme", 10);
        rig.advance(2 * SECOND);
        for (int i = 0; i < 5; i++) {
            rig.submit(acme, "echo");
        }
        rig.skip(400_000);
        rests(rig);
    }

    @Test
    void dueTimersWaitForTheCommitThatHoldsEverythingUp() {
        NodeRig rig = new NodeRig(with(1, 2_000), InMemoryStore.SEGMENT_ROWS);
        Tenant acme = rig.tenant("acme", 10);
        rig.submit(acme, in(SECOND));
        rig.holdCommits();
        rig.node.submit(acme.id(), List.of(in(0)));
        rig.node.turn();
        rig.node.submit(acme.id(), List.of(in(0)));
        rig.node.turn();
        rig.skip(2 * SECOND);
        rests(rig);
    }

    private static void rests(NodeRig rig) {
        for (int turns = 0; turns < 10 && rig.node.nextTurnAt() <= rig.node.now(); turns++) {
            rig.node.turn();
        }
        assertThat(rig.node.nextTurnAt()).isGreaterThan(rig.node.now());
    }

    private static NewJob in(long delayMicros) {
        return new NewJob("echo", Payload.EMPTY, 0, -1, 0, delayMicros, 0, 0, 0, "", 0, Map.of(), Map.of());
    }

    static NodeConfig with(int maxBatchFacts, int quietFlushChanges) {
        NodeConfig usual = NodeConfig.named("n1");
        NodeConfig.Commits commits = usual.commits();
        return usual.withCommits(new NodeConfig.Commits(maxBatchFacts, commits.busyFacts(), commits.spacingMicros()))
                .withFlushes(usual.flushes().withQuietChanges(quietFlushChanges));
    }
}
