package dev.fairlane.core.shard;

import dev.fairlane.core.admission.Directory;
import dev.fairlane.core.admission.LaneNames;
import dev.fairlane.core.admission.SubmitLimits;
import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.lease.LeaseTable;
import dev.fairlane.core.lease.Seat;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.Token;
import dev.fairlane.core.share.FairTree;
import dev.fairlane.core.share.Queue;
import dev.fairlane.core.share.Queues;
import dev.fairlane.core.share.ShareRules;
import dev.fairlane.core.time.TimingWheel;
import org.jspecify.annotations.Nullable;

/**
 * The state of an engine and the only code that changes its hard part: applying facts. What derives from a job's image (its place
 * in a lane, its hold, its timer, the counts) changes here and in the same step.
 */
final class ShardState {
    static final int NONE = -1;

    final EngineConfig config;
    final long epoch;
    final Directory directory = new Directory();
    final JobSlots jobs = new JobSlots(this::forgetSlots);
    final KeyFilters filters;
    final KeyTable keys;
    final Requests requests;
    final LeaseTable leases = new LeaseTable();
    final TimingWheel wheel = new TimingWheel(this::tenant);
    final Queues queues = new Queues();
    final TenantCounts counts = new TenantCounts();
    final LaneNames laneNames = new LaneNames();
    final Gates gates = new Gates(this);
    final Ties ties = new Ties();
    final Groups groups = new Groups();
    final Schedules schedules = new Schedules();
    final FarJobs far = new FarJobs(this);
    final DerivedIds derived;
    final Pool[] pools;
    final Guards guards;
    final KeyLimits keyLimits;
    final Classes classes;
    final SubmitLimits limits;
    final Ledger ledger;
    final LateJobs late;
    private final LoadedJobs loaded = new LoadedJobs(jobs);

    /** Number of the newest token given in this epoch. */
    long lastToken;

    // soft: the seat of the pick whose fact is about to be applied
    private long pickedToken;
    private @Nullable Seat pickedSeat;

    ShardState(EngineConfig config, long epoch) {
        this.config = config;
        this.epoch = epoch;
        this.derived = new DerivedIds(epoch);
        this.filters = new KeyFilters(config.keys().spanMicros(), config.keys().retentionMicros());
        this.keys = new KeyTable(filters);
        this.requests = new Requests(config);
        ShareRules rules = ShareRules.of(config);
        pools = new Pool[config.pools().size()];
        for (int i = 0; i < pools.length; i++) {
            PoolRules pool = config.pools().get(i);
            pools[i] = new Pool(i, pool, new FairTree(i, pool, rules, jobs, queues, down -> scaled(pool, down)));
        }
        classes = new Classes(this);
        guards = new Guards(this);
        late = new LateJobs(guards.notices);
        keyLimits = new KeyLimits(this);
        ledger = new Ledger(this);
        limits = new SubmitLimits(config, directory, ledger.month()::overSoft);
    }

    private void scaled(PoolRules pool, boolean down) {
        guards.notices.add(
                down ? Notice.Kind.GUARANTEES_SCALED : Notice.Kind.GUARANTEES_WHOLE,
                Gate.EVERYBODY.number(),
                pool.name(),
                "",
                "");
    }

    private void forgetSlots(int first, int count) {
        queues.forget(first, count);
        wheel.forget(first, count);
        guards.parking.forget(first, count);
        ties.forget(first, count);
        keyLimits.forgetSlots(first, count);
    }

    /** Where the job belongs, waiting or not. */
    Queue queue(int slot) {
        return queues.get(jobs.queue(slot));
    }

    FairTree tree(Queue queue) {
        return pools[queue.account().pool()].tree();
    }

    int tenant(int slot) {
        return queue(slot).account().tenant();
    }

    Pool pool(int slot) {
        return pools[queue(slot).account().pool()];
    }

    /** Null for one that was taken out of the configuration. */
    @Nullable Pool pool(String name) {
        for (Pool pool : pools) {
            if (pool.rules().name().equals(name)) {
                return pool;
            }
        }
        return null;
    }

    /** The hold of a leased job. */
    Hold hold(int slot) {
        return leases.get(jobs.hold(slot));
    }

