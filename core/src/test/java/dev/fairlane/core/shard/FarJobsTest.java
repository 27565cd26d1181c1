package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Payload;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that are left to the store: open in every count, and nowhere else. */
class FarJobsTest {
    private final Bed bed = new Bed();

    private Fact.JobAdded submitted(NewJob job) {
        JobId id = bed.submit(job);
        return bed.facts.stream()
                .filter(Fact.JobAdded.class::isInstance)
                .map(Fact.JobAdded.class::cast)
                .filter(added -> added.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private boolean depart(Fact.JobAdded job) {
        return bed.engine.depart(job.spec(), job.status(), bed.now);
    }

    private int open() {
        return bed.engine.standing(bed.tenant, bed.now).openJobs();
    }

    private static NewJob keyedLater(String key, long delay) {
        return new NewJob("mail", Payload.EMPTY, 0, -1, 0, delay, 0, 0, 0, key, 1, Map.of(), Map.of());
    }

    @Test
    void oneThatLeftIsOpenAndHasNoTimer() {
        Fact.JobAdded job = submitted(Bed.later("mail", HOUR));
        assertThat(depart(job)).isTrue();

        assertThat(bed.engine.has(job.id())).isFalse();
        assertThat(bed.engine.farJobs()).isOne();
        assertThat(open()).isOne();
        assertThat(bed.engine.nextTimerAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(bed.send(new Command.Cancel(bed.tenant, job.id()))).isEqualTo(new Answer.NotInMemory(job.id()));
    }

    @Test
    void oneThatCameBackIsAsItWas() {
        Fact.JobAdded job = submitted(Bed.later("mail", HOUR));
        HardState before = bed.engine.hardState(bed.now);
        depart(job);
        bed.engine.arrive(job.spec(), job.status(), false);

        assertThat(bed.engine.hardState(bed.now)).isEqualTo(before);
        assertThat(bed.engine.farJobs()).isZero();
        assertThat(open()).isOne();
        bed.worker(1, 1, "mail");
        bed.pass(2 * HOUR);
        assertThat(bed.mustPick().lease().id()).isEqualTo(job.id());
    }

    @Test
    void oneThatCameBackWholeIsLeasedWithItsSpec() {
        Fact.JobAdded job = submitted(Bed.later("mail", HOUR));
        Fact.JobAdded other = submitted(Bed.later("mail", HOUR));
        depart(job);
        depart(other);
        bed.engine.arrive(job.spec(), job.status(), true);
        assertThat(bed.engine.residentBytes()).isPositive();
        bed.engine.arrive(other.spec(), other.status(), false);
        bed.worker(1, 2, "mail");
        bed.pass(2 * HOUR);
        assertThat(bed.mustPick().lease().spec()).isEqualTo(job.spec());
        assertThat(bed.mustPick().lease().spec()).isNull();
    }

    @Test
    void oneThatBecameSomethingElseStays() {
        Fact.JobAdded job = submitted(Bed.later("mail", HOUR));
        bed.send(new Command.Pause(bed.tenant, job.id(), true));
        assertThat(depart(job)).isFalse();
        assertThat(bed.engine.has(job.id())).isTrue();
        assertThat(bed.engine.farJobs()).isZero();
    }

    @Test
    void oneThatOthersAreComparedWithOrWaitForMayNotLeave() {
        Fact.JobAdded job = submitted(Bed.later("mail", HOUR));
        JobSpec spec = job.spec();
        JobStatus status = job.status();
        assertThat(Engine.wakeAt(spec, status)).isEqualTo(status.dueAt());
        assertThat(Engine.wakeAt(spec.withTerms(spec.terms().withUniqueKey("only")), status))
                .isZero();
        assertThat(Engine.wakeAt(spec.withTerms(spec.terms().inGroup("g")), status))
                .isZero();
        Fact.JobAdded now = submitted(Bed.later("mail", 0));
        assertThat(Engine.wakeAt(now.spec(), now.status())).isZero();
    }

    @Test
    void itsKeyLeadsToItForAsLongAsItIsOpen() {
        NewJob job = keyedLater("k", 72 * HOUR);
        Fact.JobAdded added = submitted(job);
        depart(added);
        bed.now += 48 * HOUR;
        bed.engine.sealKeys(bed.now, Long.MIN_VALUE, bed.now, 1_000);
        Answer existing = new Answer.Submitted(added.id(), JobState.SCHEDULED, true);
        assertThat(bed.send(new Command.Submit(bed.newId(), bed.tenant, job))).isEqualTo(existing);

        bed.engine.arrive(added.spec(), added.status(), false);
        bed.engine.sealKeys(bed.now, Long.MIN_VALUE, bed.now, 1_000);
        assertThat(bed.send(new Command.Submit(bed.newId(), bed.tenant, job))).isEqualTo(existing);
        bed.send(new Command.Cancel(bed.tenant, added.id()));
        assertThat(bed.engine.stats(bed.now).keys()).isOne();
        bed.now += HOUR;
        bed.engine.sealKeys(bed.now + 3 * HOUR, Long.MIN_VALUE, bed.now + 3 * HOUR, 1_000);
        assertThat(bed.engine.stats(bed.now).keys()).isZero();
    }

    @Test
    void aStartIsToldOfThemAsANumberAndOfTheirKeys() {
        Fact.JobAdded added = submitted(keyedLater("k", 72 * HOUR));
        Bed later = new Bed();
        later.now = bed.now + 48 * HOUR;
        later.engine.loadFar(later.tenant, 1);
        JobSpec spec = added.spec();
        later.engine.loadFarKey(later.tenant, "k", spec.id(), spec.bodyHash(), spec.submittedAt());

        assertThat(later.engine.farJobs()).isOne();
        assertThat(later.engine.standing(later.tenant, later.now).openJobs()).isOne();
        assertThat(later.send(new Command.Submit(later.newId(), later.tenant, keyedLater("k", 72 * HOUR))))
                .isEqualTo(new Answer.Submitted(spec.id(), JobState.SCHEDULED, true));
    }

    @Test
    void thatJobsAreSkippedIsSaidOnceAMinuteForAType() {
        for (int i = 0; i < 3; i++) {
            bed.submit(new NewJob(
                    "mail",
                    Payload.EMPTY,
                    0,
                    -1,
                    0,
                    0,
                    bed.now + SECOND + i * MINUTE / 2,
                    0,
                    0,
                    "",
                    0,
                    Map.of(),
                    Map.of()));
        }
        for (int i = 0; i < 4; i++) {
            bed.pass(MINUTE / 2);
        }
        assertThat(bed.ended).hasSize(3);
        assertThat(bed.notices()).containsExactly(Notice.Kind.LATE_EXECUTION, Notice.Kind.LATE_EXECUTION);
    }

    @Test
    void thatJobsAreQueuedLateIsSaidOnceAMinuteForAType() {
        bed.submit(Bed.later("mail", SECOND));
        bed.pass(MINUTE);
        assertThat(bed.notices()).as("in time").isEmpty();
        for (int i = 0; i < 3; i++) {
            bed.submit(Bed.later("mail", SECOND));
        }
        bed.now += 2 * MINUTE;
        bed.pass(SECOND);
        assertThat(bed.notices()).containsExactly(Notice.Kind.PROMOTION_BEHIND, Notice.Kind.LATE_EXECUTION);
    }

    @Test
    void howLongJobsAreDueAndNotQueuedIsKnown() {
        for (int i = 0; i < 5_000; i++) {
            bed.submit(Bed.later("mail", SECOND));
        }
        assertThat(bed.engine.oldestDueMicros(bed.now)).isZero();
        bed.now += 3 * SECOND;
        bed.engine.dueTimers(bed.now, 1_000, bed::send);
        assertThat(bed.engine.oldestDueMicros(bed.now)).isBetween(2 * SECOND - 5_000, 2 * SECOND + 5_000);
    }
}
