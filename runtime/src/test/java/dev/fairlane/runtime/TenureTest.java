package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that may have lost its log says nothing until it knows. */
class TenureTest {
    private static final long SECOND = 1_000_000;

    private final NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
    }

    @Test
    void aNodeThatWasAwayWhileAnotherTookOverAnswersNothingFromMemory() {
        JobId id = rig.submit(acme, "echo");
        LocalNode old = rig.node;
        rig.start();
        TestWorker worker = rig.worker("w1", 1, "echo");
        worker.succeed(worker.ref(0));
        rig.skip(5 * SECOND);
        CompletableFuture<Optional<JobView>> reply = old.get(null, id);
        old.turn();
        old.turn();
        assertThatThrownBy(reply::join).hasCauseInstanceOf(NodeFault.class);
        assertThat(old.ended()).isDone();
    }

    @Test
    void aNodeThatWasAwayAndWasNotReplacedGoesOn() {
        JobId id = rig.submit(acme, "echo");
        rig.skip(60 * SECOND);
        CompletableFuture<Optional<JobView>> reply = rig.node.get(null, id);
        rig.node.turn();
        rig.node.turn();
        assertThat(reply.join()).isPresent();
    }

    @Test
    void aListByAPositionOfAnEarlierStartWaitsForWhatThatLeftBehind() {
        JobId id = rig.submit(acme, "echo");
        Position position = new Position(rig.node.status().epoch(), 2);
        rig.start();
        JobPage page = rig.settled(rig.node.list(all(), position));
        assertThat(page.jobs()).extracting(view -> view.spec().id()).containsExactly(id);
    }

    @Test
    void aPositionOfALaterStartSaysThatThisOneIsOver() {
        Position later = new Position(rig.node.status().epoch() + 1, 1);
        CompletableFuture<JobPage> reply = rig.node.list(all(), later);
        rig.settle();
        assertThatThrownBy(reply::join).hasMessageContaining("later start");
    }

    private JobQuery all() {
        return new JobQuery(acme.id(), Set.of(), "", null, 10);
    }
}