    void apply(Fact fact) {
        switch (fact) {
            case Fact.JobAdded added -> {
                settleLoads();
                int slot = add(added.spec(), added.status());
                jobs.setSpec(slot, added.spec());
                requests.added(added.spec());
                enter(slot, added.status(), false);
            }
            case Fact.JobRevised revised -> {
                settleLoads();
                revise(known(revised.id()), revised.spec(), revised.status());
            }
            case Fact.JobReplayed replayed -> {
                settleLoads();
                int slot = add(replayed.spec(), replayed.status());
                jobs.setSpec(slot, replayed.spec());
                enter(slot, replayed.status(), false);
            }
            case Fact.JobChanged changed -> {
                settleLoads();
                change(known(changed.id()), changed.status());
            }
            case Fact.JobEnded ended -> {
                settleLoads();
                end(known(ended.id()), ended.status());
            }
            case Fact.GateSet set -> gates.apply(set.gate());
            case Fact.TenantSet set -> {
                directory.put(set.tenant());
                ledger.month().tenantSet(set.tenant());
                for (Pool pool : pools) {
                    pool.tree().set(set.tenant(), set.tenant().changedAt());
                }
                keyLimits.set(set.tenant());
            }
            case Fact.GroupAdded added -> groups.apply(added);
            case Fact.GroupChanged changed -> groups.apply(changed);
            case Fact.ScheduleSet set -> schedules.apply(set);
            case Fact.ScheduleMoved moved -> schedules.apply(moved);
            case Fact.ScheduleGone gone -> schedules.apply(gone);
            case Fact.TypeSet set -> {
                directory.put(set.type());
                guards.typeSet(set.type());
            }
            case Fact.Audited _ -> {}
        }
    }

    /** Returns its slot. */
    int load(JobSpec spec, JobStatus status) {
        if (status.state().terminal()) {
            throw new IllegalStateException("expected an open job, but " + spec.id() + " is " + status.state());
        }
        int slot = add(spec, status);
        if (status.state() == JobState.QUEUED) {
            loaded.add(slot);
        } else {
            enter(slot, status, false);
        }
        return slot;
    }

    /** Loaded jobs come in any order; before anybody looks at the lanes they are put in line. */
    void settleLoads() {
        if (!loaded.isEmpty()) {
            loaded.drainInOrder(slot -> enter(slot, jobs.status(slot), false));
        }
    }

    private int known(JobId id) {
        int slot = jobs.find(id);
        if (slot == NONE) {
            throw new IllegalStateException("expected an open job, but " + id + " is not in memory");
        }
        return slot;
    }

    private int add(JobSpec spec, JobStatus status) {
        int tenantNumber = spec.tenant().number();
        Queue queue = queueFor(spec, status.changedAt());
        int slot = jobs.add(spec, status, queue.number());
        join(slot, spec, queue, status.changedAt());
        jobs.setAgeEnd(slot, ageEnd(spec, status));
        counts.addOpen(tenantNumber, 1);
        ties.tie(slot, spec.terms());
        derived.added(spec.id());
        if (KeyName.isGiven(spec.idempotencyKey()) && !takenSince(spec)) {
            JobId id = spec.id();
            jobs.setKeyEntry(
                    slot,
                    keys.put(
                            tenantNumber,
                            spec.idempotencyKey(),
                            id.hi(),
                            id.lo(),
                            spec.bodyHash(),
                            spec.submittedAt()));
        }
        String uniqueKey = spec.terms().uniqueKey();
        if (!uniqueKey.isEmpty()) {
            keys.load(
                    tenantNumber,
                    KeyName.unique(spec.type(), uniqueKey),
                    spec.id().hi(),
                    spec.id().lo(),
                    0,
                    spec.submittedAt());
        }
        return slot;
    }

    private Queue queueFor(JobSpec spec, long now) {
        int tenantNumber = spec.tenant().number();
        Tenant tenant = directory.tenant(tenantNumber);
        if (tenant == null) {
            throw new IllegalStateException("expected a known tenant for " + spec.id() + ", but got " + tenantNumber);
        }
        // its pool may have been taken out of the configuration since its submit: new jobs of its type go to the first
        // one then, and so does it
        Pool known = pool(spec.pool());
        Pool pool = known == null ? pools[0] : known;
        String name = spec.terms().lane();
        laneNames.note(tenantNumber, name);
        JobNeeds asked = spec.terms().needs();
        JobNeeds needs = asked == JobNeeds.NONE ? asked : asked.shared();
        Queue queue = pool.tree().queue(tenant, name, spec.type(), needs, now);
        gates.meet(pool, queue, now);
        guards.meet(queue, now);
        if (needs != JobNeeds.NONE) {
            keyLimits.meet(queue, now);
        }
        return queue;
    }

    private void join(int slot, JobSpec spec, Queue queue, long now) {
        tree(queue).joined(queue);
        mix(slot, spec, queue, now);
    }

    private void mix(int slot, JobSpec spec, Queue queue, long now) {
        if (queue.mixed()) {
            keyLimits.joinedMixed(slot, queue.account().tenant(), spec.terms().needs(), now);
        }
    }

    private void quit(int slot, Queue queue, long now) {
        if (queue.mixed()) {
            keyLimits.quitMixed(slot, queue.account().tenant(), now);
        }
        if (tree(queue).quit(queue, now)) {
            keyLimits.forget(queue, now);
        }
    }

