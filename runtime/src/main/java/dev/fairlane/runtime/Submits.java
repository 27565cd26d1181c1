package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TakenRequest;
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
 *
 * <p>A call with a request id leaves that id with the first job that is accepted, which is the first of the call to be durable. When
 * the call comes again, that job's id tells the ids all its jobs were given: those that are there are answered, those that were
 * refused are decided again under the same id. So however often a call comes, each of its jobs is there at most once.
 */
final class Submits {
    private final NodeLoop loop;
    private final Reads reads;
    private final JobIds ids;
    private final LongSupplier random;
    private final long epoch;
    private final SettledIds settled;

    Submits(NodeLoop loop, Reads reads, JobIds ids, LongSupplier random, long epoch) {
        this.loop = loop;
        this.reads = reads;
        this.ids = ids;
        this.random = random;
        this.epoch = epoch;
        this.settled = new SettledIds(loop, reads);
    }

    /** @param request id of a call that may come again; empty for none */
    void take(TenantId tenant, List<NewJob> jobs, String request, CompletableFuture<SubmitReply> reply) {
        take(tenant, jobs, request, reply, () -> {});
    }

    /** @param decided runs on the loop once all are decided, in the same step as the last of them, or when some cannot be */
    void take(TenantId tenant, List<NewJob> jobs, CompletableFuture<SubmitReply> reply, Runnable decided) {
        take(tenant, jobs, "", reply, decided);
    }

    private void take(
            TenantId tenant,
            List<NewJob> jobs,
            String request,
            CompletableFuture<SubmitReply> reply,
            Runnable decided) {
        NodeFault stalled = NodeFault.stalled(loop.stalledMicros());
        if (stalled != null) {
            reply.completeExceptionally(stalled);
            return;
        }
        TakenRequest before = request.isEmpty() ? null : loop.engine.request(tenant, request, loop.now());
        long digest = request.isEmpty() ? 0 : CallMark.digest(jobs);
        if (before != null && !CallMark.of(before.mark(), digest)) {
            Answer refused = Answer.Refused.of(
                    RefusalCode.IDEMPOTENCY_KEY_REUSED,
                    "expected the jobs first sent with this request id, but got others; every call has an id of its own");
            reply.complete(new SubmitReply(Collections.nCopies(jobs.size(), refused), Position.NONE));
            return;
        }
        UnderWay call = new UnderWay(tenant, jobs, reply, decided);
        if (!request.isEmpty() && before == null) {
            call.name = KeyName.request(request);
            call.digest = digest;
        }
        @Nullable JobId[] own = ownIds(jobs, before);
        if (own == null) {
            call.begin(new @Nullable JobId[jobs.size()]);
        } else {
            settled.look(tenant, own, reply, states -> {
                for (int i = 0; i < own.length; i++) {
                    JobId id = own[i];
                    JobState state = states[i];
                    if (id != null && state != null) {
                        call.answers.set(
                                i,
                                new Answer.Submitted(
                                        id, state, PayloadRef.is(jobs.get(i).payload())));
                    }
                }
                call.begin(own);
            });
        }
    }

    /**
     * The ids that jobs must have, because they may be there already: those of a call taken before, and those whose payload was
     * stored under an id. Null for nearly all calls, which have none.
     */
    private static @Nullable JobId @Nullable [] ownIds(List<NewJob> jobs, @Nullable TakenRequest before) {
        @Nullable JobId[] own = null;
        for (int i = 0; i < jobs.size(); i++) {
            NewJob job = jobs.get(i);
            JobId id = null;
            if (PayloadRef.is(job.payload())) {
                id = PayloadRef.of(job.payload()).flatMap(PayloadRef::job).orElse(null);
            } else if (before != null && job.idempotencyKey().isEmpty()) {
                id = JobIds.sibling(before.first(), i - CallMark.place(before.mark()));
            }
            if (id != null) {
                own = own == null ? new @Nullable JobId[jobs.size()] : own;
                own[i] = id;
            }
        }
        return own;
    }

    private final class UnderWay {
        private final TenantId tenant;
        private final List<NewJob> jobs;
        private final List<@Nullable Answer> answers;
        private final CompletableFuture<SubmitReply> reply;
        private final Runnable allDecided;
        /** Jobs whose key is being looked up, and one for the call that is still being read. */
        private int undecided = 1;
        /** What the first job that is accepted carries in place of a key; empty when it is carried, or there is nothing to. */
        private String name = "";

        private long digest;

        UnderWay(TenantId tenant, List<NewJob> jobs, CompletableFuture<SubmitReply> reply, Runnable allDecided) {
            this.tenant = tenant;
            this.jobs = jobs;
            this.answers = new ArrayList<>(Collections.nCopies(jobs.size(), null));
            this.reply = reply;
            this.allDecided = allDecided;
        }

        /** Ids are made for all, in one row, so that the id of one tells those of the others. */
        void begin(@Nullable JobId[] own) {
            long now = loop.now();
            for (int i = 0; i < own.length; i++) {
                loop.glances.at(i, tenant, jobs);
                JobId next = ids.next(now);
                if (answers.get(i) == null) {
                    NewJob job = jobs.get(i);
                    long bits = job.runAt() > 0 || job.delayMicros() > 0 ? random.getAsLong() : 0;
                    JobId id = own[i];
                    boolean marked = !name.isEmpty()
                            && id == null
                            && job.idempotencyKey().isEmpty();
                    NewJob taken = marked ? job.keyed(name, CallMark.make(digest, i)) : job;
                    decide(i, new Command.Submit(id == null ? next : id, tenant, taken, bits, List.of()));
                }
            }
            undecided--;
            endIfDecided();
        }

        void decide(int at, Command.Submit submit) {
            Answer answer = loop.decide(submit);
            if (answer instanceof Answer.LookUpKey look) {
                undecided++;
                boolean held = settled.hold(submit.id());
                loop.keyLookups.ask(look.probe(), new KeyLookups.Asker() {
                    @Override
                    public void found(KeyFinding finding) {
                        if (held) {
                            settled.release(submit.id());
                        }
                        if (!reply.isDone()) {
                            decide(at, submit.with(finding));
                        }
                        undecided--;
                        endIfDecided();
                    }

                    @Override
                    public void failed(Throwable fault) {
                        if (held) {
                            settled.release(submit.id());
                        }
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
            if (answer instanceof Answer.Submitted taken
                    && !taken.existing()
                    && KeyName.isRequest(submit.job().idempotencyKey())) {
                name = "";
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
            loop.commit.answer(new Parked(() -> tell(decided, position), reply));
        }

        private SubmitReply answered(List<Answer> decided, Position position) {
            return new SubmitReply(decided, position, loop.engine.overQuota(tenant, loop.now()));
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
                reply.complete(answered(decided, position));
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
                            loop.inbox.signal(() -> reply.complete(answered(decided, position)));
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
