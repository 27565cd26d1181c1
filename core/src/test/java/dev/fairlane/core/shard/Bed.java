package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An engine with a clock, driven as a node's loop would: decide, apply, timers, picks. Remembers how jobs ended. */
final class Bed {
    static final long MILLI = 1_000;
    static final long SECOND = 1_000_000;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;
    static final long EPOCH = 7;

    final EngineConfig config;
    Engine engine;
    long now = 1_700_000_000_000_000L;
    private long sequence;
    final Map<JobId, Fact.JobEnded> ended = new HashMap<>();
    final List<Fact> facts = new ArrayList<>();
    TenantId tenant;

    Bed() {
        this(EngineConfig.DEFAULT);
    }

    Bed(EngineConfig config) {
        this.config = config;
        engine = new Engine(config, EPOCH);
        tenant = putTenant("acme", 10);
    }

    /** One that may submit as fast as it likes. */
    TenantId putTenant(String name, int weight) {
        TenantChange change = TenantChange.toTier(Tier.ENTERPRISE);
        return ((Answer.TenantIs) send(new Command.PutTenant(name, weight, change)))
                .tenant()
                .id();
    }

    /** A tenant with rules, as if somebody had set them. */
    TenantId putTenant(String name, int weight, TenantRules rules) {
        TenantId id = putTenant(name, weight);
        apply(new Fact.TenantSet(new Tenant(id, name, weight, now, unhurried(rules))));
        return id;
    }

    /** The same without the tier's bound on submits, unless the rules state one: tests submit as fast as they can. */
    private static TenantRules unhurried(TenantRules rules) {
        return rules.submitRate() > 0 ? rules : rules.withSubmitRate(Integer.MAX_VALUE / 2);
    }

    void setRules(TenantId id, TenantRules rules) {
        Tenant known = engine.tenant(id);
        apply(new Fact.TenantSet(new Tenant(id, known.name(), known.weight(), now, unhurried(rules))));
    }

    static NewJob needing(String type, JobNeeds needs) {
        return inLane(type, JobTerms.DEFAULT_LANE, needs);
    }

    static NewJob inLane(String type, String lane, JobNeeds needs) {
        return new NewJob(
                type,
                Payload.EMPTY,
                0,
                -1,
                0,
                0,
                0,
                0,
                0,
                "",
                0,
                Map.of(),
                Map.of(),
                new JobTerms(lane, 0, "", "", "", false, 0, needs));
    }

    Answer send(Command command) {
        Decision decision = engine.decide(command, now);
        decision.facts().forEach(this::apply);
        return decision.answer();
    }

    void apply(Fact fact) {
        engine.apply(fact);
        facts.add(fact);
        if (fact instanceof Fact.JobEnded end) {
            assertThat(ended.put(end.id(), end)).as("one end for %s", end.id()).isNull();
        }
    }

    /** Brings a dead job back as a node would, which knows its end from the store. */
    Answer replay(JobId id) {
        return replay(id, ended.get(id).spec());
    }

    Answer replay(JobId id, JobSpec spec) {
        Fact.JobEnded end = ended.get(id);
        assertThat(end).as("an end of %s", id).isNotNull();
        Answer answer = send(new Command.Replay(spec, end.status(), null, "ops", "fixed"));
        if (answer instanceof Answer.Replayed replayed && replayed.outcome() == Answer.ReplayOutcome.REPLAYED) {
            ended.remove(id);
        }
        return answer;
    }

    JobId newId() {
        return JobId.of(now / 1000, 0, 0, EPOCH, ++sequence);
    }

    JobId submit(NewJob job) {
        return submit(tenant, job);
    }

    JobId submit(TenantId of, NewJob job) {
        Answer answer = send(new Command.Submit(newId(), of, job));
        assertThat(answer).isInstanceOf(Answer.Submitted.class);
        return ((Answer.Submitted) answer).id();
    }

    JobId submit(String type) {
        return submit(job(type));
    }

    static NewJob job(String type) {
        return NewJob.of(type, Payload.EMPTY);
    }

    static NewJob priority(String type, int priority) {
        return new NewJob(type, Payload.EMPTY, 0, priority, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of());
    }

    static NewJob later(String type, long delayMicros) {
        return new NewJob(type, Payload.EMPTY, 0, -1, 0, delayMicros, 0, 0, 0, "", 0, Map.of(), Map.of());
    }

    static NewJob notAfter(String type, long notAfter) {
        return new NewJob(type, Payload.EMPTY, 0, -1, 0, 0, notAfter, 0, 0, "", 0, Map.of(), Map.of());
    }

    static NewJob keyed(String type, String key, long bodyHash) {
        return new NewJob(type, Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, key, bodyHash, Map.of(), Map.of());
    }

    void worker(int session, int slots, String... types) {
        worker(session, null, slots, types);
    }

    void worker(int session, @Nullable TenantId scope, int slots, String... types) {
        engine.openSession(
                session, new WorkerOffer("worker-" + session, scope, List.of(types), Map.of("short", slots)), now);
    }

    @Nullable Picked pick() {
        Picked picked = engine.pick(now);
        if (picked != null) {
            apply(picked.fact());
        }
        return picked;
    }

    Picked mustPick() {
        Picked picked = pick();
        assertThat(picked).as("a job to pick").isNotNull();
        return picked;
    }

    /** All that may run now. */
    List<Picked> pickAll() {
        List<Picked> all = new ArrayList<>();
        for (Picked picked = pick(); picked != null; picked = pick()) {
            all.add(picked);
        }
        return all;
    }

    /** The same, how many of each tenant. */
    Map<TenantId, Integer> pickAllByTenant() {
        Map<TenantId, Integer> counts = new HashMap<>();
        pickAll().forEach(picked -> counts.merge(picked.lease().tenant(), 1, Integer::sum));
        return counts;
    }

    /** Lets time pass and does what became due. */
    void pass(long micros) {
        now += micros;
        while (engine.dueTimers(now, 1000, this::send) > 0) {}
    }

    /** The same in small steps, as time passes for a node whose workers are alive. */
    void passSteadily(long micros) {
        for (long left = micros; left > 0; left -= SECOND) {
            pass(Math.min(left, SECOND));
            engine.renewAll(now);
        }
    }

    /** Those given since this was asked last. */
    List<Notice.Kind> notices() {
        List<Notice.Kind> kinds = new ArrayList<>();
        engine.drainNotices(notice -> kinds.add(notice.kind()));
        return kinds;
    }

    Answer start(Picked picked) {
        return send(
                new Command.Start(picked.lease().id(), picked.lease().status().token()));
    }

    Answer complete(Picked picked) {
        return send(new Command.Complete(
                picked.lease().id(), picked.lease().status().token(), Payload.EMPTY));
    }

    Answer fail(Picked picked, FailureClass failureClass) {
        return fail(picked, Failure.of(failureClass, "no luck"));
    }

    Answer fail(Picked picked, Failure failure) {
        // the middle of the random range: no jitter
        return send(
                new Command.Fail(picked.lease().id(), picked.lease().status().token(), failure, 1L << 63));
    }

    JobState state(JobId id) {
        JobSnapshot snapshot = engine.job(id);
        return snapshot != null
                ? snapshot.status().state()
                : ended.get(id).status().state();
    }
}