    /** A job that changes neither its line nor its place in it is not touched there. */
    private void revise(int slot, JobSpec spec, JobStatus status) {
        long now = status.changedAt();
        Queue to = queueFor(spec, now);
        boolean inLine = jobs.inLane(slot)
                && status.state() == JobState.QUEUED
                && !status.marks().paused();
        Queue from = queue(slot);
        int priority = jobs.priority(slot);
        boolean stays = inLine && to == from && spec.priority() == priority && status.queuedAt() == jobs.at(slot);
        if (!inLine) {
            leave(slot, jobs.state(slot), status);
        }
        jobs.setNumbers(slot, spec, to.number());
        jobs.setAgeEnd(slot, ageEnd(spec, status));
        jobs.setSpec(slot, spec);
        jobs.setStatus(slot, status);
        if (inLine) {
            if (!stays) {
                tree(to).move(from, priority, to, slot, spec.priority(), now);
            }
            arm(slot);
        } else {
            enter(slot, status, false);
        }
        if (to != from || to.mixed()) {
            tree(to).joined(to);
            quit(slot, from, now);
            mix(slot, spec, to, now);
        }
    }

    /** Whether another job, submitted later, has the key by now: an old job that is replayed does not take it back. */
    private boolean takenSince(JobSpec spec) {
        int known = keys.find(spec.tenant().number(), spec.idempotencyKey());
        return known != NONE && keys.lo(known) != spec.id().lo() && keys.submittedAt(known) > spec.submittedAt();
    }

    private void change(int slot, JobStatus status) {
        JobState was = jobs.state(slot);
        boolean stays = was.leased() && status.state().leased() && hold(slot).token() == status.token();
        if (!stays) {
            leave(slot, was, status);
        }
        jobs.setStatus(slot, status);
        if (stays) {
            updateHold(slot, status);
            arm(slot);
        } else {
            enter(slot, status, was.leased());
        }
    }

    private void end(int slot, JobStatus status) {
        if (!jobs.state(slot).leased()) {
            ledger.endedWaiting(queue(slot), status);
        }
        leave(slot, jobs.state(slot), status);
        wheel.cancel(slot);
        int tenant = tenant(slot);
        counts.addOpen(tenant, -1);
        if (status.state() == JobState.SUCCEEDED) {
            counts.addCompleted(tenant);
        } else if (status.state() == JobState.EXPIRED) {
            late.skipped(queue(slot), status.changedAt());
        }
        int key = jobs.keyEntry(slot);
        if (key != NONE) {
            keys.ended(key, status.state(), status.changedAt());
        }
        ties.untie(slot);
        quit(slot, queue(slot), status.changedAt());
        jobs.remove(slot);
    }

    /** Takes a job that is not yet due out of memory; it is as open as before. See {@link FarJobs}. */
    void depart(int slot, long now) {
        wheel.cancel(slot);
        if (jobs.keyEntry(slot) != NONE) {
            keys.depart(jobs.keyEntry(slot));
        }
        ties.untie(slot);
        Queue queue = queue(slot);
        tree(queue).departs(queue);
        quit(slot, queue, now);
        jobs.remove(slot);
    }

    /** Takes a job out of what its state had put it in. */
    private void leave(int slot, JobState was, JobStatus becomes) {
        long now = becomes.changedAt();
        Queue queue = queue(slot);
        int tenant = queue.account().tenant();
        switch (was) {
            case QUEUED -> {
                if (jobs.inLane(slot)) {
                    tree(queue).remove(queue, slot, jobs.priority(slot), now);
                    jobs.setInLane(slot, false);
                    if (queue.mixed()) {
                        keyLimits.leftLine(slot, queue, now);
                    }
                } else {
                    guards.parking.clear(slot);
                }
            }
            case LEASED, RUNNING -> {
                Hold hold = hold(slot);
                JobStatus image = jobs.leasedStatus(slot);
                guards.ended(hold, queue, image, becomes);
                classes.ended(queue, image, becomes);
                ledger.ended(queue, image, becomes);
                leases.release(hold);
                jobs.setHold(slot, NONE);
                tree(queue).release(queue, hold.aside(), now - image.leasedAt(), now);
                guards.released(hold, queue, now);
                keyLimits.released(slot, queue, now);
            }
            case SCHEDULED -> {
                counts.addScheduled(tenant, -1);
                if (becomes.state() == JobState.QUEUED) {
                    late.queued(queue, jobs.at(slot), now);
                }
            }
            case RETRY_WAIT -> {
                guards.parking.clear(slot);
                counts.addScheduled(tenant, -1);
            }
            default -> throw new IllegalStateException("expected an open job, but slot " + slot + " is " + was);
        }
    }

