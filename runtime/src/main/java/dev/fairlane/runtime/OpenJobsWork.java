package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Matched;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One wish about all open jobs that fit a filter. It looks through the far jobs in the store, and then through memory a
 * stretch at a time, where only tags may have to be fetched. In this order none is missed: a far job comes to memory, not the other way
 * round, once those are stored that were submitted before. Every step may be repeated: what is cancelled is no longer found, what is
 * changed already is left as it is.
 *
 * <p>A far job that was changed is in memory until the store has the change. So the work waits for the store when it has changed many,
 * and memory holds no more of them, however many there are.
 */
final class OpenJobsWork implements BulkWork<OpenJobsWork.Place> {
    static final int MOST_UNSTORED = 5_000;

    /** Far jobs looked at in one step, however slow the work is to go. */
    static final int FAR_PAGE = 500;

    private final Controls.Bulk bulk;
    private final LocalNode node;
    private final NodeLoop loop;
    private final Journal journal;
    private final LocalControls controls;

    /** Jobs that were far when they were treated, and perhaps the store does not know yet. */
    private int unstored;

    /** How many far jobs to look at next: many while few of them fit. */
    private int reach;

    /**
     * @param slot in memory; {@link Matched#END} while it looks through the far ones
     * @param far the last far job that was looked at
     */
    record Place(int slot, @Nullable JobId far) {
        static final Place MEMORY = new Place(Matched.BEGIN, null);
    }

    OpenJobsWork(Controls.Bulk bulk, LocalNode node, NodeLoop loop, Journal journal, LocalControls controls) {
        this.bulk = bulk;
        this.node = node;
        this.loop = loop;
        this.journal = journal;
        this.controls = controls;
    }

    @Override
    public String kind() {
        return bulk.deed().name().toLowerCase(Locale.ROOT) + "_open";
    }

    @Override
    public @Nullable TenantId scope() {
        return bulk.filter().scope();
    }

    @Override
    public String filter() {
        return bulk.filterText();
    }

    @Override
    public String outline() {
        JobFilter filter = bulk.filter();
        StringJoiner words = new StringJoiner("; ");
        if (!filter.type().isEmpty()) {
            words.add("type " + filter.type());
        }
        if (!filter.lane().isEmpty()) {
            words.add("lane " + filter.lane());
        }
        if (!filter.tags().isEmpty()) {
            words.add(filter.tags().size() + " tags");
        }
        String change = AuditDeeds.inWords(bulk.change());
        if (!change.isEmpty()) {
            words.add("to " + change);
        }
        return words.toString();
    }

    @Override
    public String by() {
        return bulk.by();
    }

    @Override
    public String why() {
        return bulk.why();
    }

    @Override
    public int rate() {
        return bulk.rate();
    }

    /** Without tags, and without far jobs, memory alone knows. */
    @Override
    public CompletableFuture<Long> count() {
        CompletableFuture<Long> counted = new CompletableFuture<>();
        if (bulk.filter().tags().isEmpty() && loop.engine.farJobs() == 0) {
            count(Matched.BEGIN, 0, counted);
        } else {
            counted.complete(-1L);
        }
        return counted;
    }

    private void count(int cursor, long before, CompletableFuture<Long> counted) {
        Matched matched = loop.engine.match(bulk.filter(), cursor, Integer.MAX_VALUE);
        long sum = before + matched.ids().size();
        if (matched.next() == Matched.END) {
            counted.complete(sum);
        } else {
            loop.inbox.signal(() -> count(matched.next(), sum, counted));
        }
    }

    @Override
    public CompletableFuture<Page<Place>> find(@Nullable Place after, int limit) {
        if (after == null) {
            return whenStored().thenCompose(_ -> findFar(null, limit));
        }
        if (after.slot == Matched.END) {
            return unstored < MOST_UNSTORED
                    ? findFar(after.far, limit)
                    : whenStored().thenCompose(_ -> findFar(after.far, limit));
        }
        Matched all = loop.engine.match(bulk.filter(), after.slot, limit);
        Matched matched = new Matched(here(all.ids()), here(all.unsure()), all.next());
        Place next = matched.next() == Matched.END ? null : new Place(matched.next(), null);
        if (matched.unsure().isEmpty()) {
            return CompletableFuture.completedFuture(new Page<>(matched.ids(), next));
        }
        return journal.specs(loop.projection.stored().homes(matched.unsure(), loop.engine))
                .thenApply(specs -> {
                    List<JobId> ids = new ArrayList<>(matched.ids());
                    specs.values().stream()
                            .filter(bulk.filter()::tagsFit)
                            .map(JobSpec::id)
                            .forEach(ids::add);
                    return new Page<>(ids, next);
                });
    }

    /** Those of memory that were not met among the far ones; one that was and is no longer far is met once more. */
    private List<JobId> here(List<JobId> ids) {
        StoredJobs stored = loop.projection.stored();
        return stored.far() == 0
                ? ids
                : ids.stream()
                        .filter(id -> stored.segmentOf(id.lo()) != Flush.FAR)
                        .toList();
    }

