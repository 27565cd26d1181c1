package dev.fairlane.core.share;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What workers of one kind may run: the accounts that have a waiting job for them. */
public final class View {
    /** Scope of workers that may run every tenant's jobs. */
    public static final int ALL_TENANTS = -1;

    final int scope;
    final Set<String> types;
    final AccountHeap heap = new AccountHeap();
    /** Null when the view is of one tenant. */
    final @Nullable VirtualClock clock;
    /** Whether a worker of this kind has a free slot. */
    boolean served;
    /** Place among the views that have both a free slot and a job for it, or −1. */
    int readyPlace = -1;

    private @Nullable Object attachment;

    View(int scope, Set<String> types) {
        this.scope = scope;
        this.types = types;
        this.clock = scope == ALL_TENANTS ? new VirtualClock() : null;
    }

    boolean isWide() {
        return scope == ALL_TENANTS;
    }

    /** Whatever the one who opened the view wants to find again with it. */
    public void attach(Object object) {
        attachment = object;
    }

    public @Nullable Object attachment() {
        return attachment;
    }
}
