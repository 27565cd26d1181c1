package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BulkOperationsTest {
    private static final TenantId ACME = new TenantId(1);
    private static final long SECOND = 1_000_000;

    private final Inbox inbox = new Inbox(100, () -> {});
    private final LoopTimers timers = new LoopTimers();
    private long now = SECOND;
    private final BulkOperations operations = new BulkOperations(inbox, timers, () -> now, 3);

    @Test
    void everyJobIsTreatedPageByPage() {
        Scripted work = new Scripted(1_234);
        Operation begun = start(work).orElseThrow();
        assertThat(begun.id()).isEqualTo("op-3-1");
        settle();
        Operation ended = operations.get(null, begun.id()).orElseThrow();
        assertThat(ended.state()).isEqualTo(Operation.State.DONE);
        assertThat(ended.done()).isEqualTo(1_234);
        assertThat(ended.matched()).isEqualTo(1_234);
        assertThat(work.treated).doesNotHaveDuplicates().hasSize(1_234);
        assertThat(work.pages).hasSize(3);
    }

    @Test
    void aRateSpreadsTheStepsOverTime() {
        Scripted work = new Scripted(100);
        work.rate = 20;
        String id = start(work).orElseThrow().id();
        settle();
        assertThat(work.treated).hasSize(2);
        pass(SECOND);
        assertThat(work.treated).hasSizeBetween(18, 22);
        pass(5 * SECOND);
        assertThat(operations.get(null, id).orElseThrow().state()).isEqualTo(Operation.State.DONE);
    }

    @Test
    void aCancelTakesEffectBeforeTheNextStep() {
        Scripted work = new Scripted(100);
        work.rate = 10;
        String id = start(work).orElseThrow().id();
        settle();
        assertThat(operations.cancel(ACME, id).orElseThrow().state()).isEqualTo(Operation.State.CANCELLED);
        pass(5 * SECOND);
        assertThat(work.treated).hasSize(1);
    }

    @Test
    void onlyGoodCanariesLetTheOthersThrough() {
        Scripted work = new Scripted(100);
        work.canaries = 3;
        String id = start(work).orElseThrow().id();
        settle();
        assertThat(work.treated).hasSize(3);
        assertThat(operations.get(null, id).orElseThrow().state()).isEqualTo(Operation.State.WAITING_FOR_CANARIES);
        pass(SECOND);
        assertThat(work.treated).hasSize(3);
        work.found = BulkWork.Canaries.GOOD;
        pass(SECOND);
        assertThat(work.treated).hasSize(100);
        assertThat(operations.get(null, id).orElseThrow().state()).isEqualTo(Operation.State.DONE);
    }

    @Test
    void badCanariesStopIt() {
        Scripted work = new Scripted(100);
        work.canaries = 2;
        work.found = BulkWork.Canaries.BAD;
        String id = start(work).orElseThrow().id();
        settle();
        assertThat(work.treated).hasSize(2);
        Operation stopped = operations.get(null, id).orElseThrow();
        assertThat(stopped.state()).isEqualTo(Operation.State.STOPPED);
        assertThat(stopped.note()).contains("canaries");
    }

    @Test
    void aStepThatFailsIsRepeatedAndGivenUpAtLast() {
        Scripted work = new Scripted(10);
        work.faults = 2;
        String id = start(work).orElseThrow().id();
        pass(SECOND);
        assertThat(operations.get(null, id).orElseThrow().done()).isEqualTo(10);
        Scripted broken = new Scripted(10);
        broken.faults = Integer.MAX_VALUE;
        String lost = start(broken).orElseThrow().id();
        pass(120 * SECOND);
        assertThat(operations.get(null, lost).orElseThrow().state()).isEqualTo(Operation.State.FAILED);
    }

    @Test
    void anotherTenantDoesNotSeeIt() {
        String id = start(new Scripted(1)).orElseThrow().id();
        TenantId other = new TenantId(2);
        assertThat(operations.get(other, id)).isEmpty();
        assertThat(operations.cancel(other, id)).isEmpty();
        assertThat(operations.list(other)).isEmpty();
        assertThat(operations.list(ACME)).hasSize(1);
    }

    @Test
    void onlySoManyRunAtOnce() {
        for (int i = 0; i < BulkOperations.MAX_RUNNING; i++) {
            assertThat(start(new Scripted(1, new TenantId(10 + i)))).isPresent();
        }
        assertThat(start(new Scripted(1))).isEmpty();
        settle();
        assertThat(start(new Scripted(1))).isPresent();
    }

    @Test
    void oneTenantsLeaveRoomForOthers() {
        for (int i = 0; i < BulkOperations.MAX_RUNNING_PER_TENANT; i++) {
            assertThat(start(new Scripted(1))).isPresent();
        }
        assertThat(start(new Scripted(1))).isEmpty();
        assertThat(operations.refusal(ACME)).hasMessageContaining("4 operations under way for the tenant");
        assertThat(operations.refusal(null)).as("an operator's").isNull();
        assertThat(start(new Scripted(1, new TenantId(2)))).isPresent();
        settle();
        assertThat(start(new Scripted(1))).isPresent();
    }

    private Optional<Operation> start(BulkWork<?> work) {
        if (operations.refusal(work.scope()) != null) {
            return Optional.empty();
        }
        BulkOperations.Prepared prepared = operations.prepare(work);
        prepared.begin().run();
        return Optional.of(prepared.picture());
    }

    private void settle() {
        Runnable signal;
        while ((signal = inbox.nextSignal()) != null) {
            signal.run();
        }
    }

    private void pass(long micros) {
        settle();
        long until = now + micros;
        while (now < until) {
            now = Math.min(until, Math.max(now + 1, timers.nextAt()));
            timers.fire(now);
            settle();
        }
    }

    private static final class Scripted implements BulkWork<Integer> {
        private final int count;
        private final TenantId scope;
        private final List<JobId> treated = new ArrayList<>();
        private final List<Integer> pages = new ArrayList<>();
        private int rate;
        private int canaries;
        private int faults;
        private Canaries found = Canaries.UNDER_WAY;

        Scripted(int count) {
            this(count, ACME);
        }

        Scripted(int count, TenantId scope) {
            this.count = count;
            this.scope = scope;
        }

        @Override
        public String kind() {
            return "touch";
        }

        @Override
        public TenantId scope() {
            return scope;
        }

        @Override
        public String filter() {
            return "all";
        }

        @Override
        public String outline() {
            return "";
        }

        @Override
        public String by() {
            return "ops";
        }

        @Override
        public String why() {
            return "a test";
        }

        @Override
        public int rate() {
            return rate;
        }

        @Override
        public int canaries() {
            return canaries;
        }

        @Override
        public CompletableFuture<Page<Integer>> find(@Nullable Integer after, int limit) {
            if (faults-- > 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("planned"));
            }
            int from = after == null ? 0 : after;
            int to = Math.min(count, from + limit);
            pages.add(to - from);
            List<JobId> ids = LongStream.range(from, to)
                    .mapToObj(i -> new JobId(1, i + 1))
                    .toList();
            return CompletableFuture.completedFuture(new Page<>(ids, to == count ? null : to));
        }

        @Override
        public CompletableFuture<Treated> treat(List<JobId> ids) {
            treated.addAll(ids);
            return CompletableFuture.completedFuture(new Treated(ids.size(), 0, 0, ""));
        }

        @Override
        public CompletableFuture<Canaries> look(List<JobId> ids) {
            return CompletableFuture.completedFuture(found);
        }
    }
}
