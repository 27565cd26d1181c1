package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Command.LeaseEnd;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.outcome.Deed;
import dev.fairlane.core.outcome.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A seeded walk through everything that can happen to an engine, each step compared with {@link PlainModel}. All times but jittered
 * ones are whole ticks of the wheel, so that timers are exact.
 */
final class RandomWalk {
    static final long TICK = 1_024;
    static final long SECOND = 1_000 * TICK;
    private static final long NO_JITTER = 1L << 63;
    private static final String[] TYPES = {"a", "b", "c"};

    /** The walk is about single jobs: what holds back whole types has tests of its own. */
    private static final Threshold NEVER = new Threshold(Integer.MAX_VALUE, 50, SECOND);

    static final EngineConfig CONFIG = new EngineConfig(
            List.of(
                    new PoolRules("short", 10 * SECOND, 50, 2, 30 * SECOND),
                    new PoolRules("medium", 20 * SECOND, 8, 3, 60 * SECOND)),
            new EngineConfig.Share(
                    30 * SECOND,
                    10 * TICK,
                    10 * SECOND,
                    EngineConfig.DEFAULT.share().agingMicros(),
                    EngineConfig.DEFAULT.share().handOverAfterMicros()),
            new EngineConfig.Attempts(List.of(SECOND, 3 * SECOND), 0.2, 1, 15 * SECOND, 5 * SECOND),
            new EngineConfig.Keys(600 * SECOND, 25 * SECOND, 10_000),
            new EngineConfig.Room(10_000, 10_000, 100_000_000),
            new FailureRules(
                    FailureRules.DEFAULT.maxAgeMicros(),
                    1,
                    1,
                    NEVER,
                    10 * SECOND,
                    5 * SECOND,
                    3,
                    1_000,
                    Integer.MAX_VALUE,
                    2,
                    Bed.HOUR,
                    NEVER,
                    2,
                    Integer.MAX_VALUE - 1),
            EngineConfig.DEFAULT.admission(),
            EngineConfig.DEFAULT.moves());

    final Random random;
    final Bed bed = new Bed(CONFIG);
    final PlainModel model = new PlainModel(CONFIG);
    final WalkingWorkers workers;
    final List<TenantId> tenants = new ArrayList<>();
    final Set<Transition> visited = new HashSet<>();
    private final Map<String, JobId> keys = new HashMap<>();
    /** As they were last, open or not: what the store knows. */
    private final Map<JobId, JobSpec> specs = new HashMap<>();

    private final List<Picked> everPicked = new ArrayList<>();

    RandomWalk(long seed, boolean checkShares) {
        random = new Random(seed);
        tenants.add(bed.tenant);
        for (int i = 0; i < 3; i++) {
            tenants.add(bed.putTenant("tenant-" + i, 1 + random.nextInt(50)));
        }
        for (TenantId tenant : tenants) {
            bed.send(new Command.PutType(tenant, "c", "medium", 0, 0));
        }
        workers = new WalkingWorkers(this, checkShares);
    }

    void step() {
        int dice = random.nextInt(100);
        if (dice < 28) {
            submit();
        } else if (dice < 42) {
            workers.pickAll(random.nextInt(6));
        } else if (dice < 50) {
            aboutSomeLease((id, token) -> new Command.Start(id, token));
        } else if (dice < 60) {
            aboutSomeLease((id, token) -> new Command.Complete(id, token, Payload.EMPTY));
        } else if (dice < 70) {
            aboutSomeLease((id, token) -> new Command.Fail(id, token, failure(), NO_JITTER));
        } else if (dice < 71) {
            aboutSomeLease(Command.HandOver::new);
        } else if (dice < 72) {
            aboutSomeLease((id, token) -> new Command.Checkpoint(id, token, "c/" + token, 7));
        } else if (dice < 75) {
            aboutSomeLease((id, token) -> new Command.ExpireLease(id, token, LeaseEnd.LOST_BY_WORKER));
        } else if (dice < 80) {
            cancel();
        } else if (dice < 84) {
            change();
        } else if (dice < 86) {
            pause();
        } else if (dice < 92) {
            pass();
        } else if (dice < 95) {
            workers.heartbeat();
        } else if (dice < 98) {
            workers.comeOrGo();
        } else if (dice < 99) {
            replay();
        } else {
            TenantId tenant = any(tenants);
            bed.send(new Command.PutTenant(bed.engine.tenant(tenant).name(), 1 + random.nextInt(50)));
            workers.refresh();
        }
        if (random.nextInt(8) == 0) {
            bed.engine.sealKeys(bed.now, Long.MIN_VALUE, bed.now, random.nextInt(5));
        }
        checkCounts();
    }

