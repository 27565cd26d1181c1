package dev.fairlane.e2e.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.Event.Acked;
import dev.fairlane.e2e.history.Event.Allowed;
import dev.fairlane.e2e.history.Event.Answered;
import dev.fairlane.e2e.history.Event.AuditRead;
import dev.fairlane.e2e.history.Event.Audited;
import dev.fairlane.e2e.history.Event.CancelAnswered;
import dev.fairlane.e2e.history.Event.CancelHeard;
import dev.fairlane.e2e.history.Event.Capped;
import dev.fairlane.e2e.history.Event.ChainRead;
import dev.fairlane.e2e.history.Event.Contact;
import dev.fairlane.e2e.history.Event.Ended;
import dev.fairlane.e2e.history.Event.Healed;
import dev.fairlane.e2e.history.Event.Held;
import dev.fairlane.e2e.history.Event.Listed;
import dev.fairlane.e2e.history.Event.Read;
import dev.fairlane.e2e.history.Event.Refused;
import dev.fairlane.e2e.history.Event.Scheduled;
import dev.fairlane.e2e.history.Event.Started;
import dev.fairlane.e2e.history.Event.Struck;
import dev.fairlane.e2e.history.Event.Submitting;
import dev.fairlane.e2e.history.Event.Ticked;
import dev.fairlane.e2e.history.Event.Unknown;
import dev.fairlane.e2e.history.Event.Unscheduled;
import dev.fairlane.e2e.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Forged histories: the checker accepts the good one and finds every lie. Times are milliseconds here. */
class CheckerTest {
    private static final long MS = 1_000_000;

    private static final String LIMIT = "key/acme/db";

    /**
     * A keyed job that failed once and then succeeded, a waiting job that was cancelled, a running one that was cancelled; two executions
     * at once under a limit of two, followed by a third; a quota of one for jobs of type slow.
     */
    private final List<Event> events = new ArrayList<>(List.of(
            new Contact(1 * MS, "w1", true),
            new Submitting(10 * MS, 1, "acme/k", "flaky"),
            new Unknown(20 * MS, 1, "UNAVAILABLE"),
            new Submitting(21 * MS, 1, "acme/k", "flaky"),
            new Acked(22 * MS, 1, "a"),
            new Started(30 * MS, "w1", "a", 100, 1),
            new Ended(40 * MS, "w1", "a", 100, false),
            new Answered(42 * MS, "w1", "a", 100, true),
            new Started(50 * MS, "w1", "a", 200, 2),
            new Ended(60 * MS, "w1", "a", 200, true),
            new Answered(62 * MS, "w1", "a", 200, true),
            new Submitting(100 * MS, 2, Event.NONE, "quick"),
            new Acked(101 * MS, 2, "b"),
            new CancelAnswered(110 * MS, "b", "CANCELLED"),
            new Submitting(200 * MS, 3, Event.NONE, "slow"),
            new Acked(201 * MS, 3, "c"),
            new Started(210 * MS, "w1", "c", 300, 1),
            new CancelAnswered(300 * MS, "c", "CANCEL_REQUESTED"),
            new CancelHeard(310 * MS, "w1", "c", 300),
            new Ended(320 * MS, "w1", "c", 300, false),
            new Submitting(400 * MS, 4, Event.NONE, "quick"),
            new Refused(401 * MS, 4, "INVALID_PAYLOAD"),
            new Scheduled(500 * MS, "acme/s", 7_000_000, 1_000_000),
            new Ticked(600 * MS, "w1", "t7", "acme/s", 7_000_000, 7_001_000),
            new Ticked(700 * MS, "w1", "t8", "acme/s", 8_000_000, 9_500_000),
            new Ticked(701 * MS, "w2", "t8", "acme/s", 8_000_000, 9_600_000),
            new Unscheduled(800 * MS, "acme/s", 8_000_000),
            new Capped(2 * MS, LIMIT, 2, 3_000 * MS),
            new Allowed(2 * MS, "slow", 1),
            new Held(1_000 * MS, "w1", "x", 11, LIMIT),
            new Held(1_100 * MS, "w2", "y", 12, LIMIT),
            new Held(1_200 * MS, "w1", "x", 11, LIMIT),
            new Held(1_201 * MS, "w1", "z", 13, LIMIT),
            new Held(1_300 * MS, "w2", "y", 12, LIMIT),
            new Held(1_400 * MS, "w1", "z", 13, LIMIT)));

