package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.TenantId;
import java.util.function.Consumer;

/** A type that counts as poison, or is about to. Its timer asks whether a quarantine may end. */
final class Quarantine extends Deadlines.Timed {
    private static final long ASK_AGAIN_MICROS = 60_000_000;

    private final TypeHealth health;
    private final Deadlines deadlines;
    /** Since when it is in quarantine, a fact; 0: it is not. */
    long since;
    /** When it was last seen failing as a poisonous type does. */
    private long lastBadAt;

    Quarantine(TypeHealth health, Deadlines deadlines) {
        this.health = health;
        this.deadlines = deadlines;
    }

    void bad(long now) {
        lastBadAt = Math.max(lastBadAt, now);
    }

    /** Nothing of it was poisonous for the length of the window: when that will be, if all goes well. */
    long calmAt() {
        return Math.max(since, lastBadAt) + health.poisonBound().windowMicros();
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        if (since == 0) {
            return;
        }
        if (health.poisonous(now, 0)) {
            lastBadAt = now;
        }
        if (calmAt() <= now) {
            sink.accept(new Command.ReleaseType(new TenantId(health.guard.tenant), health.name, false));
        }
        if (health.quarantinedBy(this)) {
            // asked again until the release is a fact
            deadlines.set(this, Math.max(calmAt(), now + ASK_AGAIN_MICROS));
        }
    }
}
