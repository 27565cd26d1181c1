package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Bench;
import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.lease.Seat;
import dev.fairlane.core.lease.SeatRing;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.share.Crew;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.View;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workers that may run the same jobs of a pool: one crew of its tree, and their seats. */
final class Kind implements Crew.Listener {
    /** What makes workers the same. */
    record Signature(int pool, int scope, Set<String> types, Set<String> tags) {}

    /** What serves a view. */
    private record Staff(
            Bench bench, SeatRing ring, @Nullable BigJobs big) {}

    final Signature signature;
    final Crew crew;
    final Bench bench;
    int sessions;

    private final FairTree tree;
    private final Deadlines deadlines;

    Kind(Signature signature, FairTree tree, int slots, Deadlines deadlines, long now) {
        this.signature = signature;
        this.tree = tree;
        this.deadlines = deadlines;
        this.bench = new Bench(Crew.isCommon(signature.scope(), signature.types()), this::freed);
        this.crew = tree.openCrew(signature.scope(), signature.types(), signature.tags(), this, slots, now);
    }

    private void freed(int slots) {
        tree.addFree(crew, slots);
    }

    static int scope(@Nullable TenantId scope) {
        return scope == null ? Crew.ALL_TENANTS : scope.number();
    }

    private static Staff staff(View view) {
        return (Staff) Objects.requireNonNull(view.attachment());
    }

    /** The seat that gets the next job of a view. */
    static Seat nextSeat(View view) {
        return staff(view).ring.next();
    }

    /** Whether a worker of the view could run its jobs with nothing else to do. */
    static boolean couldHold(View view) {
        return staff(view).bench.couldHold(view.requirement().demand());
    }

    /** Whether the end of an execution would make room for a job of the view. */
    static boolean makesRoom(View view, Hold hold) {
        Staff staff = staff(view);
        return hold.makesRoom(staff.bench, staff.ring);
    }

    @Override
    public void opened(View view) {
        Resources demand = view.requirement().demand();
        SeatRing ring = bench.open(demand, any -> tree.serve(view, any));
        view.attach(new Staff(bench, ring, demand.isNone() ? null : new BigJobs(view, bench, ring, deadlines)));
        if (!ring.isEmpty()) {
            tree.serve(view, true);
        }
    }

    @Override
    public void closed(View view) {
        Staff staff = staff(view);
        if (staff.big != null) {
            staff.big.stop();
        }
        bench.close(staff.ring);
    }

    @Override
    public void judged(View view, long now) {
        BigJobs big = view.attachment() == null ? null : staff(view).big;
        if (big != null) {
            big.judged(now);
        }
    }
}
