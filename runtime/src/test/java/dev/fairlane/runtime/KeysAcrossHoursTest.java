package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An idempotency key means its job through hours and restarts, without all of them being in memory. */
class KeysAcrossHoursTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private final NodeRig rig = new NodeRig();
    private Tenant acme;
    private TestWorker worker;

    @BeforeEach
    void aTenantAndAWorker() {
        acme = rig.tenant("acme", 10);
        worker = rig.worker("w1", 1, "echo");
    }

    private static NewJob keyed(String key, long body) {
        return new NewJob("echo", Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, key, body, Map.of(), Map.of());
    }

    private JobId done(String key) {
        JobId id = rig.submit(acme, keyed(key, 7));
        rig.settle();
        worker.succeed(worker.ref(worker.leases.size() - 1));
        rig.settle();
        return id;
    }

    private void hours(int hours) {
        rig.advance(2 * SECOND);
        rig.skip(hours * HOUR);
        rig.advance(3 * SECOND);
    }

    private Answer again(String key, long body) {
        return rig.settled(rig.node.submit(acme.id(), List.of(keyed(key, body))))
                .answers()
                .getFirst();
    }

    @Test
    void afterHoursAKeyIsFoundInTheStore() {
        JobId id = done("k");
        hours(5);
        assertThat(rig.node.keysInMemory()).as("keys in memory").isZero();
        assertThat(again("k", 7)).isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
        assertThat(again("k", 8))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.IDEMPOTENCY_KEY_REUSED));
    }

    @Test
    void afterHoursAndARestartAKeyIsFoundInTheStore() {
        JobId id = done("k");
        hours(5);
        rig.start();
        rig.settle();
        assertThat(again("k", 7)).isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
        hours(20);
        assertThat(again("k", 9)).as("after a day").isInstanceOf(Answer.Submitted.class);
    }

    @Test
    void theKeyOfAnOpenJobIsKnownAfterDaysAndARestart() {
        worker.session.drain();
        JobId id = rig.submit(acme, keyed("k", 7));
        hours(60);
        rig.start();
        rig.settle();
        assertThat(again("k", 7)).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
    }

    @Test
    void theKeyOfADeadJobIsKnownAfterDaysAndARestart() {
        JobId id = rig.submit(acme, keyed("k", 7));
        rig.settle();
        worker.fail(worker.ref(0), Failure.of(FailureClass.NON_RETRYABLE, "no"));
        rig.settle();
        hours(60);
        Answer dead = new Answer.Submitted(id, JobState.DEAD, true);
        assertThat(again("k", 7)).isEqualTo(dead);
        rig.start();
        rig.settle();
        assertThat(again("k", 7)).isEqualTo(dead);
    }

    @Test
    void submitsThatComeDuringALookUpGetOneJob() {
        done("old");
        hours(5);
        rig.holdFetches();
        CompletableFuture<SubmitReply> first = rig.node.submit(acme.id(), List.of(keyed("old", 7), keyed("new", 1)));
        CompletableFuture<SubmitReply> second = rig.node.submit(acme.id(), List.of(keyed("old", 7), keyed("old", 8)));
        rig.settle();
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        rig.letFetch();
        List<Answer> answers = rig.settled(first).answers();
        assertThat(answers.get(1))
                .isInstanceOfSatisfying(
                        Answer.Submitted.class,
                        submitted -> assertThat(submitted.existing()).isFalse());
        assertThat(rig.settled(second).answers().getFirst()).isEqualTo(answers.getFirst());
        assertThat(rig.settled(second).answers().get(1)).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void aKeyStaysInMemoryUntilLookUpsBegunBeforeItsFlushHaveEnded() {
        done("old");
        hours(5);
        rig.holdFetches();
        CompletableFuture<SubmitReply> slow = rig.node.submit(acme.id(), List.of(keyed("old", 7)));
        rig.settle();
        JobId later = done("later");
        hours(5);
        assertThat(rig.node.keysInMemory()).isEqualTo(1);
        assertThat(again("later", 7)).isEqualTo(new Answer.Submitted(later, JobState.SUCCEEDED, true));
        rig.letFetch();
        assertThat(slow).isDone();
        rig.advance(3 * SECOND);
        assertThat(rig.node.keysInMemory()).isZero();
        assertThat(again("later", 7)).isEqualTo(new Answer.Submitted(later, JobState.SUCCEEDED, true));
    }

    @Test
    void manyKeysAreLookedUpTogether() {
        worker.session.drain();
        List<NewJob> jobs =
                IntStream.range(0, 1_000).mapToObj(i -> keyed("k" + i, i)).toList();
        List<JobId> ids = rig.settled(rig.node.submit(acme.id(), jobs)).answers().stream()
                .map(answer -> ((Answer.Submitted) answer).id())
                .toList();
        ids.forEach(id -> rig.settled(rig.node.cancel(null, id)));
        hours(5);
        assertThat(rig.settled(rig.node.submit(acme.id(), jobs)).answers())
                .isEqualTo(ids.stream()
                        .map(id -> new Answer.Submitted(id, JobState.CANCELLED, true))
                        .toList());
    }
}
