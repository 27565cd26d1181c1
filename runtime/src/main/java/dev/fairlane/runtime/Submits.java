package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call's jobs on their way through the loop: decided at once, but for those whose key has to be looked up first. The call is
 * answered when all of them are decided and durable. Owned by the loop.
 */
final class Submits {
    private final NodeLoop loop;
    private final Reads reads;
    private final JobIds ids;
    private final LongSupplier random;
    private final long epoch;

    Submits(NodeLoop loop, Reads reads, JobIds ids, LongSupplier random, long epoch) {
        this.loop = loop;
        this.reads = reads;
        this.ids = ids;
        this.random = random;
        this.epoch = epoch;
    }

    void take(TenantId tenant, List<NewJob> jobs, CompletableFuture<SubmitReply> reply) {
        take(tenant, jobs, reply, () -> {});
    }

    /** @param decided runs on the loop once all are decided, in the same step as the last of them, or when some cannot be */
    void take(TenantId tenant, List<NewJob> jobs, CompletableFuture<SubmitReply> reply, Runnable decided) {
        if (loop.stalledMicros() > LocalNode.REFUSE_WHEN_STALLED_MICROS) {
            reply.completeExceptionally(
                    new NodeFault(NodeFault.Kind.OVERLOADED, "the store cannot be reached; nothing was taken"));
            return;
        }
        UnderWay call = new UnderWay(tenant, jobs.size(), reply, decided);
        for (int i = 0; i < jobs.size(); i++) {
            NewJob job = jobs.get(i);
            long bits = job.runAt() > 0 || job.delayMicros() > 0 ? random.getAsLong() : 0;
            call.decide(i, new Command.Submit(ids.next(loop.now()), tenant, job, bits, List.of()));
        }
        call.undecided--;
        call.endIfDecided();
    }

    private final class UnderWay {
        private final TenantId tenant;
        private final List<@Nullable Answer> answers;
        private final CompletableFuture<SubmitReply> reply;
        private final Runnable allDecided;
        /** Jobs whose key is being looked up, and one for the call that is still being read. */
        private int undecided = 1;

        UnderWay(TenantId tenant, int size, CompletableFuture<SubmitReply> reply, Runnable allDecided) {
            this.tenant = tenant;
            this.answers = new ArrayList<>(Collections.nCopies(size, null));
            this.reply = reply;
            this.allDecided = allDecided;
        }

        void decide(int at, Command.Submit submit) {
            Answer answer = loop.decide(submit);
            if (answer instanceof Answer.LookUpKey look) {
                undecided++;
                loop.keyLookups.ask(look.probe(), new KeyLookups.Asker() {
                    @Override
                    public void found(KeyFinding finding) {
                        if (!reply.isDone()) {
                            decide(at, submit.with(finding));
                        }
                        undecided--;
                        endIfDecided();
                    }

                    @Override
                    public void failed(Throwable fault) {
                        reply.completeExceptionally(new NodeFault(
                                NodeFault.Kind.OUTCOME_UNKNOWN,
                                "a key could not be looked up; other jobs of the call may have been taken",
                                fault));
                        allDecided.run();
                    }
                });
                return;
            }
            if (answer instanceof Answer.Refused) {
                loop.meters.refused++;
            }
            answers.set(at, answer);
        }

        private void endIfDecided() {
            if (undecided > 0 || reply.isDone()) {
                return;
            }
            List<Answer> decided = new ArrayList<>(answers.size());
            for (Answer answer : answers) {
                decided.add(Objects.requireNonNull(answer));
            }
            allDecided.run();
            Position position = new Position(epoch, loop.commit.position());
            loop.commit.afterDurable(new LocalNode.Parked(() -> tell(decided, position), reply));
        }

        /** A key may lead to a job that has ended and is known to the store alone: it is looked up. */
        private void tell(List<Answer> decided, Position position) {
            List<CompletableFuture<?>> lookUps = new ArrayList<>();
            for (int i = 0; i < decided.size(); i++) {
                if (decided.get(i) instanceof Answer.NotInMemory(JobId id)) {
                    int at = i;
                    lookUps.add(reads.lastStatus(tenant, id)
                            .thenAccept(status -> loop.inbox.signal(() -> decided.set(
                                    at,
                                    status.isPresent()
                                            ? new Answer.Submitted(
                                                    id, status.get().state(), true)
                                            : noLongerKept(id)))));
                }
            }
            if (lookUps.isEmpty()) {
                reply.complete(new SubmitReply(decided, position));
                return;
            }
            CompletableFuture.allOf(lookUps.toArray(CompletableFuture<?>[]::new))
                    .whenComplete((done, fault) -> {
                        if (fault != null) {
                            reply.completeExceptionally(new NodeFault(
                                    NodeFault.Kind.OUTCOME_UNKNOWN,
                                    "what was submitted is taken, but the store could not be read",
                                    fault));
                        } else {
                            loop.inbox.signal(() -> reply.complete(new SubmitReply(decided, position)));
                        }
                    });
        }
    }

    private static Answer noLongerKept(JobId id) {
        return Answer.Refused.of(
                RefusalCode.JOB_NOT_FOUND,
                "the job of this idempotency key, " + id
                        + ", has ended and is no longer kept; use a new key for a new job");
    }
}
