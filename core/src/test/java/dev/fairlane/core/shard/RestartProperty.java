package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Restart after every step: stored rows in any order plus the facts behind them give the same hard state. */
class RestartProperty {
    private static final int STEPS = 250;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aRestartAfterAnyStepBringsBackTheSameStateAndLifeGoesOn(long seed) {
        RandomWalk walk = new RandomWalk(seed, false);
        Random random = new Random(-seed);
        int flushed = 0;
        long epoch = Bed.EPOCH;
        for (int step = 0; step < STEPS; step++) {
            try {
                walk.step();
                if (random.nextInt(4) == 0) {
                    flushed = random.nextInt(flushed, walk.bed.facts.size() + 1);
                }
                Engine again = rebuild(walk.bed.facts, flushed, ++epoch, random, walk.bed.now);
                assertThat(again.hardState(walk.bed.now)).isEqualTo(walk.bed.engine.hardState(walk.bed.now));
                if (random.nextInt(20) == 0) {
                    goOnWith(again, walk);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", step " + step, e);
            }
        }
    }

    private static void goOnWith(Engine engine, RandomWalk walk) {
        walk.bed.engine = engine;
        engine.renewAll(walk.bed.now);
        for (PlainModel.Job job : walk.model.jobs.values()) {
            if (job.status.state().leased()) {
                job.untilAt = walk.bed.now + job.pool.leaseMicros();
                long begun = Math.max(job.status.leasedAt(), job.status.startedAt());
                long limit = begun
                        + job.spec.timeLimitMicros()
                        + RandomWalk.CONFIG.attempts().timeLimitGraceMicros();
                job.limitAt = Math.max(limit, job.untilAt);
                if (job.status.cancelRequested()) {
                    job.cancelBy = Math.max(
                            job.status.changedAt()
                                    + RandomWalk.CONFIG.attempts().cancelGraceMicros(),
                            job.untilAt);
                }
            }
        }
        walk.workers.reconnectAll();
    }

    /** What a start does: rows as of the last flush, shuffled, without payloads; then the tail. */
    static Engine rebuild(List<Fact> facts, int flushed, long epoch, Random random, long now) {
        Engine engine = new Engine(RandomWalk.CONFIG, epoch);
        Map<JobId, JobSpec> specs = new LinkedHashMap<>();
        Map<JobId, JobStatus> open = new LinkedHashMap<>();
        Map<JobId, Long> dead = new LinkedHashMap<>();
        for (Fact fact : facts.subList(0, flushed)) {
            switch (fact) {
                case Fact.JobAdded added -> {
                    specs.put(added.id(), added.spec());
                    open.put(added.id(), added.status());
                }
                case Fact.JobRevised revised -> {
                    specs.put(revised.id(), revised.spec());
                    open.put(revised.id(), revised.status());
                }
                case Fact.JobReplayed replayed -> {
                    specs.put(replayed.id(), replayed.spec());
                    open.put(replayed.id(), replayed.status());
                }
                case Fact.JobChanged changed -> open.put(changed.id(), changed.status());
                case Fact.JobEnded ended -> {
                    open.remove(ended.id());
                    if (ended.status().state() == JobState.DEAD) {
                        dead.put(ended.id(), ended.status().changedAt());
                    }
                }
                default -> engine.apply(fact);
            }
        }
        for (JobSpec spec : specs.values()) {
            if (!spec.idempotencyKey().isEmpty()) {
                loadKey(engine, spec, dead.get(spec.id()), now);
            }
        }
        List<JobId> order = new ArrayList<>(open.keySet());
        Collections.shuffle(order, random);
        for (JobId id : order) {
            engine.load(withoutPayload(specs.get(id)), open.get(id));
        }
        for (Fact fact : facts.subList(flushed, facts.size())) {
            engine.apply(fact);
        }
        return engine;
    }

    static JobId id(Fact step) {
        return switch (step) {
            case Fact.JobRevised revised -> revised.id();
            case Fact.JobChanged changed -> changed.id();
            case Fact.JobEnded ended -> ended.id();
            default -> throw new IllegalArgumentException("expected a step of a job, but got " + step);
        };
    }

    static JobStatus status(Fact step) {
        return switch (step) {
            case Fact.JobRevised revised -> revised.status();
            case Fact.JobChanged changed -> changed.status();
            case Fact.JobEnded ended -> ended.status();
            default -> throw new IllegalArgumentException("expected a step of a job, but got " + step);
        };
    }

    private static void loadKey(Engine engine, JobSpec spec, @Nullable Long deadAt, long now) {
        String key = spec.idempotencyKey();
        if (spec.submittedAt() >= now - 2 * RandomWalk.CONFIG.keys().spanMicros()) {
            engine.loadKey(spec.tenant(), key, spec.id(), spec.bodyHash(), spec.submittedAt());
        } else {
            engine.loadSealedKey(spec.tenant(), key, spec.submittedAt());
        }
        if (deadAt != null) {
            engine.loadDeadKey(spec.tenant(), key, deadAt);
        }
    }

    private static JobSpec withoutPayload(JobSpec spec) {
        return spec.withPayload(Payload.EMPTY);
    }
}