    private CompletableFuture<Boolean> whenStored() {
        CompletableFuture<Boolean> stored = new CompletableFuture<>();
        loop.flusher.whenFlushed(
                loop.commit.position(),
                () -> {
                    unstored = 0;
                    stored.complete(true);
                },
                () -> stored.completeExceptionally(
                        new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves")));
        return stored;
    }

    private CompletableFuture<Page<Place>> findFar(@Nullable JobId after, int limit) {
        int size = Math.max(limit, Math.min(reach, FAR_PAGE));
        return journal.pageFar(bulk.filter().scope(), after, size).thenApply(page -> {
            List<JobId> ids = page.stream()
                    .filter(job -> fits(job.spec(), job.status()))
                    .map(job -> job.spec().id())
                    .limit(limit)
                    .toList();
            boolean full = ids.size() == limit;
            reach = full ? size / 2 : size * 2;
            if (!full && page.size() < size) {
                return new Page<>(ids, Place.MEMORY);
            }
            JobId last = full ? ids.getLast() : page.getLast().spec().id();
            return new Page<>(ids, new Place(Matched.END, last));
        });
    }

    private boolean fits(JobSpec spec, JobStatus status) {
        JobFilter filter = bulk.filter();
        return (filter.scope() == null || filter.scope().equals(spec.tenant()))
                && (filter.type().isEmpty() || filter.type().equals(spec.type()))
                && (filter.lane().isEmpty() || filter.lane().equals(spec.terms().lane()))
                && filter.stateFits(status.state())
                && filter.timeFits(spec.id().millis() * 1_000)
                && filter.tagsFit(spec);
    }

    @Override
    public CompletableFuture<Treated> treat(List<JobId> ids) {
        CompletableFuture<Treated> reply = new CompletableFuture<>();
        unstored += (int) ids.stream().filter(id -> !loop.engine.has(id)).count();
        loop.far.visit(bulk.filter().scope(), ids, reply, () -> forward(treatHere(ids), reply));
        return reply;
    }

    private CompletableFuture<Treated> treatHere(List<JobId> ids) {
        Tally tally = new Tally();
        List<JobId> evicted = new ArrayList<>();
        for (JobId id : ids) {
            if (!treat(id, null, tally)) {
                evicted.add(id);
            }
        }
        return evicted.isEmpty() ? whenDurable(tally) : fetch(evicted, tally);
    }

    private CompletableFuture<Treated> fetch(List<JobId> evicted, Tally tally) {
        CompletableFuture<Treated> reply = new CompletableFuture<>();
        journal.specs(loop.projection.stored().homes(evicted, loop.engine))
                .whenComplete((specs, fault) -> loop.inbox.signal(() -> {
                    if (specs == null) {
                        reply.completeExceptionally(
                                fault == null ? new IllegalStateException("no answer of the store") : fault);
                        return;
                    }
                    loop.far.visit(bulk.filter().scope(), evicted, reply, () -> {
                        treatWith(evicted, specs, tally);
                        forward(whenDurable(tally), reply);
                    });
                }));
        return reply;
    }

    private void treatWith(List<JobId> evicted, Map<JobId, JobSpec> specs, Tally tally) {
        for (JobId id : evicted) {
            if (!treat(id, specs.get(id), tally)) {
                // somebody changed it between our two looks: it has what they wanted last
                tally.skipped++;
            }
        }
    }

    /** False when its spec has to be fetched first. */
    private boolean treat(JobId id, @Nullable JobSpec base, Tally tally) {
        switch (bulk.deed()) {
            case CANCEL -> {
                LocalControls.Cancelling cancelling = controls.cancelNow(scope(), id, null);
                tally.add(cancelling.answer());
                tally.effects.add(cancelling.tell());
            }
            case PAUSE, RESUME ->
                tally.add(loop.decide(new Command.Pause(scope(), id, bulk.deed() == Controls.Deed.PAUSE)));
            case CHANGE -> {
                Answer answer = loop.decide(new Command.Revise(scope(), id, bulk.change(), Command.ANY_REVISION, base));
                if (answer instanceof Answer.SpecNeeded) {
                    return false;
                }
                tally.add(answer);
            }
        }
        return true;
    }

    private CompletableFuture<Treated> whenDurable(Tally tally) {
        CompletableFuture<Treated> reply = new CompletableFuture<>();
        node.park(reply, () -> {
            tally.effects.forEach(Runnable::run);
            reply.complete(tally.treated());
        });
        return reply;
    }

    private static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, fault) -> {
            if (fault != null) {
                to.completeExceptionally(fault);
            } else {
                to.complete(value);
            }
        });
    }

    private static final class Tally {
        private final List<Runnable> effects = new ArrayList<>();
        private int done;
        private int skipped;
        private int failed;
        private String note = "";

        void add(Answer answer) {
            switch (answer) {
                case Answer.Cancelled _ -> done++;
                case Answer.Changed changed when changed.outcome() == Answer.ChangeOutcome.OK -> done++;
                case Answer.Changed _, Answer.NotInMemory _ -> skipped++;
                case Answer.Refused refused -> {
                    failed++;
                    note = refused.refusal().message();
                }
                default -> throw new IllegalStateException("expected what became of a job, but got " + answer);
            }
        }

        Treated treated() {
            return new Treated(done, skipped, failed, note);
        }
    }
}
