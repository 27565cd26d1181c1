package dev.fairlane.core.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fair share of one pool: a root and its accounts (more levels will hang between the two by the same rule).
 *
 * <pre>
 *   key = v + H × (held + 1) / w            the eligible account with the smallest key is next
 *   v   grows by held × time / w            while its jobs run; every job pays for 10 ms at least
 *   V   = max(V, smallest v of the eligible accounts); newcomers are measured by it, see {@link VirtualClock}
 * </pre>
 *
 * <p>Between an account's own events its key and its v only grow, so heaps keep the last known values as lower bounds and the
 * reader checks the top again. A pick is O(log accounts); time passing costs nothing.
 *
 * <p>Not thread-safe. Virtual time is soft state, see the package.
 */
public final class FairTree {
    public static final int NONE = Lanes.NONE;

    private static final long NOT_BEGUN = Long.MAX_VALUE;

    private final int pool;
    private final ShareRules rules;
    private final double holdMicros;
    private final WaitingJobs jobs;
    private final Lanes lanes;

    private @Nullable Account[] accounts = new Account[16];
    private final List<Account> allAccounts = new ArrayList<>();
    private final Map<String, List<Lane>> lanesByType = new HashMap<>();
    private final Map<String, List<View>> wideViews = new HashMap<>();
    private final Map<Integer, List<View>> scopedViews = new HashMap<>();
    private final ReadyViews readyWide = new ReadyViews();
    private final ReadyViews readyScoped = new ReadyViews();

    /** Slots offered by all workers of the pool. */
    private int slots;
    /** Sum of the weights of accounts that are eligible or hold slots. */
    private long activeWeight;

    private int waiting;
    private int held;
    private boolean begun;

    /** @param pool number of the tree, by which accounts can be told apart */
    public FairTree(int pool, ShareRules rules, WaitingJobs jobs, Lanes lanes) {
        this.pool = pool;
        this.rules = rules;
        this.holdMicros = rules.holdMicros();
        this.jobs = jobs;
        this.lanes = lanes;
    }

    // ---- accounts and lanes

    public @Nullable Account account(int tenant) {
        return tenant < accounts.length ? accounts[tenant] : null;
    }

    public List<Account> accounts() {
        return allAccounts;
    }

    /** The account of a tenant, made on first use. */
    public Account account(int tenant, int weight) {
        Account account = account(tenant);
        return account != null ? account : newAccount(tenant, weight);
    }

    /** The lane of a type in a tenant's stream, made on first use. */
    public Lane lane(int tenant, int weight, String name, String type) {
        Account account = account(tenant, weight);
        Lane last = account.lastLane;
        if (last != null && last.type.equals(type) && last.name.equals(name)) {
            return last;
        }
        Lane lane = account.lane(name, type);
        account.lastLane = lane != null ? lane : newLane(account, name, type);
        return account.lastLane;
    }

    private Account newAccount(int tenant, int weight) {
        Account account = new Account(pool, tenant, weight);
        account.settledAt = begun ? 0 : NOT_BEGUN;
        if (tenant >= accounts.length) {
            accounts = Arrays.copyOf(accounts, Math.max(tenant + 1, accounts.length * 2));
        }
        accounts[tenant] = account;
        allAccounts.add(account);
        return account;
    }

    private Lane newLane(Account account, String name, String type) {
        Lane lane = new Lane(lanes.nextNumber(), account, name, type);
        lanes.add(lane);
        account.add(lane);
        lanesByType.computeIfAbsent(type, t -> new ArrayList<>()).add(lane);
        for (View view : wideViews.getOrDefault(type, List.of())) {
            lane.cover(account.join(view));
        }
        for (View view : scopedViews.getOrDefault(account.tenant, List.of())) {
            if (view.types.contains(type)) {
                lane.cover(account.join(view));
            }
        }
        return lane;
    }

    /** From now on the account's slot-time counts at this weight. */
    public void setWeight(int tenant, int weight, long now) {
        Account account = account(tenant);
        if (account == null || account.weight == weight) {
            return;
        }
        account.settle(now);
        if (account.active()) {
            activeWeight += weight - account.weight;
        }
        account.weight = weight;
        keyFell(account, now);
    }

