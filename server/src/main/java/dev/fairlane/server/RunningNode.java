package dev.fairlane.server;

import dev.fairlane.journal.Journal;
import dev.fairlane.runtime.Drivers;
import dev.fairlane.runtime.LocalNode;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.runtime.NodeParts;
import dev.fairlane.runtime.NodeStatus;
import dev.fairlane.runtime.Outlook;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node with the threads the runtime does not make itself: one for its loop beside the one that appends. */
public final class RunningNode implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningNode.class);
    private static final long STOP_SECONDS = 30;
    /** Without its store there is nothing to wait for: what was not committed was not acked. */
    private static final long STOP_SECONDS_WHEN_STALLED = 3;

    private final LocalNode node;
    private final Thread loop;
    private final HeapGauge heap;

    private RunningNode(LocalNode node, HeapGauge heap, Drivers drivers) {
        this.node = node;
        this.heap = heap;
        this.loop = Thread.ofPlatform().name("fairlane-loop").unstarted(() -> node.drive(drivers));
    }

    /** Takes over the journal, loads what is open, and serves when it returns. */
    public static RunningNode start(Journal journal, NodeConfig config) {
        return start(journal, config, System::nanoTime);
    }

    /** @param tickerNanos a monotonic clock; one that jumps is followed at the next {@link #outlook} */
    public static RunningNode start(Journal journal, NodeConfig config, LongSupplier tickerNanos) {
        Drivers drivers = journal.appending().map(Drivers::new).orElseGet(Drivers::new);
        HeapGauge heap = HeapGauge.start();
        NodeParts parts = new NodeParts(
                tickerNanos,
                drivers.encoder(),
                () -> ThreadLocalRandom.current().nextLong(),
                drivers,
                heap);
        try {
            LocalNode node = LocalNode.open(journal, config, parts).join();
            node.unreachable();
            RunningNode running = new RunningNode(node, heap, drivers);
            running.loop.start();
            return running;
        } catch (RuntimeException e) {
            heap.close();
            throw e;
        }
    }

    /** The port is open: from now on workers that do not come back lose their leases. */
    public void reachable() {
        node.reachable();
    }

    /** What the node would do next; asking wakes it to look at its clock. */
    public CompletableFuture<Outlook> outlook() {
        return node.outlook();
    }

    public Node node() {
        return node;
    }

    /** Completes when the node is over: empty after {@link #close}, else why it lost its log. */
    public CompletableFuture<String> ended() {
        return node.ended();
    }

    /** Commits and projects what was taken, closes the log, and ends the threads. */
    @Override
    public void close() {
        boolean stalled = node.status().state() == NodeStatus.State.STALLED;
        long seconds = stalled ? STOP_SECONDS_WHEN_STALLED : STOP_SECONDS;
        try {
            node.stop().get(seconds, TimeUnit.SECONDS);
            loop.join(TimeUnit.SECONDS.toMillis(seconds));
        } catch (TimeoutException e) {
            log.warn("the node did not stop within {} s; the next start replays what is not projected", seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            log.warn("the node did not stop cleanly", e.getCause());
        } finally {
            heap.close();
        }
    }
}
