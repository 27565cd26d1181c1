package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Tier;
import dev.fairlane.journal.AuditCheck;
import dev.fairlane.journal.AuditHash;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each change of the control plane leaves one entry, in the same step; what changes nothing leaves none. */
class AuditTrailTest {
    private static final long SECOND = 1_000_000;
    private static final Author ANN =
            new Author("0011aabbccdd", "Ann", "admin", "", "trace-1", AuditHash.digest("what she asked"));

    private final NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
        assertThat(entries()).as("nobody was named").isEmpty();
    }

    @AfterEach
    void everyChainHolds() {
        assertThat(breaks()).isEmpty();
    }

    private List<String> breaks() {
        return rig.settled(rig.node.audit().heads(null, -1, 100)).stream()
                .flatMap(head -> AuditCheck.firstBreak(head, name(head), entries(head.chain())).stream())
                .toList();
    }

    private String name(AuditHead head) {
        Tenant tenant = rig.node.tenant(head.chain());
        return tenant == null ? "" : tenant.name();
    }

    private List<AuditEntry> entries(TenantId chain) {
        return rig.settled(rig.node.audit().list(AuditQuery.whole(chain)));
    }

    private List<AuditEntry> entries() {
        return rig.settled(rig.node.audit().list(new AuditQuery(null, 0, 0, null, true, 1_000)));
    }

    private static Author call(String request) {
        return new Author(ANN.keyId(), ANN.keyName(), ANN.role(), request, ANN.trace(), ANN.digest());
    }

    /** What the entries say, without who and when. */
    private List<String> deeds() {
        return entries().stream()
                .map(entry -> entry.deed().action() + " " + entry.deed().target())
                .toList();
    }

    private Answer put(int weight) {
        return rig.settled(rig.node.putTenant(new Command.PutTenant("acme", weight), ANN));
    }

    @Test
    void anEntryTellsWhoDidWhatAndTheDifference() {
        put(20);
        AuditEntry entry = entries(acme.id()).getFirst();
        assertThat(entry.sequence()).isEqualTo(1);
        assertThat(entry.by()).isEqualTo(ANN);
        assertThat(entry.deed().action()).isEqualTo("tenant.put");
        assertThat(entry.deed().target()).isEqualTo("tenant/acme");
        assertThat(entry.deed().summary()).isEqualTo("weight 10 → 20");
        assertThat(entry.deed().before()).hasSize(64).isNotEqualTo(entry.deed().after());

        put(10);
        AuditEntry back = entries(acme.id()).getLast();
        assertThat(back.deed().before()).isEqualTo(entry.deed().after());
        assertThat(back.deed().after()).isEqualTo(entry.deed().before());
    }

    @Test
    void aNewTenantBeginsItsOwnChain() {
        Command.PutTenant put = new Command.PutTenant("globex", 0, TenantChange.toTier(Tier.PRO));
        rig.settled(rig.node.putTenant(put, ANN));
        TenantId globex = rig.node.tenant("globex").id();
        assertThat(entries(globex)).singleElement().satisfies(entry -> {
            assertThat(entry.deed().summary()).isEqualTo("made: tier PRO; weight 100");
            assertThat(entry.deed().before()).isEmpty();
        });
        assertThat(entries(acme.id())).isEmpty();
    }

    @Test
    void whatIsRefusedOrChangesNothingLeavesNoEntry() {
        put(10);
        assertThat(put(Tenant.MAX_WEIGHT + 1)).isInstanceOf(Answer.Refused.class);
        JobId id = rig.submit(acme, "echo");
        rig.settled(rig.node.controls().pause(null, id, false, ANN));
        rig.settled(rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), 99, ANN));
        rig.settled(rig.node.cancel(new TenantId(99), id, ANN));
        rig.settled(rig.node
                .controls()
                .setGate(new Command.SetGate(Gate.Kind.POOL, Gate.EVERYBODY, "nowhere", true, "Ann", ""), ANN));
        rig.settled(rig.node.drainWorker(null, "nobody", false, ANN));
        rig.settled(rig.node.operations().cancel(null, "op-9-9", ANN));
        assertThat(entries()).isEmpty();
    }

    @Test
    void theSameAgainLeavesNoSecondEntry() {
        JobId id = rig.submit(acme, "echo");
        JobId other = rig.submit(acme, "echo");
        for (int i = 0; i < 2; i++) {
            put(20);
            rig.settled(rig.node.putType(new Command.PutType(acme.id(), "mail", "medium", 3, 0), ANN));
            rig.settled(rig.node
                    .controls()
                    .setGate(new Command.SetGate(Gate.Kind.TYPE, acme.id(), "mail", true, "Ann", "broken"), ANN));
            rig.settled(rig.node
                    .controls()
                    .setGate(new Command.SetGate(Gate.Kind.SYSTEM, Gate.EVERYBODY, "", true, "Ann", "upgrade"), ANN));
            rig.settled(rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), -1, ANN));
            rig.settled(rig.node.controls().pause(null, id, true, ANN));
            rig.settled(rig.node.cancel(acme.id(), other, ANN));
        }
        assertThat(entries(acme.id()))
                .extracting(entry -> entry.deed().action())
                .containsExactly("tenant.put", "type.put", "type.pause", "job.change", "job.pause", "job.cancel");
        assertThat(entries(AuditEntry.SYSTEM)).singleElement().satisfies(entry -> {
            assertThat(entry.deed().action()).isEqualTo("system.pause");
            assertThat(entry.deed().reason()).isEqualTo("upgrade");
        });
    }

    @Test
    void aChangeAndItsEntryAreDurableTogetherOrNotAtAll() {
        rig.holdCommits();
        CompletableFuture<Answer> reply = rig.node.putTenant(new Command.PutTenant("acme", 20), ANN);
        rig.settle();
        assertThat(reply).isNotDone();
        rig.start();
        rig.letCommit();
        assertThat(rig.node.tenant("acme").weight()).isEqualTo(10);
        assertThat(entries()).isEmpty();

        put(30);
        rig.start(); // from the tail: nothing was flushed
        rig.settle();
        assertThat(rig.node.tenant("acme").weight()).isEqualTo(30);
        assertThat(deeds()).containsExactly("tenant.put tenant/acme");
    }

    @Test
    void theChainGoesOnAfterARestartFromTheTailAndFromRows() {
        for (int weight = 20; weight < 30; weight++) {
            put(weight);
            if (weight % 2 == 0) {
                rig.advance(2 * SECOND);
            }
            rig.start();
            rig.settle();
        }
        assertThat(entries(acme.id()))
                .extracting(AuditEntry::sequence)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void anOperationOverManyJobsIsOneEntryBeforeItsFirstStep() {
        for (int i = 0; i < 5; i++) {
            rig.submit(acme, "echo");
        }
        JobFilter filter = new JobFilter(acme.id(), "echo", "", Set.of(), Map.of(), 0, 0);
        Controls.Bulk bulk = new Controls.Bulk(
                Controls.Deed.CANCEL, filter, JobChange.NOTHING, "jobs of type echo", "Ann", "wrong day", 0);
        rig.holdCommits();
        CompletableFuture<Operation> reply = rig.node.controls().start(bulk, ANN);
        rig.settle();
        assertThat(reply).as("not before the entry is durable").isNotDone();
        rig.letCommit();
        Operation operation = rig.settled(reply);
        rig.advance(SECOND);
        assertThat(rig.settled(rig.node.operations().get(null, operation.id())))
                .hasValueSatisfying(now -> assertThat(now.done()).isEqualTo(5));
        assertThat(entries(acme.id())).singleElement().satisfies(entry -> {
            assertThat(entry.deed())
                    .isEqualTo(new AuditDeed("jobs.cancel", "operation/" + operation.id(), "type echo", "wrong day"));
        });
    }

    @Test
    void replaysAndPurgesOfDeadLettersAreWrittenDown() {
        TestWorker worker = rig.worker("w", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        worker.fail(worker.ref(0), Failure.of(FailureClass.NON_RETRYABLE, "no"));
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.DEAD);
        Payload edited = new Payload("[1]".getBytes(StandardCharsets.UTF_8), Payload.JSON);
        rig.settled(rig.node.deadLetters().replay(null, id, edited, "Ann", "fixed", ANN));
        rig.settled(rig.node.deadLetters().purge(DeadFilter.all(acme.id()), "Ann", "old", ANN));
        rig.advance(SECOND);
        assertThat(entries(acme.id()))
                .extracting(entry -> entry.deed().action() + ": " + entry.deed().summary())
                .containsExactly("job.replay: payload edited", "dead.purge: ");
    }

    @Test
    void aWorkerIsSentAwayOnce() {
        rig.worker("w", 1, "echo");
        rig.settled(rig.node.drainWorker(null, "w", true, ANN));
        rig.settled(rig.node.drainWorker(null, "w", true, ANN));
        assertThat(deeds()).containsExactly("worker.drain worker/w");
    }

    @Test
    void aWorkerThatGoesByItselfCanStillBeToldToHandOver() {
        TestWorker worker = rig.worker("w", 1, "echo");
        worker.session.drain();
        rig.settle();
        rig.settled(rig.node.drainWorker(null, "w", false, ANN));
        rig.settled(rig.node.drainWorker(null, "w", false, ANN));
        rig.settled(rig.node.drainWorker(null, "w", true, ANN));
        rig.settled(rig.node.drainWorker(null, "w", false, ANN));
        rig.settled(rig.node.drainWorker(null, "w", true, ANN));
        assertThat(entries()).extracting(entry -> entry.deed().summary()).containsExactly("", "handing over");
    }

    @Test
    void aWorkerThatCameBackIsSentAwayAgainByTheSameCall() {
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.settled(rig.node.drainWorker(null, "w", true, call("r-1")));
        worker.session.close();
        rig.settle();
        rig.worker("w", 1, "echo");
        rig.settled(rig.node.drainWorker(null, "w", true, call("r-1")));
        assertThat(deeds()).containsExactly("worker.drain worker/w", "worker.drain worker/w");
    }

    @Test
    void aNoteOfACallThatComesAgainIsOneEntry() {
        AuditDeed deed = new AuditDeed("key.create", "key/aabb", "role worker", "");
        rig.settled(rig.node.audit().note(acme.id(), deed, call("r-1")));
        rig.settled(rig.node.audit().note(acme.id(), deed, call("r-1")));
        rig.settled(rig.node.audit().note(acme.id(), deed, call("r-2")));
        rig.settled(rig.node.audit().note(acme.id(), deed, ANN));
        rig.settled(rig.node.audit().note(acme.id(), deed, ANN));
        assertThat(entries(acme.id())).hasSize(4);
    }

    @Test
    void aNoteOfAnotherChainOrRequestUnderTheSameKeyIsAnotherEntry() {
        AuditDeed deed = new AuditDeed("webhook.rotate", "webhook-secret", "", "");
        Tenant globex = rig.tenant("globex", 10);
        Author other = new Author(
                ANN.keyId(), ANN.keyName(), ANN.role(), "r-1", ANN.trace(), AuditHash.digest("something else"));
        rig.settled(rig.node.audit().note(acme.id(), deed, call("r-1")));
        rig.settled(rig.node.audit().note(globex.id(), deed, call("r-1")));
        rig.settled(rig.node.audit().note(globex.id(), deed, other));
        assertThat(entries(acme.id())).hasSize(1);
        assertThat(entries(globex.id())).hasSize(2);
    }

    @Test
    void aNoteOfACallThatComesAgainMuchLaterIsAnotherEntry() {
        AuditDeed deed = new AuditDeed("webhook.rotate", "webhook-secret", "", "");
        rig.settled(rig.node.audit().note(acme.id(), deed, call("r-1")));
        rig.advance(3_600 * SECOND);
        rig.settled(rig.node.audit().note(acme.id(), deed, call("r-1")));
        assertThat(entries(acme.id())).hasSize(2);
    }

    @Test
    void aTypeThatIsSentBackToItsPoolIsToldToBe() {
        JobType declared = new JobType(acme.id(), "mail", "short", 3, 0, 1);
        Portrait moved = Portrait.of(declared.movedTo(new JobType.Moved("medium", 5), 2));
        assertThat(moved.until(Portrait.of(declared))).isEqualTo("moved to medium → none");
        assertThat(moved.digest()).isNotEqualTo(Portrait.of(declared).digest());
    }

    @Test
    void theClockMayStandStillButNeverRunsBackAlongAChain() {
        put(20);
        rig.jumpStoreClock(-3_600 * SECOND);
        rig.start();
        put(30);
        assertThat(entries(acme.id())).extracting(AuditEntry::at).isSorted();
    }
}
