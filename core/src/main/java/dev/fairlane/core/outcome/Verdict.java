package dev.fairlane.core.outcome;

import dev.fairlane.core.model.FailureClass;
import org.jspecify.annotations.Nullable;

/** What a failed execution comes to. */
public sealed interface Verdict {

    /** @param counted whether the execution counts as an attempt */
    record RetryAt(long dueAt, boolean counted) implements Verdict {}

    /** At once, at the head of its queue, costing no attempt. */
    record Requeue() implements Verdict {}

    /**
     * @param as the class it is dead for, null for the failure's own
     * @param error why it is dead where the failure alone does not say it; empty where it does
     */
    record Dead(@Nullable FailureClass as, String error) implements Verdict {}

    Verdict REQUEUE = new Requeue();
    Verdict DEAD = new Dead(null, "");
}