    CheckerTest() {
        everythingIsRead(5_000, "drained");
        everythingIsRead(6_000, "restarted");
    }

    private void everythingIsRead(long at, String pass) {
        events.add(new Read((at + 1) * MS, at * MS, pass, "a", "SUCCEEDED", 200, 1, "acme/k"));
        events.add(new Read((at + 1) * MS, at * MS, pass, "b", "CANCELLED", 0, 2, Event.NONE));
        events.add(new Read((at + 1) * MS, at * MS, pass, "c", "CANCELLED", 0, 3, Event.NONE));
        events.add(new Listed(at * MS, pass, "a", "SUCCEEDED"));
        events.add(new Listed(at * MS, pass, "b", "CANCELLED"));
        events.add(new Listed(at * MS, pass, "c", "CANCELLED"));
        events.add(new AuditRead(at * MS, pass));
        events.add(new ChainRead(at * MS, pass, "acme", true));
        events.add(new Audited((at + 1) * MS, pass, "acme", 1, "job.cancel", "job/b"));
        events.add(new Audited((at + 1) * MS, pass, "acme", 2, "job.cancel", "job/c"));
    }

    @Test
    void anHonestHistoryIsAccepted() {
        Findings findings = Checker.check(History.of(events));
        assertThat(findings.violations()).isEmpty();
        assertThat(findings.seen()).isEqualTo(new Findings.Seen(3, 1, 3, 1, 0, 1, 1, 4, 2, 2));
    }

    @Test
    void aTickThatMadeTwoJobsIsFound() {
        assertFound(Rule.TICK_DOUBLED, new Ticked(710 * MS, "w1", "t9", "acme/s", 8_000_000, 9_700_000));
        assertFound(Rule.TICK_DOUBLED, new Ticked(710 * MS, "w1", "t9", "acme/s", 8_300_000, 9_700_000));
    }

    @Test
    void aTickBeforeItsTimeIsFound() {
        assertFound(Rule.TICK_EARLY, new Ticked(710 * MS, "w1", "t9", "acme/s", 9_000_000, 8_900_000));
    }

    @Test
    void aTickThatNeverRanIsFound() {
        replace(e -> e instanceof Unscheduled, new Unscheduled(800 * MS, "acme/s", 9_000_000));
        assertFound(Rule.TICK_MISSED);
        events.removeIf(e -> e instanceof Unscheduled);
        assertFound(Rule.NOT_READ);
    }

    @Test
    void aCancelThatIsNotInTheAuditOnceIsFound() {
        events.add(new Audited(5_001 * MS, "drained", "acme", 3, "job.cancel", "job/c"));
        assertFound(Rule.AUDIT_MISSING);
        events.removeIf(e -> e instanceof Audited entry && entry.target().equals("job/c"));
        assertFound(Rule.AUDIT_MISSING);
    }

    @Test
    void anAuditThatComesBackEmptyIsFound() {
        events.removeIf(e -> e instanceof Audited || e instanceof ChainRead);
        assertFound(Rule.AUDIT_MISSING);
    }

    @Test
    void aChainThatDoesNotHoldIsFound() {
        events.add(new ChainRead(6_000 * MS, "restarted", Event.NONE, false));
        assertFound(Rule.AUDIT_BROKEN);
    }

    @Test
    void moreAtOnceThanALimitSaysIsFound() {
        assertFound(
                Rule.OVER_LIMIT,
                new Held(1_150 * MS, "w3", "v", 14, LIMIT),
                new Held(1_190 * MS, "w3", "v", 14, LIMIT));
    }

    @Test
    void twoLeasesOfOneJobAtOnceAreTwo() {
        assertFound(
                Rule.OVER_LIMIT,
                new Held(1_150 * MS, "w2", "x", 15, LIMIT),
                new Held(1_190 * MS, "w2", "x", 15, LIMIT));
    }

