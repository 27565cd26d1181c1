package dev.fairlane.core.model;

import org.jspecify.annotations.Nullable;

/**
 * What is true of few jobs while they are open. One shared {@link #NONE} stands for all others.
 *
 * @param paused held back by hand: it waits until it is resumed
 * @param dependency what the last failure named as its cause; empty for none. A retry waits for its breaker
 * @param checkpoint the newest accepted checkpoint, from which the next execution starts
 * @param replay the last time somebody brought the job back from the dead letters
 */
public record JobMarks(
        boolean paused,
        String dependency,
        @Nullable Checkpoint checkpoint,
        @Nullable Replay replay) {
    public static final JobMarks NONE = new JobMarks(false, "", null, null);

    /**
     * @param ref where its bytes are in the object store
     * @param token of the lease under which it was made
     */
    public record Checkpoint(String ref, long bytes, long token, long savedAt) {}

    /**
     * @param by name of the key that asked
     * @param count how often the job was replayed
     */
    public record Replay(long replayedAt, String by, String why, int count) {}

    /** The same, as {@link #NONE} where it says nothing. */
    public JobMarks shared() {
        return equals(NONE) ? NONE : this;
    }

    public JobMarks pausing(boolean held) {
        return held == paused ? this : new JobMarks(held, dependency, checkpoint, replay).shared();
    }

    public JobMarks blaming(String name) {
        return name.equals(dependency) ? this : new JobMarks(paused, name, checkpoint, replay).shared();
    }

    public JobMarks resumingFrom(@Nullable Checkpoint newest) {
        return new JobMarks(paused, dependency, newest, replay).shared();
    }

    public JobMarks replayed(Replay newest) {
        return new JobMarks(false, "", checkpoint, newest);
    }
}