    /** Slots offered by all workers of the pool; they size the burst. */
    public void setSlots(int slots) {
        this.slots = slots;
    }

    public int slots() {
        return slots;
    }

    public int waiting() {
        return waiting;
    }

    public int held() {
        return held;
    }

    // ---- queueing

    /** Queues a job at its place by the time it was queued; that is the end, except when jobs are loaded. */
    public void enqueue(Lane lane, int slot, int priority, long now) {
        lane.insert(slot, priority, lanes, jobs);
        enqueued(lane, slot, priority, now);
    }

    /** Queues a job before all others of its tier: it had its turn and its worker died. */
    public void enqueueFirst(Lane lane, int slot, int priority, long now) {
        lane.insertFirst(slot, priority, lanes);
        enqueued(lane, slot, priority, now);
    }

    private void enqueued(Lane lane, int slot, int priority, long now) {
        Account account = lane.account;
        waiting++;
        account.waiting++;
        if (lane.place == NONE) {
            account.laneFilled(lane);
            if (!lane.blocked()) {
                filled(lane, jobs.queuedAt(slot), now);
            }
        } else if (lane.head(priority) == slot && !lane.blocked()) {
            // a new head of its tier may be the earliest job of its account
            for (Member member : lane.covering) {
                member.view.heap.lower(member, Double.MAX_VALUE, jobs.queuedAt(slot));
            }
        }
    }

    public void remove(Lane lane, int slot, int priority, long now) {
        waiting--;
        lane.account.waiting--;
        lane.remove(slot, priority, lanes);
        if (lane.isEmpty()) {
            lane.account.laneEmptied(lane);
            if (!lane.blocked()) {
                vanish(lane, now);
            }
        }
    }

    /**
     * Puts a waiting job elsewhere in line, by the time it is queued at now. An account that has only this one does not go and come
     * back by it: what it is owed stays.
     */
    public void move(Lane from, int fromPriority, Lane to, int slot, int priority, long now) {
        if (from.blocked() || to.blocked()) {
            remove(from, slot, fromPriority, now);
            enqueue(to, slot, priority, now);
            return;
        }
        from.remove(slot, fromPriority, lanes);
        to.insert(slot, priority, lanes, jobs);
        if (to.place == NONE) {
            to.account.laneFilled(to);
            for (Member member : to.covering) {
                member.lanes++;
            }
        }
        if (from.isEmpty()) {
            from.account.laneEmptied(from);
            for (Member member : from.covering) {
                member.lanes--;
            }
        }
        for (Member member : to.covering) {
            member.view.heap.lower(member, Double.MAX_VALUE, jobs.queuedAt(slot));
        }
    }

    /** A lane has nothing more to give: the account leaves the views that had only this of it. */
    private void vanish(Lane lane, long now) {
        for (Member member : lane.covering) {
            if (--member.lanes == 0) {
                if (member.view.clock != null) {
                    member.view.clock.advance(now);
                }
                leave(member, now);
            }
        }
    }

    // ---- holding back

    /** Nothing of the lane is given until every {@link Block} set on it is taken off; its jobs keep their places. */
    public void block(Lane lane, int reason, long now) {
        boolean was = lane.visible();
        lane.blocks |= reason;
        if (was) {
            vanish(lane, now);
        }
    }

    public void unblock(Lane lane, int reason, long now) {
        boolean was = lane.visible();
        lane.blocks &= ~reason;
        if (!was && lane.visible()) {
            filled(lane, lane.earliest(jobs), now);
        }
    }

    /** The same for all lanes an account has or will have. */
    public void block(Account account, int reason, long now) {
        boolean was = account.blocks != 0;
        if (!was) {
            for (int i = 0; i < account.busyCount; i++) {
                if (account.busy[i].visible()) {
                    vanish(account.busy[i], now);
                }
            }
        }
        account.blocks |= reason;
    }

