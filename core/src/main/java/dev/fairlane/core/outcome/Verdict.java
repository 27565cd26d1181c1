package dev.fairlane.core.outcome;

/** What a failed execution comes to. */
public sealed interface Verdict {

    /** @param counted whether the execution counts as an attempt */
    record RetryAt(long dueAt, boolean counted) implements Verdict {}

    /** At once, at the head of its queue, costing no attempt. */
    record Requeue() implements Verdict {}

    record Dead() implements Verdict {}

    Verdict REQUEUE = new Requeue();
    Verdict DEAD = new Dead();
}
