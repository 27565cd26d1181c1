package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TypeRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker whose jobs hand over to make room, on the real server: semantics §6. */
class PreemptionTest {
    // handlers block: nobody has to wait for them
    @RegisterExtension
    static final FairlaneExtension FAIRLANE = FairlaneExtension.with(test -> test.patience(Duration.ofMillis(200)));

    record Reached(int steps) {}

    private final BlockingQueue<String> began = new LinkedBlockingQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void aLongJobMakesRoomForATenantBelowItsShareAndGoesOnFromItsCheckpoint(TestFairlane test) throws Exception {
        TypeRules rules =
                TypeRules.builder().checkpoints(true).preemptible(true).build();
        for (String tenant : List.of("many", "few")) {
            test.client(tenant).admin().putType(tenant, "train", Pool.LONG, 0, null, rules);
        }
        test.worker(worker -> worker.handle("train", String.class, (ctx, name) -> {
            Optional<Reached> reached = ctx.loadCheckpoint(Reached.class);
            began.add(name);
            while (!end.await(5, TimeUnit.MILLISECONDS)) {
                if (ctx.handOverRequested()) {
                    ctx.checkpoint(new Reached(7));
                    throw ctx.handOver();
                }
            }
            return reached.map(Reached::steps).orElse(0);
        }));
        JobHandle first = test.client("many").submit(Job.of("train", "first"));
        assertThat(began.poll(60, TimeUnit.SECONDS)).isEqualTo("first");
        JobHandle second = test.client("many").submit(Job.of("train", "second"));
        assertThat(began.poll(60, TimeUnit.SECONDS)).isEqualTo("second");
        test.clock().advance(Duration.ofSeconds(70));
        JobHandle other = test.client("few").submit(Job.of("train", "other"));
        test.clock().advance(Duration.ofSeconds(3));
        assertThat(began.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
        end.countDown();

        assertThat(second.await(Integer.class, Duration.ofSeconds(60))).isEqualTo(7);
        assertThat(first.await(Integer.class, Duration.ofSeconds(60))).isZero();
        assertThat(other.await(Integer.class, Duration.ofSeconds(60))).isZero();
        JobInfo moved = second.get();
        assertThat(moved.execution()).isEqualTo(2);
        assertThat(moved.attempt()).isEqualTo(1);
        assertThat(moved.attempts()).isEmpty();
        assertThat(moved.crashes()).isZero();
        assertThat(first.get().execution()).isEqualTo(1);
    }
}
