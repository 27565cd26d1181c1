package dev.fairlane.core.lease;

import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connected worker, with what its jobs leave of its resources. Soft state: a failover costs a reconnect. */
public final class Session {
    public static final int ALL_TENANTS = -1;

    private final int id;
    private final int scope;
    private final WorkerOffer offer;
    private final boolean unbounded;
    private final List<Seat> seats = new ArrayList<>(3);
    private int cpuMillis;
    private int memoryMib;
    private int gpus;
    /** The only ring that may have of its resources, while one of its seats is kept for a big job. */
    private @Nullable SeatRing keptFor;

    public Session(int id, WorkerOffer offer) {
        this.id = id;
        this.offer = offer;
        this.scope = scope(offer.scope());
        Resources resources = offer.resources();
        this.unbounded = resources.isNone();
        this.cpuMillis = resources.cpuMillis();
        this.memoryMib = resources.memoryMib();
        this.gpus = resources.gpus();
    }

    public int id() {
        return id;
    }

    /** Number of the tenant for whom it works, or {@link #ALL_TENANTS}. */
    public int scope() {
        return scope;
    }

    public static int scope(@Nullable TenantId tenant) {
        return tenant == null ? ALL_TENANTS : tenant.number();
    }

    public WorkerOffer offer() {
        return offer;
    }

    public List<Seat> seats() {
        return seats;
    }

    public void addSeat(int pool, int slots, Bench bench) {
        Seat seat = new Seat(this, pool, slots, bench);
        seats.add(seat);
        seat.enter();
    }

    public @Nullable Seat seat(int pool) {
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).pool() == pool) {
                return seats.get(i);
            }
        }
        return null;
    }

    /** Whether it says nothing of resources: its slots are all that counts. */
    boolean unbounded() {
        return unbounded;
    }

    boolean hasRoom(SeatRing ring) {
        return hasRoom(ring, Resources.NONE);
    }

    /** The same if so much more were left. */
    boolean hasRoom(SeatRing ring, Resources more) {
        Resources demand = ring.demand;
        return unbounded
                || demand.cpuMillis() <= cpuMillis + more.cpuMillis()
                        && demand.memoryMib() <= memoryMib + more.memoryMib()
                        && demand.gpus() <= gpus + more.gpus()
                        && (keptFor == null || keptFor == ring || demand.isNone());
    }

    /** Its seats in all pools live on the same resources: what is given back is not taken in another pool. */
    void keepFor(@Nullable SeatRing ring) {
        keptFor = ring;
    }

    /** Whether a seat of it is kept for a big job. */
    public boolean kept() {
        return keptFor != null;
    }

    /** What its seats have room for may be different. */
    void judge() {
        for (int i = 0; i < seats.size(); i++) {
            seats.get(i).judge();
        }
    }

    /** Whether it could run such a job with nothing else to do. */
    public boolean couldHold(Resources demand) {
        return unbounded || demand.fitsIn(offer.resources());
    }

    /** How much it lacks for such a job, as a part of what the job demands; 0: it has room. */
    public double lacks(Resources demand) {
        return unbounded
                ? 0
                : Math.max(
                        lack(demand.cpuMillis(), cpuMillis),
                        Math.max(lack(demand.memoryMib(), memoryMib), lack(demand.gpus(), gpus)));
    }

    private static double lack(int demand, int free) {
        return demand <= free ? 0 : (double) (demand - free) / demand;
    }

    void use(Resources demand) {
        add(demand, -1);
    }

    void giveBack(Resources demand) {
        add(demand, 1);
    }

    private void add(Resources demand, int sign) {
        cpuMillis += sign * demand.cpuMillis();
        memoryMib += sign * demand.memoryMib();
        gpus += sign * demand.gpus();
        for (int i = 0; i < seats.size(); i++) {
            seats.get(i).changed();
        }
    }

    /** Takes no more jobs; returns false if it did not before either. */
    public boolean close() {
        boolean closed = false;
        for (Seat seat : seats) {
            closed |= seat.isOpen();
            seat.close();
        }
        return closed;
    }
}
