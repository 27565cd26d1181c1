package dev.fairlane.sdk.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.sdk.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of time, on a clock that a test moves. Handlers are not started: whatever ends an execution here is a rule. */
class HeldLeasesTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final List<Execution> ended = new ArrayList<>();
    private final List<Execution> started = new ArrayList<>();
    private final HeldLeases held = new HeldLeases(TimeUnit.SECONDS.toNanos(2));
    private long token;

    private final Execution.Executions worker = new Execution.Executions() {
        @Override
        public Codec codec() {
            return new Codec(null);
        }

        @Override
        public long nanos() {
            return clock.get();
        }

        @Override
        public void ended(Execution execution) {
            ended.add(execution);
        }
    };

    private Execution lease(long leaseMillis, long limitMillis) {
        Execution execution = new Execution(
                Lease.newBuilder()
                        .setLease(LeaseRef.newBuilder().setToken(++token))
                        .setLeaseMs(leaseMillis)
                        .setTimeLimitMs(limitMillis)
                        .build(),
                null,
                worker);
        assertThat(held.add(execution)).isTrue();
        return execution;
    }

    private long after(long millis) {
        return clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private long scan() {
        return held.scan(clock.get(), started::add);
    }

    @Test
    void aLeaseThatIsNotRenewedEndsALittleBeforeItRunsOut() {
        Execution job = lease(10_000, 0);
        after(9_499);
        scan();
        assertThat(job.running()).isTrue();
        job.checkLease();

        after(2);
        scan();
        assertThat(job.running()).isFalse();
        assertThat(held.isEmpty()).isTrue();
        assertThat(ended).as("nothing is told of it").isEmpty();
        assertThatThrownBy(job::checkLease).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void onlyWhatAHeartbeatListedIsRenewedByIt() {
        Execution early = lease(10_000, 0);
        long sent = after(3_000);
        assertThat(held.listedIn(7)).hasSize(1);
        Execution late = lease(10_000, 0);
        after(100);
        held.renewed(7, sent);
        assertThat(early.leaseEndNanos - sent).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(late.leaseEndNanos - sent).isEqualTo(TimeUnit.SECONDS.toNanos(10));

        held.listedIn(8);
        long later = after(3_000);
        held.renewed(7, later);
        assertThat(early.leaseEndNanos - later).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(late.leaseEndNanos - sent).isEqualTo(TimeUnit.SECONDS.toNanos(10));
    }

    @Test
    void shortJobsSayThatTheyStartedOnlyAfterAWhileAndOthersAtOnce() {
        Execution brief = lease(10_000, 0);
        Execution medium = lease(60_000, 0);
        scan();
        assertThat(started).containsExactly(medium);
        after(49);
        scan();
        assertThat(started).hasSize(1);
        after(1);
        scan();
        scan();
        assertThat(started).containsExactly(medium, brief);
    }

    @Test
    void aHandlerThatIgnoresItsTimeLimitIsReportedWithoutIt() {
        Execution job = lease(90_000, 1_000);
        after(1_000);
        scan();
        assertThat(job.timedOut()).isTrue();
        assertThat(job.timeLeft()).isEqualTo(Duration.ZERO);
        assertThat(ended).isEmpty();
        after(4_999);
        scan();
        assertThat(ended).isEmpty();
        after(1);
        scan();
        assertThat(ended).containsExactly(job);
        assertThat(failureClass(job)).isEqualTo("TIMEOUT");
        assertThat(held.isEmpty()).as("kept until it is acked").isFalse();
    }

    @Test
    void theNextScanIsWhenSomethingIsDue() {
        lease(60_000, 700);
        long now = clock.get();
        assertThat(scan() - now).isEqualTo(TimeUnit.MILLISECONDS.toNanos(700));
        lease(10_000, 0);
        assertThat(scan() - now).isEqualTo(HeldLeases.STARTED_AFTER_NANOS);
    }

    @Test
    void outcomesAreKeptPastTheirLeaseUntilTheyAreAcked() {
        Execution job = lease(10_000, 0);
        job.run(); // no handler: an outcome nevertheless
        after(60_000);
        scan();
        assertThat(job.ended()).isTrue();
        assertThat(held.isEmpty()).isFalse();

        held.acked(job.ref(), false);
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void aLeaseIsHeldOnce() {
        Execution job = lease(10_000, 0);
        assertThat(held.add(job)).isFalse();
        assertThat(held.get(job.ref())).isSameAs(job);
    }

    private static @Nullable String failureClass(Execution job) {
        var failure = job.failed();
        return failure == null ? null : failure.getFailureClass();
    }
}
