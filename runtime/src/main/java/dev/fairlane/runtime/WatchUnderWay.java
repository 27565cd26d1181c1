package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Somebody follows a job until its end. It looks again after every committed change; looking is the one way to a whole view.
 */
final class WatchUnderWay implements Node.Watch, Watchers.Watcher {
    private final NodeLoop loop;
    private final Reads reads;
    private final @Nullable TenantId scope;
    private final JobId id;
    private final Consumer<JobView> watcher;
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private long looks;
    private long told;

    WatchUnderWay(NodeLoop loop, Reads reads, @Nullable TenantId scope, JobId id, Consumer<JobView> watcher) {
        this.loop = loop;
        this.reads = reads;
        this.scope = scope;
        this.id = id;
        this.watcher = watcher;
    }

    void begin() {
        loop.watchers.add(id, this);
        look();
    }

    @Override
    public void changed(Fact fact) {
        look();
    }

    @Override
    public void look() {
        long number = ++looks;
        CompletableFuture<Optional<JobView>> found = new CompletableFuture<>();
        reads.get(scope, id, found);
        found.whenComplete((view, fault) -> {
            if (fault != null) {
                done.completeExceptionally(fault);
            } else if (view.isEmpty()) {
                done.complete(false);
            } else {
                tell(number, view.get());
            }
        });
    }

    /** Some looks go by the store and take their time: one that a later look has overtaken is old news. */
    private synchronized void tell(long number, JobView view) {
        if (number > told && !done.isDone()) {
            told = number;
            watcher.accept(view);
            if (view.status().state().terminal()) {
                done.complete(true);
            }
        }
    }

    @Override
    public void lost() {
        done.completeExceptionally(new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves"));
    }

    @Override
    public CompletableFuture<Boolean> done() {
        return done;
    }

    @Override
    public void close() {
        done.complete(true);
        loop.inbox.signal(() -> loop.watchers.remove(id, this));
    }
}
