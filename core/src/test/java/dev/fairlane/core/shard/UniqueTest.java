package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UniqueTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private final Bed bed = new Bed();

    private Answer rule(By by, During during, long period, Conflict conflict) {
        TypeRules rules = TypeRules.saying(draft -> draft.unique = new UniqueRule(by, during, period, conflict));
        return bed.send(new Command.PutType(bed.tenant, "sync", "short", 0, 0, rules));
    }

    private static NewJob job(String payload, String uniqueKey) {
        return new NewJob(
                "sync",
                new Payload(payload.getBytes(StandardCharsets.UTF_8), Payload.JSON),
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
                new JobTerms(JobTerms.DEFAULT_LANE, 0, uniqueKey, "", "", false, 0));
    }

    private Answer ask(NewJob job) {
        return bed.send(new Command.Submit(bed.newId(), bed.tenant, job));
    }

    private static void assertConflict(Answer answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.UNIQUE_CONFLICT));
    }

    @Test
    void whileQueuedTheSameArgumentsAreTheSameJob() {
        rule(By.ARGS, During.QUEUED, 0, Conflict.RETURN_EXISTING);
        JobId id = bed.submit(job("1", ""));
        assertThat(ask(job("1", ""))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
        assertThat(bed.submit(job("2", ""))).isNotEqualTo(id);
        bed.worker(1, 2, "sync");
        bed.mustPick();
        assertThat(bed.submit(job("1", ""))).as("the first is leased").isNotEqualTo(id);
    }

    @Test
    void whileRunningTheSameKeyIsRefused() {
        rule(By.KEY, During.RUNNING, 0, Conflict.REJECT);
        bed.worker(1, 1, "sync");
        bed.submit(job("1", "user-7"));
        assertConflict(ask(job("2", "user-7")));
        bed.submit(job("2", "user-8"));
        bed.submit(job("2", ""));
        Picked picked = bed.mustPick();
        assertConflict(ask(job("2", "user-7")));
        bed.complete(picked);
        bed.submit(job("2", "user-7"));
    }

    @Test
    void forATimeTheFirstKeepsOthersOutWhateverBecameOfIt() {
        rule(By.KEY, During.A_TIME, 5 * HOUR, Conflict.RETURN_EXISTING);
        bed.worker(1, 1, "sync");
        long submittedAt = bed.now;
        JobId id = bed.submit(job("1", "u"));
        bed.complete(bed.mustPick());
        assertThat(ask(job("2", "u"))).isEqualTo(new Answer.NotInMemory(id));
        bed.pass(4 * HOUR);
        bed.engine.sealKeys(bed.now, 0, bed.now, 100);
        Command.Submit late = new Command.Submit(bed.newId(), bed.tenant, job("2", "u"));
        Answer.LookUpKey look = (Answer.LookUpKey) bed.send(late);
        Command.Submit looked = late.with(new KeyFinding(look.probe().key(), new StoredKey(id, 0, submittedAt, null)));
        assertThat(bed.send(looked)).isEqualTo(new Answer.NotInMemory(id));
        bed.pass(HOUR);
        assertThat(bed.send(looked)).isEqualTo(new Answer.Submitted(late.id(), JobState.QUEUED, false));
    }

    @Test
    void anOldJobThatIsBroughtBackDoesNotHideALaterOne() {
        rule(By.KEY, During.A_TIME, 5 * HOUR, Conflict.REJECT);
        bed.worker(1, 1, "sync");
        JobId old = bed.submit(job("1", "u"));
        bed.fail(bed.mustPick(), Failure.of(FailureClass.NON_RETRYABLE, "no"));
        bed.pass(6 * HOUR);
        long submittedAt = bed.now;
        JobId later = bed.submit(job("2", "u"));
        bed.complete(bed.mustPick());
        bed.pass(3 * HOUR);
        bed.engine.sealKeys(bed.now, 0, bed.now, 100);
        bed.replay(old);
        Command.Submit third = new Command.Submit(bed.newId(), bed.tenant, job("3", "u"));
        Answer.LookUpKey look = (Answer.LookUpKey) bed.send(third);
        StoredKey found = new StoredKey(later, 0, submittedAt, null);
        assertConflict(bed.send(third.with(new KeyFinding(look.probe().key(), found))));
    }

    @Test
    void aWaitingJobIsReplacedInOneStepAndALeasedOneIsNot() {
        rule(By.KEY, During.RUNNING, 0, Conflict.REPLACE);
        JobId first = bed.submit(job("1", "u"));
        JobId second = bed.submit(job("2", "u"));
        assertThat(bed.state(first)).isEqualTo(JobState.CANCELLED);
        assertThat(bed.engine.openJobs()).isEqualTo(1);
        JobId third = bed.submit(job("3", "u"));
        assertThat(bed.state(second)).isEqualTo(JobState.CANCELLED);
        bed.worker(1, 1, "sync");
        assertThat(bed.mustPick().lease().id()).isEqualTo(third);
        assertConflict(ask(job("4", "u")));
    }

    @Test
    void aDebouncedJobTakesTheLastPayloadAndWaitsOn() {
        rule(By.KEY, During.QUEUED, 10 * SECOND, Conflict.DEBOUNCE);
        JobId id = bed.submit(job("1", "u"));
        assertThat(bed.state(id)).isEqualTo(JobState.SCHEDULED);
        bed.pass(7 * SECOND);
        assertThat(ask(job("2", "u"))).isEqualTo(new Answer.Submitted(id, JobState.SCHEDULED, true));
        bed.pass(7 * SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.SCHEDULED);
        bed.pass(4 * SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(bed.engine.job(id).spec().payload().bytes()).isEqualTo("2".getBytes(StandardCharsets.UTF_8));
        assertThat(bed.engine.openJobs()).isEqualTo(1);
    }

    @Test
    void aPeriodLongerThanKeysAreKeptIsRefused() {
        assertThat(rule(By.KEY, During.A_TIME, 25 * HOUR, Conflict.REJECT)).isInstanceOf(Answer.Refused.class);
        assertThat(rule(By.KEY, During.A_TIME, 0, Conflict.REJECT)).isInstanceOf(Answer.Refused.class);
        assertThat(rule(By.KEY, During.QUEUED, 0, Conflict.REJECT)).isInstanceOf(Answer.TypeIs.class);
    }

    @Test
    void aJobDueFarAheadIsSpreadUnlessItIsExact() {
        long at = bed.now + 2 * HOUR;
        assertThat(runAt(at, false, -1)).isBetween(at, at + 60 * SECOND).isNotEqualTo(at);
        assertThat(runAt(at, true, -1)).isEqualTo(at);
        assertThat(runAt(bed.now + HOUR, false, -1)).isEqualTo(bed.now + HOUR);
        assertThat(runAt(at, false, 0)).isEqualTo(at);
    }

    private long runAt(long at, boolean exact, long random) {
        NewJob job = new NewJob(
                "mail",
                Payload.EMPTY,
                0,
                -1,
                at,
                0,
                0,
                0,
                0,
                "",
                0,
                Map.of(),
                Map.of(),
                new JobTerms(JobTerms.DEFAULT_LANE, 0, "", "", "", exact, 0).shared());
        JobId id = bed.newId();
        bed.send(new Command.Submit(id, bed.tenant, job, random, List.of()));
        return bed.engine.job(id).spec().runAt();
    }
}
