package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.JobLife;
import dev.fairlane.core.outcome.Steps;
import dev.fairlane.core.outcome.Transition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the table is walked by an engine: a row that nothing can take, or that no drive is written for, fails here. */
class JobLifeWalkTest {
    private static final int SESSION = 1;
    private static final int SURVIVED_CRASHES = 20;

    private final Bed bed = new Bed();
    private JobId id = bed.newId();
    private @Nullable Picked picked;

    static List<Transition> rows() {
        return JobLife.TABLE;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyStepOfTheTableIsTaken(Transition row) {
        bed.worker(SESSION, 1, "mail");
        try (Steps steps = new Steps()) {
            arrive(row);
            assertThat(row.from() == null ? null : bed.state(id))
                    .as("the state before")
                    .isEqualTo(row.from());
            act(row);
            assertThat(steps.taken(row)).as("%s was taken", row).isTrue();
            assertThat(bed.state(id)).as("the state after").isEqualTo(row.to());
        }
    }

    // ---- to where the row begins

    private void arrive(Transition row) {
        JobState from = row.from();
        if (from == null) {
            return;
        }
        id = bed.submit(job(row));
        switch (from) {
            case SCHEDULED, QUEUED -> {}
            case RETRY_WAIT -> bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
            case DEAD -> bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
            case LEASED, RUNNING -> {
                if (crashesToDeath(row)) {
                    crash(SURVIVED_CRASHES);
                }
                picked = bed.mustPick();
                if (from == JobState.RUNNING) {
                    bed.start(picked);
                }
                if (row.cancelRequested()) {
                    bed.send(new Command.Cancel(null, id));
                }
            }
            default -> throw new AssertionError("no way is written to " + from + ", for " + row);
        }
    }

    /** A job whose own wishes let the row's deed come before any other. */
    private NewJob job(Transition row) {
        long delay = row.from() == JobState.SCHEDULED ? MINUTE : 0;
        long notAfter = row.to() != JobState.EXPIRED ? 0 : bed.now + (comesBackLate(row) ? 5 * SECOND : 2 * MINUTE);
        int attempts = row.on() == Deed.TIME_LIMIT && row.to() == JobState.DEAD ? 1 : 0;
        long limit = row.on() == Deed.TIME_LIMIT ? 15 * SECOND : HOUR;
        long runAt = row.from() == JobState.SCHEDULED && notAfter > 0 ? notAfter - 1 : 0;
        return new NewJob(
                "mail",
                Payload.EMPTY,
                0,
                -1,
                runAt,
                runAt > 0 ? 0 : delay,
                notAfter,
                attempts,
                limit,
                "",
                0,
                Map.of(),
                Map.of());
    }

    /** Whether a worker that got it in time has it no more when it is too late for another. */
    private static boolean comesBackLate(Transition row) {
        return row.to() == JobState.EXPIRED && row.on() != Deed.NOT_AFTER;
    }

    private static boolean crashesToDeath(Transition row) {
        return row.on() == Deed.LEASE_LOST && row.to() == JobState.DEAD;
    }

    private void crash(int times) {
        for (int crash = 0; crash < times; crash++) {
            bed.mustPick();
            bed.pass(11 * SECOND);
        }
    }

    // ---- the row itself

    private void act(Transition row) {
        if (comesBackLate(row)) {
            bed.pass(6 * SECOND);
        }
        switch (row.on()) {
            case SUBMIT ->
                id = bed.submit(row.to() == JobState.SCHEDULED ? Bed.later("mail", MINUTE) : Bed.job("mail"));
            case DUE -> bed.pass(2 * MINUTE);
            case PICK -> bed.mustPick();
            case START -> bed.start(held());
            case COMPLETE -> bed.complete(held());
            case FAIL -> bed.fail(held(), failureFor(row.to()));
            case HAND_OVER ->
                bed.send(new Command.HandOver(id, held().lease().status().token()));
            case LEASE_LOST -> bed.pass(11 * SECOND);
            case TIME_LIMIT -> passInContact(30 * SECOND, row.to());
            case CHANGE -> bed.send(new Command.Revise(null, id, changeFor(row), Command.ANY_REVISION, null));
            case PAUSE -> bed.send(new Command.Pause(null, id, true));
            case RESUME -> {
                bed.send(new Command.Pause(null, id, true));
                bed.send(new Command.Pause(null, id, false));
            }
            case CANCEL -> bed.send(new Command.Cancel(null, id, row.to() != JobState.CANCELLED));
            case CANCEL_GRACE -> passInContact(6 * MINUTE, row.to());
            case NOT_AFTER -> expire(row);
            case GIVE_UP -> giveUp();
            case REPLAY -> bed.replay(id);
            default -> throw new AssertionError("no drive is written for " + row);
        }
    }

    private JobChange changeFor(Transition row) {
        if (row.from() == row.to()) {
            return JobChange.NOTHING.withPriority(1);
        }
        return JobChange.NOTHING.withRunAt(row.to() == JobState.QUEUED ? 0 : bed.now + HOUR);
    }

    private static FailureClass failureFor(JobState end) {
        return switch (end) {
            case DEAD -> FailureClass.NON_RETRYABLE;
            case QUEUED, EXPIRED -> FailureClass.WORKER_CRASH;
            default -> FailureClass.APP_ERROR;
        };
    }

    /** A retry is due before its job is too old, so the timer of the second is fired by hand. */
    private void giveUp() {
        bed.now += 8 * 24 * HOUR;
        bed.send(new Command.GiveUp(id));
    }

    /** A retry is due before its job expires, so the timer of the second is fired by hand. */
    private void expire(Transition row) {
        if (row.from() == JobState.RETRY_WAIT) {
            bed.now += 3 * MINUTE;
            bed.send(new Command.PassNotAfter(id));
        } else {
            passInContact(3 * MINUTE, row.to());
        }
    }

    /** Time passes while the worker's heartbeats come, until the job is where it should be. */
    private void passInContact(long micros, JobState until) {
        for (long passed = 0; passed < micros && bed.state(id) != until; passed += 5 * SECOND) {
            if (picked != null) {
                long[] token = {picked.lease().status().token()};
                bed.engine.renew(SESSION, new long[] {id.lo()}, token, 1, bed.now);
            }
            bed.pass(5 * SECOND);
        }
    }

    private Picked held() {
        return Objects.requireNonNull(picked);
    }
}
