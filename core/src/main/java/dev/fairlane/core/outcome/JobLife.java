package dev.fairlane.core.outcome;

import static dev.fairlane.core.model.JobState.CANCELLED;
import static dev.fairlane.core.model.JobState.DEAD;
import static dev.fairlane.core.model.JobState.EXPIRED;
import static dev.fairlane.core.model.JobState.LEASED;
import static dev.fairlane.core.model.JobState.QUEUED;
import static dev.fairlane.core.model.JobState.RETRY_WAIT;
import static dev.fairlane.core.model.JobState.RUNNING;
import static dev.fairlane.core.model.JobState.SCHEDULED;
import static dev.fairlane.core.model.JobState.SUCCEEDED;

import dev.fairlane.core.model.JobState;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The life of a job as data: all steps there are. */
public final class JobLife {
    public static final List<Transition> TABLE = List.of(
            new Transition(null, false, Deed.SUBMIT, QUEUED),
            new Transition(null, false, Deed.SUBMIT, SCHEDULED),
            row(SCHEDULED, Deed.DUE, QUEUED),
            row(RETRY_WAIT, Deed.DUE, QUEUED),
            row(QUEUED, Deed.PICK, LEASED),
            row(LEASED, Deed.START, RUNNING),
            row(LEASED, Deed.COMPLETE, SUCCEEDED),
            row(RUNNING, Deed.COMPLETE, SUCCEEDED),
            row(LEASED, Deed.FAIL, RETRY_WAIT),
            row(RUNNING, Deed.FAIL, RETRY_WAIT),
            row(LEASED, Deed.FAIL, DEAD),
            row(RUNNING, Deed.FAIL, DEAD),
            // a worker may itself say that the process running the job crashed
            row(LEASED, Deed.FAIL, QUEUED),
            row(RUNNING, Deed.FAIL, QUEUED),
            row(LEASED, Deed.HAND_OVER, QUEUED),
            row(RUNNING, Deed.HAND_OVER, QUEUED),
            row(LEASED, Deed.LEASE_LOST, QUEUED),
            row(RUNNING, Deed.LEASE_LOST, QUEUED),
            // what would wait again after its not_after does not
            row(LEASED, Deed.FAIL, EXPIRED),
            row(RUNNING, Deed.FAIL, EXPIRED),
            row(LEASED, Deed.HAND_OVER, EXPIRED),
            row(RUNNING, Deed.HAND_OVER, EXPIRED),
            row(LEASED, Deed.LEASE_LOST, EXPIRED),
            row(RUNNING, Deed.LEASE_LOST, EXPIRED),
            row(LEASED, Deed.LEASE_LOST, DEAD),
            row(RUNNING, Deed.LEASE_LOST, DEAD),
            row(LEASED, Deed.TIME_LIMIT, RETRY_WAIT),
            row(RUNNING, Deed.TIME_LIMIT, RETRY_WAIT),
            row(LEASED, Deed.TIME_LIMIT, DEAD),
            row(RUNNING, Deed.TIME_LIMIT, DEAD),
            row(SCHEDULED, Deed.CHANGE, SCHEDULED),
            row(SCHEDULED, Deed.CHANGE, QUEUED),
            row(QUEUED, Deed.CHANGE, QUEUED),
            row(QUEUED, Deed.CHANGE, SCHEDULED),
            row(RETRY_WAIT, Deed.CHANGE, RETRY_WAIT),
            row(RETRY_WAIT, Deed.CHANGE, QUEUED),
            row(SCHEDULED, Deed.PAUSE, SCHEDULED),
            row(QUEUED, Deed.PAUSE, QUEUED),
            row(RETRY_WAIT, Deed.PAUSE, RETRY_WAIT),
            row(SCHEDULED, Deed.RESUME, SCHEDULED),
            row(QUEUED, Deed.RESUME, QUEUED),
            row(RETRY_WAIT, Deed.RESUME, RETRY_WAIT),
            row(SCHEDULED, Deed.CANCEL, CANCELLED),
            row(QUEUED, Deed.CANCEL, CANCELLED),
            row(RETRY_WAIT, Deed.CANCEL, CANCELLED),
            // the lease has not left the node
            row(LEASED, Deed.CANCEL, CANCELLED),
            row(LEASED, Deed.CANCEL, LEASED),
            row(RUNNING, Deed.CANCEL, RUNNING),
            row(SCHEDULED, Deed.NOT_AFTER, EXPIRED),
            row(QUEUED, Deed.NOT_AFTER, EXPIRED),
            row(RETRY_WAIT, Deed.NOT_AFTER, EXPIRED),
            row(QUEUED, Deed.GIVE_UP, DEAD),
            row(RETRY_WAIT, Deed.GIVE_UP, DEAD),
            row(DEAD, Deed.REPLAY, QUEUED),
            cancelling(LEASED, Deed.START, RUNNING),
            cancelling(LEASED, Deed.COMPLETE, SUCCEEDED),
            cancelling(RUNNING, Deed.COMPLETE, SUCCEEDED),
            cancelling(LEASED, Deed.FAIL, CANCELLED),
            cancelling(RUNNING, Deed.FAIL, CANCELLED),
            cancelling(LEASED, Deed.HAND_OVER, CANCELLED),
            cancelling(RUNNING, Deed.HAND_OVER, CANCELLED),
            cancelling(LEASED, Deed.LEASE_LOST, CANCELLED),
            cancelling(RUNNING, Deed.LEASE_LOST, CANCELLED),
            cancelling(LEASED, Deed.TIME_LIMIT, CANCELLED),
            cancelling(RUNNING, Deed.TIME_LIMIT, CANCELLED),
            cancelling(LEASED, Deed.CANCEL_GRACE, CANCELLED),
            cancelling(RUNNING, Deed.CANCEL_GRACE, CANCELLED));

    private static final int DEEDS = Deed.values().length;

    /** By state (one more for "none"), cancel requested or not, and deed: bit s set when the step to state s exists. */
    private static final int[] TARGETS = new int[2 * (JobState.values().length + 1) * DEEDS];

    static {
        for (Transition row : TABLE) {
            TARGETS[index(row.from(), row.cancelRequested(), row.on())] |=
                    1 << row.to().ordinal();
        }
    }

    /** Tests look here at the steps that are taken; null otherwise. */
    static @Nullable Consumer<Transition> witness;

    private JobLife() {}

    private static Transition row(JobState from, Deed on, JobState to) {
        return new Transition(from, false, on, to);
    }

    private static Transition cancelling(JobState from, Deed on, JobState to) {
        return new Transition(from, true, on, to);
    }

    public static boolean allows(@Nullable JobState from, boolean cancelRequested, Deed on, JobState to) {
        return (TARGETS[index(from, cancelRequested, on)] >>> to.ordinal() & 1) != 0;
    }

    /** @throws IllegalStateException if the step is not in the table: whoever decided it is wrong */
    public static void require(@Nullable JobState from, boolean cancelRequested, Deed on, JobState to) {
        if (!allows(from, cancelRequested, on, to)) {
            throw new IllegalStateException("expected a step of the table, but got " + from
                    + (cancelRequested ? " (cancel requested)" : "") + " on " + on + " to " + to);
        }
        Consumer<Transition> present = witness;
        if (present != null) {
            present.accept(new Transition(from, cancelRequested, on, to));
        }
    }

    private static int index(@Nullable JobState from, boolean cancelRequested, Deed on) {
        int state = from == null ? 0 : from.ordinal() + 1;
        return (state * 2 + (cancelRequested ? 1 : 0)) * DEEDS + on.ordinal();
    }
}
