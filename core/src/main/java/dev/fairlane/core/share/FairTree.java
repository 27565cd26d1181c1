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
 *   V   = max(V, smallest v of the eligible accounts), see {@link VirtualClock}
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
    private final Map<String, List<View>> viewsByType = new HashMap<>();
    /** Views with a free slot and a job for it. */
    private View[] ready = new View[4];

    private int readyCount;
    private final VirtualClock clock;
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
        this.clock = new VirtualClock(rules);
    }

    // ---- accounts and lanes

    public @Nullable Account account(int tenant) {
        return tenant < accounts.length ? accounts[tenant] : null;
    }

    public List<Account> accounts() {
        return allAccounts;
    }

    /** The lane of a tenant's type, made on first use. */
    public Lane lane(int tenant, int weight, String type) {
        Account account = account(tenant);
        if (account == null) {
            account = newAccount(tenant, weight);
        }
        Lane last = account.lastLane;
        if (last != null && last.type.equals(type)) {
            return last;
        }
        Lane lane = account.lanes().get(type);
        account.lastLane = lane != null ? lane : newLane(account, type);
        return account.lastLane;
    }

    private Account newAccount(int tenant, int weight) {
        Account account = new Account(pool, tenant, weight, clock.heap());
        account.settledAt = begun ? 0 : NOT_BEGUN;
        if (tenant >= accounts.length) {
            accounts = Arrays.copyOf(accounts, Math.max(tenant + 1, accounts.length * 2));
        }
        accounts[tenant] = account;
        allAccounts.add(account);
        return account;
    }

    private Lane newLane(Account account, String type) {
        Lane lane = new Lane(lanes.nextNumber(), account, type);
        lanes.add(lane);
        account.lanes().put(type, lane);
        lanesByType.computeIfAbsent(type, t -> new ArrayList<>()).add(lane);
        for (View view : viewsByType.getOrDefault(type, List.of())) {
            if (view.covers(lane)) {
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
            clock.addActive(weight - account.weight);
        }
        account.weight = weight;
        keyFell(account, now);
    }

    /** Slots offered by all workers of the pool; they size the burst. */
    public void setSlots(int slots) {
        clock.setSlots(slots);
    }

    public int slots() {
        return clock.slots();
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
            for (Member member : lane.covering) {
                enter(member, jobs.queuedAt(slot), now);
            }
        } else if (lane.head(priority) == slot) {
            // a new head of its tier may be the earliest job of its account
            for (Member member : lane.covering) {
                member.heap.lower(member, Double.MAX_VALUE, jobs.queuedAt(slot));
            }
        }
    }

    public void remove(Lane lane, int slot, int priority, long now) {
        waiting--;
        lane.account.waiting--;
        lane.remove(slot, priority, lanes);
        if (lane.isEmpty()) {
            lane.account.laneEmptied(lane);
            for (Member member : lane.covering) {
                if (--member.lanes == 0) {
                    clock.advance(now);
                    leave(member, now);
                }
            }
        }
    }

    /** One more lane of the member's account has jobs its view covers, the earliest queued at {@code earliest}. */
    private void enter(Member member, long earliest, long now) {
        if (member.lanes++ > 0) {
            member.heap.lower(member, Double.MAX_VALUE, earliest);
            return;
        }
        Account account = member.account;
        if (!account.eligible()) {
            clock.advance(now);
            activate(account);
        }
        push(member, earliest, now);
    }

    private void activate(Account account) {
        if (!account.active()) {
            clock.addActive(account.weight);
        }
    }

    private void push(Member member, long earliest, long now) {
        Account account = member.account;
        if (!account.eligible()) {
            clock.enter(account, now);
        }
        account.inViews++;
        member.heap.push(member, account.keyAt(now, holdMicros), earliest);
        if (member.heap.size() == 1) {
            judgeReady(member.heap.owner());
        }
    }

    private void leave(Member member, long now) {
        Account account = member.account;
        member.heap.remove(member);
        if (member.heap.isEmpty()) {
            judgeReady(member.heap.owner());
        }
        if (--account.inViews == 0) {
            clock.leave(account, now);
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
            clock.becomeIdle(account, now);
        }
        keyFell(account, now);
    }

    private void keyFell(Account account, long now) {
        if (account.eligible()) {
            double key = account.keyAt(now, holdMicros);
            for (Member member : account.members) {
                if (member.lanes > 0) {
                    member.heap.lower(member, key, Long.MAX_VALUE);
                }
            }
        }
    }

    // ---- views

    /** Opens a view for workers that run {@code types} of {@code scope}; the first one starts virtual time. */
    public View openView(int scope, Set<String> types, long now) {
        begin(now);
        View view = new View(scope, types);
        view.heap.own(view);
        clock.advance(now);
        List<Member> entering = new ArrayList<>();
        for (String type : types) {
            viewsByType.computeIfAbsent(type, t -> new ArrayList<>()).add(view);
            for (Lane lane : coverable(view, type)) {
                Member member = lane.account.join(view);
                lane.cover(member);
                if (!lane.isEmpty() && member.lanes++ == 0) {
                    activate(lane.account);
                    entering.add(member);
                }
            }
        }
        for (Member member : entering) {
            push(member, earliest(member), now);
        }
        return view;
    }

    public void closeView(View view, long now) {
        serve(view, false);
        clock.advance(now);
        while (!view.heap.isEmpty()) {
            Member member = view.heap.last();
            member.lanes = 0;
            leave(member, now);
        }
        for (String type : view.types) {
            List<View> others = viewsByType.getOrDefault(type, new ArrayList<>());
            others.remove(view);
            if (others.isEmpty()) {
                viewsByType.remove(type);
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
                Member member = lane.account.member(view);
                if (member != null) {
                    lane.account.quit(member);
                }
            }
        }
    }

    private List<Lane> coverable(View view, String type) {
        if (view.scope == View.ALL_TENANTS) {
            return lanesByType.getOrDefault(type, List.of());
        }
        Account account = account(view.scope);
        Lane lane = account == null ? null : account.lanes().get(type);
        return lane == null ? List.of() : List.of(lane);
    }

    /** Says whether a worker of the view has a free slot. */
    public void serve(View view, boolean free) {
        view.served = free;
        judgeReady(view);
    }

    private void judgeReady(View view) {
        boolean isReady = view.served && !view.heap.isEmpty();
        if (isReady && view.readyPlace == NONE) {
            if (readyCount == ready.length) {
                ready = Arrays.copyOf(ready, readyCount * 2);
            }
            view.readyPlace = readyCount;
            ready[readyCount++] = view;
        } else if (!isReady && view.readyPlace != NONE) {
            View last = ready[--readyCount];
            ready[view.readyPlace] = last;
            last.readyPlace = view.readyPlace;
            view.readyPlace = NONE;
        }
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

    /** Of the views with a free slot and a job for it, the one whose next account is first of all; null if there is none. */
    public @Nullable View nextView(long now) {
        View best = null;
        for (int i = 0; i < readyCount; i++) {
            View view = ready[i];
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