    @Test
    void aHolderThatOnlySaysSoOnceIsCountedToo() {
        assertFound(Rule.OVER_LIMIT, new Held(1_150 * MS, "w3", "v", 14, LIMIT));
    }

    @Test
    void aLeaseThatMayHaveRunOutIsNotCounted() {
        // held for less than its time and never renewed for all one knows: only the first half of that time is sure
        events.add(new Held(2_000 * MS, "w3", "v", 14, LIMIT));
        events.add(new Held(4_900 * MS, "w3", "v", 14, LIMIT));
        twoMoreAt(4_000);
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aLeaseThatWasRenewedIsCounted() {
        events.add(new Held(1_500 * MS, "w3", "v", 14, LIMIT));
        events.add(new Held(4_900 * MS, "w3", "v", 14, LIMIT));
        twoMoreAt(4_000);
        assertFound(Rule.OVER_LIMIT);
    }

    @Test
    void aLeaseThatCameOutOfTheSocketOfAWorkerThatJustWokeUpIsExcused() {
        events.add(new Struck(500 * MS, Pauses.FAULT, "w3"));
        events.add(new Healed(1_000 * MS, "w3"));
        events.add(new Held(1_150 * MS, "w3", "v", 14, LIMIT));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aLimitNobodyWasToldOfProvesNothing() {
        assertFound(Rule.NOT_READ, new Held(1_150 * MS, "w3", "v", 14, "key/acme/other"));
    }

    @Test
    void oneJobMoreThanTheQuotaIsFound() {
        events.add(new Submitting(500 * MS, 5, Event.NONE, "slow"));
        assertFound(Rule.OVER_QUOTA, new Acked(501 * MS, 5, "z"));
        // a call without an answer counts when its job is there
        events.add(new Unknown(501 * MS, 5, "UNAVAILABLE"));
        assertFound(Rule.OVER_QUOTA, another(5, Event.NONE));
    }

    @Test
    void aNewMonthBringsANewQuota() {
        events.add(new Submitting(500 * MS, 5, Event.NONE, "slow"));
        events.add(new Unknown(501 * MS, 5, "UNAVAILABLE"));
        events.add(another(5, Event.NONE));
        events.add(new Allowed(5_000 * MS, "slow", 1));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aJobThatIsNotFoundIsLost() {
        replace(
                is("restarted", "b"),
                new Read(6_001 * MS, 6_000 * MS, "restarted", "b", Event.NOT_FOUND, 0, 0, Event.NONE));
        assertFound(Rule.LOST);
        assertThat(Checker.check(History.of(events)).lost()).isEqualTo(1);
    }

    @Test
    void aJobThatIsMissingFromTheListIsLost() {
        events.removeIf(e ->
                e instanceof Listed row && row.job().equals("c") && row.pass().equals("drained"));
        assertFound(Rule.LOST);
    }

    @Test
    void aJobThatNeverEndsIsLost() {
        replace(is("drained", "c"), new Read(5_001 * MS, 5_000 * MS, "drained", "c", "QUEUED", 0, 3, Event.NONE));
        assertThat(Checker.check(History.of(events)).lost()).isEqualTo(1);
        assertFound(Rule.NEVER_ENDED);
    }

    @Test
    void anEndThatChangesOverARestartIsFound() {
        replace(is("restarted", "b"), new Read(6_001 * MS, 6_000 * MS, "restarted", "b", "DEAD", 0, 2, Event.NONE));
        assertFound(Rule.END_CHANGED);
    }

    @Test
    void anEndThatIsTakenBackWhileTheRunGoesOnIsFound() {
        events.add(new Read(70 * MS, 69 * MS, Event.NONE, "a", "SUCCEEDED", 200, 1, "acme/k"));
        events.add(new Read(80 * MS, 79 * MS, Event.NONE, "a", "QUEUED", 0, 1, "acme/k"));
        assertFound(Rule.END_CHANGED);
    }

    @Test
    void readsThatOverlapMayBeHeardInAnyOrder() {
        events.add(new Read(70 * MS, 61 * MS, Event.NONE, "a", "SUCCEEDED", 200, 1, "acme/k"));
        events.add(new Read(80 * MS, 60 * MS, Event.NONE, "a", "RUNNING", 0, 1, "acme/k"));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aJobWithTwoRowsIsFound() {
        events.add(new Listed(5_000 * MS, "drained", "a", "DEAD"));
        assertFound(Rule.LISTED_TWICE);
        assertFound(Rule.END_CHANGED, new Listed(5_500 * MS, "drained", "a", "DEAD"));
    }

    @Test
    void aSuccessNobodyWorkedForIsFound() {
        events.removeIf(e -> e instanceof Ended end && end.succeeded());
        assertFound(Rule.END_WITHOUT_EFFECT);
    }

    @Test
    void aRunAfterTheEndIsFound() {
        assertFound(Rule.STARTED_AFTER_END, new Started(5_500 * MS, "w1", "c", 400, 2));
    }

    @Test
    void aStaleSuccessIsFoundInTheResult() {
        events.add(new Started(55 * MS, "w2", "a", 250, 3));
        assertFound(Rule.STALE_ACCEPTED);
    }

    @Test
    void aStaleFailureIsFoundInTheAnswer() {
        replace(e -> e instanceof Started start && start.token() == 200, new Started(35 * MS, "w2", "a", 200, 2));
        assertFound(Rule.STALE_ACCEPTED);
    }

    @Test
    void aStaleOutcomeThatWasRefusedIsFine() {
        events.add(new Started(25 * MS, "w2", "a", 50, 0));
        events.add(new Ended(45 * MS, "w2", "a", 50, true));
        events.add(new Answered(46 * MS, "w2", "a", 50, false));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aTokenThatDoesNotGrowIsFound() {
        replace(e -> e instanceof Started start && start.token() == 200, new Started(50 * MS, "w1", "a", 90, 2));
        assertFound(Rule.TOKEN_REPEATED);
    }

    @Test
    void aLeaseGivenToTwoWorkersIsFound() {
        assertFound(Rule.TOKEN_REPEATED, new Started(51 * MS, "w2", "a", 200, 2));
    }

    @Test
    void aKeyThatLedToTwoJobsIsFound() {
        assertFound(Rule.KEY_DOUBLED, new Acked(30 * MS, 1, "z"));
    }

    @Test
    void aKeyWhoseLostCallMadeAnotherJobIsFound() {
        assertFound(Rule.KEY_DOUBLED, another(1, "acme/k"));
    }

    @Test
    void aRepeatedCallThatIsRefusedAsReusedIsFound() {
        assertFound(Rule.KEY_FORGOTTEN, new Refused(80 * MS, 1, "IDEMPOTENCY_KEY_REUSED"));
    }

    @Test
    void theSameKeyOfAnotherTenantIsAnotherKey() {
        events.add(new Submitting(500 * MS, 5, "globex/k", "quick"));
        events.add(new Unknown(501 * MS, 5, "UNAVAILABLE"));
        events.add(another(5, "globex/k"));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aCallThatWasDoneTwiceIsFound() {
        assertFound(Rule.INVENTED, another(2, Event.NONE));
    }

    @Test
    void aRefusedCallThatWasDoneIsFound() {
        assertFound(Rule.REFUSED_BUT_DONE, another(4, Event.NONE));
    }

    @Test
    void aJobNobodySubmittedIsFound() {
        assertFound(Rule.INVENTED, another(99, Event.NONE));
    }

    @Test
    void aStartAfterTheAckedCancelIsFound() {
        assertFound(Rule.STARTED_AFTER_CANCEL, new Started(111 * MS, "w1", "b", 150, 1));
    }

    @Test
    void aStartAfterTheCancelIsExcusedInAWorkerThatJustWokeUp() {
        events.add(new Struck(90 * MS, Pauses.FAULT, "w2"));
        events.add(new Healed(4_000 * MS, "w2"));
        events.add(new Started(4_001 * MS, "w2", "b", 150, 1));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aCancelThatIsHeardTooLateIsFound() {
        replace(e -> e instanceof CancelHeard, new CancelHeard(1_400 * MS, "w1", "c", 300));
        replace(e -> e instanceof Ended end && end.job().equals("c"), new Ended(1_500 * MS, "w1", "c", 300, false));
        assertFound(Rule.CANCEL_UNHEARD);
    }

    @Test
    void aCancelThatIsNeverHeardIsFound() {
        events.removeIf(e -> e instanceof CancelHeard);
        replace(e -> e instanceof Ended end && end.job().equals("c"), new Ended(4_000 * MS, "w1", "c", 300, true));
        assertFound(Rule.CANCEL_UNHEARD);
    }

    @Test
    void anAttemptThatWasReplacedNeedNotHearOfTheCancel() {
        events.add(new Contact(2 * MS, "w2", true));
        events.add(new Started(205 * MS, "w2", "c", 290, 0));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void aWorkerKilledInAPauseIsNotInContactWhenThePauseEnds() {
        events.removeIf(e -> e instanceof CancelHeard);
        events.removeIf(e -> e instanceof Ended end && end.job().equals("c"));
        events.add(new Struck(250 * MS, Pauses.FAULT, "w1"));
        events.add(new Struck(260 * MS, "kill_worker", "w1"));
        events.add(new Healed(270 * MS, "w1"));
        assertThat(Checker.check(History.of(events)).violations())
                .noneMatch(violation -> violation.rule() == Rule.CANCEL_UNHEARD);
    }

    @Test
    void theSecondIsCountedFromTheContactAfterAFault() {
        replace(e -> e instanceof CancelHeard, new CancelHeard(3_900 * MS, "w1", "c", 300));
        replace(e -> e instanceof Ended end && end.job().equals("c"), new Ended(4_000 * MS, "w1", "c", 300, false));
        events.add(new Struck(350 * MS, "kill_server", "server"));
        events.add(new Contact(351 * MS, "w1", false));
        events.add(new Healed(2_500 * MS, "server"));
        events.add(new Contact(3_000 * MS, "w1", true));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
        replace(e -> e instanceof Contact contact && contact.at() == 3_000 * MS, new Contact(2_600 * MS, "w1", true));
        assertFound(Rule.CANCEL_UNHEARD);
    }

    @Test
    void aHistoryWithoutAReadingOfEverythingProvesNothing() {
        events.removeIf(e -> e instanceof Read || e instanceof Listed);
        assertFound(Rule.NOT_READ);
    }

    @Test
    void aJobAckedAfterAReadingNeedNotBeInIt() {
        events.add(new Submitting(5_500 * MS, 5, Event.NONE, "quick"));
        events.add(new Acked(5_600 * MS, 5, "z"));
        events.add(another(5, Event.NONE));
        events.add(new Listed(6_000 * MS, "restarted", "z", "CANCELLED"));
        assertThat(Checker.check(History.of(events)).violations()).isEmpty();
    }

    @Test
    void anAckedJobThatWasLeftOutOfAReadingIsFound() {
        events.removeIf(is("restarted", "b"));
        assertFound(Rule.NOT_READ);
    }

    private void twoMoreAt(long at) {
        for (String job : List.of("t", "u")) {
            events.add(new Held(at * MS, "w1", job, 16, LIMIT));
            events.add(new Held((at + 100) * MS, "w1", job, 16, LIMIT));
        }
    }

    /** A job z that answers with this call and key. */
    private static Read another(long call, String key) {
        return new Read(6_001 * MS, 6_000 * MS, "restarted", "z", "CANCELLED", 0, call, key);
    }

    private static Predicate<Event> is(String pass, String job) {
        return e ->
                e instanceof Read read && read.pass().equals(pass) && read.job().equals(job);
    }

    private void replace(Predicate<Event> which, Event by) {
        assertThat(events.removeIf(which)).isTrue();
        events.add(by);
    }

    private void assertFound(Rule rule, Event... more) {
        List<Event> forged = new ArrayList<>(events);
        forged.addAll(List.of(more));
        assertThat(Checker.check(History.of(forged)).violations())
                .extracting(Violation::rule)
                .contains(rule);
    }
}
