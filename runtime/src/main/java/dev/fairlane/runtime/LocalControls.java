package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.JobSnapshot;
import dev.fairlane.journal.Journal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The wishes of owners about open jobs, brought to the loop. A change needs the spec it is made to; where a deep backlog pushed it
 * out of memory, it is fetched from the store and the change decided anew, because meanwhile anything may have happened to the job.
 */
final class LocalControls implements Controls {
    /** Looking up a spec and finding the job changed again so often in a row means that somebody else is busy with it. */
    private static final int MAX_LOOKS = 5;

    private final LocalNode node;
    private final NodeLoop loop;
    private final Reads reads;
    private final Journal journal;
    private final LocalOperations operations;

    LocalControls(LocalNode node, NodeLoop loop, Reads reads, Journal journal, LocalOperations operations) {
        this.node = node;
        this.loop = loop;
        this.reads = reads;
        this.journal = journal;
        this.operations = operations;
    }

    CompletableFuture<Answer> cancel(@Nullable TenantId scope, JobId id, @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        node.call(scope, reply, () -> loop.far.visit(scope, id, reply, () -> cancel(scope, id, author, reply)));
        return reply;
    }

    private void cancel(@Nullable TenantId scope, JobId id, @Nullable Author author, CompletableFuture<Answer> reply) {
        Cancelling cancelling = cancelNow(scope, id, author);
        if (cancelling.answer instanceof Answer.NotInMemory) {
            ended(scope, id, reply, state -> new Answer.Cancelled(id, Answer.CancelOutcome.ALREADY_DONE, state));
        } else {
            node.park(reply, () -> {
                cancelling.tell.run();
                reply.complete(cancelling.answer);
            });
        }
    }

    /** @param tell tells the worker, once it is durable */
    record Cancelling(Answer answer, Runnable tell) {}

    Cancelling cancelNow(@Nullable TenantId scope, JobId id, @Nullable Author author) {
        int session = loop.engine.sessionOf(id);
        JobSnapshot before = loop.engine.job(id);
        boolean released = before == null || before.status().token() <= loop.dispatch.releasedUpTo();
        Answer answer = loop.decide(new Command.Cancel(scope, id, released), author);
        boolean requested = answer instanceof Answer.Cancelled cancelled
                && cancelled.outcome() == Answer.CancelOutcome.CANCEL_REQUESTED;
        if (!requested || before == null) {
            return new Cancelling(answer, () -> {});
        }
        LeaseRef lease = new LeaseRef(id, before.status().token());
        return new Cancelling(answer, () -> loop.dispatch.cancel(lease, session));
    }

    @Override
    public CompletableFuture<Answer> change(
            @Nullable TenantId scope, JobId id, JobChange change, int ifRevision, @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        boolean ignored = loop.config.sabotage().contains(Sabotage.IGNORE_REVISION);
        int bound = ignored ? Command.ANY_REVISION : ifRevision;
        node.call(scope, reply, () -> change(new Command.Revise(scope, id, change, bound, null), author, 0, reply));
        return reply;
    }

    private void change(Command.Revise revise, @Nullable Author author, int looks, CompletableFuture<Answer> reply) {
        loop.far.visit(revise.scope(), revise.id(), reply, () -> changeHere(revise, author, looks, reply));
    }

    private void changeHere(
            Command.Revise revise, @Nullable Author author, int looks, CompletableFuture<Answer> reply) {
        Answer answer = loop.decide(revise, author);
        switch (answer) {
            case Answer.NotInMemory _ -> changedEnded(revise.scope(), revise.id(), reply);
            case Answer.SpecNeeded _
            when looks == MAX_LOOKS ->
                reply.completeExceptionally(NodeFault.overloaded(
                        "job " + revise.id() + " changed during each of " + looks + " looks at it, and " + MAX_LOOKS
                                + " are taken; nothing was done",
                        MAX_LOOKS,
                        looks));
            case Answer.SpecNeeded _ ->
                journal.specs(loop.projection.stored().homes(List.of(revise.id()), loop.engine))
                        .whenComplete((specs, fault) -> loop.inbox.signal(() -> {
                            if (specs == null) {
                                reply.completeExceptionally(unavailable(fault));
                            } else if (!loop.serving()) {
                                reply.completeExceptionally(new NodeFault(
                                        NodeFault.Kind.NOT_SERVING, "the node no longer serves; nothing was done"));
                            } else {
                                change(with(revise, specs.get(revise.id())), author, looks + 1, reply);
                            }
                        }));
            default -> node.park(reply, () -> reply.complete(answer));
        }
    }

    static Command.Revise with(Command.Revise revise, @Nullable JobSpec base) {
        return new Command.Revise(revise.scope(), revise.id(), revise.change(), revise.ifRevision(), base);
    }

    @Override
    public CompletableFuture<Answer> pause(
            @Nullable TenantId scope, JobId id, boolean paused, @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        node.call(
                scope,
                reply,
                () -> loop.far.visit(
                        scope, id, reply, () -> pause(new Command.Pause(scope, id, paused), author, reply)));
        return reply;
    }

    private void pause(Command.Pause pause, @Nullable Author author, CompletableFuture<Answer> reply) {
        Answer answer = loop.decide(pause, author);
        if (answer instanceof Answer.NotInMemory) {
            changedEnded(pause.scope(), pause.id(), reply);
        } else {
            node.park(reply, () -> reply.complete(answer));
        }
    }

    private void changedEnded(@Nullable TenantId scope, JobId id, CompletableFuture<Answer> reply) {
        ended(scope, id, reply, state -> new Answer.Changed(id, Answer.ChangeOutcome.ALREADY_DONE, state, -1));
    }

    /** Answers about a job that is not in memory: it ended, or there is none. */
    private void ended(
            @Nullable TenantId scope, JobId id, CompletableFuture<Answer> reply, Function<JobState, Answer> done) {
        CompletableFuture<Optional<JobView>> found = new CompletableFuture<>();
        reads.get(scope, id, found);
        found.whenComplete((view, fault) -> {
            if (fault != null) {
                reply.completeExceptionally(fault);
            } else if (view.isEmpty()) {
                reply.complete(LocalNode.noSuchJob(id));
            } else if (!view.get().status().state().terminal()) {
                reply.completeExceptionally(
                        new NodeFault(NodeFault.Kind.NOT_SERVING, "job " + id + " belongs to another start by now"));
            } else {
                reply.complete(done.apply(view.get().status().state()));
            }
        });
    }

    @Override
    public CompletableFuture<Answer> setGate(Command.SetGate gate, @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        node.call(gate.tenant(), reply, () -> {
            Answer answer = loop.decide(gate, author);
            node.park(reply, () -> reply.complete(answer));
        });
        return reply;
    }

    @Override
    public CompletableFuture<List<Gate>> gates(@Nullable TenantId scope) {
        CompletableFuture<List<Gate>> reply = new CompletableFuture<>();
        node.call(scope, reply, () -> {
            List<Gate> gates = loop.engine.gates(scope);
            node.park(reply, () -> reply.complete(gates));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Operation> start(Bulk bulk, @Nullable Author author) {
        return operations.start(new OpenJobsWork(bulk, node, loop, journal, this), author);
    }

    private static NodeFault unavailable(@Nullable Throwable fault) {
        return new NodeFault(
                NodeFault.Kind.STORE_UNAVAILABLE,
                "the store could not be read; nothing was done",
                fault == null ? new IllegalStateException("no answer") : fault);
    }
}