    private void submit() {
        TenantId tenant = any(tenants);
        String key = random.nextInt(4) == 0 ? "key-" + random.nextInt(40) : "";
        long body = random.nextInt(8) == 0 ? 2 : 1;
        long delay = random.nextInt(4) == 0 ? TICK * random.nextInt(20_000) : 0;
        long notAfter = random.nextInt(5) == 0 ? bed.now + delay + TICK * (1 + random.nextInt(20_000)) - 1 : 0;
        NewJob job = new NewJob(
                TYPES[random.nextInt(TYPES.length)],
                Payload.EMPTY,
                0,
                random.nextInt(11) - 1,
                0,
                delay,
                notAfter,
                random.nextInt(4),
                0,
                key,
                body,
                Map.of(),
                Map.of(),
                terms());
        Command.Submit submit = new Command.Submit(bed.newId(), tenant, job);
        Decision decision = bed.engine.decide(submit, bed.now);
        JobId known = key.isEmpty() ? null : keys.get(tenant.number() + key);
        Fact.JobAdded first = known == null ? null : added.get(known);
        boolean dead = known != null
                && bed.ended.containsKey(known)
                && bed.ended.get(known).status().state() == JobState.DEAD;
        if (decision.answer() instanceof Answer.LookUpKey look) {
            decision = bed.engine.decide(submit.with(lookUp(look.probe(), first, dead)), bed.now);
        }
        boolean remembered = first != null
                && (model.jobs.containsKey(known)
                        || dead
                        || first.spec().submittedAt() + CONFIG.keys().retentionMicros() > bed.now);
        if (remembered) {
            assertThat(decision.facts()).isEmpty();
            if (first.spec().bodyHash() != body) {
                assertThat(((Answer.Refused) decision.answer()).refusal().code())
                        .isEqualTo(RefusalCode.IDEMPOTENCY_KEY_REUSED);
            } else if (decision.answer() instanceof Answer.Submitted again) {
                assertThat(again).isEqualTo(new Answer.Submitted(known, bed.state(known), true));
            } else {
                assertThat(decision.answer()).isEqualTo(new Answer.NotInMemory(known));
            }
            return;
        }
        for (Fact fact : decision.facts()) {
            bed.apply(fact);
            if (fact instanceof Fact.JobAdded add) {
                assertThat(add.status().state()).isEqualTo(delay > 0 ? JobState.SCHEDULED : JobState.QUEUED);
                visited.add(
                        new Transition(null, false, Deed.SUBMIT, add.status().state()));
                added.put(add.id(), add);
                specs.put(add.id(), add.spec());
                keys.put(tenant.number() + key, add.id());
                model.add(add.spec(), add.status(), pool(add.spec().pool()));
            }
        }
        assertThat(decision.answer()).isInstanceOf(Answer.Submitted.class);
        workers.refresh();
    }

    /** What a store would find of a key: it knows all there ever was. */
    private static KeyFinding lookUp(KeyProbe probe, Fact.@Nullable JobAdded first, boolean dead) {
        boolean found = first != null
                && (probe.dead() && dead
                        || first.spec().submittedAt() >= probe.from()
                                && first.spec().submittedAt() < probe.to());
        return new KeyFinding(
                probe.key(),
                found
                        ? new StoredKey(
                                first.id(),
                                first.spec().bodyHash(),
                                first.spec().submittedAt(),
                                dead && probe.dead() ? JobState.DEAD : null)
                        : null);
    }

