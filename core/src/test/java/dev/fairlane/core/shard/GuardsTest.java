package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.outcome.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Semantics §5 beyond the single job: breakers, caps, budget, quarantine, throttle, progress and age. */
class GuardsTest {
    private final Bed bed = new Bed();

    static TypeRules rules(List<String> dependencies, Map<String, Integer> caps, long progressMicros) {
        return TypeRules.saying(draft -> {
            draft.retryJitter = 0;
            draft.dependencies = dependencies;
            draft.dependencyCaps = caps;
            draft.progressWindowMicros = progressMicros;
        });
    }

    private void declare(String type, List<String> dependencies, Map<String, Integer> caps) {
        bed.send(new Command.PutType(bed.tenant, type, "short", 50, HOUR, rules(dependencies, caps, 0)));
    }

    private static Failure down(String dependency) {
        return new Failure(FailureClass.DEPENDENCY, "503", "", 0, dependency, "");
    }

    // ---- breakers

    private void openBreaker(String type, int failures) {
        for (int i = 0; i < failures; i++) {
            bed.submit(type);
        }
        List<Picked> picked = bed.pickAll();
        assertThat(picked).hasSize(failures);
        picked.forEach(p -> bed.fail(p, down("stripe")));
    }

    @Test
    void halfOfTwentyRunsFailingInTenSecondsOpenTheBreaker() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay");
        for (int i = 0; i < 10; i++) {
            bed.submit("pay");
            bed.complete(bed.mustPick());
        }
        openBreaker("pay", 9);
        assertThat(bed.notices()).as("9 of 19").isEmpty();
        openBreaker("pay", 1);
        assertThat(bed.notices()).as("10 of 20").containsExactly(Notice.Kind.DEPENDENCY_CIRCUIT_OPEN);
    }

    @Test
    void failuresFurtherApartThanTheWindowDoNotOpenIt() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay");
        openBreaker("pay", 19);
        bed.now += 12 * SECOND;
        openBreaker("pay", 1);
        assertThat(bed.notices()).isEmpty();
    }

    @Test
    void manySuccessesKeepItClosed() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay");
        for (int i = 0; i < 100; i++) {
            bed.submit("pay");
            bed.complete(bed.mustPick());
        }
        openBreaker("pay", 40);
        assertThat(bed.notices()).isEmpty();
    }

    @Test
    void whileOpenRetriesWaitAndProbesGoThroughOneByOneUntilThreeAreGood() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay");
        openBreaker("pay", 20);
        bed.passSteadily(9 * SECOND);
        assertThat(bed.pickAll())
                .as("retries were due after 1 s, the breaker holds them")
                .isEmpty();
        bed.passSteadily(2 * SECOND);
        List<Picked> first = bed.pickAll();
        assertThat(first).as("the probe after 10 s").hasSize(1);
        bed.complete(first.getFirst());
        for (int probe = 2; probe <= 3; probe++) {
            assertThat(bed.pickAll()).isEmpty();
            bed.passSteadily(5 * SECOND);
            List<Picked> next = bed.pickAll();
            assertThat(next).as("probe %d", probe).hasSize(1);
            bed.complete(next.getFirst());
        }
        assertThat(bed.notices())
                .containsExactly(Notice.Kind.DEPENDENCY_CIRCUIT_OPEN, Notice.Kind.DEPENDENCY_CIRCUIT_CLOSED);
        bed.passSteadily(SECOND);
        assertThat(bed.pickAll()).as("all others follow").hasSize(17);
    }

    @Test
    void aBadProbeStartsTheWaitAgain() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay");
        openBreaker("pay", 20);
        bed.passSteadily(11 * SECOND);
        bed.complete(bed.mustPick());
        bed.passSteadily(5 * SECOND);
        bed.fail(bed.mustPick(), down("stripe"));
        bed.passSteadily(9 * SECOND);
        assertThat(bed.pickAll()).isEmpty();
        for (int probe = 0; probe < 3; probe++) {
            bed.passSteadily(5 * SECOND);
            bed.complete(bed.mustPick());
        }
        assertThat(bed.notices())
                .containsExactly(Notice.Kind.DEPENDENCY_CIRCUIT_OPEN, Notice.Kind.DEPENDENCY_CIRCUIT_CLOSED);
    }

    @Test
    void firstAttemptsOfAnotherTypeAndOfOneThatDoesNotDeclareTheDependencyGoOn() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay", "mail");
        openBreaker("pay", 20);
        bed.submit("pay");
        bed.submit("mail");
        assertThat(bed.pickAll()).hasSize(2);
    }

    @Test
    void firstAttemptsOfATypeThatDeclaresTheDependencyWaitToo() {
        declare("pay", List.of("stripe"), Map.of());
        bed.worker(1, 100, "pay", "mail");
        openBreaker("pay", 20);
        bed.submit("pay");
        bed.submit("mail");
        List<Picked> picked = bed.pickAll();
        assertThat(picked).hasSize(1);
        bed.passSteadily(11 * SECOND);
        for (int probe = 0; probe < 3; probe++) {
            List<Picked> probes = bed.pickAll();
            assertThat(probes).hasSize(1);
            bed.complete(probes.getFirst());
            bed.passSteadily(5 * SECOND);
        }
        bed.passSteadily(SECOND);
        assertThat(bed.pickAll()).hasSize(18);
    }

    @Test
    void aJobHeldBackCanBeCancelledAndGrowsTooOld() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 100, "pay");
        openBreaker("pay", 20);
        JobId old = bed.submit(aged("pay", 8 * SECOND));
        bed.fail(bed.mustPick(), down("stripe"));
        JobId cancelled = bed.submit("pay");
        bed.fail(bed.mustPick(), down("stripe"));
        bed.passSteadily(3 * SECOND);
        assertThat(bed.state(cancelled)).isEqualTo(JobState.RETRY_WAIT);
        bed.send(new Command.Cancel(null, cancelled));
        assertThat(bed.state(cancelled)).isEqualTo(JobState.CANCELLED);
        bed.passSteadily(6 * SECOND);
        assertThat(bed.state(old)).isEqualTo(JobState.DEAD);
        assertThat(bed.ended.get(old).failure().error()).isEqualTo(RetryPolicy.MAX_AGE_EXCEEDED);
    }

    @Test
    void breakersAreBoundedPerTenant() {
        declare("pay", List.of(), Map.of());
        bed.worker(1, 200, "pay");
        for (int i = 0; i < 70; i++) {
            bed.submit("pay");
            bed.fail(bed.mustPick(), down("d" + i));
        }
        assertThat(bed.notices()).containsExactly(Notice.Kind.BREAKERS_FULL);
    }

    // ---- caps

    @Test
    void aCapBoundsTheExecutionsOfAllTypesThatDeclareTheDependency() {
        declare("pay", List.of("stripe"), Map.of("stripe", 3));
        declare("refund", List.of("stripe"), Map.of());
        bed.worker(1, 100, "pay", "refund", "mail");
        for (int i = 0; i < 5; i++) {
            bed.submit("pay");
            bed.submit("refund");
            bed.submit("mail");
        }
        List<Picked> picked = bed.pickAll();
        assertThat(picked).as("3 with stripe, 5 without").hasSize(8);
        Picked stripe = picked.stream()
                .filter(p -> !p.lease().spec().type().equals("mail"))
                .findFirst()
                .orElseThrow();
        bed.complete(stripe);
        assertThat(bed.pickAll()).hasSize(1);
    }

    @Test
    void aCapBoundsRetriesThatBlameTheDependency() {
        declare("pay", List.of("stripe"), Map.of("stripe", 1));
        bed.worker(1, 100, "pay", "other");
        JobId blaming = bed.submit("other");
        bed.fail(bed.mustPick(), down("stripe"));
        bed.submit("pay");
        Picked pay = bed.mustPick();
        bed.passSteadily(3 * SECOND);
        assertThat(bed.pickAll()).isEmpty();
        assertThat(bed.state(blaming)).isEqualTo(JobState.QUEUED);
        bed.complete(pay);
        Picked then = bed.mustPick();
        assertThat(then.lease().id()).isEqualTo(blaming);
        bed.submit("pay");
        assertThat(bed.pickAll()).as("it counts itself").isEmpty();
        bed.complete(then);
        assertThat(bed.pickAll()).hasSize(1);
    }

    @Test
    void aCapTakenAwayLetsAllIn() {
        declare("pay", List.of("stripe"), Map.of("stripe", 1));
        bed.worker(1, 100, "pay");
        for (int i = 0; i < 5; i++) {
            bed.submit("pay");
        }
        assertThat(bed.pickAll()).hasSize(1);
        declare("pay", List.of("stripe"), Map.of());
        assertThat(bed.pickAll()).hasSize(4);
    }

    // ---- budget

    @Test
    void retriesBeyondTheBudgetWaitInOrderAndAreGivenUpAfterAnHour() {
        declare("mail", List.of(), Map.of());
        bed.worker(1, 10_000, "mail");
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(bed.submit("mail"));
        }
        bed.now += 2 * MINUTE;
        List<Picked> picked = bed.pickAll();
        picked.forEach(p -> bed.fail(p, FailureClass.RESOURCE_VIOLATION));
        // the first dispatches are over a minute ago when the retries of the last wave are due
        picked.forEach(p -> assertThat(bed.state(p.lease().id())).isEqualTo(JobState.RETRY_WAIT));
        bed.now += 2 * MINUTE;
        bed.pass(0);
        List<Picked> first = bed.pickAll();
        assertThat(first).as("60 in the first minute").hasSize(60);
        assertThat(bed.notices()).contains(Notice.Kind.RETRY_BUDGET_EXCEEDED);
        first.forEach(bed::complete);
        bed.passSteadily(30 * SECOND);
        assertThat(bed.pickAll()).isEmpty();
        bed.passSteadily(40 * SECOND);
        assertThat(bed.pickAll()).as("the rest a minute later").hasSize(40);
    }

    @Test
    void twiceTheFirstDispatchesOfTheLastMinuteAreAllowed() {
        declare("mail", List.of(), Map.of());
        bed.worker(1, 10_000, "mail");
        for (int i = 0; i < 200; i++) {
            bed.submit("mail");
        }
        bed.pickAll().forEach(p -> bed.fail(p, FailureClass.RESOURCE_VIOLATION));
        bed.passSteadily(3 * SECOND);
        assertThat(bed.pickAll()).as("200 retries after 200 first dispatches").hasSize(200);
    }

    @Test
    void aRetryPostponedForAnHourIsDead() {
        declare("mail", List.of(), Map.of());
        bed.worker(1, 10_000, "mail");
        for (int i = 0; i < 5_000; i++) {
            bed.submit("mail");
        }
        bed.pickAll().forEach(p -> bed.fail(p, new Failure(FailureClass.APP_ERROR, "no", "", 2 * MINUTE)));
        for (int minute = 0; minute < 64; minute++) {
            bed.pass(MINUTE);
            bed.pickAll().forEach(bed::complete);
        }
        long dead = bed.ended.values().stream()
                .filter(end -> end.status().state() == JobState.DEAD)
                .peek(end -> assertThat(end.failure().error()).isEqualTo(RetryPolicy.RETRY_BUDGET_EXCEEDED))
                .count();
        long done = bed.ended.values().stream()
                .filter(end -> end.status().state() == JobState.SUCCEEDED)
                .count();
        assertThat(done).as("60 a minute for an hour").isBetween(3_500L, 3_720L);
        assertThat(dead).isEqualTo(5_000 - done);
    }

    @Test
    void aRateLimitedJobComesBackWithoutTheBudget() {
        bed.worker(1, 10_000, "mail");
        for (int i = 0; i < 100; i++) {
            bed.submit("mail");
        }
        bed.pickAll().forEach(p -> bed.fail(p, new Failure(FailureClass.RATE_LIMITED, "", "", 3 * MINUTE)));
        bed.passSteadily(3 * MINUTE + SECOND);
        assertThat(bed.pickAll()).hasSize(100);
    }

    // ---- quarantine

    private void poison(String type) {
        for (int i = 0; i < 20; i++) {
            bed.submit(type);
            bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        }
    }

    private long quarantinedAt(String type) {
        return bed.engine.types(bed.tenant).stream()
                .filter(t -> t.name().equals(type))
                .findFirst()
                .orElseThrow()
                .quarantinedAt();
    }

    @Test
    void aTypeFailingMoreThanHalfOfTwentyRunsIsPutInQuarantineWhereJobsHaveTwoAttempts() {
        bed.worker(1, 100, "bad");
        poison("bad");
        assertThat(quarantinedAt("bad")).isEqualTo(bed.now);
        assertThat(bed.notices()).containsExactly(Notice.Kind.TYPE_QUARANTINED);
        JobId id = bed.submit("bad");
        bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
        assertThat(bed.state(id)).isEqualTo(JobState.RETRY_WAIT);
        bed.passSteadily(2 * SECOND);
        bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
        assertThat(bed.state(id)).isEqualTo(JobState.DEAD);
        assertThat(bed.ended.get(id).failure().failureClass()).isEqualTo(FailureClass.POISON);
        assertThat(bed.ended.get(id).failure().message()).contains("no luck");
    }

    @Test
    void exactlyHalfFailingIsNoPoisonNorAreFailuresOfOthers() {
        bed.worker(1, 100, "fair");
        for (int i = 0; i < 40; i++) {
            bed.submit("fair");
            Picked picked = bed.mustPick();
            if (i % 2 == 0) {
                bed.complete(picked);
            } else {
                bed.fail(picked, FailureClass.NON_RETRYABLE);
            }
            bed.submit("fair");
            bed.fail(bed.mustPick(), new Failure(FailureClass.RATE_LIMITED, "", "", 24 * HOUR));
        }
        assertThat(quarantinedAt("fair")).isZero();
    }

    @Test
    void quarantineEndsAfterAnHourOfCalm() {
        bed.worker(1, 100, "bad");
        poison("bad");
        bed.passSteadily(59 * MINUTE);
        assertThat(quarantinedAt("bad")).isNotZero();
        bed.passSteadily(10 * MINUTE);
        assertThat(quarantinedAt("bad")).isZero();
        assertThat(bed.notices()).containsExactly(Notice.Kind.TYPE_QUARANTINED, Notice.Kind.TYPE_RELEASED);
    }

    @Test
    void aTypeThatGoesOnFailingStaysInQuarantine() {
        bed.worker(1, 100, "bad");
        poison("bad");
        for (int minute = 0; minute < 120; minute++) {
            bed.passSteadily(MINUTE);
            bed.submit("bad");
            bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        }
        assertThat(quarantinedAt("bad")).isNotZero();
    }

    @Test
    void quarantineEndsByHand() {
        bed.worker(1, 100, "bad");
        poison("bad");
        bed.send(new Command.ReleaseType(bed.tenant, "bad", true));
        assertThat(quarantinedAt("bad")).isZero();
        bed.submit("bad");
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        assertThat(quarantinedAt("bad")).as("what was before is forgiven").isZero();
        assertThat(bed.send(new Command.ReleaseType(bed.tenant, "nobody", true)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.TYPE_NOT_FOUND));
    }

    // ---- recycle throttle

    @Test
    void aTenantWhoseJobsCrashElevenWorkersAMinuteRunsOneJobAtATimeUntilItIsCalm() {
        for (int i = 0; i < 30; i++) {
            bed.submit("bomb");
        }
        for (int session = 1; session <= 11; session++) {
            bed.engine.openSession(
                    session, new WorkerOffer("w" + session, null, List.of("bomb"), Map.of("short", 1)), bed.now);
        }
        assertThat(bed.pickAll()).hasSize(11);
        for (int session = 1; session <= 11; session++) {
            bed.engine.closeSession(session);
        }
        bed.pass(11 * SECOND);
        assertThat(bed.notices()).contains(Notice.Kind.RECYCLE_THROTTLED);
        bed.worker(20, 100, "bomb");
        List<Picked> one = bed.pickAll();
        assertThat(one).hasSize(1);
        bed.complete(one.getFirst());
        assertThat(bed.pickAll()).hasSize(1);
        bed.passSteadily(61 * SECOND);
        assertThat(bed.notices()).contains(Notice.Kind.RECYCLE_CALM);
        assertThat(bed.pickAll()).hasSize(28);
    }

    @Test
    void tenWorkersOrOneManyTimesAreNoReason() {
        bed.submit("bomb");
        for (int crash = 0; crash < 15; crash++) {
            bed.worker(1, 5, "bomb");
            bed.mustPick();
            bed.engine.closeSession(1);
            bed.pass(11 * SECOND);
        }
        assertThat(bed.notices()).isEmpty();
    }

    // ---- progress and age

    @Test
    void anExecutionWithoutProgressForItsWindowTimesOut() {
        bed.send(new Command.PutType(bed.tenant, "train", "short", 0, HOUR, rules(List.of(), Map.of(), 30 * SECOND)));
        bed.worker(1, 5, "train");
        JobId id = bed.submit("train");
        Picked picked = bed.mustPick();
        bed.start(picked);
        inContact(picked, 25 * SECOND);
        bed.engine.progressed(id, picked.lease().status().token(), bed.now);
        inContact(picked, 25 * SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.RUNNING);
        inContact(picked, 5 * SECOND);
        bed.pass(2 * Bed.MILLI);
        assertThat(bed.state(id)).isEqualTo(JobState.RETRY_WAIT);
        assertThat(bed.engine.job(id).status().attempts().getLast().failureClass())
                .isEqualTo(FailureClass.TIMEOUT);
        assertThat(bed.complete(picked)).isInstanceOf(Answer.Refused.class);
    }

    private void inContact(Picked picked, long micros) {
        for (long passed = 0; passed < micros; passed += 5 * SECOND) {
            long[] lo = {picked.lease().id().lo()};
            bed.engine.renew(1, lo, new long[] {picked.lease().status().token()}, 1, bed.now);
            bed.pass(5 * SECOND);
        }
    }

    private static NewJob aged(String type, long maxAge) {
        JobTerms terms = new JobTerms(JobTerms.DEFAULT_LANE, maxAge, "", "", "", false, 0);
        return new NewJob(type, Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), terms);
    }

    @Test
    void aJobNobodyRunsIsDeadAtItsMaximumAge() {
        JobId own = bed.submit(aged("mail", MINUTE));
        JobId usual = bed.submit("mail");
        JobId later = bed.submit(Bed.later("mail", 10 * 24 * HOUR));
        bed.pass(61 * SECOND);
        assertThat(bed.state(own)).isEqualTo(JobState.DEAD);
        assertThat(bed.ended.get(own).failure().error()).isEqualTo(RetryPolicy.MAX_AGE_EXCEEDED);
        bed.pass(7 * 24 * HOUR - 2 * MINUTE);
        assertThat(bed.state(usual)).isEqualTo(JobState.QUEUED);
        bed.pass(2 * MINUTE);
        assertThat(bed.state(usual)).isEqualTo(JobState.DEAD);
        bed.pass(4 * 24 * HOUR);
        assertThat(bed.state(later)).as("its age begins when it is due").isEqualTo(JobState.QUEUED);
    }

    // ---- repeated reports

    @Test
    void aRepeatedFailureReportGetsItsFirstAnswer() {
        bed.worker(1, 5, "mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        Answer first = bed.fail(picked, FailureClass.APP_ERROR);
        assertThat(bed.fail(picked, FailureClass.APP_ERROR)).isEqualTo(first);
        bed.pass(2 * SECOND);
        assertThat(bed.fail(picked, FailureClass.APP_ERROR))
                .as("queued meanwhile")
                .isEqualTo(first);
        assertThat(bed.fail(picked, FailureClass.TIMEOUT)).as("another report").isInstanceOf(Answer.Refused.class);
        bed.mustPick();
        assertThat(bed.fail(picked, FailureClass.APP_ERROR)).as("a zombie").isInstanceOf(Answer.Refused.class);
    }

    @Test
    void aReportOfALeaseThatExpiredIsRevoked() {
        bed.worker(1, 5, "mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.engine.closeSession(1);
        bed.pass(11 * SECOND);
        assertThat(bed.fail(picked, FailureClass.WORKER_CRASH)).isInstanceOf(Answer.Refused.class);
    }
}
