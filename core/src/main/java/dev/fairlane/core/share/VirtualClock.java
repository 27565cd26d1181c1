package dev.fairlane.core.share;

/**
 * The virtual time V of a parent in a view: how far the children that compete there have come. Children that come are measured by it.
 *
 * <pre>
 *             it has a job for the view: melt what is above V, v = max(v, V − burst)
 *   idle ──────────────────────────────────────────────────────────────► eligible
 *        ◄──────────────────────────────────────────────────────────────
 *             its last job for the view goes: V is noted first
 * </pre>
 *
 * <p>V belongs to the view, not to the pool: a tenant whose jobs only few workers can run falls behind in v for good, and a V
 * that waited for it would hand every newcomer elsewhere a credit it never earned.
 *
 * <p>V is brought up to date only when the set of children changes: in between, the smallest v only grows, so nothing is missed.
 */
final class VirtualClock {
    /** Of a parent whose children have not competed yet: it measures nobody. */
    static final double UNKNOWN = Double.NEGATIVE_INFINITY;

    private VirtualClock() {}

    /** V = max(V, smallest v of the children). */
    static double advance(double virtual, NodeHeap byVirtual, long now) {
        while (!byVirtual.isEmpty()) {
            double smallest = Presence.node(byVirtual.top()).virtualAt(now);
            if (smallest <= byVirtual.topKey()) {
                return Math.max(virtual, byVirtual.topKey());
            }
            byVirtual.raiseTop(smallest, 0);
        }
        return virtual;
    }
}
