package dev.fairlane.core.share;

/**
 * The root's virtual time V and how accounts come and go under it.
 *
 * <pre>
 *             it could run a job: melt what is above V, v = max(v, V − burst)
 *   idle ──────────────────────────────────────────────────────────────► eligible
 *        ◄──────────────────────────────────────────────────────────────
 *             it could not run any more: V is noted first
 * </pre>
 *
 * <p>V is brought up to date only when the set of eligible accounts changes: in between, the smallest v only grows, so nothing
 * is missed. Accounts that come or go together do so under one V; else the order in which a reconnecting worker finds them
 * would matter.
 */
final class VirtualClock {
    private final ShareRules rules;
    private final AccountHeap byVirtual = new AccountHeap();
    private double virtual;
    /** Sum of the weights of accounts that are eligible or hold slots. */
    private long activeWeight;

    private int slots;

    VirtualClock(ShareRules rules) {
        this.rules = rules;
    }

    AccountHeap heap() {
        return byVirtual;
    }

    int slots() {
        return slots;
    }

    void setSlots(int slots) {
        this.slots = slots;
    }

    void addActive(int weight) {
        activeWeight += weight;
    }

    /** V = max(V, smallest v of the eligible). To be called before the set of the eligible changes. */
    void advance(long now) {
        while (!byVirtual.isEmpty()) {
            double smallest = byVirtual.top().account.virtualAt(now);
            if (smallest <= byVirtual.topKey()) {
                virtual = Math.max(virtual, byVirtual.topKey());
                return;
            }
            byVirtual.raiseTop(smallest, 0);
        }
    }

    /** An account becomes eligible; its weight is counted as active already. */
    void enter(Account account, long now) {
        account.settle(now);
        double above = account.virtual - virtual;
        if (account.held == 0 && above > 0 && now > account.idleSince) {
            double halvings = (now - account.idleSince) / rules.idleHalfLifeMicros();
            account.virtual = virtual + above * StrictMath.pow(0.5, halvings);
        }
        double burst = rules.burstMicros() * slots / activeWeight;
        account.virtual = Math.max(account.virtual, virtual - burst);
        byVirtual.push(account.inRoot, account.virtual, 0);
    }

    /** An account is no longer eligible. */
    void leave(Account account, long now) {
        byVirtual.remove(account.inRoot);
        if (account.held == 0) {
            becomeIdle(account, now);
        }
    }

    void becomeIdle(Account account, long now) {
        activeWeight -= account.weight;
        account.idleSince = now;
    }
}
