package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a worker is told at one moment leaves in one go, and nothing of it waits for what comes later. */
class DeparturesTest {
    private final NodeRig rig = new NodeRig();
    private final Tenant acme = rig.tenant("acme", 10);
    private final GatheringWorker worker = new GatheringWorker();

    /** Keeps what it is told until it is to leave. */
    private static final class GatheringWorker extends TestWorker {
        private final List<Runnable> given = new ArrayList<>();
        private Consumer<Runnable> departures = departure -> {};
        int departed;

        @Override
        public void gathersUntil(Consumer<Runnable> named) {
            departures = named;
        }

        @Override
        public void leases(List<Granted> more) {
            give(() -> super.leases(more));
        }

        @Override
        public void acks(List<Ack> more) {
            give(() -> super.acks(more));
        }

        private void give(Runnable told) {
            given.add(told);
            if (given.size() == 1) {
                departures.accept(this::depart);
            }
        }

        private void depart() {
            departed++;
            given.forEach(Runnable::run);
            given.clear();
        }
    }

    @Test
    void theAckOfOneJobAndTheLeaseOfTheNextLeaveTogether() {
        connect(1);
        rig.submit(acme, "echo");
        assertThat(worker.departed).isOne();
        rig.submit(acme, "echo");
        assertThat(worker.departed).as("its only slot is taken").isOne();

        worker.succeed(worker.ref(0));
        rig.settle();

        assertThat(worker.acks).hasSize(1);
        assertThat(worker.leases).hasSize(2);
        assertThat(worker.departed).isEqualTo(2);
    }

    @Test
    void whatIsDurableLeavesBeforeTheNextCommitIs() {
        connect(2);
        rig.submit(acme, "echo");
        rig.holdCommits();
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(worker.acks).isEmpty();

        rig.letCommit();
        assertThat(worker.acks).hasSize(1);
        assertThat(worker.given).as("nothing is kept back").isEmpty();
    }

    private void connect(int slots) {
        worker.session = rig.node.connect(
                new WorkerOffer("w", null, List.of("echo"), Map.of("short", slots)), List.of(), worker);
        rig.settle();
    }
}
