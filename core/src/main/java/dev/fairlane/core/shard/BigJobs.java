package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Bench;
import dev.fairlane.core.lease.Seat;
import dev.fairlane.core.lease.SeatRing;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.share.View;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches a view whose jobs demand resources: when they found room nowhere for a while, the worker that lacks least is kept for them,
 * so that small jobs cannot take what is given back there bit by bit. Soft: after a failover the wait begins anew.
 */
final class BigJobs extends Deadlines.Timed {
    static final long PATIENCE_MICROS = 30_000_000;

    private final View view;
    private final Bench bench;
    private final SeatRing ring;
    private final Deadlines deadlines;
    private @Nullable Seat kept;

    BigJobs(View view, Bench bench, SeatRing ring, Deadlines deadlines) {
        this.view = view;
        this.bench = bench;
        this.ring = ring;
        this.deadlines = deadlines;
    }

    /** Jobs of the view or room for them came or went. */
    void judged(long now) {
        if (!view.hasWork()) {
            stop();
        } else if (view.served()) {
            deadlines.cancel(this);
        } else if (!waits()) {
            deadlines.set(this, now + PATIENCE_MICROS);
        }
    }

    void stop() {
        deadlines.cancel(this);
        Seat seat = kept;
        kept = null;
        if (seat != null && seat.isOpen() && seat.keptFor(ring)) {
            seat.keepFor(null);
        }
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        if (!view.hasWork() || view.served()) {
            return;
        }
        if (kept == null || !kept.isOpen() || !kept.keptFor(ring)) {
            kept = best();
            if (kept != null) {
                kept.keepFor(ring);
            }
        }
        if (!view.served()) {
            deadlines.set(this, now + PATIENCE_MICROS);
        }
    }

    private @Nullable Seat best() {
        Resources demand = view.requirement().demand();
        Seat best = null;
        double least = Double.MAX_VALUE;
        for (Seat seat : bench.seats()) {
            double lacks = seat.session().lacks(demand);
            if (seat.isOpen() && !seat.session().kept() && seat.session().couldHold(demand) && lacks < least) {
                best = seat;
                least = lacks;
            }
        }
        return best;
    }
}
