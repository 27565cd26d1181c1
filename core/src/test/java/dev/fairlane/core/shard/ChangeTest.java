package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.admission.LaneNames;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ChangeOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changing, moving, pausing a waiting job (semantics §2). */
class ChangeTest {
    private static final Payload OTHER = new Payload("{}".getBytes(StandardCharsets.UTF_8), Payload.JSON);

    private final Bed bed = new Bed();

    private Answer change(JobId id, JobChange change) {
        return change(id, change, Command.ANY_REVISION, null);
    }

    private Answer change(JobId id, JobChange change, int ifRevision, @Nullable JobSpec base) {
        return bed.send(new Command.Revise(null, id, change, ifRevision, base));
    }

    private JobSpec spec(JobId id) {
        return Objects.requireNonNull(Objects.requireNonNull(bed.engine.job(id)).spec());
    }

    private static Answer ok(JobId id, JobState state, int revision) {
        return new Answer.Changed(id, ChangeOutcome.OK, state, revision);
    }

    private static RefusalCode code(Answer answer) {
        return ((Answer.Refused) answer).refusal().code();
    }

    @Test
    void everyChangeIsAWholeNewSpecOneRevisionFurther() {
        JobId id = bed.submit("a");
        long notAfter = bed.now + Bed.HOUR;

        assertThat(change(id, JobChange.NOTHING.withPayload(OTHER).withNotAfter(notAfter)))
                .isEqualTo(ok(id, JobState.QUEUED, 1));
        assertThat(change(id, JobChange.NOTHING.withTags(Map.of("k", "v")))).isEqualTo(ok(id, JobState.QUEUED, 2));

        JobSpec spec = spec(id);
        assertThat(spec.payload()).isEqualTo(OTHER);
        assertThat(spec.notAfter()).isEqualTo(notAfter);
        assertThat(spec.tags()).isEqualTo(Map.of("k", "v"));
        bed.pass(Bed.HOUR + Bed.SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.EXPIRED);
    }

    @Test
    void whatChangesNothingWritesNothing() {
        JobId id = bed.submit(Bed.priority("a", 3));
        int facts = bed.facts.size();

        assertThat(change(id, JobChange.NOTHING.withPriority(3))).isEqualTo(ok(id, JobState.QUEUED, 0));
        assertThat(bed.facts).hasSize(facts);
    }

    @Test
    void aStaleRevisionIsRefused() {
        JobId id = bed.submit("a");
        change(id, JobChange.NOTHING.withPriority(1));

        assertThat(code(change(id, JobChange.NOTHING.withPriority(2), 0, null)))
                .isEqualTo(RefusalCode.REVISION_CONFLICT);
        assertThat(change(id, JobChange.NOTHING.withPriority(2), 1, null)).isEqualTo(ok(id, JobState.QUEUED, 2));
    }

    @Test
    void aJobMovedIntoTheFutureIsNotGivenOutAndComesBack() {
        JobId id = bed.submit("a");
        bed.worker(1, 1, "a");

        assertThat(change(id, JobChange.NOTHING.withRunAt(bed.now + Bed.MINUTE)))
                .isEqualTo(ok(id, JobState.SCHEDULED, 1));
        assertThat(bed.pick()).isNull();
        assertThat(change(id, JobChange.NOTHING.withRunAt(0))).isEqualTo(ok(id, JobState.QUEUED, 2));
        assertThat(bed.mustPick().lease().id()).isEqualTo(id);
    }

    @Test
    void aRetryIsBroughtForward() {
        JobId id = bed.submit("a");
        bed.worker(1, 1, "a");
        bed.fail(bed.mustPick(), FailureClass.APP_ERROR);

        assertThat(change(id, JobChange.NOTHING.withRunAt(bed.now + Bed.HOUR)))
                .isEqualTo(ok(id, JobState.RETRY_WAIT, 1));
        assertThat(change(id, JobChange.NOTHING.withRunAt(bed.now))).isEqualTo(ok(id, JobState.QUEUED, 2));
        assertThat(bed.mustPick().lease().status().attempt()).isEqualTo(2);
    }

