package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs operations over many jobs on the loop: find a page, treat it, wait as the rate asks, go on. At most one step of an operation is
 * under way, so a cancel takes effect before the next. Owned by the loop.
 *
 * <p>Soft state: what a failover costs is the operation itself, at its last step. The jobs it treated stay treated.
 */
final class BulkOperations {
    private static final Logger log = LoggerFactory.getLogger(BulkOperations.class);

    static final int MAX_RUNNING = 16;

    /** Those of one tenant leave room for the others'. */
    static final int MAX_RUNNING_PER_TENANT = 4;

    private static final int MAX_KEPT = 1_000;
    private static final int CHUNK = 500;
    /** With a rate, steps are this often or rarer. */
    private static final int STEPS_A_SECOND = 10;

    private static final long CANARY_LOOK_EVERY_MICROS = 200_000;
    private static final int MAX_TRIES = 12;
    private static final long FIRST_WAIT_MICROS = 100_000;
    private static final long MAX_WAIT_MICROS = 5_000_000;
    private static final long MICROS_A_SECOND = 1_000_000;

    private final Inbox inbox;
    private final LoopTimers timers;
    private final LongSupplier now;
    private final long epoch;
    private final Map<String, Running<?>> byId = new LinkedHashMap<>();
    private int number;

    BulkOperations(Inbox inbox, LoopTimers timers, LongSupplier now, long epoch) {
        this.inbox = inbox;
        this.timers = timers;
        this.now = now;
        this.epoch = epoch;
    }

    /** @param begin to be run, on the loop, when it may begin */
    record Prepared(Operation picture, Runnable begin) {}

    /** Why none of this tenant, or of all if it is null, may begin: as many as may be are under way. Null if one may. */
    @Nullable NodeFault refusal(@Nullable TenantId scope) {
        List<Running<?>> running =
                byId.values().stream().filter(one -> !one.state.ended()).toList();
        long own = running.stream()
                .filter(one -> scope != null && scope.equals(one.work.scope()))
                .count();
        if (running.size() < MAX_RUNNING && own < MAX_RUNNING_PER_TENANT) {
            return null;
        }
        int most = own < MAX_RUNNING_PER_TENANT ? MAX_RUNNING : MAX_RUNNING_PER_TENANT;
        return NodeFault.overloaded(
                "expected fewer than " + most + " operations under way" + (most == MAX_RUNNING ? "" : " for the tenant")
                        + ", and there are as many; nothing was begun",
                most,
                most);
    }

    /** An operation that waits to be told to begin. */
    <C> Prepared prepare(BulkWork<C> work) {
        forgetOldest();
        Running<C> operation = new Running<>("op-" + epoch + "-" + ++number, work);
        byId.put(operation.id, operation);
        log.info(
                "operation {} begins: {} of {} by {}: {}",
                operation.id,
                work.kind(),
                work.filter(),
                work.by(),
                work.why());
        return new Prepared(operation.picture(), operation::begin);
    }

    private void forgetOldest() {
        if (byId.size() >= MAX_KEPT) {
            byId.values().stream()
                    .filter(one -> one.state.ended())
                    .findFirst()
                    .ifPresent(oldest -> byId.remove(oldest.id));
        }
    }

    Optional<Operation> get(@Nullable TenantId scope, String id) {
        Running<?> operation = find(scope, id);
        return operation == null ? Optional.empty() : Optional.of(operation.picture());
    }

    List<Operation> list(@Nullable TenantId scope) {
        List<Operation> all = new ArrayList<>();
        byId.values().stream().filter(one -> one.visibleTo(scope)).forEach(one -> all.addFirst(one.picture()));
        return all;
    }

    Optional<Operation> cancel(@Nullable TenantId scope, String id) {
        Running<?> operation = find(scope, id);
        if (operation == null) {
            return Optional.empty();
        }
        operation.end(Operation.State.CANCELLED, "");
        return Optional.of(operation.picture());
    }

    private @Nullable Running<?> find(@Nullable TenantId scope, String id) {
        Running<?> operation = byId.get(id);
        return operation != null && operation.visibleTo(scope) ? operation : null;
    }

