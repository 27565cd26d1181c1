package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.fairlane.sdk.DeadLetters;
import dev.fairlane.sdk.DeadLetters.Filter;
import dev.fairlane.sdk.DeadLetters.ReplayOutcome;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The dead-letter queue as the SDK shows it, on the real server. */
@ExtendWith(FairlaneExtension.class)
class DeadLettersTest {
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private TestFairlane test;
    private DeadLetters dead;

    @BeforeEach
    void start(TestFairlane given) {
        test = given;
        dead = test.client().deadLetters();
        for (String type : List.of("mail", "sms")) {
            test.worker(type, String.class, (ctx, to) -> {
                if (broken.get() || to.isEmpty()) {
                    throw new NonRetryableException("No such user '" + to + "'");
                }
                return "sent to " + to;
            });
        }
    }

    @Test
    void theyAreListedFilteredAndCounted() {
        Instant before = test.clock().instant();
        JobHandle ann = die("mail", "ann");
        test.clock().advance(Duration.ofHours(2));
        Instant between = test.clock().instant();
        JobHandle bob = die("mail", "bob");
        JobHandle cid = die("sms", "cid");
        await().until(() -> ids(Filter.ALL).size() == 3);

        assertThat(ids(Filter.ALL)).as("the last to die first").containsExactly(cid.id(), bob.id(), ann.id());
        assertThat(ids(Filter.ALL.type("mail"))).containsExactly(bob.id(), ann.id());
        assertThat(ids(Filter.ALL.text("USER 'ann"))).containsExactly(ann.id());
        assertThat(ids(Filter.ALL.failureClass("TIMEOUT"))).isEmpty();
        assertThat(ids(Filter.ALL.failureClass("NON_RETRYABLE"))).hasSize(3);
        assertThat(ids(Filter.ALL.between(before, between))).containsExactly(ann.id());
        assertThat(ids(Filter.ALL.between(between, null).type("sms"))).containsExactly(cid.id());
        assertThat(ids(Filter.ALL.tenant("default"))).hasSize(3);
        assertThat(dead.summary(Filter.ALL))
                .extracting("tenant", "type", "failureClass", "count", "lastHour")
                .containsExactly(
                        tuple("default", "mail", "NON_RETRYABLE", 2L, 1L),
                        tuple("default", "sms", "NON_RETRYABLE", 1L, 1L));
        assertThat(test.client("acme").deadLetters().list(Filter.ALL))
                .as("nobody sees another tenant's")
                .isEmpty();
    }

    @Test
    void oneIsReplayedWithItsIdAndAFreshCount() {
        JobHandle job = die("mail", "ann");
        broken.set(false);

        assertThat(dead.replay(job.id(), "ann is back")).isEqualTo(ReplayOutcome.REPLAYED);

        JobInfo done = job.await(Duration.ofSeconds(60));
        assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(done.result(String.class)).isEqualTo("sent to ann");
        assertThat(done.attempt()).as("counted anew").isEqualTo(1);
        assertThat(done.execution()).isEqualTo(2);
        assertThat(done.attempts()).as("what was before is kept").hasSize(1);
        assertThat(dead.replay(job.id(), "once more")).isEqualTo(ReplayOutcome.NOT_DEAD);
    }

    @Test
    void oneIsReplayedWithAnotherPayload() {
        JobHandle job = die("mail", "");
        broken.set(false);

        assertThat(dead.replay(job.id(), "ann", "the address was missing")).isEqualTo(ReplayOutcome.REPLAYED);

        assertThat(job.await(Duration.ofSeconds(60)).result(String.class)).isEqualTo("sent to ann");
    }

    @Test
    void manyAreReplayedWhenTheCanariesLive() {
        for (int i = 0; i < 10; i++) {
            die("mail", "user " + i);
        }
        die("sms", "bob");
        await().until(() -> ids(Filter.ALL).size() == 11);

        Operation failed = ended(dead.replayAll(Filter.ALL.type("mail"), 0, 2, "try"));
        assertThat(failed.state()).as("the canaries die again").isEqualTo("stopped");
        assertThat(failed.done()).isEqualTo(2);

        broken.set(false);
        await().until(() -> ids(Filter.ALL).size() == 11);
        Operation done = ended(dead.replayAll(Filter.ALL.type("mail"), 0, 2, "mended"));
        assertThat(done.state()).isEqualTo("done");
        assertThat(done.done()).isEqualTo(10);
        await().untilAsserted(() -> assertThat(ids(Filter.ALL)).hasSize(1));
    }

    @Test
    void theyArePurged() {
        die("mail", "ann");
        JobHandle kept = die("sms", "bob");
        await().until(() -> ids(Filter.ALL).size() == 2);

        Operation purged = ended(dead.purge(Filter.ALL.type("mail"), "of no use"));

        assertThat(purged.state()).isEqualTo("done");
        assertThat(purged.done()).isEqualTo(1);
        assertThat(ids(Filter.ALL)).containsExactly(kept.id());
    }

    private JobHandle die(String type, String to) {
        JobHandle job = test.client().submit(Job.of(type, to));
        assertThat(job.await(Duration.ofSeconds(60)).state()).isEqualTo(JobState.DEAD);
        return job;
    }

    private List<String> ids(Filter filter) {
        return dead.list(filter).map(JobInfo::id).toList();
    }

    /** The operation looks again after a while, so time has to pass. */
    private Operation ended(Operation begun) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            test.clock().advance(Duration.ofSeconds(1));
            return test.client().operations().get(begun.id()).ended();
        });
        return test.client().operations().get(begun.id());
    }
}
