package dev.fairlane.server;

import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.WorkerSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A worker inside the test: does something with every lease, and nothing else. */
public final class RecordingStream extends IdleStream {
    private final CompletableFuture<WorkerSession> session = new CompletableFuture<>();
    private final ExecutorService hands = Executors.newVirtualThreadPerTaskExecutor();
    private Consumer<Granted> deed = granted -> {};

    public final List<Granted> leases = new CopyOnWriteArrayList<>();
    public final List<Boolean> drains = new CopyOnWriteArrayList<>();

    public void onLease(Consumer<Granted> deed) {
        this.deed = deed;
    }

    public void connect(Node node, WorkerOffer offer) {
        session.complete(node.connect(offer, List.of(), this));
    }

    public WorkerSession session() {
        return session.join();
    }

    @Override
    public void leases(List<Granted> granted) {
        leases.addAll(granted);
        granted.forEach(one -> hands.execute(() -> deed.accept(one)));
    }

    @Override
    public void drain(boolean handOver) {
        drains.add(handOver);
    }
}
