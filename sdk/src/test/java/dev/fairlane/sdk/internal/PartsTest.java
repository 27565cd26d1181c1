package dev.fairlane.sdk.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.Welcome;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.RetryAfterException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The small parts of the worker, each by itself. */
class PartsTest {
    @Test
    void pausesGrowUpToTheirBoundWithJitter() {
        Backoff backoff = new Backoff(100, 1_000);
        for (long expected : new long[] {100, 200, 400, 800, 1_000, 1_000}) {
            assertThat(TimeUnit.NANOSECONDS.toMillis(backoff.nextNanos())).isBetween(expected / 2, expected);
        }
        backoff.reset();
        assertThat(TimeUnit.NANOSECONDS.toMillis(backoff.nextNanos())).isBetween(50L, 100L);
    }

    @Test
    void aHeartbeatCountsWhenItIsHeard() {
        Beats beats = new Beats();
        beats.next(0);
        beats.welcomed(
                Welcome.newBuilder()
                        .setHeartbeatMs(3_000)
                        .setHeartbeatAcks(true)
                        .build(),
                10);
        assertThat(beats.confirmed()).isEqualTo(1);
        long second = seconds(3);
        assertThat(beats.due(second + 10)).isTrue();
        assertThat(beats.next(second)).isEqualTo(2);
        assertThat(beats.sent(second)).isFalse();
        assertThat(beats.unheard(second + seconds(9))).isFalse();
        assertThat(beats.unheard(second + seconds(9) + 1)).isTrue();

        assertThat(beats.confirm(3)).as("never sent").isFalse();
        assertThat(beats.confirm(2)).isTrue();
        assertThat(beats.confirm(2)).isFalse();
        assertThat(beats.confirmedSentNanos()).isEqualTo(second);
        assertThat(beats.unheard(second + seconds(60))).isFalse();
    }

    @Test
    void withAServerThatDoesNotAnswerHeartbeatsSendingIsAllThereIs() {
        Beats beats = new Beats();
        beats.next(0);
        beats.welcomed(Welcome.getDefaultInstance(), 0);
        beats.next(seconds(3));
        assertThat(beats.sent(seconds(3))).isTrue();
        assertThat(beats.confirmed()).isEqualTo(2);
    }

    @Test
    void theOutboxLosesNothingAndKeepsTheOrderOfEachHandler() throws Exception {
        Outbox outbox = new Outbox();
        List<Thread> handlers = new ArrayList<>();
        for (int h = 0; h < 4; h++) {
            int handler = h;
            handlers.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 5_000; i++) {
                    outbox.put(execution(handler, i));
                }
            }));
        }
        Set<LeaseKey> seen = new HashSet<>();
        long[] last = {-1, -1, -1, -1};
        while (seen.size() < 20_000) {
            for (Execution taken = outbox.takeAll(); taken != null; taken = taken.next) {
                assertThat(seen.add(taken.key)).isTrue();
                int handler = (int) taken.key.idHigh();
                assertThat(taken.key.token()).isGreaterThan(last[handler]);
                last[handler] = taken.key.token();
            }
            Thread.onSpinWait();
        }
        for (Thread handler : handlers) {
            handler.join();
        }
        assertThat(outbox.isEmpty()).isTrue();
    }

    private static Execution execution(long handler, long number) {
        return new Execution(
                Lease.newBuilder()
                        .setLease(LeaseRef.newBuilder().setIdHi(handler).setToken(number))
                        .build(),
                null,
                new Execution.Executions() {
                    @Override
                    public Codec codec() {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public long nanos() {
                        return 0;
                    }

                    @Override
                    public void ended(Execution execution) {}
                });
    }

    @Test
    void failuresAreBounded() {
        Throwable deep = new IllegalStateException("x".repeat(5_000));
        for (int i = 0; i < 200; i++) {
            deep = new IllegalStateException("level " + i, deep);
        }
        var failure = Outcomes.thrown(LeaseRef.getDefaultInstance(), deep);
        assertThat(failure.getDetail())
                .hasSizeLessThanOrEqualTo(Outcomes.DETAIL_CHARS_MAX)
                .contains("level 199");
        assertThat(Outcomes.thrown(LeaseRef.getDefaultInstance(), new Error("x".repeat(5_000)))
                        .getMessage())
                .hasSize(Outcomes.MESSAGE_CHARS_MAX)
                .endsWith("…");
        assertThat(Outcomes.bounded("ab😀cd", 4)).isEqualTo("ab…");
        assertThat(Outcomes.thrown(
                                LeaseRef.getDefaultInstance(),
                                new RetryAfterException(Duration.ofDays(1_000), "much later"))
                        .getRetryAfterMs())
                .isEqualTo(Duration.ofDays(7).toMillis());
    }

    @Test
    void payloadsAreReadAsTheyAreAskedFor() {
        Codec codec = new Codec(null);
        ByteString json = ByteString.copyFromUtf8("\"a\"");
        assertThat(codec.decode(json, "", String.class)).isEqualTo("a");
        assertThat(codec.decode(json, "text/plain", String.class)).isEqualTo("\"a\"");
        assertThat(codec.decode(json, "", Payload.class)).isEqualTo(Payload.json("\"a\""));
        assertThat(codec.decode(json, "", byte[].class)).hasSize(3);
        assertThat(codec.decode(ByteString.EMPTY, "", Integer.class)).isNull();
        assertThat(codec.encode(Payload.json("1")).contentType()).isEmpty();
        assertThat(codec.encode("a").bytes()).isEqualTo(json);
        assertThat(codec.encode(null).bytes().isEmpty()).isTrue();
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
