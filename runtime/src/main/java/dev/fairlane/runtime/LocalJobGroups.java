package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Journal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Groups, brought to the loop. One that is done is read from the store, after the flush that put it there. */
final class LocalJobGroups implements JobGroups {
    private final LocalNode node;
    private final NodeLoop loop;
    private final JobIds ids;
    private final Journal journal;
    private final Submits submits;

    LocalJobGroups(LocalNode node, NodeLoop loop, JobIds ids, Journal journal, Submits submits) {
        this.node = node;
        this.loop = loop;
        this.ids = ids;
        this.journal = journal;
        this.submits = submits;
    }

    @Override
    public CompletableFuture<Answer> create(
            TenantId tenant, String name, @Nullable NewJob callback, JobGroup.CallbackOn on) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        node.call(tenant, reply, () -> {
            Answer answer = loop.decide(new Command.CreateGroup(ids.next(loop.now()), tenant, name, callback, on));
            node.park(reply, () -> reply.complete(answer));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Submitted> submit(
            TenantId tenant, String name, @Nullable NewJob callback, JobGroup.CallbackOn on, List<NewJob> jobs) {
        CompletableFuture<Submitted> reply = new CompletableFuture<>();
        node.call(tenant, 1 + jobs.size(), LocalNode.bytes(jobs), reply, () -> {
            Answer created = loop.decide(new Command.CreateGroup(ids.next(loop.now()), tenant, name, callback, on));
            if (!(created instanceof Answer.GroupIs group)) {
                node.park(reply, () -> reply.complete(new Submitted(created, List.of(), Position.NONE)));
                return;
            }
            JobId id = group.group().id();
            AtomicReference<Answer> last = new AtomicReference<>(created);
            CompletableFuture<SubmitReply> members = new CompletableFuture<>();
            submits.take(tenant, jobs.stream().map(job -> in(id, job)).toList(), members, () -> {
                Answer answer = loop.decide(new Command.SealGroup(null, id));
                if (answer instanceof Answer.GroupIs) {
                    last.set(answer);
                }
            });
            members.whenComplete((taken, fault) -> {
                if (fault != null) {
                    reply.completeExceptionally(fault);
                } else {
                    reply.complete(
                            new Submitted(Objects.requireNonNull(last.get()), taken.answers(), taken.position()));
                }
            });
        });
        return reply;
    }

    private static NewJob in(JobId group, NewJob job) {
        JobTerms terms = job.terms();
        return new NewJob(
                job.type(),
                job.payload(),
                job.payloadVersion(),
                job.priority(),
                job.runAt(),
                job.delayMicros(),
                job.notAfter(),
                job.maxAttempts(),
                job.timeLimitMicros(),
                job.idempotencyKey(),
                job.bodyHash(),
                job.tags(),
                job.headers(),
                terms.inGroup(group.toString()));
    }

    @Override
    public CompletableFuture<Answer> seal(@Nullable TenantId scope, JobId id) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        node.call(scope, reply, () -> {
            Answer answer = loop.decide(new Command.SealGroup(scope, id));
            if (answer instanceof Answer.NotInMemory) {
                stored(
                        scope,
                        id,
                        reply,
                        found -> reply.complete(
                                found.isPresent()
                                        ? new Answer.GroupIs(found.get())
                                        : Answer.Refused.of(RefusalCode.GROUP_NOT_FOUND, "there is no group " + id)));
            } else {
                node.park(reply, () -> reply.complete(answer));
            }
        });
        return reply;
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> get(@Nullable TenantId scope, JobId id) {
        CompletableFuture<Optional<JobGroup>> reply = new CompletableFuture<>();
        node.call(scope, reply, () -> look(scope, id, reply));
        return reply;
    }

    private void look(@Nullable TenantId scope, JobId id, CompletableFuture<Optional<JobGroup>> reply) {
        JobGroup group = loop.engine.group(id);
        if (group == null) {
            stored(scope, id, reply, reply::complete);
        } else {
            boolean seen = scope == null || scope.equals(group.tenant());
            node.park(reply, () -> reply.complete(seen ? Optional.of(group) : Optional.empty()));
        }
    }

    private void stored(
            @Nullable TenantId scope, JobId id, CompletableFuture<?> reply, Consumer<Optional<JobGroup>> found) {
        loop.flusher.whenFlushed(
                loop.commit.position(),
                () -> journal.group(scope, id).whenComplete((group, fault) -> {
                    if (fault != null) {
                        reply.completeExceptionally(unavailable(fault));
                    } else {
                        found.accept(group);
                    }
                }));
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> await(@Nullable TenantId scope, JobId id, long timeoutMicros) {
        CompletableFuture<Optional<JobGroup>> reply = new CompletableFuture<>();
        node.call(scope, reply, () -> {
            JobGroup group = loop.engine.group(id);
            if (group == null || scope != null && !scope.equals(group.tenant())) {
                look(scope, id, reply);
                return;
            }
            Watchers.Watcher watcher = new Watchers.Watcher() {
                @Override
                public void changed(Fact fact) {
                    if (fact instanceof Fact.GroupChanged moved
                            && moved.progress().state() == GroupProgress.State.DONE) {
                        reply.complete(Optional.of(group.with(moved.progress())));
                    }
                }

                @Override
                public void look() {}

                @Override
                public void lost() {
                    reply.completeExceptionally(new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves"));
                }
            };
            loop.watchers.add(id, watcher);
            LoopTimers.Timer timer = loop.timers.at(loop.now() + timeoutMicros, () -> look(scope, id, reply));
            reply.whenComplete((_, _) -> loop.inbox.signal(() -> {
                loop.watchers.remove(id, watcher);
                timer.cancel();
            }));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Optional<List<JobId>>> members(
            @Nullable TenantId scope, JobId id, @Nullable JobId after, int limit) {
        CompletableFuture<Optional<List<JobId>>> reply = new CompletableFuture<>();
        node.call(
                scope,
                reply,
                () -> stored(scope, id, reply, group -> {
                    if (group.isEmpty()) {
                        reply.complete(Optional.empty());
                        return;
                    }
                    journal.groupMembers(id, after, limit).whenComplete((members, fault) -> {
                        if (fault != null) {
                            reply.completeExceptionally(unavailable(fault));
                        } else {
                            reply.complete(Optional.of(members));
                        }
                    });
                }));
        return reply;
    }

    private static NodeFault unavailable(Throwable fault) {
        return new NodeFault(NodeFault.Kind.STORE_UNAVAILABLE, "the store could not be read", fault);
    }
}
