package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.Lease;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.TakenRequest;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a node: pure, deterministic, for one thread.
 *
 * <p>A turn of its caller: {@link #decide} each command and {@link #apply} the facts of the decision before the next; ask for
 * {@link #dueTimers} and do the same with those commands; {@link #pick} and apply until there is nothing to give. Facts are
 * journaled in the order they were applied; answers and leases leave once their facts are committed.
 *
 * <p>Recovery: apply tenants and types, {@link #loadKey} and {@link #load} what is stored, {@link #apply} the facts behind it, then
 * {@link #renewAll}.
 *
 * <p>Hard state: tenants, types, jobs, keys; it changes in {@code apply} and the loads only. Soft state: sessions, the ends of
 * leases, virtual time, the submit rates, the promotion bucket; each says what a failover costs.
 */
public final class Engine {
    /** Kinds of workers (pool, types) that may run every tenant's jobs. */
    public static final int MAX_WIDE_KINDS = 256;

    /** Kinds of workers (pool, tenant, types) that run one tenant's jobs. */
    public static final int MAX_SCOPED_KINDS = 100_000;

    public static final int NO_SESSION = Hold.NO_SESSION;

    private final ShardState state;
    private final Decider decider;
    private final Dispatch dispatch;
    private final Alarms alarms;
    private final Census census;
    private final OpenSearch search;
    private final Waits waits;
    private final StrandedSearch stranded;

    /** Latest time told; sessions end without one. */
    private long latest;

    /** @param epoch of this node's log; tokens are made of it and of a counter */
    public Engine(EngineConfig config, long epoch) {
        state = new ShardState(config, epoch);
        decider = new Decider(state);
        dispatch = new Dispatch(state);
        alarms = new Alarms(state);
        census = new Census(state);
        search = new OpenSearch(state);
        waits = new Waits(state);
        stranded = new StrandedSearch(state);
    }

    // ---- hard state

    /**
     * Reads what the end of a job's execution will read and change, so that it is near when it is decided on.
     *
     * @return nothing of meaning, for a caller that must not let the reading be optimized away
     */
    public long glance(JobId id) {
        return dispatch.glance(id);
    }

    /** The same for as many jobs that are likely to be picked next. */
    public long glanceAhead(int picks) {
        return dispatch.glanceAhead(picks);
    }

    /** The same for the keys of some jobs of a call, before the first of them is submitted. */
    public long glance(TenantId tenant, List<NewJob> jobs, int from, int to) {
        return state.keys.glance(tenant.number(), jobs, from, to);
    }

    /** Decides on a command. Reads only, submit rates aside: what it decided becomes true when the facts are applied. */
    public Decision decide(Command command, long now) {
        return decider.decide(command, now);
    }

    /**
     * Makes a fact true: live, loaded or replayed.
     *
     * @throws IllegalStateException if it cannot follow from the present state; the state is then unusable
     */
    public void apply(Fact fact) {
        state.apply(fact);
    }

    /** An open stored job: as if added with this image, its spec left in the store. */
    public void load(JobSpec spec, JobStatus status) {
        state.load(spec, status);
    }

    /** A stored key of the present or the last span. */
    public void loadKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        if (KeyName.isRequest(key)) {
            state.requests.load(tenant, key, id, bodyHash, submittedAt);
        } else {
            state.keys.load(tenant.number(), key, id.hi(), id.lo(), bodyHash, submittedAt);
        }
    }

    /** A stored key that is too old for memory: it is found in the store. */
    public void loadSealedKey(TenantId tenant, String key, long submittedAt) {
        if (!KeyName.isRequest(key)) {
            state.keys.loadSealed(tenant.number(), key, submittedAt);
        }
    }

    /** The stored key of a dead job, of whatever age. */
    public void loadDeadKey(TenantId tenant, String key, long endedAt) {
        if (!KeyName.isRequest(key)) {
            state.keys.loadDead(tenant.number(), key, endedAt);
        }
    }

    /**
     * Lets keys go that are older than the last span: from then on they are found in the store.
     *
     * @param until the last time of which all is stored, and was when any look-up under way began
     * @param deadBefore dead jobs that ended before this are no longer kept
     * @param max bound on the keys of one call
     */
    public void sealKeys(long until, long deadBefore, long now, int max) {
        state.keys.seal(Math.min(until, state.filters.recentFrom(now) - 1), now, state.jobs, max);
        state.filters.forget(now, deadBefore);
        state.requests.forget(now, max);
    }

    /** A call of the last minutes by its request id, or null when none was taken. */
    public @Nullable TakenRequest request(TenantId tenant, String id, long now) {
        return state.requests.find(tenant, id, now);
    }

    /** What a tenant used in a month that began then, stored before. */
    public void loadUsage(TenantId tenant, long monthAt, Usage used) {
        state.ledger.load(tenant, monthAt, used);
    }

    /** Use that the facts applied since the last call came to. It belongs to them: it is stored with them, or not at all. */
    public Bookings takeBookings() {
        return state.ledger.take();
    }

    /** Whether the tenant used as much this month as one of its soft quotas says. */
    public boolean overQuota(TenantId tenant, long now) {
        return state.ledger.month().overSoft(tenant.number(), now);
    }

    /** The account of a booking. */
    public UsageAccount usageAccount(int number) {
        return state.ledger.account(number);
    }

    // ---- work to give and timers

    /**
     * The next job for any session with a free slot, or null. The caller applies its fact before it picks again; a pick that is
     * not applied did not happen.
     */
    public @Nullable Picked pick(long now) {
        latest = Math.max(latest, now);
        return dispatch.pick(now);
    }

    /**
     * Commands that are due, up to {@code max}, for the caller to decide and apply; it may do so inside {@code sink}. One that comes
     * to nothing is offered again a second later.
     */
    public int dueTimers(long now, int max, Consumer<Command> sink) {
        latest = Math.max(latest, now);
        return alarms.due(now, max, sink);
    }

    /** When to ask for due timers next, at the latest; {@code Long.MAX_VALUE} if there are none. */
    public long nextTimerAt() {
        return alarms.nextAt();
    }

    // ---- sessions of workers: soft state

    /**
     * A worker connected.
     *
     * @return null, or why it cannot be served: it would be one more than {@link #MAX_WIDE_KINDS} or {@link #MAX_SCOPED_KINDS}
     *     different kinds of workers; nothing of it is taken then
     */
    public @Nullable Refusal openSession(int session, WorkerOffer offer, long now) {
        latest = Math.max(latest, now);
        return dispatch.open(session, offer, now);
    }

    /** Its leases stay until they end or the worker names them in a {@link #renew}. */
    public void closeSession(int session) {
        dispatch.close(session, latest);
    }

    /** It gets no more jobs and keeps those it has. */
    public void drainSession(int session) {
        dispatch.drain(session, latest);
    }

    /** Renews exactly these leases and attaches them to this session; returns the positions of those that are not current. */
    public BitSet renew(int session, long[] idLo, long[] tokens, int n, long now) {
        latest = Math.max(latest, now);
        return dispatch.renew(session, idLo, tokens, n, now);
    }

    /**
     * The execution of this token showed progress: a heartbeat said so, or a checkpoint was accepted. Nothing happens for a token
     * that is not current or a type that declares no window.
     */
    public void progressed(JobId id, long token, long now) {
        latest = Math.max(latest, now);
        int slot = state.jobs.find(id);
        if (slot != ShardState.NONE
                && state.jobs.state(slot).leased()
                && state.hold(slot).token() == token) {
            state.hold(slot).progressed(now);
        }
    }

    /**
     * How near the node is to bounds the engine does not see; near them submits are marked or refused.
     *
     * @param heapPercent of the heap that is still used after collections
     * @param commitLagMicros for how long the commit under way has been
     */
    public void measured(int heapPercent, long commitLagMicros) {
        state.limits.pressure().measured(heapPercent, commitLagMicros);
    }

    /** What was noticed so far is not news: it came from recovery. */
    public void forgetNotices() {
        state.guards.notices.clear();
        state.schedules.tellOfZones(state.guards.notices);
    }

    /** What was noticed since the last call, for people to hear of; of more than a thousand the newest, the others are counted. */
    public void drainNotices(Consumer<Notice> sink) {
        state.guards.notices.drain(sink);
    }

    /** Executions that shall make room, for their workers to hear of, since the last call. */
    public void drainHandOvers(Consumer<HandOverCall> sink) {
        state.guards.preemption.drain(sink);
    }

    /** Whether the execution of this token was asked to hand over, for a worker that may not have heard of it. */
    public boolean askedToHandOver(JobId id, long token) {
        return holds(id, token) && state.guards.preemption.asked(state.jobs.find(id));
    }

    /** Things noticed since this start of which nobody heard, because too many came at once. */
    public long noticesDropped() {
        return state.guards.notices.dropped();
    }

    /** The breakers of a type, by name of the dependency. */
    public List<BreakerState> breakers(TenantId tenant, String type, long now) {
        TypeHealth health = state.guards.known(tenant.number(), type);
        return health == null ? List.of() : state.guards.breakers.states(health, now);
    }

    /** How long executions of a type take. */
    public PaceStats pace(TenantId tenant, String type, long now) {
        return state.classes.stats(tenant.number(), type, now);
    }

    public GuardStats guardStats() {
        Breakers breakers = state.guards.breakers;
        return new GuardStats(breakers.open(), breakers.refused(), noticesDropped());
    }

    /** Leases recorded for the worker of this name and scope, for comparing with what it says it holds. */
    public List<HeldLease> leasesOf(@Nullable TenantId scope, String worker) {
        return dispatch.leasesOf(scope, worker);
    }

    /** Whether the job is in memory and of another tenant. */
    public boolean ofAnother(TenantId tenant, JobId id) {
        int slot = state.jobs.find(id);
        return slot != ShardState.NONE && state.tenant(slot) != tenant.number();
    }

    /** After an outage, a stall or a takeover: no lease ends before its full length from now. */
    public void renewAll(long now) {
        latest = Math.max(latest, now);
        state.leases.forEach(hold -> hold.renewAfterSilence(now));
    }

    /** The same for what a session holds, without more time for the executions themselves: its heartbeats may have been held back. */
    public void renewSession(int session, long now) {
        latest = Math.max(latest, now);
        dispatch.renewHeld(session, now);
    }

    /** The session by which the holder of the job is reached, or {@link #NO_SESSION}. */
    public int sessionOf(JobId id) {
        int slot = state.jobs.find(id);
        return slot != ShardState.NONE && state.jobs.state(slot).leased()
                ? state.hold(slot).session()
                : NO_SESSION;
    }

    // ---- reads

    /** Whether this token is the job's live lease. */
    public boolean holds(JobId id, long token) {
        int slot = state.jobs.find(id);
        return slot != ShardState.NONE
                && state.jobs.state(slot).leased()
                && state.hold(slot).token() == token;
    }

    /** Whether a lease that was picked here is still the job's live one. */
    public boolean holds(Lease lease) {
        int hold = state.jobs.hold(lease.slot());
        return hold != ShardState.NONE
                && state.leases.get(hold).token() == lease.status().token();
    }

    public @Nullable JobSnapshot job(JobId id) {
        int slot = state.jobs.find(id);
        return slot == ShardState.NONE ? null : census.snapshot(slot);
    }

    /** The type of an open job, whether its spec is in memory or not; null when it is not open. */
    public @Nullable String typeOf(JobId id) {
        int slot = state.jobs.find(id);
        return slot == ShardState.NONE ? null : state.queue(slot).type();
    }

    /** The pool of an open job; null when it is not open. */
    public @Nullable String poolOf(JobId id) {
        int slot = state.jobs.find(id);
        return slot == ShardState.NONE ? null : state.pool(slot).rules().name();
    }

    /** Drops the spec of a waiting job that is in the store as this; nothing happens to others, nor to one that was changed since. */
    public void evict(JobSpec stored) {
        int slot = state.jobs.find(stored.id());
        if (slot != ShardState.NONE
                && state.jobs.state(slot).waiting()
                && state.jobs.revision(slot) == stored.terms().revision()) {
            state.jobs.setSpec(slot, null);
        }
    }

    /** Takes back the spec of a leased job that was evicted; nothing happens to others, nor to one that was changed since. */
    public void restore(JobSpec stored) {
        int slot = state.jobs.find(stored.id());
        if (slot != ShardState.NONE
                && state.jobs.state(slot).leased()
                && state.jobs.spec(slot) == null
                && state.jobs.revision(slot) == stored.terms().revision()) {
            state.jobs.setSpec(slot, stored);
        }
    }

    /**
     * Takes back the spec of a job that is queued as it was submitted and was evicted; nothing happens to others. One that was replayed may have
     * another payload than this, with the same revision.
     */
    public boolean restoreAhead(JobSpec stored) {
        int slot = asSubmitted(stored.id(), stored.terms().revision());
        if (slot == ShardState.NONE || state.jobs.spec(slot) != null) {
            return false;
        }
        state.jobs.setSpec(slot, stored);
        return true;
    }

    /** Drops the spec of such a job again; nothing happens to one that is not as it was when it was taken back. */
    public void evictAhead(JobId id, int revision) {
        int slot = asSubmitted(id, revision);
        if (slot != ShardState.NONE) {
            state.jobs.setSpec(slot, null);
        }
    }

    private int asSubmitted(JobId id, int revision) {
        int slot = state.jobs.find(id);
        boolean is = slot != ShardState.NONE
                && state.jobs.state(slot) == JobState.QUEUED
                && state.jobs.image(slot) == null
                && state.jobs.revision(slot) == revision;
        return is ? slot : ShardState.NONE;
    }

    /**
     * Whether and when a job that is not yet due has to be in memory: one that may be left to the store alone until shortly before then, or 0
     * for one that may not.
     */
    public static long wakeAt(JobSpec spec, JobStatus status) {
        return FarJobs.wakeAt(spec, status);
    }

    /**
     * Leaves a job to the store alone, which has it as this; false, and nothing happens, when it has become something else. It stays open
     * in every count. Whoever wants anything of it lets it {@link #arrive} first.
     */
    public boolean depart(JobSpec stored, JobStatus image, long now) {
        latest = Math.max(latest, now);
        return state.far.depart(stored, image, latest);
    }

    /**
     * A job that was left to the store, as the store has it; not in memory yet.
     *
     * @param whole the spec has its payload, so that it need not be fetched for the lease
     */
    public void arrive(JobSpec stored, JobStatus image, boolean whole) {
        state.far.arrive(stored, image, whole);
    }

    /** So many jobs of a tenant were left to the store by an earlier start. */
    public void loadFar(TenantId tenant, long jobs) {
        state.far.told(tenant.number(), jobs);
    }

    /** The idempotency key of such a job. */
    public void loadFarKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {
        state.keys.loadFar(tenant.number(), key, id.hi(), id.lo(), bodyHash, submittedAt);
    }

    /** Open jobs that were left to the store. */
    public long farJobs() {
        return state.far.size();
    }

    /** Whether an open job of this id is in memory. */
    public boolean has(JobId id) {
        return state.jobs.find(id) != ShardState.NONE;
    }

    /** For how long the job that is due longest and not yet queued has been due. */
    public long oldestDueMicros(long now) {
        return alarms.oldestDueMicros(now);
    }

    /** A group that is not done. */
    public @Nullable JobGroup group(JobId id) {
        return state.groups.find(id);
    }

    public @Nullable Schedule schedule(ScheduleName id) {
        Schedules.Entry entry = state.schedules.find(id);
        return entry == null ? null : entry.schedule;
    }

    /** Schedules in the order of their names, of one tenant or all, up to {@code max} behind {@code after}. */
    public List<Schedule> schedules(@Nullable TenantId scope, @Nullable ScheduleName after, int max) {
        return state.schedules.page(scope, after, max);
    }

    /** Age of the oldest tick that is due and not dealt with. Looks at every schedule: ask now and then. */
    public long oldestDueTickMicros(long now) {
        return state.schedules.oldestDueMicros(now);
    }

    public @Nullable Tenant tenant(String name) {
        return state.directory.tenant(name);
    }

    public @Nullable Tenant tenant(TenantId id) {
        return state.directory.tenant(id.number());
    }

    public List<Tenant> tenants() {
        return state.directory.tenants();
    }

    public @Nullable JobType type(TenantId tenant, String name) {
        return state.directory.type(tenant.number(), name);
    }

    public List<JobType> types(@Nullable TenantId scope) {
        return state.directory.types(scope);
    }

    /**
     * Open jobs that fit, from {@link Matched#BEGIN} or where the last call said to go on. A call takes well below a millisecond, so it
     * may find fewer than {@code max}, or none, before the last.
     */
    public Matched match(JobFilter filter, int cursor, int max) {
        return search.match(filter, cursor, max);
    }

    /** Why an open job waits; null when it is not open. */
    public @Nullable WaitingJob explain(JobId id, long now) {
        state.settleLoads();
        int slot = state.jobs.find(id);
        return slot == ShardState.NONE ? null : waits.explain(slot, now);
    }

    /** How a tenant stands in the pools it had jobs in. */
    public List<TenantShare> shares(TenantId tenant, long now) {
        List<TenantShare> shares = new ArrayList<>(state.pools.length);
        for (Pool pool : state.pools) {
            TenantShare share = waits.share(tenant.number(), pool, now);
            if (share != null) {
                shares.add(share);
            }
        }
        return shares;
    }

    /**
     * Goes on looking for waiting jobs that no connected worker can ever run, by queue. A call looks at a portion of the tenants.
     *
     * @param before queues whose jobs all came later do not count: a worker may be on its way
     * @return up to {@code max} of them when all have been looked at, and the next call begins anew; else null
     */
    public @Nullable List<Stranded> findStranded(int max, long before) {
        state.settleLoads();
        return stranded.goOn(max, before);
    }

    /**
     * The priority what a running job brings about should have: its own, or that of the most urgent job that waits for the concurrency
     * key it holds. Callbacks of groups have it.
     */
    public int inheritedPriority(JobId id) {
        int slot = state.jobs.find(id);
        return slot == ShardState.NONE
                ? NewJob.DEFAULT_PRIORITY
                : state.keyLimits.inherited(slot, state.queue(slot), state.jobs.priority(slot));
    }

    /** What holds for a tenant now; null if there is none of that number. */
    public @Nullable TenantStanding standing(TenantId tenant, long now) {
        return census.standing(tenant.number(), now);
    }

    /** Closed gates a tenant is held back by, or all. */
    public List<Gate> gates(@Nullable TenantId scope) {
        return state.gates.list(scope);
    }

    public int openJobs() {
        return state.jobs.size();
    }

    /** Bytes of job specs, payloads included, that are in memory. */
    public long residentBytes() {
        return state.jobs.residentBytes();
    }

    /** Live leases. */
    public int leased() {
        return state.leases.size();
    }

    /** Live leases attached to a session. */
    public int running(int session) {
        return dispatch.running(session);
    }

    public EngineStats stats(long now) {
        state.settleLoads();
        return census.stats(dispatch.sessionCount(), now);
    }

    /** Everything hard, in an order that does not depend on history: equal for equal histories. For tests and checkers. */
    public HardState hardState(long now) {
        return census.hardState(now);
    }
}
