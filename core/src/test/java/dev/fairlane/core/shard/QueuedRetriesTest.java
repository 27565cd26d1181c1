package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retries that were queued before the breaker of what they blame opened (semantics §5): they wait with those that came later. */
class QueuedRetriesTest {
    private static final Failure DOWN = new Failure(FailureClass.DEPENDENCY, "503", "", 0, "stripe", "");

    private final Bed bed = new Bed();
    private final List<JobId> queued = new ArrayList<>();

    /** Five retries are queued when fifteen more failures open the breaker of a type that declares nothing. */
    @BeforeEach
    void retriesAreQueuedWhenTheBreakerOpens() {
        bed.worker(1, 100, "pay");
        for (int i = 0; i < 20; i++) {
            bed.submit("pay");
        }
        List<Picked> all = bed.pickAll();
        List<Picked> early = all.subList(0, 5);
        early.forEach(picked -> bed.fail(picked, DOWN));
        bed.passSteadily(3 * SECOND);
        early.forEach(picked -> queued.add(picked.lease().id()));
        assertThat(queued).allMatch(id -> bed.state(id) == JobState.QUEUED);
        all.subList(5, 20).forEach(picked -> bed.fail(picked, DOWN));
    }

    @Test
    void theyAreNotRunWhileItIsOpenAndFirstAttemptsAre() {
        assertThat(bed.pickAll()).isEmpty();
        assertThat(Objects.requireNonNull(bed.engine.explain(queued.getFirst(), bed.now))
                        .reasons())
                .containsExactly(WaitReason.BREAKER);
        JobId first = bed.submit("pay");
        assertThat(bed.mustPick().lease().id()).isEqualTo(first);
        bed.passSteadily(5 * SECOND);
        assertThat(bed.pickAll()).isEmpty();
    }

    @Test
    void probesAreTakenFromThemAndAllGoOnWhenItCloses() {
        assertThat(bed.pickAll()).isEmpty();
        for (int probe = 0; probe < 3; probe++) {
            List<Picked> probes = new ArrayList<>();
            for (int second = 0; second < 12 && probes.isEmpty(); second++) {
                bed.passSteadily(SECOND);
                probes.addAll(bed.pickAll());
            }
            assertThat(probes).as("probe " + probe).hasSize(1);
            bed.complete(probes.getFirst());
        }
        bed.passSteadily(2 * SECOND);
        assertThat(bed.pickAll()).hasSize(17);
    }

    @Test
    void theyCanBeCancelled() {
        assertThat(bed.pickAll()).isEmpty();
        bed.send(new Command.Cancel(bed.tenant, queued.getFirst()));
        assertThat(bed.engine.job(queued.getFirst())).isNull();
        bed.passSteadily(60 * SECOND);
        assertThat(bed.engine.breakers(bed.tenant, "pay", bed.now).getFirst().heldBack())
                .isEqualTo(18);
    }
}