    @Test
    void aMoreUrgentPriorityOvertakes() {
        bed.submit("a");
        JobId second = bed.submit("a");
        bed.worker(1, 2, "a");

        change(second, JobChange.NOTHING.withPriority(0));

        assertThat(bed.mustPick().lease().id()).isEqualTo(second);
    }

    @Test
    void aJobWhoseLineDoesNotChangeKeepsItsPlace() {
        JobId first = bed.submit("a");
        bed.submit("a");
        bed.now += Bed.SECOND;
        change(first, JobChange.NOTHING.withPayload(OTHER));
        bed.worker(1, 2, "a");

        assertThat(bed.mustPick().lease().id()).isEqualTo(first);
    }

    @Test
    void aMovedJobStandsAtTheEndOfItsNewLane() {
        JobId moved = bed.submit("a");
        JobId other = bed.submit("a");
        bed.now += Bed.SECOND;
        change(moved, JobChange.NOTHING.inLane("imports"));
        bed.worker(1, 2, "a");

        assertThat(bed.mustPick().lease().id()).isEqualTo(other);
        assertThat(bed.mustPick().lease().id()).isEqualTo(moved);
        assertThat(spec(moved).terms().lane()).isEqualTo("imports");
    }

    @Test
    void aJobInSomebodysHandsIsNotChanged() {
        JobId id = bed.submit("a");
        bed.worker(1, 1, "a");
        Picked picked = bed.mustPick();

        assertThat(change(id, JobChange.NOTHING.withPriority(0)))
                .isEqualTo(new Answer.Changed(id, ChangeOutcome.ALREADY_RUNNING, JobState.LEASED, 0));
        assertThat(bed.send(new Command.Pause(null, id, true)))
                .isEqualTo(new Answer.Changed(id, ChangeOutcome.ALREADY_RUNNING, JobState.LEASED, 0));
        bed.complete(picked);
        assertThat(change(id, JobChange.NOTHING.withPriority(0))).isEqualTo(new Answer.NotInMemory(id));
    }

    @Test
    void aJobOfAnotherTenantIsNotFound() {
        TenantId other = bed.putTenant("other", 10);
        JobId id = bed.submit("a");

        assertThat(code(bed.send(new Command.Revise(other, id, JobChange.NOTHING, Command.ANY_REVISION, null))))
                .isEqualTo(RefusalCode.JOB_NOT_FOUND);
        assertThat(code(bed.send(new Command.Pause(other, id, true)))).isEqualTo(RefusalCode.JOB_NOT_FOUND);
    }

    @Test
    void whatTheStoreHasIsTakenOnlyAtTheRevisionTheJobIsAt() {
        JobId id = bed.submit("a");
        JobSpec first = spec(id);
        bed.engine.evict(first);

        assertThat(change(id, JobChange.NOTHING.withPriority(1))).isEqualTo(new Answer.SpecNeeded(id));
        assertThat(change(id, JobChange.NOTHING.withPriority(1), Command.ANY_REVISION, first))
                .isEqualTo(ok(id, JobState.QUEUED, 1));
        bed.engine.evict(spec(id));
        // looked up before the other change was stored
        assertThat(change(id, JobChange.NOTHING.withTags(Map.of("k", "v")), Command.ANY_REVISION, first))
                .isEqualTo(new Answer.SpecNeeded(id));
    }

    @Test
    void aSpecThatWasChangedSinceItWasStoredStaysInMemory() {
        JobId id = bed.submit("a");
        JobSpec stored = spec(id);
        change(id, JobChange.NOTHING.withPayload(OTHER));

        bed.engine.evict(stored);

        assertThat(spec(id).payload()).isEqualTo(OTHER);
    }

