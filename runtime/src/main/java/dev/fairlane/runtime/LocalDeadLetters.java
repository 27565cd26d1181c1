package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ReplayOutcome;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.JobSnapshot;
import dev.fairlane.journal.DeadCount;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.LogId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters of the node that owns the jobs.
 *
 * <p>The engine forgets a job that ended, so a replay begins in the store: everything decided so far is flushed, then the job is read as
 * it is, then the engine decides. Nobody but another replay or a purge changes a dead job in between, and those wait their turn by a
 * claim on its id. So the row of a job that comes back is always in the store, and the flush that makes the job open removes it.
 */
final class LocalDeadLetters implements DeadLetters {
    private final LocalNode node;
    private final NodeLoop loop;
    private final Reads reads;
    private final Journal journal;
    private final LogId log;
    private final LocalOperations operations;

    /** Dead letters somebody is about to change, each with what completes when he is done. */
    private final Map<JobId, CompletableFuture<?>> claims = new ConcurrentHashMap<>();

    LocalDeadLetters(
            LocalNode node, NodeLoop loop, Reads reads, Journal journal, LogId log, LocalOperations operations) {
        this.node = node;
        this.loop = loop;
        this.reads = reads;
        this.journal = journal;
        this.log = log;
        this.operations = operations;
    }

    @Override
    public CompletableFuture<Page> list(DeadQuery query) {
        return stored(journal.pageDead(query)
                .thenCompose(ids -> journal.findDead(query.filter().scope(), ids.ids())
                        .thenApply(found -> {
                            List<JobView> jobs = new ArrayList<>(ids.ids().size());
                            for (JobId id : ids.ids()) {
                                JobView job = found.get(id);
                                if (job != null) {
                                    jobs.add(job);
                                }
                            }
                            return new Page(jobs, ids.next());
                        })));
    }

    @Override
    public CompletableFuture<List<DeadCount>> count(DeadFilter filter) {
        return stored(journal.countDead(filter));
    }

