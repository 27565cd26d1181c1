package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** Jobs of one requirement that workers of one kind may run, in the order of fair share. */
public final class View {
    private final Crew crew;
    private final Requirement requirement;
    final long size;
    /** Whether its jobs demand resources. */
    final boolean demanding;

    /** Whether its slots are the pool's, see {@link Crew#isCommon}. */
    final boolean common;

    final Branch top;
    /** Whether a worker of the crew has room for a job of this size. */
    boolean served;
    /** Place among the views that have both room and a job for it, or −1. */
    int readyPlace = -1;

    private @Nullable Object attachment;

    View(Crew crew, Requirement requirement) {
        this.crew = crew;
        this.requirement = requirement;
        this.size = requirement.size();
        this.demanding = !requirement.demand().isNone();
        this.common = crew.isCommon();
        this.top = new Branch(null, this, null);
    }

    public Crew crew() {
        return crew;
    }

    public Requirement requirement() {
        return requirement;
    }

    /** Whether a job waits in it that nothing but room holds back. */
    public boolean hasWork() {
        return top.hasWork();
    }

    public boolean served() {
        return served;
    }

    public boolean common() {
        return common;
    }

    /** Whatever the one who serves the view wants to find again with it. */
    public void attach(Object object) {
        attachment = object;
    }

    public @Nullable Object attachment() {
        return attachment;
    }
}
