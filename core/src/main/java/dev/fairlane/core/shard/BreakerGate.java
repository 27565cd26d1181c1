package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.outcome.Breaker;
import java.util.function.Consumer;

/** A breaker with what it holds back: retries that blame the dependency, and the type's lanes where the type declares it. */
final class BreakerGate extends Deadlines.Timed {
    static final long NO_JOB = 0;

    final TypeHealth health;
    final Breaker breaker;
    final int number;
    final Parking.Lot parked = new Parking.Lot();
    /** Of the retries it holds back, those that were queued when it opened. */
    final Parking.Lot queued = new Parking.Lot();

    private final Breakers breakers;

    /** Whether the type declares the dependency: first attempts wait too. */
    boolean declared;
    /** The next job of the type that is leased is a probe. */
    boolean anyProbes;
    /** The next retry that is due is a probe. */
    boolean retryProbes;
    /** The retry let through as a probe and not leased yet, by the low half of its id. */
    long probing = NO_JOB;

    BreakerGate(TypeHealth health, Breaker breaker, int number, Breakers breakers) {
        this.health = health;
        this.breaker = breaker;
        this.number = number;
        this.breakers = breakers;
        this.declared = health.declares(breaker.dependency());
    }

    boolean holdsNone() {
        return parked.isEmpty() && queued.isEmpty();
    }

    /** Whether the lanes of its type stay shut because of it. */
    boolean shuts() {
        return breaker.isOpen() && declared && !anyProbes;
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        breakers.fire(this, now);
    }
}
