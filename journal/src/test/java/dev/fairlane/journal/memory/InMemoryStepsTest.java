package dev.fairlane.journal.memory;

import static dev.fairlane.journal.memory.SteppedOperations.finish;
import static dev.fairlane.journal.memory.SteppedOperations.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.HashChain;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.OpenedLog;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.Recovered;
import dev.fairlane.journal.SampleJobs;
import dev.fairlane.journal.memory.InMemoryStore.Fault;
import dev.fairlane.journal.memory.StoreOperation.Stage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What happens between the steps: late, lost and aborted transactions against a takeover. */
class InMemoryStepsTest {
    private static final long AT = 1_790_000_000_000_000L;

    private final SteppedOperations steps = new SteppedOperations();
    private final InMemoryStore store = new InMemoryStore(() -> AT, steps, 100);
    private final InMemoryJournal old = new InMemoryJournal(store, "old");
    private final InMemoryJournal successor = new InMemoryJournal(store, "successor");
    private final SampleJobs jobs = new SampleJobs(AT, 1);
    private final Recovered recovered = new Recovered();

    private OpenedLog open(InMemoryJournal journal, Recovered sink) {
        CompletableFuture<OpenedLog> opening = journal.open("node", sink);
        finish(steps.last());
        return Outcome.of(opening);
    }

    private Batch batch(OpenedLog log, JobSpec spec) {
        byte[] bytes = new FactCodec().encode(List.of(new Fact.JobAdded(spec, jobs.queued())), AT);
        return new Batch(1, bytes, new HashChain(log.genesis()).extend(bytes));
    }

    @Test
    void a_takeover_waits_for_an_append_under_way_and_then_reads_it() {
        OpenedLog log = open(old, new Recovered());
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> appending = until(steps.last(), Stage.COMMIT);
        CompletableFuture<OpenedLog> takeover = successor.open("successor", recovered);
        StoreOperation<?> taking = finish(steps.last());

        assertThat(taking.runnable()).isFalse();
        assertThat(taking.done()).isFalse();

        finish(appending);
        assertThat(append).isCompleted();
        finish(taking);
        assertThat(takeover).isCompleted();
        assertThat(recovered.tail).hasSize(1);
    }