    /** A step that throws instead of failing its future is a failed step, too. */
    private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            log.error("a step of an operation failed unexpectedly", e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private final class Running<C> {
        private final String id;
        private final BulkWork<C> work;
        private final long startedAt = now.getAsLong();
        private final List<JobId> canaries = new ArrayList<>();
        private Operation.State state = Operation.State.RUNNING;
        private @Nullable C after;
        private boolean last;
        private boolean canariesAreGood;
        private long expected = -1;
        private long matched;
        private long done;
        private long skipped;
        private long failed;
        private String note = "";
        private long endedAt;
        private int tries;

        Running(String id, BulkWork<C> work) {
            this.id = id;
            this.work = work;
            this.canariesAreGood = work.canaries() == 0;
        }

        boolean visibleTo(@Nullable TenantId scope) {
            return scope == null || scope.equals(work.scope());
        }

        Operation picture() {
            return new Operation(
                    id,
                    work.kind(),
                    work.scope(),
                    work.filter(),
                    work.by(),
                    work.why(),
                    state,
                    expected,
                    matched,
                    done,
                    skipped,
                    failed,
                    note,
                    startedAt,
                    endedAt);
        }

        void begin() {
            begun(work::count)
                    .whenComplete((count, fault) -> inbox.signal(() -> {
                        if (count != null) {
                            expected = count;
                        }
                        find();
                    }));
        }

        private void find() {
            if (state.ended()) {
                return;
            }
            begun(() -> work.find(after, chunk()))
                    .whenComplete((page, fault) -> inbox.signal(() -> {
                        if (page == null) {
                            again("finding jobs", fault, this::find);
                        } else {
                            found(page);
                        }
                    }));
        }

        /** Canaries come alone, and with a rate a step is a short time's worth of jobs. */
        private int chunk() {
            int paced = work.rate() == 0 ? CHUNK : Math.clamp(work.rate() / STEPS_A_SECOND, 1, CHUNK);
            return canariesAreGood ? paced : Math.clamp(work.canaries() - canaries.size(), 1, paced);
        }

        private void found(BulkWork.Page<C> page) {
            tries = 0;
            matched += page.ids().size();
            after = page.next();
            last = page.next() == null;
            if (page.ids().isEmpty()) {
                goOn(0);
            } else {
                treat(page.ids());
            }
        }

        private void treat(List<JobId> ids) {
            if (state.ended()) {
                return;
            }
            begun(() -> work.treat(ids))
                    .whenComplete((treated, fault) -> inbox.signal(() -> {
                        if (treated == null) {
                            again("treating jobs", fault, () -> treat(ids));
                        } else {
                            treated(ids, treated);
                        }
                    }));
        }

        private void treated(List<JobId> ids, BulkWork.Treated treated) {
            tries = 0;
            done += treated.done();
            skipped += treated.skipped();
            failed += treated.failed();
            if (!treated.note().isEmpty()) {
                note = treated.note();
            }
            if (!canariesAreGood) {
                canaries.addAll(ids);
            }
            goOn(ids.size());
        }

        private void goOn(int treated) {
            if (state.ended()) {
                return;
            }
            if (!canariesAreGood && !canaries.isEmpty() && (last || canaries.size() >= work.canaries())) {
                state = Operation.State.WAITING_FOR_CANARIES;
                look();
            } else if (last) {
                end(Operation.State.DONE, note);
            } else if (work.rate() == 0) {
                find();
            } else {
                timers.at(now.getAsLong() + treated * MICROS_A_SECOND / work.rate(), this::find);
            }
        }

        private void look() {
            if (state.ended()) {
                return;
            }
            begun(() -> work.look(List.copyOf(canaries)))
                    .whenComplete((found, fault) -> inbox.signal(() -> {
                        if (found == null) {
                            again("looking at canaries", fault, this::look);
                        } else {
                            looked(found);
                        }
                    }));
        }

        private void looked(BulkWork.Canaries found) {
            tries = 0;
            if (state.ended()) {
                return;
            }
            switch (found) {
                case UNDER_WAY -> timers.at(now.getAsLong() + CANARY_LOOK_EVERY_MICROS, this::look);
                case BAD -> end(Operation.State.STOPPED, "not all canaries ended well; the other jobs were left alone");
                case GOOD -> {
                    canariesAreGood = true;
                    state = Operation.State.RUNNING;
                    goOn(0);
                }
            }
        }

        private void again(String deed, @Nullable Throwable fault, Runnable step) {
            if (state.ended()) {
                return;
            }
            String cause = fault == null ? "no answer" : String.valueOf(GroupCommit.unwrap(fault));
            if (++tries >= MAX_TRIES) {
                log.warn("operation {} gives up {}: {}", id, deed, cause);
                end(Operation.State.FAILED, deed + " failed " + tries + " times in a row; start it again to go on");
            } else {
                long wait = Math.min(MAX_WAIT_MICROS, FIRST_WAIT_MICROS << (tries - 1));
                timers.at(now.getAsLong() + wait, step);
            }
        }

        void end(Operation.State how, String why) {
            if (!state.ended()) {
                state = how;
                note = why;
                endedAt = now.getAsLong();
                log.info(
                        "operation {} is {}: {} matched, {} done, {} skipped, {} failed {}",
                        id,
                        how,
                        matched,
                        done,
                        skipped,
                        failed,
                        note);
            }
        }
    }
}