    @Test
    void badChangesAreRefusedAndChangeNothing() {
        JobId id = bed.submit(Bed.notAfter("a", bed.now + Bed.MINUTE));
        int facts = bed.facts.size();

        for (JobChange bad : new JobChange[] {
            JobChange.NOTHING.withPriority(10),
            JobChange.NOTHING.withRunAt(bed.now + Bed.HOUR),
            JobChange.NOTHING.withRunAt(Long.MAX_VALUE),
            JobChange.NOTHING.withRunAt(-2),
            JobChange.NOTHING.withNotAfter(bed.now),
            JobChange.NOTHING.inLane(""),
            JobChange.NOTHING.inLane("x".repeat(201))
        }) {
            assertThat(code(change(id, bad))).as("%s", bad).isEqualTo(RefusalCode.INVALID_ARGUMENT);
        }
        assertThat(bed.facts).hasSize(facts);
    }

    @Test
    void aPausedJobIsInNoLineUntilItIsResumed() {
        JobId paused = bed.submit("a");
        JobId other = bed.submit("a");
        bed.worker(1, 3, "a");

        assertThat(bed.send(new Command.Pause(null, paused, true))).isEqualTo(ok(paused, JobState.QUEUED, 0));
        assertThat(bed.send(new Command.Pause(null, paused, true))).isEqualTo(ok(paused, JobState.QUEUED, 0));
        assertThat(bed.mustPick().lease().id()).isEqualTo(other);
        assertThat(bed.pick()).isNull();
        // what is changed meanwhile stays paused
        change(paused, JobChange.NOTHING.withPriority(0));
        assertThat(bed.pick()).isNull();
        bed.send(new Command.Pause(null, paused, false));
        assertThat(bed.mustPick().lease().id()).isEqualTo(paused);
    }

    @Test
    void aPausedJobThatBecomesDueStaysOutOfItsLine() {
        JobId id = bed.submit(Bed.later("a", Bed.SECOND));
        bed.worker(1, 1, "a");
        bed.send(new Command.Pause(null, id, true));
        bed.pass(2 * Bed.SECOND);

        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(bed.pick()).isNull();
        bed.send(new Command.Pause(null, id, false));
        assertThat(bed.mustPick().lease().id()).isEqualTo(id);
    }

    @Test
    void aPausedJobIsCancelledAndExpiresLikeAnyOther() {
        JobId cancelled = bed.submit("a");
        JobId late = bed.submit(Bed.notAfter("a", bed.now + Bed.SECOND));
        bed.send(new Command.Pause(null, cancelled, true));
        bed.send(new Command.Pause(null, late, true));

        bed.send(new Command.Cancel(null, cancelled));
        bed.pass(2 * Bed.SECOND);

        assertThat(bed.state(cancelled)).isEqualTo(JobState.CANCELLED);
        assertThat(bed.state(late)).isEqualTo(JobState.EXPIRED);
    }

    @Test
    void thereAreOnlySoManyLanes() {
        for (int i = 0; i < LaneNames.MAX_PER_TENANT; i++) {
            bed.submit(lane("lane-" + i));
        }
        JobId id = bed.submit(lane("lane-7"));

        Answer refused = bed.send(new Command.Submit(bed.newId(), bed.tenant, lane("one-more")));
        assertThat(code(refused)).isEqualTo(RefusalCode.LANE_LIMIT);
        assertThat(code(change(id, JobChange.NOTHING.inLane("one-more")))).isEqualTo(RefusalCode.LANE_LIMIT);
        assertThat(change(id, JobChange.NOTHING.inLane("lane-8"))).isEqualTo(ok(id, JobState.QUEUED, 1));
    }

    @Test
    void aScopedWorkerGetsTheJobsOfAllLanes() {
        bed.submit(lane("x"));
        bed.worker(1, bed.tenant, 3, "a");
        bed.submit(lane("y"));
        bed.submit("a");

        for (int i = 0; i < 3; i++) {
            bed.mustPick();
        }
        assertThat(bed.facts)
                .filteredOn(fact -> fact instanceof Fact.JobChanged)
                .hasSize(3);
    }

    private static NewJob lane(String name) {
        NewJob job = Bed.job("a");
        return new NewJob(
                job.type(),
                job.payload(),
                0,
                -1,
                0,
                0,
                0,
                0,
                0,
                "",
                0,
                Map.of(),
                Map.of(),
                job.terms().inLane(name));
    }
}
