package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.testing.OnPostgres;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Semantics §3: a key is good for 24 h and as long as its job is open, whatever happens to the server in between. */
class IdempotencyKeyOnPostgresTest {
    private static final Job ORDER = Job.of("ship", 1).idempotencyKey("order-1");

    private final TestDatabase database = TestPostgres.freshDatabase();
    private TestFairlane test = OnPostgres.start(database, Instant.now());

    @AfterEach
    void close() {
        test.close();
        database.close();
    }

    @Test
    void theKeyOfAnOpenJobOutlivesTheServer() {
        JobHandle first = test.client().submit(ORDER);

        restart(Duration.ofDays(2));

        JobHandle again = test.client().submit(ORDER);
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.existing()).isTrue();
        reused(Job.of("ship", 2).idempotencyKey("order-1"));
    }

    @Test
    void theKeyOfAJobThatEndedOutlivesTheServerForADay() {
        test.worker("ship", Integer.class, (ctx, number) -> "shipped");
        JobHandle first = test.client().submit(ORDER);
        test.awaitIdle();
        assertThat(first.state()).isEqualTo(JobState.SUCCEEDED);

        restart(Duration.ofHours(1));
        JobHandle again = test.client().submit(ORDER);
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.existing()).isTrue();
        assertThat(again.stateAtSubmit()).isEqualTo(JobState.SUCCEEDED);
        reused(Job.of("ship", 2).idempotencyKey("order-1"));

        restart(Duration.ofHours(24));
        JobHandle another = test.client().submit(ORDER);
        assertThat(another.existing()).isFalse();
        assertThat(another.id()).isNotEqualTo(first.id());
    }

    /** The server stops, time passes, and it starts again. */
    private void restart(Duration later) {
        Instant stopped = test.clock().instant();
        test.close();
        test = OnPostgres.start(database, stopped.plus(later));
    }

    private void reused(Job other) {
        assertThatExceptionOfType(FairlaneException.Conflict.class)
                .isThrownBy(() -> test.client().submit(other))
                .satisfies(refused -> assertThat(refused.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED"));
    }
}
