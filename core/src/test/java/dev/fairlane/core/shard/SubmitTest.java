package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Semantics §3. */
class SubmitTest {
    private Bed bed = new Bed();

    private Answer ask(NewJob job) {
        return bed.send(new Command.Submit(bed.newId(), bed.tenant, job));
    }

    private static void assertRefused(Answer answer, RefusalCode code) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(code));
    }

    private static EngineConfig limits(int maxOpen, int maxOpenPerTenant, int maxKeys) {
        EngineConfig usual = EngineConfig.DEFAULT;
        return usual.withRoom(new EngineConfig.Room(
                        maxOpen, maxOpenPerTenant, usual.room().promotionsPerSecond()))
                .withKeys(new EngineConfig.Keys(
                        usual.keys().retentionMicros(), usual.keys().spanMicros(), maxKeys));
    }

    @Test
    void anUnknownTypeIsRegisteredWithDefaults() {
        JobId id = bed.submit("mail");
        assertThat(bed.engine.types(bed.tenant))
                .containsExactly(new JobType(bed.tenant, "mail", "short", 0, 0, bed.now));
        JobSpec spec = bed.engine.job(id).spec();
        assertThat(spec.pool()).isEqualTo("short");
        assertThat(spec.priority()).isEqualTo(5);
        assertThat(spec.maxAttempts()).isEqualTo(6);
        assertThat(spec.timeLimitMicros()).isEqualTo(30 * SECOND);
        assertThat(spec.runAt()).isEqualTo(bed.now);
    }

    @Test
    void aTypeDeclaresPoolAttemptsAndTimeLimit() {
        bed.send(new Command.PutType(bed.tenant, "report", "medium", 2, 77));
        JobSpec spec = bed.engine.job(bed.submit("report")).spec();
        assertThat(spec.pool()).isEqualTo("medium");
        assertThat(spec.maxAttempts()).isEqualTo(2);
        assertThat(spec.timeLimitMicros()).isEqualTo(77);
        assertRefused(bed.send(new Command.PutType(bed.tenant, "report", "huge", 0, 0)), RefusalCode.UNKNOWN_POOL);
    }

    @Test
    void theSameTypeAgainChangesNothing() {
        bed.send(new Command.PutType(bed.tenant, "report", "medium", 2, 77));
        int facts = bed.facts.size();
        bed.now += SECOND;
        bed.send(new Command.PutType(bed.tenant, "report", "medium", 2, 77));
        assertThat(bed.facts).hasSize(facts);
        bed.send(new Command.PutType(bed.tenant, "report", "medium", 3, 77));
        assertThat(bed.facts).hasSize(facts + 1);
    }

    @Test
    void anUnknownTenantIsRefused() {
        assertRefused(
                bed.send(new Command.Submit(bed.newId(), new TenantId(999), Bed.job("mail"))),
                RefusalCode.TENANT_NOT_FOUND);
        assertRefused(
                bed.send(new Command.Submit(bed.newId(), new TenantId(-1), Bed.job("mail"))),
                RefusalCode.TENANT_NOT_FOUND);
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void aShapeThatMakesNoSenseIsRefused() {
        assertRefused(ask(Bed.job("")), RefusalCode.INVALID_ARGUMENT);
        assertRefused(ask(Bed.job("x".repeat(201))), RefusalCode.INVALID_ARGUMENT);
        assertRefused(ask(Bed.priority("mail", 10)), RefusalCode.INVALID_ARGUMENT);
        assertRefused(ask(Bed.priority("mail", -2)), RefusalCode.INVALID_ARGUMENT);
        assertRefused(ask(Bed.later("mail", -1)), RefusalCode.INVALID_ARGUMENT);
        assertRefused(ask(Bed.later("mail", Long.MAX_VALUE)), RefusalCode.INVALID_ARGUMENT);
        assertRefused(ask(Bed.notAfter("mail", bed.now)), RefusalCode.INVALID_ARGUMENT);
        NewJob backwards = new NewJob(
                "mail", Payload.EMPTY, 0, -1, bed.now + HOUR, 0, bed.now + SECOND, 0, 0, "", 0, Map.of(), Map.of());
        assertRefused(ask(backwards), RefusalCode.INVALID_ARGUMENT);
        assertThat(bed.engine.types(null)).isEmpty();
    }

    @Test
    void aTenantsWeightIsBoundedAndItsNameUnique() {
        assertRefused(bed.send(new Command.PutTenant("b", -1)), RefusalCode.INVALID_ARGUMENT);
        assertRefused(bed.send(new Command.PutTenant("b", 100_001)), RefusalCode.INVALID_ARGUMENT);
        assertRefused(bed.send(new Command.PutTenant("", 1)), RefusalCode.INVALID_ARGUMENT);
        assertThat(bed.putTenant("acme", 20)).isEqualTo(bed.tenant);
        assertThat(bed.engine.tenant("acme").weight()).isEqualTo(20);
        assertThat(bed.engine.tenants()).hasSize(1);
    }

    @Test
    void theSameKeyAndBodyGiveTheFirstJobAndItsPresentState() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
        Picked picked = bed.mustPick();
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.LEASED, true));
        bed.complete(picked);
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void theSameKeyWithAnotherBodyIsRefused() {
        bed.submit(Bed.keyed("mail", "k", 1));
        assertRefused(ask(Bed.keyed("mail", "k", 2)), RefusalCode.IDEMPOTENCY_KEY_REUSED);
    }

    @Test
    void aKeyBelongsToItsTenant() {
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        TenantId other = bed.putTenant("other", 1);
        assertThat(bed.submit(other, Bed.keyed("mail", "k", 2))).isNotEqualTo(id);
    }

    @Test
    void aKeyIsForgottenAfterADay() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        bed.complete(bed.mustPick());
        bed.pass(24 * HOUR - 1);
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
        bed.now += 1;
        assertThat(bed.submit(Bed.keyed("mail", "k", 2))).isNotEqualTo(id);
    }

    @Test
    void theKeyOfAnOpenJobIsNotForgotten() {
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        bed.pass(100 * HOUR);
        for (int i = 0; i < 10; i++) {
            bed.submit(Bed.keyed("mail", "other-" + i, 1));
        }
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
        bed.send(new Command.Cancel(null, id));
        assertThat(bed.submit(Bed.keyed("mail", "k", 2))).isNotEqualTo(id);
    }

    @Test
    void theKeyOfAJobThatEndedBeforeTheStartIsForWhoeverCanLookItUp() {
        JobId id = bed.newId();
        bed.engine.loadKey(bed.tenant, "k", id, 1, bed.now - HOUR);
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.NotInMemory(id));
        assertRefused(ask(Bed.keyed("mail", "k", 2)), RefusalCode.IDEMPOTENCY_KEY_REUSED);
    }

    @Test
    void ofTwoStoredJobsWithOneKeyTheLaterCountsInWhateverOrderTheyAreLoaded() {
        JobId earlier = bed.newId();
        JobId later = bed.newId();
        bed.engine.loadKey(bed.tenant, "k", later, 1, bed.now - HOUR);
        bed.engine.loadKey(bed.tenant, "k", earlier, 9, bed.now - 30 * HOUR);
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.NotInMemory(later));
    }

    @Test
    void aFullNodeAndAFullTenantSaySo() {
        bed = new Bed(limits(3, 2, 100));
        TenantId other = bed.putTenant("other", 1);
        bed.submit("mail");
        bed.submit("mail");
        assertRefused(ask(Bed.job("mail")), RefusalCode.DEPTH_LIMIT);
        bed.submit(other, Bed.job("mail"));
        assertRefused(bed.send(new Command.Submit(bed.newId(), other, Bed.job("mail"))), RefusalCode.NODE_FULL);
    }

    @Test
    void keysAreBoundedAndOldOnesMakeRoom() {
        bed = new Bed(limits(100, 100, 2));
        bed.worker(1, 1, "mail");
        bed.submit(Bed.keyed("mail", "a", 1));
        bed.submit(Bed.keyed("mail", "b", 1));
        assertRefused(ask(Bed.keyed("mail", "c", 1)), RefusalCode.NODE_FULL);
        bed.submit("mail");
        bed.complete(bed.mustPick());
        bed.complete(bed.mustPick());
        bed.pass(3 * HOUR);
        bed.engine.sealKeys(bed.now, 0, bed.now, 100);
        bed.submit(Bed.keyed("mail", "c", 1));
    }

    @Test
    void typesOfATenantAreBounded() {
        for (int i = 0; i < 1_000; i++) {
            bed.submit("type-" + i);
        }
        assertRefused(ask(Bed.job("one-more")), RefusalCode.TYPE_LIMIT);
        bed.submit("type-7");
    }
}