    public void unblock(Account account, int reason, long now) {
        boolean was = account.blocks != 0;
        account.blocks &= ~reason;
        if (was && account.blocks == 0) {
            for (int i = 0; i < account.busyCount; i++) {
                if (account.busy[i].visible()) {
                    filled(account.busy[i], account.busy[i].earliest(jobs), now);
                }
            }
        }
    }

    /** A lane has its first job: the account comes to the views that had nothing of it. */
    private void filled(Lane lane, long queuedAt, long now) {
        Account account = lane.account;
        boolean wasActive = account.active();
        double virtual = VirtualClock.UNKNOWN;
        for (Member member : lane.covering) {
            if (member.lanes == 0 && member.view.clock != null) {
                virtual = Math.max(virtual, member.view.clock.advance(now));
            }
        }
        if (lane.covering.length > 0) {
            activate(account);
            account.settle(now);
        }
        if (virtual > VirtualClock.UNKNOWN) {
            measure(account, virtual, wasActive, now);
        }
        for (Member member : lane.covering) {
            if (member.lanes++ == 0) {
                push(member, queuedAt, now);
            } else {
                member.view.heap.lower(member, Double.MAX_VALUE, queuedAt);
            }
        }
    }

    /** An account comes to views whose virtual time is {@code virtual} at most. */
    private void measure(Account account, double virtual, boolean wasActive, long now) {
        double above = account.virtual - virtual;
        if (!wasActive && above > 0 && now > account.idleSince) {
            double halvings = (now - account.idleSince) / rules.idleHalfLifeMicros();
            account.virtual = virtual + above * StrictMath.pow(0.5, halvings);
        }
        double burst = rules.burstMicros() * slots / activeWeight;
        account.virtual = Math.max(account.virtual, virtual - burst);
    }

    private void activate(Account account) {
        if (!account.active()) {
            activeWeight += account.weight;
        }
    }

    private void becomeIdle(Account account, long now) {
        activeWeight -= account.weight;
        account.idleSince = now;
    }

    private void push(Member member, long earliest, long now) {
        Account account = member.account;
        View view = member.view;
        account.inViews++;
        view.heap.push(member, account.keyAt(now, holdMicros), earliest);
        if (view.clock != null && member.inClock != null) {
            view.clock.enter(member.inClock);
        }
        judgeReady(view);
    }

    private void leave(Member member, long now) {
        Account account = member.account;
        View view = member.view;
        view.heap.remove(member);
        if (view.clock != null && member.inClock != null) {
            view.clock.leave(member.inClock);
        }
        judgeReady(view);
        if (--account.inViews == 0 && account.held == 0) {
            becomeIdle(account, now);
        }
    }

    // ---- running

    /** A job of the account was given to a worker. Its key grows: the heaps' lower bounds stay true. */
    public void acquire(Account account, long now) {
        account.settle(now);
        activate(account);
        account.held++;
        held++;
    }

    /** A job of the account gave its slot back after {@code ranMicros}. */
    public void release(Account account, long ranMicros, long now) {
        account.settle(now);
        account.held--;
        held--;
        long rest = rules.minChargeMicros() - Math.max(0, ranMicros);
        if (rest > 0 && begun) {
            account.virtual += (double) rest / account.weight;
        }
        if (!account.active()) {
            becomeIdle(account, now);
        }
        keyFell(account, now);
    }

    private void keyFell(Account account, long now) {
        if (account.eligible()) {
            double key = account.keyAt(now, holdMicros);
            for (Member member : account.members) {
                if (member.lanes > 0) {
                    member.view.heap.lower(member, key, Long.MAX_VALUE);
                }
            }
        }
    }

    // ---- views

    /**
     * Opens a view for workers that run {@code types} of {@code scope}; the first one starts virtual time. Accounts come to it
     * together and as they are: with nobody before them there is no measure.
     */
    public View openView(int scope, Set<String> types, long now) {
        begin(now);
        View view = new View(scope, types);
        if (!view.isWide()) {
            scopedViews.computeIfAbsent(scope, s -> new ArrayList<>()).add(view);
        }
        for (String type : types) {
            if (view.isWide()) {
                wideViews.computeIfAbsent(type, t -> new ArrayList<>()).add(view);
            }
            for (Lane lane : coverable(view, type)) {
                lane.cover(lane.account.join(view));
            }
        }
        for (String type : types) {
            for (Lane lane : coverable(view, type)) {
                Member member = lane.account.join(view);
                if (lane.visible() && member.lanes++ == 0) {
                    lane.account.settle(now);
                    activate(lane.account);
                    push(member, earliest(member), now);
                }
            }
        }
        return view;
    }