    final Map<JobId, Fact.JobAdded> added = new HashMap<>();

    static PoolRules pool(String name) {
        return CONFIG.pools().stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private JobTerms terms() {
        long maxAge = random.nextInt(6) == 0 ? TICK * (1 + random.nextInt(20_000)) : 0;
        return new JobTerms(JobTerms.DEFAULT_LANE, maxAge, "", "", "", false, 0).shared();
    }

    private void cancel() {
        // open ones are few among all there ever were
        List<JobId> ids = new ArrayList<>(random.nextBoolean() ? added.keySet() : model.jobs.keySet());
        if (!ids.isEmpty()) {
            ids.sort(null);
            TenantId scope = random.nextBoolean() ? null : any(tenants);
            send(new Command.Cancel(scope, any(ids), random.nextInt(4) > 0), Deed.CANCEL);
        }
    }

    /** Changes of one moment would be in the order they came in, and after a restart in the order of ids. */
    private void change() {
        if (model.jobs.isEmpty()) {
            return;
        }
        bed.now += TICK;
        PlainModel.Job job = any(new ArrayList<>(model.jobs.values()));
        JobChange change = JobChange.NOTHING;
        if (random.nextInt(3) == 0) {
            change = change.withPriority(random.nextInt(10));
        }
        if (random.nextInt(3) == 0) {
            change = change.inLane(random.nextBoolean() ? JobTerms.DEFAULT_LANE : "lane-" + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            change = change.withTags(Map.of("k", "v" + random.nextInt(2)));
        }
        if (random.nextInt(2) == 0) {
            long runAt = random.nextInt(2) * (bed.now + TICK * (1 + random.nextInt(20_000)));
            long notAfter =
                    random.nextBoolean() ? 0 : Math.max(bed.now, runAt) + TICK * random.nextInt(20_000) + TICK - 1;
            change = change.withRunAt(runAt).withNotAfter(notAfter);
        }
        int revision = job.spec.terms().revision();
        int ifRevision = random.nextBoolean() ? Command.ANY_REVISION : revision + random.nextInt(2);
        JobSpec was = job.spec;
        send(new Command.Revise(scope(), was.id(), change, ifRevision, was), Deed.CHANGE);
    }

    private void pause() {
        if (!model.jobs.isEmpty()) {
            bed.now += TICK;
            // the few that are paused are looked at as often as all others together
            List<PlainModel.Job> held = model.jobs.values().stream()
                    .filter(job -> job.status.marks().paused())
                    .toList();
            boolean resume = !held.isEmpty() && random.nextBoolean();
            PlainModel.Job job = any(resume ? held : new ArrayList<>(model.jobs.values()));
            boolean paused = !job.status.marks().paused();
            send(new Command.Pause(scope(), job.spec.id(), paused), paused ? Deed.PAUSE : Deed.RESUME);
        }
    }

    /** Brings a dead job back, as a node would that found it in the store. */
    private void replay() {
        List<JobId> dead = bed.ended.values().stream()
                .filter(end -> end.status().state() == JobState.DEAD)
                .map(Fact.JobEnded::id)
                .sorted()
                .toList();
        if (dead.isEmpty()) {
            return;
        }
        bed.now += TICK;
        while (bed.engine.dueTimers(bed.now, 7, this::timer) > 0) {}
        JobId id = any(dead);
        Fact.JobEnded end = bed.ended.get(id);
        JobSpec spec = specs.get(id);
        Answer answer = bed.replay(id, spec);
        if (spec.notAfter() > 0 && spec.notAfter() <= bed.now) {
            assertThat(answer).isInstanceOf(Answer.Refused.class);
            return;
        }
        assertThat(answer).isEqualTo(new Answer.Replayed(id, Answer.ReplayOutcome.REPLAYED, JobState.QUEUED));
        JobStatus expected = PlainModel.replayed(end.status(), bed.now);
        assertThat(bed.engine.job(id).status()).isEqualTo(expected);
        visited.add(new Transition(JobState.DEAD, false, Deed.REPLAY, JobState.QUEUED));
        workers.tick();
        model.add(spec, expected, pool(spec.pool()));
        workers.refresh();
    }

    private @Nullable TenantId scope() {
        return random.nextInt(3) > 0 ? null : any(tenants);
    }

    private interface AboutLease {
        Command command(JobId id, long token);
    }

    private void aboutSomeLease(AboutLease about) {
        if (everPicked.isEmpty()) {
            return;
        }
        // mostly of the present, sometimes of a zombie
        int back = Math.min(everPicked.size(), random.nextInt(5) == 0 ? 200 : 8);
        Picked picked = everPicked.get(everPicked.size() - 1 - random.nextInt(back));
        bed.engine.glance(picked.lease().id()); // changes nothing, whatever became of the job
        PlainModel.Job late = random.nextInt(4) == 0 ? lateLease() : null;
        Command command = late == null
                ? about.command(picked.lease().id(), picked.lease().status().token())
                : about.command(late.spec.id(), late.status.token());
        Deed deed = switch (command) {
            case Command.Start s -> Deed.START;
            case Command.Complete c -> Deed.COMPLETE;
            case Command.HandOver c -> Deed.HAND_OVER;
            case Command.Checkpoint c -> null; // no step
            default -> Deed.FAIL;
        };
        send(command, deed);
    }

    /** One that could not begin again: there are few. */
    private PlainModel.@Nullable Job lateLease() {
        List<PlainModel.Job> late = model.jobs.values().stream()
                .filter(job -> job.status.state().leased() && job.pastNotAfter(bed.now))
                .toList();
        return late.isEmpty() ? null : any(late);
    }

    private Failure failure() {
        FailureClass[] classes = FailureClass.values();
        return new Failure(
                classes[random.nextInt(classes.length)], "m" + random.nextInt(9), "", (1 + random.nextInt(5)) * SECOND);
    }

    /** Decides, compares and applies a command about one job. */
    void send(Command command, @Nullable Deed deed) {
        JobStatus expected = model.after(command, bed.now);
        Decision decision = bed.engine.decide(command, bed.now);
        if (expected == null) {
            assertThat(decision.facts()).as("%s", command).isEmpty();
            return;
        }
        assertThat(decision.facts()).as("%s", command).hasSize(1);
        Fact fact = decision.facts().getFirst();
        JobId id = RestartProperty.id(fact);
        JobStatus status = RestartProperty.status(fact);
        if (fact instanceof Fact.JobRevised revised) {
            PlainModel.Job job = model.jobs.get(id);
            JobChange change = ((Command.Revise) command).change();
            boolean otherTime = status.state() != JobState.QUEUED
                    ? status.dueAt() != job.status.dueAt()
                    : job.status.state() != JobState.QUEUED;
            assertThat(revised.spec())
                    .isEqualTo(PlainModel.timed(change, otherTime).of(job.spec, bed.now));
            job.spec = revised.spec();
            specs.put(id, revised.spec());
        }
        long jitter = status.dueAt() - expected.dueAt();
        if (command instanceof Command.ExpireLease && jitter != 0 && status.state() == expected.state()) {
            long delay = expected.dueAt() - bed.now;
            assertThat(Math.abs(jitter)).isLessThanOrEqualTo(delay / 5);
            assertThat(withDueAt(status, expected.dueAt())).as("%s", command).isEqualTo(expected);
        } else if (status.state() == expected.state() || !nearItsAge(id, command, expected)) {
            assertThat(status).as("%s", command).isEqualTo(expected);
        }
        took(id, status, deed);
        bed.apply(fact);
        workers.refresh();
    }

    /** Whether jitter decides if the retry is due before the job is too old. */
    private boolean nearItsAge(JobId id, Command command, JobStatus expected) {
        long longest = CONFIG.attempts().retryDelaysMicros().getLast();
        return command instanceof Command.ExpireLease
                && Math.abs(bed.now + longest - model.jobs.get(id).ageEnd(CONFIG)) <= longest + longest / 5;
    }

    private static JobStatus withDueAt(JobStatus s, long dueAt) {
        return new JobStatus(
                s.state(),
                s.attempt(),
                s.execution(),
                s.crashes(),
                s.token(),
                s.worker(),
                s.leasedAt(),
                s.startedAt(),
                dueAt,
                s.queuedAt(),
                s.cancelRequested(),
                s.changedAt(),
                s.attempts(),
                s.marks());
    }

    /** Notes a step in the model. */
    void took(JobId id, JobStatus status, @Nullable Deed deed) {
        PlainModel.Job job = model.jobs.get(id);
        if (deed != null) {
            visited.add(new Transition(job.status.state(), job.status.cancelRequested(), deed, status.state()));
        }
        workers.tick();
        if (job.status.state().leased() && !status.state().leased()) {
            workers.released(job, status.changedAt());
        }
        model.set(job, status);
    }

    void picked(Picked picked) {
        everPicked.add(picked);
    }

    private void pass() {
        long ticks = switch (random.nextInt(4)) {
            case 0 -> 1;
            case 1 -> random.nextInt(100);
            case 2 -> random.nextInt(5_000);
            default -> random.nextInt(15_000);
        };
        // in small strides, or every lease would be lost; a timer is looked at when it is due
        for (long left = ticks; left > 0; left -= 2_000) {
            bed.now += Math.min(left, 2_000) * TICK;
            if (random.nextInt(2) > 0) {
                workers.heartbeat();
            }
            while (bed.engine.dueTimers(bed.now, 7, this::timer) > 0) {}
            for (PlainModel.Job job : model.jobs.values()) {
                assertThat(PlainModel.dueAt(job)).as("%s", job.status).isGreaterThan(bed.now - TICK);
            }
            assertThat(bed.engine.nextTimerAt()).isGreaterThan(bed.now - TICK);
        }
    }

    private void timer(Command command) {
        assertThat(model.after(command, bed.now)).as("%s", command).isNotNull();
        send(
                command,
                switch (command) {
                    case Command.Promote c -> Deed.DUE;
                    case Command.PassNotAfter c -> Deed.NOT_AFTER;
                    case Command.GiveUp c -> Deed.GIVE_UP;
                    case Command.ExpireLease c ->
                        switch (c.reason()) {
                            case SILENT_WORKER, LOST_BY_WORKER -> Deed.LEASE_LOST;
                            case TIME_LIMIT, NO_PROGRESS -> Deed.TIME_LIMIT;
                            case CANCEL_GRACE -> Deed.CANCEL_GRACE;
                        };
                    default -> throw new IllegalStateException(command.toString());
                });
    }

    private void checkCounts() {
        EngineStats stats = bed.engine.stats(bed.now);
        assertThat(stats.openJobs()).isEqualTo(model.jobs.size());
        for (EngineStats.PoolStats pool : stats.pools()) {
            List<PlainModel.Job> waiting = model.jobs.values().stream()
                    .filter(j -> j.pool.name().equals(pool.pool()) && j.waitsInLine())
                    .toList();
            // one that may no longer start is not in line once a pick has seen it
            int late =
                    (int) waiting.stream().filter(j -> j.pastNotAfter(bed.now)).count();
            long running = model.jobs.values().stream()
                    .filter(j -> j.pool.name().equals(pool.pool())
                            && j.status.state().leased())
                    .count();
            assertThat(pool.waiting()).isBetween(waiting.size() - late, waiting.size());
            assertThat(pool.running()).isEqualTo((int) running);
        }
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
