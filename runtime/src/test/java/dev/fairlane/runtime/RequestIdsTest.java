package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call whose answer was lost is sent again with the same request id, and leads to the jobs of the first time. */
class RequestIdsTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;

    private final NodeRig rig = new NodeRig();
    private Tenant acme;
    private TestWorker worker;

    @BeforeEach
    void aTenantAndAWorker() {
        acme = rig.tenant("acme", 10);
        worker = rig.worker("w1", 1, "echo");
    }

    private static NewJob job(String payload) {
        return NewJob.of("echo", new Payload(payload.getBytes(StandardCharsets.UTF_8), "text/plain"));
    }

    /** Refused now, since it is due more than ten years ahead, and accepted seconds later. */
    private NewJob tooFarAhead() {
        long due = rig.node.now() + Admission.MAX_AHEAD_MICROS + 5 * SECOND;
        return new NewJob("echo", Payload.EMPTY, 0, -1, due, 0, 0, 0, 0, "", 0, Map.of(), Map.of());
    }

    private static NewJob keyed(String key) {
        return new NewJob("echo", Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, key, 7, Map.of(), Map.of());
    }

    private List<Answer> send(String request, NewJob... jobs) {
        return rig.settled(rig.node.submit(acme.id(), List.of(jobs), request)).answers();
    }

    private static JobId id(Answer answer) {
        return ((Answer.Submitted) answer).id();
    }

    @Test
    void theSameCallAgainGetsTheSameJobs() {
        List<Answer> first = send("r1", job("a"), job("b"), job("c"));
        assertThat(send("r1", job("a"), job("b"), job("c")).stream().map(RequestIdsTest::id))
                .isEqualTo(first.stream().map(RequestIdsTest::id).toList());
        assertThat(rig.node.hardState().jobs()).hasSize(3);
        assertThat(id(send("r2", job("a"), job("b"), job("c")).getFirst())).isNotEqualTo(id(first.getFirst()));
    }

    @Test
    void jobsThatHaveEndedAreFoundAndNotRunAgain() {
        List<Answer> first = send("r1", job("a"), job("b"));
        worker.succeed(worker.ref(0));
        rig.settle();
        rig.advance(5 * SECOND);
        List<Answer> again = send("r1", job("a"), job("b"));
        assertThat(again.getFirst()).isEqualTo(new Answer.Submitted(id(first.getFirst()), JobState.SUCCEEDED, false));
        assertThat(id(again.getLast())).isEqualTo(id(first.getLast()));
    }

    @Test
    void aRestartForgetsNothingThatWasCommitted() {
        List<Answer> first = send("r1", job("a"), job("b"));
        rig.start();
        rig.settle();
        assertThat(send("r1", job("a"), job("b")).stream().map(RequestIdsTest::id))
                .as("from the tail of the journal")
                .isEqualTo(first.stream().map(RequestIdsTest::id).toList());
        rig.advance(5 * SECOND);
        rig.start();
        rig.settle();
        assertThat(send("r1", job("a"), job("b")).stream().map(RequestIdsTest::id))
                .as("from rows")
                .isEqualTo(first.stream().map(RequestIdsTest::id).toList());
    }

    @Test
    void whatWasRefusedIsDecidedAgainUnderTheSameId() {
        NewJob early = tooFarAhead();
        List<Answer> first = send("r1", early, job("a"), keyed("k"), job("b"));
        assertThat(first.getFirst()).isInstanceOf(Answer.Refused.class);
        rig.advance(6 * SECOND);
        List<Answer> again = send("r1", early, job("a"), keyed("k"), job("b"));
        assertThat(again.subList(1, 4).stream().map(RequestIdsTest::id))
                .isEqualTo(first.subList(1, 4).stream().map(RequestIdsTest::id).toList());
        assertThat(again.getFirst()).as("now it is taken").isInstanceOf(Answer.Submitted.class);
        assertThat(id(send("r1", early, job("a"), keyed("k"), job("b")).getFirst()))
                .as("and once only")
                .isEqualTo(id(again.getFirst()));
    }

    @Test
    void twoAtOnceAreOneCall() {
        CompletableFuture<SubmitReply> first = rig.node.submit(acme.id(), List.of(job("a")), "r1");
        CompletableFuture<SubmitReply> second = rig.node.submit(acme.id(), List.of(job("a")), "r1");
        assertThat(rig.settled(second).answers()).isEqualTo(rig.settled(first).answers());
    }

    @Test
    void theThirdWaitsWhileTheSecondLooks() {
        List<Answer> first = send("r1", job("a"));
        worker.succeed(worker.ref(0));
        rig.settle();
        rig.advance(5 * SECOND);
        rig.holdFetches();
        CompletableFuture<SubmitReply> second = rig.node.submit(acme.id(), List.of(job("a")), "r1");
        rig.settle();
        assertThat(second).isNotDone();
        CompletableFuture<SubmitReply> third = rig.node.submit(acme.id(), List.of(job("a")), "r1");
        rig.settle();
        assertThat(third).isNotDone();
        rig.letFetch();
        assertThat(id(rig.settled(second).answers().getFirst())).isEqualTo(id(first.getFirst()));
        assertThat(rig.settled(third).answers()).isEqualTo(rig.settled(second).answers());
    }

    @Test
    void otherJobsUnderTheSameIdAreRefused() {
        send("r1", job("a"));
        refusedAsOthers(job("longer"));
        refusedAsOthers(job("b"));
        refusedAsOthers(NewJob.of("echo", new Payload(new byte[] {'a'}, "text/html")));
        refusedAsOthers(
                new NewJob("echo", job("a").payload(), 0, 1, 0, 0, 0, 0, 0, "", 0, Map.of("to", "others"), Map.of()));
    }

    @Test
    void everyByteOfALongPayloadCounts() {
        String text = "0123456789".repeat(10);
        send("r1", job(text));
        for (int i = 0; i < text.length(); i++) {
            refusedAsOthers(job(text.substring(0, i) + "x" + text.substring(i + 1)));
        }
        assertThat(send("r1", job(text)).getFirst()).isInstanceOf(Answer.Submitted.class);
    }

    @Test
    void aTraceMayDifferFromOneSendingToTheNext() {
        List<Answer> first = send("r1", job("a"));
        NewJob traced = new NewJob(
                "echo", job("a").payload(), 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of("traceparent", "00-1-1-00"));
        assertThat(id(send("r1", traced).getFirst())).isEqualTo(id(first.getFirst()));
    }

    private void refusedAsOthers(NewJob other) {
        assertThat(send("r1", other).getFirst())
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        answer -> assertThat(answer.refusal().code()).isEqualTo(RefusalCode.IDEMPOTENCY_KEY_REUSED));
    }

    @Test
    void anotherTenantMayUseTheSameId() {
        List<Answer> first = send("r1", job("a"));
        Tenant other = rig.tenant("other", 10);
        assertThat(rig.settled(rig.node.submit(other.id(), List.of(job("a")), "r1"))
                        .answers())
                .isNotEqualTo(first);
    }

    @Test
    void tenMinutesLaterItIsAnotherCallAndMemoryIsFree() {
        List<Answer> first = send("r1", job("a"));
        rig.skip(11 * MINUTE);
        rig.advance(3 * SECOND);
        assertThat(id(send("r1", job("a")).getFirst())).isNotEqualTo(id(first.getFirst()));
        assertThat(rig.node.keysInMemory()).as("no idempotency keys").isZero();
    }
}
