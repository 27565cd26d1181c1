package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checkpoints, progress, hand-over and large results of the SDK, on the real server. */
@ExtendWith(FairlaneExtension.class)
class LongJobsTest {
    record Reached(int done) {}

    @Test
    void theNextAttemptGoesOnFromTheCheckpoint(TestFairlane test) {
        List<Optional<Reached>> found = new CopyOnWriteArrayList<>();
        test.worker("count", Payload.class, (ctx, none) -> {
            found.add(ctx.loadCheckpoint(Reached.class));
            if (ctx.firstAttempt()) {
                ctx.checkpoint(new Reached(6));
                ctx.checkpoint(new Reached(7));
                throw new IllegalStateException("falls over");
            }
            return ctx.loadCheckpoint(Reached.class).orElseThrow().done();
        });
        JobHandle job = test.client().submit(Job.of("count"));
        test.awaitIdle();
        assertThat(job.get().checkpointAt()).isPresent();
        test.clock().advance(Duration.ofSeconds(5));

        assertThat(job.await(Integer.class, Duration.ofSeconds(60))).isEqualTo(7);
        assertThat(found).containsExactly(Optional.empty(), Optional.of(new Reached(7)));
    }

    @Test
    void bytesAndStreamsAreSavedAsTheyAre(TestFairlane test) {
        test.worker("bytes", Payload.class, (ctx, none) -> {
            ctx.checkpoint(new byte[] {1, 2, 3});
            byte[] first = ctx.loadCheckpoint().orElseThrow();
            ctx.checkpoint(new ByteArrayInputStream(new byte[] {4}));
            return List.of(first.length, ctx.loadCheckpoint(byte[].class).orElseThrow()[0]);
        });
        JobHandle job = test.client().submit(Job.of("bytes"));

        assertThat(job.await(Object.class, Duration.ofSeconds(60))).isEqualTo(List.of(3, 4));
    }

    @Test
    void aJobHandedOverRunsAgainAtNoCost(TestFairlane test) {
        test.worker("count", Payload.class, (ctx, none) -> {
            if (ctx.firstAttempt()) {
                ctx.checkpoint(new Reached(3));
                throw ctx.handOver();
            }
            return ctx.loadCheckpoint(Reached.class).orElseThrow().done();
        });
        JobHandle job = test.client().submit(Job.of("count"));

        assertThat(job.await(Integer.class, Duration.ofSeconds(60))).isEqualTo(3);
        JobInfo info = job.get();
        assertThat(info.attempt()).isEqualTo(1);
        assertThat(info.execution()).isEqualTo(2);
        assertThat(info.crashes()).isZero();
        assertThat(info.attempts()).isEmpty();
    }

    @Test
    void aLargeResultComesBackWhole(TestFairlane test) {
        byte[] large = new byte[1_000_000];
        large[999_999] = 7;
        test.worker("large", Payload.class, (ctx, none) -> large);
        JobHandle job = test.client().submit(Job.of("large"));

        assertThat(job.await(byte[].class, Duration.ofSeconds(60))).isEqualTo(large);
        assertThat(job.get().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job.get().result().bytes()).hasSize(1_000_000);
    }
}