    /** Puts a job into what its new state asks for, and sets its timer. */
    private void enter(int slot, JobStatus status, boolean first) {
        Queue queue = queue(slot);
        FairTree tree = tree(queue);
        switch (status.state()) {
            case QUEUED -> {
                boolean waits = !status.marks().paused();
                jobs.setInLane(slot, waits);
                if (!waits) {
                    // held back by hand: in no line until it is resumed
                } else if (first) {
                    tree.enqueueFirst(queue, slot, jobs.priority(slot), status.changedAt());
                } else {
                    tree.enqueue(queue, slot, jobs.priority(slot), status.changedAt());
                }
            }
            case LEASED, RUNNING -> {
                boolean aside = pickedSeat != null && pickedToken == status.token() && !pickedSeat.common();
                tree.acquire(queue, aside, status.changedAt());
                grant(slot, status, queue, aside);
            }
            case SCHEDULED, RETRY_WAIT -> counts.addScheduled(queue.account().tenant(), 1);
            default -> throw new IllegalStateException("expected an open state, but got " + status.state());
        }
        arm(slot);
    }

    private void grant(int slot, JobStatus status, Queue queue, boolean aside) {
        Hold hold = leases.grant(
                slot,
                status.token(),
                status.worker(),
                status.leasedAt(),
                pools[queue.account().pool()].rules().leaseMicros(),
                limitAt(slot, status),
                queue.requirement().demand());
        hold.setAside(aside);
        jobs.setHold(slot, hold.index());
        if (Token.epoch(status.token()) == epoch) {
            lastToken = Math.max(lastToken, Token.number(status.token()));
        }
        if (pickedSeat != null && pickedToken == status.token()) {
            leases.attach(hold, pickedSeat.session(), pickedSeat);
            pickedSeat = null;
        }
        hold.watchProgress(Guards.health(queue).rules.progressWindowMicros());
        updateHold(slot, status);
        guards.granted(slot, hold, queue, status);
        keyLimits.granted(slot, queue, status.leasedAt());
    }

    private void updateHold(int slot, JobStatus status) {
        Hold hold = hold(slot);
        hold.limitNotBefore(limitAt(slot, status));
        hold.progressed(Math.max(status.leasedAt(), status.startedAt()));
        JobMarks.Checkpoint checkpoint = status.marks().checkpoint();
        if (checkpoint != null && checkpoint.token() == status.token()) {
            hold.progressed(checkpoint.savedAt());
        }
        if (status.cancelRequested()) {
            hold.cancelBy(status.changedAt() + config.attempts().cancelGraceMicros());
        }
    }

    private long limitAt(int slot, JobStatus status) {
        return Math.max(status.leasedAt(), status.startedAt())
                + jobs.timeLimitMicros(slot)
                + config.attempts().timeLimitGraceMicros();
    }

    /** The pick the next fact comes from: its lease belongs to this seat. Soft. */
    void expect(int slot, long token, Seat seat) {
        pickedToken = token;
        pickedSeat = seat;
        jobs.expect(slot);
    }

    /** Takes a queued job that may no longer start out of its lane; its timer, which is due, will end it. Soft. */
    void park(int slot, long now) {
        Queue queue = queue(slot);
        tree(queue).remove(queue, slot, jobs.priority(slot), now);
        jobs.setInLane(slot, false);
    }

    /** Puts a job that was held back into its lane again, at its place. Soft. */
    void unpark(int slot, long now) {
        Queue queue = queue(slot);
        jobs.setInLane(slot, true);
        tree(queue).enqueueEarly(queue, slot, jobs.priority(slot), now);
    }

    /** When a job is too old to wait any longer: it is counted from its submit, from when it was to run, or from its replay. */
    long ageEnd(JobSpec spec, JobStatus status) {
        long from = Math.max(spec.submittedAt(), spec.runAt());
        if (status.marks().replay() != null) {
            from = Math.max(from, status.marks().replay().replayedAt());
        }
        long maxAge = spec.terms().maxAgeMicros();
        return from + (maxAge > 0 ? maxAge : config.failures().maxAgeMicros());
    }

    /** Sets the one timer of a job to the earliest time at which something has to be looked at. */
    void arm(int slot) {
        long at = nextAt(slot);
        if (at == Long.MAX_VALUE) {
            wheel.cancel(slot);
        } else {
            wheel.set(slot, at);
        }
    }

    private long nextAt(int slot) {
        JobState state = jobs.state(slot);
        long at = switch (state) {
            case SCHEDULED -> jobs.at(slot);
            case RETRY_WAIT ->
                Math.min(jobs.ageEnd(slot), guards.parking.parked(slot) ? guards.giveUpAt(slot) : jobs.at(slot));
            case LEASED, RUNNING -> hold(slot).endsAt();
            default -> jobs.ageEnd(slot);
        };
        long notAfter = jobs.notAfter(slot);
        return notAfter > 0 && !state.leased() ? Math.min(at, notAfter + 1) : at;
    }
}
