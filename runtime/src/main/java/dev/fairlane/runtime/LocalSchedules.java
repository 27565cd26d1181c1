package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What people want of schedules, brought to the loop. */
final class LocalSchedules implements JobSchedules {
    private final LocalNode node;
    private final NodeLoop loop;
    private final Reads reads;

    LocalSchedules(LocalNode node, NodeLoop loop, Reads reads) {
        this.node = node;
        this.loop = loop;
        this.reads = reads;
    }

    @Override
    public CompletableFuture<Answer> put(Command.PutSchedule put, @Nullable Author author) {
        return decide(put.id().tenant(), put, author);
    }

    @Override
    public CompletableFuture<List<Answer>> putAll(
            TenantId caller, List<Command.PutSchedule> puts, @Nullable Author author) {
        CompletableFuture<List<Answer>> reply = new CompletableFuture<>();
        int bytes = LocalNode.bytes(puts.stream().map(Command.PutSchedule::job).toList());
        node.call(caller, Math.max(1, puts.size()), bytes, reply, () -> {
            List<Answer> answers = new ArrayList<>(puts.size());
            for (Command.PutSchedule put : puts) {
                answers.add(loop.decide(put, author));
            }
            node.park(reply, () -> reply.complete(answers));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Answer> pause(Command.PauseSchedule pause, @Nullable Author author) {
        return decide(pause.id().tenant(), pause, author);
    }

    @Override
    public CompletableFuture<Answer> delete(ScheduleName id, @Nullable Author author) {
        return decide(id.tenant(), new Command.DeleteSchedule(id), author);
    }

    private CompletableFuture<Answer> decide(TenantId caller, Command command, @Nullable Author author) {
        return read(caller, () -> loop.decide(command, author));
    }

    /** Reads wait for the commit too: they might otherwise show something that never became true. */
    private <T> CompletableFuture<T> read(@Nullable TenantId caller, Supplier<T> look) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        node.call(caller, reply, () -> {
            T seen = look.get();
            node.park(reply, () -> reply.complete(seen));
        });
        return reply;
    }

    @Override
    public CompletableFuture<Answer> trigger(ScheduleName id, @Nullable Author author) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        node.call(id.tenant(), reply, () -> trigger(new Command.TriggerSchedule(id, List.of()), author, reply));
        return reply;
    }

    private void trigger(Command.TriggerSchedule trigger, @Nullable Author author, CompletableFuture<Answer> reply) {
        Answer answer = loop.decide(trigger, author);
        switch (answer) {
            case Answer.LookUpKey look ->
                loop.keyLookups.ask(look.probe(), new KeyLookups.Asker() {
                    @Override
                    public void found(KeyFinding finding) {
                        trigger(trigger.with(finding), author, reply);
                    }

                    @Override
                    public void failed(Throwable fault) {
                        reply.completeExceptionally(new NodeFault(
                                NodeFault.Kind.STORE_UNAVAILABLE,
                                "a key could not be looked up; nothing was done",
                                fault));
                    }
                });
            // The one of its kind has ended; it is the job that is meant.
            case Answer.NotInMemory ended ->
                node.park(reply, () -> tellEnded(trigger.id().tenant(), ended.id(), reply));
            default -> node.park(reply, () -> reply.complete(answer));
        }
    }

    private void tellEnded(TenantId tenant, JobId id, CompletableFuture<Answer> reply) {
        reads.lastStatus(tenant, id).whenComplete((status, fault) -> {
            if (status == null) {
                reply.completeExceptionally(new NodeFault(
                        NodeFault.Kind.STORE_UNAVAILABLE,
                        "the job that is there already could not be looked up; nothing was done",
                        fault));
            } else {
                reply.complete(status.<Answer>map(end -> new Answer.Submitted(id, end.state(), true))
                        .orElseGet(() -> Answer.Refused.of(
                                RefusalCode.JOB_NOT_FOUND,
                                "the job that is meant, " + id + ", has ended and is no longer kept")));
            }
        });
    }

    @Override
    public CompletableFuture<Optional<Schedule>> get(ScheduleName id) {
        return read(id.tenant(), () -> Optional.ofNullable(loop.engine.schedule(id)));
    }

    @Override
    public CompletableFuture<List<Schedule>> list(@Nullable TenantId scope, @Nullable ScheduleName after, int limit) {
        return read(scope, () -> loop.engine.schedules(scope, after, limit));
    }
}
