package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What nobody thought of ends a node where everybody sees it. */
class BrokenLoopTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final AtomicBoolean broken = new AtomicBoolean();
    private final Drivers drivers = new Drivers();

    private LocalNode node(LongSupplier fault) {
        // no turn goes through without a clock, and no status either
        LongSupplier ticker = () -> broken.get() ? fault.getAsLong() : System.nanoTime();
        InMemoryStore store = new InMemoryStore(() -> 1_700_000_000_000_000L);
        NodeParts parts = new NodeParts(ticker, Runnable::run, () -> 0L, drivers);
        return LocalNode.open(new InMemoryJournal(store, "n1"), NodeConfig.named("n1"), parts)
                .join();
    }

    private void isOverWith(LongSupplier fault, String said) throws InterruptedException {
        LocalNode node = node(fault);
        Thread loop = Thread.ofPlatform().daemon().unstarted(() -> node.drive(drivers));
        loop.start();
        assertThat(node.newId(new TenantId(1))).succeedsWithin(LONG);
        broken.set(true);
        drivers.run();

        assertThat(node.ended()).succeedsWithin(LONG).asString().contains(said);
        assertThat(loop.join(LONG)).isTrue();
        assertThat(node.status().state()).isEqualTo(NodeStatus.State.FENCED);
        CompletableFuture<?> late = node.newId(new TenantId(1));
        assertThat(late)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("no longer serves");
        assertThat(node.stop()).succeedsWithin(LONG);
    }

    @Test
    void anExceptionOnTheLoopsThreadEndsTheNode() throws InterruptedException {
        isOverWith(
                () -> {
                    throw new IndexOutOfBoundsException("2187 of 2187");
                },
                "2187 of 2187");
    }

    @Test
    void anErrorDoesToo() throws InterruptedException {
        isOverWith(
                () -> {
                    throw new AssertionError("never");
                },
                "never");
    }
}
