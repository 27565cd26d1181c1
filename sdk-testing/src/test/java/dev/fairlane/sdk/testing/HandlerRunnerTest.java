package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.FencingToken;
import dev.fairlane.sdk.Handler;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.RetryAfterException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class HandlerRunnerTest {
    record Answer(String text) {}

    @Test
    void theResultIsWhatWhoeverAwaitsTheJobWouldRead() {
        HandlerOutcome outcome = HandlerRunner.run((ctx, name) -> new Answer("hello " + name), "ann");
        assertThat(outcome.succeeded()).isTrue();
        assertThat(outcome.result(Answer.class)).isEqualTo(new Answer("hello ann"));
        assertThat(outcome.failureClass()).isEmpty();
    }

    @Test
    void whatIsThrownHasTheClassTheServerWouldSee() {
        assertThat(HandlerRunner.run((ctx, _) -> thrown(new NonRetryableException("no")), "")
                        .failureClass())
                .contains("NON_RETRYABLE");
        assertThat(HandlerRunner.run((ctx, _) -> thrown(new RetryAfterException(Duration.ofSeconds(1), "later")), "")
                        .failureClass())
                .contains("RATE_LIMITED");
        HandlerOutcome outcome = HandlerRunner.run((ctx, _) -> thrown(new IllegalStateException("broken")), "");
        assertThat(outcome.failureClass()).contains("APP_ERROR");
        assertThatThrownBy(outcome::orThrow).isInstanceOf(AssertionError.class).hasMessageContaining("broken");
    }

    @Test
    void anotherAttemptHasTheSameEffectKeyAndAGreaterToken() {
        TestJobContext first = TestJobContext.of("mail");
        TestJobContext second = first.next();
        TestJobContext third = second.nextAfterCrash();
        assertThat(third.effectKey()).isEqualTo(first.effectKey()).hasToString(first.id());
        assertThat(first.fencingToken()).isLessThan(second.fencingToken());
        assertThat(third.fencingToken()).isEqualTo(new FencingToken(3));
        assertThat(third.attempt()).isEqualTo(2);
        assertThat(first.firstAttempt()).isTrue();
        assertThat(third.firstAttempt()).isFalse();
    }

    @Test
    void cancelAndLostLeaseReachTheHandler() {
        TestJobContext context = TestJobContext.of("mail");
        context.loseLease();
        context.cancel();
        assertThat(context.leaseValid()).isFalse();
        assertThat(HandlerRunner.run(
                                context,
                                (ctx, _) -> {
                                    ctx.checkLease();
                                    return null;
                                },
                                "")
                        .thrown())
                .containsInstanceOf(LeaseLostException.class);
        assertThat(HandlerRunner.run(
                                context,
                                (ctx, _) -> {
                                    ctx.throwIfCancelled();
                                    return null;
                                },
                                "")
                        .thrown())
                .containsInstanceOf(CancellationException.class);
    }

    @Test
    void theNextAttemptGoesOnFromTheCheckpoint() {
        TestJobContext first = TestJobContext.of("import");
        first.requestHandOver();
        Handler<Integer> importing = (ctx, rows) -> {
            int from = ctx.loadCheckpoint(Integer.class).orElse(0);
            ctx.heartbeat(from / (double) rows);
            if (ctx.handOverRequested()) {
                ctx.checkpoint(from + 7);
                throw ctx.handOver();
            }
            return from;
        };
        HandlerOutcome outcome = HandlerRunner.run(first, importing, 10);
        assertThat(outcome.handedOver()).isTrue();
        assertThat(outcome.failureClass()).isEmpty();
        TestJobContext second = first.nextAfterCrash();
        assertThat(HandlerRunner.run(second, importing, 10).result()).isEqualTo(7);
        assertThat(second.progress()).isEqualTo(0.7);
        second.loseLease();
        assertThatThrownBy(() -> second.checkpoint(8)).isInstanceOf(LeaseLostException.class);
    }

    private static Object thrown(RuntimeException exception) {
        throw exception;
    }
}