    public void closeView(View view, long now) {
        serve(view, false);
        while (!view.heap.isEmpty()) {
            Member member = view.heap.last();
            member.lanes = 0;
            leave(member, now);
        }
        if (!view.isWide()) {
            drop(scopedViews, view.scope, view);
        }
        for (String type : view.types) {
            if (view.isWide()) {
                drop(wideViews, type, view);
            }
            for (Lane lane : coverable(view, type)) {
                Member member = lane.account.member(view);
                if (member != null) {
                    lane.uncover(member);
                }
            }
        }
        for (String type : view.types) {
            for (Lane lane : coverable(view, type)) {
                lane.account.quit(view);
            }
        }
    }

    private static <K> void drop(Map<K, List<View>> views, K key, View view) {
        List<View> others = views.get(key);
        if (others != null && others.remove(view) && others.isEmpty()) {
            views.remove(key);
        }
    }

    private List<Lane> coverable(View view, String type) {
        if (view.isWide()) {
            return lanesByType.getOrDefault(type, List.of());
        }
        Account account = account(view.scope);
        return account == null ? List.of() : account.lanes(type);
    }

    /** Says whether a worker of the view has a free slot. */
    public void serve(View view, boolean free) {
        view.served = free;
        judgeReady(view);
    }

    private void judgeReady(View view) {
        (view.isWide() ? readyWide : readyScoped).judge(view);
    }

    private void begin(long now) {
        if (!begun) {
            begun = true;
            for (Account account : allAccounts) {
                account.settledAt = now;
                account.idleSince = now;
            }
        }
    }

    // ---- choosing

    /**
     * A view with a free slot and a job for it, or null. Workers of one tenant come first: they are nobody else's, and what their
     * tenant uses through them counts when shared ones are given. Of shared ones, the view whose next account is first of all.
     */
    public @Nullable View nextView(long now) {
        if (readyScoped.count() > 0) {
            return readyScoped.get(readyScoped.count() - 1);
        }
        View best = null;
        for (int i = 0; i < readyWide.count(); i++) {
            View view = readyWide.get(i);
            settleTop(view, now);
            if (best == null || before(view, best)) {
                best = view;
            }
        }
        return best;
    }

    /** Makes the top of the view's heap exact for {@code now}. */
    private void settleTop(View view, long now) {
        AccountHeap heap = view.heap;
        while (true) {
            Member top = heap.top();
            double key = top.account.keyAt(now, holdMicros);
            if (key > heap.topKey()) {
                heap.raiseTop(key, heap.topTie());
                continue;
            }
            if (heap.topTied()) {
                long tie = earliest(top);
                if (tie > heap.topTie()) {
                    heap.raiseTop(heap.topKey(), tie);
                    continue;
                }
            }
            return;
        }
    }

    private boolean before(View view, View other) {
        AccountHeap a = view.heap;
        AccountHeap b = other.heap;
        if (a.topKey() != b.topKey()) {
            return a.topKey() < b.topKey();
        }
        return AccountHeap.before(0, earliest(a.top()), a.top(), 0, earliest(b.top()), b.top());
    }

    /** The job that is next for the view just found: of its first account, the most urgent after aging, then the earliest. */
    public int head(View view, long now) {
        Member top = view.heap.top();
        return top.account.head(top, rules.aging(), jobs, now);
    }

    /** When the account's longest waiting job was queued; {@code Long.MAX_VALUE} if it has none. */
    public long earliest(Account account) {
        return account.earliest(null, jobs);
    }

    private long earliest(Member member) {
        return member.account.earliest(member, jobs);
    }
}
