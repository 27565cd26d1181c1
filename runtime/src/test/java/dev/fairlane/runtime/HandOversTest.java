package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What workers hear of executions that shall make room. */
class HandOversTest {
    private static final long SECOND = 1_000_000;
    private static final TypeRules PREEMPTIBLE = TypeRules.saying(draft -> draft.preemptible = true);

    private final NodeRig rig = new NodeRig();
    private final Tenant many = tenant("many");
    private final Tenant few = tenant("few");

    private static final class Listening extends TestWorker {
        final List<LeaseRef> asked = new ArrayList<>();
        private long beats;

        @Override
        public void handOvers(List<LeaseRef> leases) {
            assertThat(welcome).as("it was welcomed before").isTrue();
            asked.addAll(leases);
        }

        void beat(List<LeaseRef> held) {
            session.heartbeat(held, List.of(), ++beats);
        }
    }

    private Tenant tenant(String name) {
        Tenant tenant = rig.tenant(name, 10);
        rig.settled(
                rig.node.putType(new Command.PutType(tenant.id(), "work", "short", 1, 3_600 * SECOND, PREEMPTIBLE)));
        return tenant;
    }

    private Listening connect(List<LeaseRef> held) {
        Listening worker = new Listening();
        worker.session =
                rig.node.connect(new WorkerOffer("w1", null, List.of("work"), Map.of("short", 2)), held, worker);
        rig.settle();
        return worker;
    }

    @Test
    void theWorkerIsAskedAndOneThatComesBackIsAskedAgain() {
        Listening worker = connect(List.of());
        rig.submit(many, "work");
        JobId newest = rig.submit(many, "work");
        rig.submit(few, "work");
        List<LeaseRef> held = List.of(worker.ref(0), worker.ref(1));
        for (int i = 0; i < 13; i++) {
            worker.beat(held);
            rig.advance(5 * SECOND);
        }
        assertThat(worker.asked).containsExactly(worker.ref(1));
        assertThat(worker.asked.getFirst().id()).isEqualTo(newest);

        Listening again = connect(held);
        assertThat(again.asked).isEqualTo(worker.asked);
        again.session.report(new WorkerSession.Report(List.of(), List.of(), List.of(), again.asked));
        rig.settle();
        assertThat(again.leases)
                .singleElement()
                .satisfies(lease -> assertThat(lease.tenant()).isEqualTo("few"));
        JobStatus waiting = rig.job(newest).status();
        assertThat(waiting.state()).isEqualTo(JobState.QUEUED);
        assertThat(waiting.attempts()).isEmpty();

        assertThat(counted()).as("asked and done").isEqualTo(new NodeStatus.HandOverCounts(1, 1));

        Listening later = connect(List.of(held.getFirst(), again.ref(0)));
        assertThat(later.asked).as("nobody is asked twice").isEmpty();
        later.session.report(new WorkerSession.Report(List.of(), List.of(), List.of(), List.of(held.getFirst())));
        rig.settle();
        assertThat(counted())
                .as("one that was not asked is not counted")
                .isEqualTo(new NodeStatus.HandOverCounts(1, 1));
    }

    private NodeStatus.HandOverCounts counted() {
        rig.advance(SECOND);
        return rig.node.status().pools().stream()
                .filter(pool -> pool.pool().equals("short"))
                .map(NodeStatus.PoolStatus::handOvers)
                .findFirst()
                .orElseThrow();
    }
}