    @Test
    void an_append_that_asks_behind_a_takeover_is_fenced() {
        OpenedLog log = open(old, new Recovered());
        successor.open("successor", recovered);
        StoreOperation<?> taking = until(steps.last(), Stage.COMMIT);
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> appending = finish(steps.last());
        assertThat(append).isNotDone();

        finish(taking);
        finish(appending);
        Outcome.failure(JournalFault.Fenced.class, append);
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void a_lost_append_holds_its_lock_until_it_lands_late() {
        OpenedLog log = open(old, new Recovered());
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> appending = until(steps.last(), Stage.COMMIT);
        appending.lose();
        Outcome.failure(JournalFault.UnknownOutcome.class, append);

        CompletableFuture<Boolean> resolving = old.resolve(log.log(), 1);
        StoreOperation<?> marker = finish(steps.last());
        assertThat(marker.done()).isFalse();

        finish(appending);
        finish(marker);
        assertThat(Outcome.of(resolving)).isTrue();
    }

    @Test
    void a_lost_append_that_the_store_aborts_is_resolved_as_no() {
        OpenedLog log = open(old, new Recovered());
        old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> appending = until(steps.last(), Stage.COMMIT);
        appending.lose();
        CompletableFuture<Boolean> resolving = old.resolve(log.log(), 1);
        StoreOperation<?> marker = finish(steps.last());
        appending.abort();

        finish(marker);
        assertThat(Outcome.of(resolving)).isFalse();
    }

    @Test
    void a_lost_append_that_arrives_after_the_no_does_not_land() {
        OpenedLog log = open(old, new Recovered());
        Batch batch = batch(log, jobs.spec());
        old.append(log.log(), batch);
        StoreOperation<?> late = steps.last();
        late.lose();
        CompletableFuture<Boolean> resolving = old.resolve(log.log(), 1);
        finish(steps.last());
        assertThat(Outcome.of(resolving)).isFalse();

        finish(late);
        assertThat(late.committed()).isFalse();
        CompletableFuture<Void> again = old.append(log.log(), batch);
        finish(steps.last());
        assertThat(again).isCompleted();
    }

    @Test
    void a_late_marker_does_not_stop_what_came_after_a_newer_one() {
        OpenedLog log = open(old, new Recovered());
        old.resolve(log.log(), 1);
        StoreOperation<?> lateMarker = steps.last();
        lateMarker.lose();
        old.resolve(log.log(), 1);
        finish(steps.last());
        finish(lateMarker);

        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        finish(steps.last());
        assertThat(append).isCompleted();
    }

    @Test
    void an_append_lost_after_its_commit_is_durable() {
        OpenedLog log = open(old, new Recovered());
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        until(steps.last(), Stage.REPORT).lose();

        Outcome.failure(JournalFault.UnknownOutcome.class, append);
        open(successor, recovered);
        assertThat(recovered.tail).hasSize(1);
    }

    @Test
    void an_append_the_store_refuses_did_not_happen() {
        OpenedLog log = open(old, new Recovered());
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        until(steps.last(), Stage.COMMIT).abort();

        Outcome.failure(JournalFault.Unavailable.class, append);
        open(successor, recovered);
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void the_dead_hear_nothing_and_their_commit_may_still_land() {
        OpenedLog log = open(old, new Recovered());
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> orphan = until(steps.last(), Stage.COMMIT);
        orphan.forget();
        finish(orphan);

        assertThat(append).isNotDone();
        assertThat(orphan.committed()).isTrue();
    }

    @Test
    void a_lost_read_is_unavailable_and_a_lost_opening_tells_its_sink_nothing() {
        CompletableFuture<Long> now = old.now();
        steps.last().lose();
        Outcome.failure(JournalFault.Unavailable.class, now);

        CompletableFuture<OpenedLog> opening = old.open("old", recovered);
        StoreOperation<?> orphan = until(steps.last(), Stage.COMMIT);
        orphan.lose();
        finish(orphan);
        Outcome.failure(JournalFault.UnknownOutcome.class, opening);
        assertThat(orphan.committed()).isTrue();
        assertThat(recovered.order).isEmpty();
    }

    @Test
    void two_openings_at_once_leave_one_log_open() {
        CompletableFuture<OpenedLog> first = old.open("old", new Recovered());
        StoreOperation<?> one = until(steps.last(), Stage.COMMIT);
        CompletableFuture<OpenedLog> second = successor.open("successor", new Recovered());
        StoreOperation<?> two = finish(steps.last());
        assertThat(two.done()).isFalse();
        finish(one);
        finish(two);

        OpenedLog fenced = Outcome.of(first);
        Outcome.of(second);
        CompletableFuture<Void> append = old.append(fenced.log(), batch(fenced, jobs.spec()));
        finish(steps.last());
        Outcome.failure(JournalFault.Fenced.class, append);
    }

    @Test
    void planted_append_without_lock_commits_behind_the_takeovers_back() {
        store.plant(Fault.APPEND_WITHOUT_LOCK);
        OpenedLog log = open(old, new Recovered());
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> appending = until(steps.last(), Stage.COMMIT);
        open(successor, recovered);
        finish(appending);

        assertThat(append).isCompleted();
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void planted_flush_without_fence_writes_after_the_takeover() {
        store.plant(Fault.FLUSH_WITHOUT_FENCE);
        OpenedLog log = open(old, new Recovered());
        JobSpec spec = jobs.spec();
        old.append(log.log(), batch(log, spec));
        finish(steps.last());
        open(successor, recovered);
        old.flush(log.log(), new FlushDraft().added(spec, jobs.queued()).upTo(1));
        finish(steps.last());

        assertThat(steps.last().committed()).isTrue();
    }

    @Test
    void planted_early_reading_misses_what_lands_before_the_close() {
        store.plant(Fault.TAIL_READ_BEFORE_CLOSE);
        OpenedLog log = open(old, new Recovered());
        successor.open("successor", recovered);
        StoreOperation<?> taking = until(steps.last(), Stage.CHECK);
        taking.step();
        CompletableFuture<Void> append = old.append(log.log(), batch(log, jobs.spec()));
        finish(steps.last());
        finish(taking);

        assertThat(append).isCompleted();
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void planted_resolve_without_marker_says_no_to_what_becomes_yes() {
        store.plant(Fault.RESOLVE_WITHOUT_MARKER);
        OpenedLog log = open(old, new Recovered());
        old.append(log.log(), batch(log, jobs.spec()));
        StoreOperation<?> appending = until(steps.last(), Stage.COMMIT);
        appending.lose();
        CompletableFuture<Boolean> resolving = old.resolve(log.log(), 1);
        finish(steps.last());
        finish(appending);

        assertThat(Outcome.of(resolving)).isFalse();
        assertThat(appending.committed()).isTrue();
    }

    @Test
    void calls_made_inside_a_step_run_after_it_and_do_not_grow_the_stack() {
        InMemoryStore busy = new InMemoryStore(() -> AT);
        InMemoryJournal journal = new InMemoryJournal(busy, "busy");
        AtomicInteger calls = new AtomicInteger();
        busy.run("busy", "first", false, operation -> operation.read(() -> callAgain(journal, calls)));

        assertThat(calls).hasValue(100_000);
    }

    private static int callAgain(InMemoryJournal journal, AtomicInteger calls) {
        if (calls.incrementAndGet() < 100_000) {
            assertThat(journal.now().thenRun(() -> callAgain(journal, calls))).isNotDone();
        }
        return 0;
    }
}
