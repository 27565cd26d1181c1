package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.GroupHandle;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobChange;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.SubmitStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the client does with jobs beyond submitting them: large payloads, changes, groups. */
@ExtendWith(FairlaneExtension.class)
class ClientOnTheRealServerTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void aLargePayloadGoesThereAndBack(TestFairlane test) {
        String large = "fairlane ".repeat(100_000);
        test.worker(
                "turn",
                String.class,
                (ctx, text) -> new StringBuilder(text).reverse().toString());

        JobHandle job = test.client().submit(Job.of("turn", large));

        assertThat(job.await(String.class, SOON))
                .isEqualTo(new StringBuilder(large).reverse().toString());
        assertThat(job.get().payload(String.class)).isEqualTo(large);
        assertThat(test.client().submitAll(List.of(Job.of("turn", large), Job.of("turn", "ab"))))
                .allSatisfy(result ->
                        assertThat(result.handle().await(SOON).state()).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void aStreamTakesLargePayloadsToo(TestFairlane test) {
        List<String> ids = new CopyOnWriteArrayList<>();
        test.worker("size", byte[].class, (ctx, bytes) -> bytes.length);
        try (SubmitStream stream =
                test.client().submitter().onBatch(batch -> ids.add(batch.id(0))).open()) {
            stream.submit(Job.of("size", new byte[400_000]));
        }
        assertThat(test.client().job(ids.getFirst()).await(Integer.class, SOON)).isEqualTo(400_000);
    }

    @Test
    void aWaitingJobIsChangedPausedAndResumed(TestFairlane test) {
        JobHandle job = test.client().submit(Job.of("later", Map.of("n", 1)).delay(Duration.ofHours(1)));
        int revision = job.get().revision();

        JobChange.Result changed = job.change(JobChange.of()
                .priority(1)
                .payload(Map.of("n", 2))
                .tags(Map.of("team", "ops"))
                .ifRevision(revision));

        assertThat(changed.outcome()).isEqualTo(JobChange.Outcome.OK);
        assertThat(changed.revision()).hasValue(revision + 1);
        assertThat(job.get().payload(Map.class)).isEqualTo(Map.of("n", 2));
        assertThatThrownBy(() -> job.change(JobChange.of().priority(2).ifRevision(revision)))
                .isInstanceOf(FairlaneException.Conflict.class);
        assertThat(job.pause().outcome()).isEqualTo(JobChange.Outcome.OK);
        assertThat(job.get().paused()).isTrue();
        assertThat(job.resume().outcome()).isEqualTo(JobChange.Outcome.OK);
        assertThat(job.get().paused()).isFalse();
        job.cancel();
        assertThat(job.pause().outcome()).isEqualTo(JobChange.Outcome.ALREADY_DONE);
    }

    @Test
    void aGroupIsSubmittedAndAwaited(TestFairlane test) {
        test.worker("part", Integer.class, (ctx, n) -> n * n);
        test.worker("merge", Void.class, (ctx, nothing) -> "merged");

        GroupHandle group = test.client()
                .group()
                .name("squares")
                .addAll(IntStream.range(0, 20).mapToObj(n -> Job.of("part", n)).toList())
                .callback(Job.of("merge"))
                .submit();
        GroupHandle.Info done = group.await(SOON);

        assertThat(group.submitted())
                .hasSize(20)
                .allSatisfy(result -> assertThat(result.handle()).isNotNull());
        assertThat(done.succeeded()).isEqualTo(20);
        assertThat(group.jobs().mapToInt(job -> job.result(Integer.class)).sum())
                .isEqualTo(2470);
        assertThat(test.client().job(done.callbackJob().orElseThrow()).await(String.class, SOON))
                .isEqualTo("merged");
        assertThat(test.client().group(group.id()).get().done()).isTrue();
    }

    @Test
    void anOpenGroupTakesMoreUntilItIsSealedAndCanBeCancelled(TestFairlane test) {
        GroupHandle group = test.client().group().add(Job.of("nobody")).open();
        assertThat(group.get().state()).isEqualTo(GroupHandle.State.OPEN);
        group.add(List.of(Job.of("nobody"), Job.of("nobody")));
        assertThat(group.seal().total()).isEqualTo(3);
        assertThat(group.cancel()).isEqualTo(3);
        assertThat(group.await(SOON).cancelled()).isEqualTo(3);
    }
}