    private static <T> CompletableFuture<T> stored(CompletableFuture<T> reading) {
        return reading.exceptionallyCompose(fault -> CompletableFuture.failedFuture(
                new NodeFault(NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be read", fault)));
    }

    @Override
    public CompletableFuture<Answer> replay(
            @Nullable TenantId scope,
            JobId id,
            @Nullable Payload payload,
            String by,
            String why,
            @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        replay(scope, List.of(id), payload, by, why, job -> Optional.empty(), author)
                .whenComplete((answers, fault) -> {
                    if (fault != null) {
                        reply.completeExceptionally(fault);
                    } else if (answers.containsKey(id)) {
                        reply.complete(answers.get(id));
                    } else {
                        notDead(scope, id, reply);
                    }
                });
        return reply;
    }

    /** It is no dead letter: says what it is instead. */
    private void notDead(@Nullable TenantId scope, JobId id, CompletableFuture<Answer> reply) {
        CompletableFuture<Optional<JobView>> found = new CompletableFuture<>();
        node.call(scope, found, () -> reads.get(scope, id, found));
        found.whenComplete((view, fault) -> {
            if (fault != null) {
                reply.completeExceptionally(fault);
            } else if (view.isEmpty()) {
                reply.complete(LocalNode.noSuchJob(id));
            } else {
                JobState is = view.get().status().state();
                reply.complete(new Answer.Replayed(
                        id, is.terminal() ? ReplayOutcome.NOT_DEAD : ReplayOutcome.ALREADY_OPEN, is));
            }
        });
    }

    /** Brings these back; those that are no dead letters of the scope, and not open either, are missing from the answer. */
    CompletableFuture<Map<JobId, Answer>> replay(
            @Nullable TenantId scope,
            List<JobId> ids,
            @Nullable Payload payload,
            String by,
            String why,
            Function<JobSpec, Optional<String>> unfit,
            @Nullable Author author) {
        CompletableFuture<Map<JobId, Answer>> reply = new CompletableFuture<>();
        claimed(scope, ids, reply, () -> {
            NodeFault stalled = NodeFault.stalled(loop.stalledMicros());
            if (stalled != null) {
                reply.completeExceptionally(stalled);
                return;
            }
            Map<JobId, JobView> unflushed =
                    loop.config.sabotage().contains(Sabotage.REPLAY_UNFLUSHED) ? inMemory(scope, ids) : Map.of();
            if (!unflushed.isEmpty()) {
                decide(scope, ids, unflushed, payload, by, why, author, new LinkedHashMap<>(), reply);
                return;
            }
            loop.flusher.whenFlushed(
                    loop.commit.position(),
                    () -> journal.findDead(scope, ids).whenComplete((found, fault) -> {
                        if (fault != null) {
                            reply.completeExceptionally(new NodeFault(
                                    NodeFault.Kind.STORE_UNAVAILABLE,
                                    "the store could not be read; nothing was replayed",
                                    fault));
                        } else {
                            Map<JobId, Answer> answers = new LinkedHashMap<>();
                            found.forEach((id, job) -> unfit.apply(job.spec())
                                    .ifPresent(reason ->
                                            answers.put(id, Answer.Refused.of(RefusalCode.INVALID_ARGUMENT, reason))));
                            node.call(
                                    scope,
                                    ids.size(),
                                    0,
                                    reply,
                                    () -> decide(scope, ids, found, payload, by, why, author, answers, reply));
                        }
                    }),
                    () -> reply.completeExceptionally(notServing()));
        });
        return reply;
    }

    private Map<JobId, JobView> inMemory(@Nullable TenantId scope, List<JobId> ids) {
        Map<JobId, JobView> found = new LinkedHashMap<>();
        for (JobId id : ids) {
            Projection.Change ended = loop.projection.ended(id);
            if (ended != null && ended.spec != null && (scope == null || scope.equals(ended.spec.tenant()))) {
                found.put(id, new JobView(ended.spec, ended.status, ended.result, ended.failure));
            }
        }
        return found;
    }

    private void decide(
            @Nullable TenantId scope,
            List<JobId> ids,
            Map<JobId, JobView> found,
            @Nullable Payload payload,
            String by,
            String why,
            @Nullable Author author,
            Map<JobId, Answer> answers,
            CompletableFuture<Map<JobId, Answer>> reply) {
        for (JobId id : ids) {
            JobView dead = found.get(id);
            JobSnapshot open = loop.engine.job(id);
            if (answers.containsKey(id)) {
                loop.meters.refused++;
            } else if (dead != null) {
                answers.put(id, loop.decide(new Command.Replay(dead.spec(), dead.status(), payload, by, why), author));
            } else if (open != null && open.id().equals(id) && (scope == null || scope.equals(open.tenant()))) {
                answers.put(
                        id,
                        new Answer.Replayed(
                                id, ReplayOutcome.ALREADY_OPEN, open.status().state()));
            }
        }
        loop.commit.afterDurable(new Parked(() -> reply.complete(answers), reply));
    }

    CompletableFuture<Integer> purge(@Nullable TenantId scope, List<JobId> ids) {
        CompletableFuture<Integer> reply = new CompletableFuture<>();
        claimed(
                scope,
                ids,
                reply,
                () -> journal.purgeDead(log, scope, ids).whenComplete((purged, fault) -> {
                    if (fault != null) {
                        reply.completeExceptionally(new NodeFault(
                                NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be changed", fault));
                    } else {
                        reply.complete(purged);
                    }
                }));
        return reply;
    }

    /** Runs the action on the loop when nobody else is about to change one of these, and keeps others off until the reply is there. */
    private void claimed(@Nullable TenantId scope, List<JobId> ids, CompletableFuture<?> reply, Runnable action) {
        node.call(scope, reply, () -> {
            for (JobId id : ids) {
                CompletableFuture<?> before = claims.get(id);
                if (before != null) {
                    before.whenComplete((done, fault) -> claimed(scope, ids, reply, action));
                    return;
                }
            }
            CompletableFuture<Void> done = new CompletableFuture<>();
            ids.forEach(id -> claims.put(id, done));
            reply.whenComplete((answer, fault) -> {
                ids.forEach(id -> claims.remove(id, done));
                done.complete(null);
            });
            action.run();
        });
    }

    private static NodeFault notServing() {
        return new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves; nothing was done");
    }

    @Override
    public CompletableFuture<Operation> replayAll(
            DeadFilter filter,
            int rate,
            int canaries,
            String by,
            String why,
            Function<JobSpec, Optional<String>> unfit,
            @Nullable Author author) {
        return operations.start(
                new DeadReplay(this, filter.until(loop.clock.now() + 1), rate, canaries, by, why, unfit), author);
    }

    @Override
    public CompletableFuture<Operation> purge(DeadFilter filter, String by, String why, @Nullable Author author) {
        return operations.start(new DeadPurge(this, filter.until(loop.clock.now() + 1), by, why), author);
    }

    /** Counts what fits, everything that ended until now included. */
    CompletableFuture<Long> countAll(DeadFilter filter) {
        CompletableFuture<Long> reply = new CompletableFuture<>();
        node.call(
                filter.scope(),
                reply,
                () -> loop.flusher.whenFlushed(
                        loop.commit.position(),
                        () -> journal.countDead(filter).whenComplete((counts, fault) -> {
                            if (fault != null) {
                                reply.completeExceptionally(fault);
                            } else {
                                reply.complete(counts.stream()
                                        .mapToLong(DeadCount::count)
                                        .sum());
                            }
                        }),
                        () -> reply.completeExceptionally(notServing())));
        return reply;
    }

    CompletableFuture<BulkWork.Page<DeadQuery.Place>> find(
            DeadFilter filter, DeadQuery.@Nullable Place after, int limit) {
        return journal.pageDead(new DeadQuery(filter, after, limit, false))
                .thenApply(page -> new BulkWork.Page<>(page.ids(), page.next()));
    }

    CompletableFuture<Optional<JobView>> look(@Nullable TenantId scope, JobId id) {
        return node.get(scope, id);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The same without text that a caller looked for. */
    static String outline(DeadFilter filter) {
        StringJoiner words = new StringJoiner("; ");
        if (!filter.type().isEmpty()) {
            words.add("type " + filter.type());
        }
        if (filter.failureClass() != null) {
            words.add("class " + filter.failureClass());
        }
        if (!filter.text().isEmpty()) {
            words.add("with a text");
        }
        return words.toString();
    }

    static String inWords(DeadFilter filter) {
        StringBuilder words = new StringBuilder("dead letters");
        if (!filter.type().isEmpty()) {
            words.append(" of type ").append(filter.type());
        }
        if (filter.failureClass() != null) {
            words.append(" of class ").append(filter.failureClass());
        }
        if (!filter.text().isEmpty()) {
            words.append(" with \"").append(filter.text()).append('"');
        }
        if (filter.from() > 0) {
            words.append(" from ").append(instant(filter.from()));
        }
        return words.append(" before ").append(instant(filter.to())).toString();
    }
}
