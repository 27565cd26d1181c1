package dev.fairlane.core.shard;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rules of semantics §2 and §5 once more, as plainly as possible, to compare the engine with. */
final class PlainModel {
    /** A job with everything in the open. */
    static final class Job {
        JobSpec spec;
        final PoolRules pool;
        JobStatus status;
        long untilAt;
        long limitAt;
        long cancelBy = Long.MAX_VALUE;
        int session = -1;
        /** Place in its tier: smaller is earlier. */
        long place;

        Job(JobSpec spec, PoolRules pool, JobStatus status) {
            this.spec = spec;
            this.pool = pool;
            this.status = status;
        }

        boolean waitsInLine() {
            return status.state() == JobState.QUEUED && !status.marks().paused();
        }

        boolean pastNotAfter(long now) {
            return spec.notAfter() > 0 && now > spec.notAfter();
        }

        long ageEnd(EngineConfig config) {
            long own = spec.terms().maxAgeMicros();
            JobMarks.Replay replay = status.marks().replay();
            long from = Math.max(spec.submittedAt(), spec.runAt());
            return Math.max(from, replay == null ? 0 : replay.replayedAt())
                    + (own > 0 ? own : config.failures().maxAgeMicros());
        }
    }

    final EngineConfig config;
    final TreeMap<JobId, Job> jobs = new TreeMap<>();
    private long lastPlace;
    private long firstPlace;

    PlainModel(EngineConfig config) {
        this.config = config;
    }

    /** The image after the command, or null if it must change nothing. */
    @Nullable JobStatus after(Command command, long now) {
        return switch (command) {
            case Command.Cancel c -> {
                Job job = jobs.get(c.id());
                boolean seen = job != null && (c.scope() == null || c.scope().equals(job.spec.tenant()));
                if (!seen || job.status.cancelRequested()) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                boolean unreleased = job.status.state() == JobState.LEASED && !c.released();
                if (job.status.state().waiting() || unreleased) {
                    draft.state = JobState.CANCELLED;
                } else {
                    draft.cancelRequested = true;
                }
                yield draft.image();
            }
            case Command.Revise c -> {
                Job job = changeable(c.id(), c.scope());
                yield job == null ? null : revised(job, c, now);
            }
            case Command.Pause c -> {
                Job job = changeable(c.id(), c.scope());
                if (job == null || job.status.marks().paused() == c.paused()) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.marks = draft.marks.pausing(c.paused());
                if (!c.paused() && draft.state == JobState.QUEUED) {
                    draft.queuedAt = now;
                }
                yield draft.image();
            }
            case Command.Start c -> {
                Job job = current(c.id(), c.token());
                if (job == null || job.status.state() == JobState.RUNNING) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = JobState.RUNNING;
                draft.startedAt = now;
                yield draft.image();
            }
            case Command.Complete c -> {
                Job job = current(c.id(), c.token());
                if (job == null) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = JobState.SUCCEEDED;
                yield draft.image();
            }
            case Command.Fail c -> {
                Job job = current(c.id(), c.token());
                yield job == null
                        ? null
                        : failed(
                                job,
                                c.failure().failureClass(),
                                c.failure().message(),
                                c.failure().retryAfterMicros(),
                                now);
            }
            case Command.HandOver c -> {
                Job job = current(c.id(), c.token());
                if (job == null) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = draft.cancelRequested ? JobState.CANCELLED : back(job, now);
                draft.attempt -= draft.cancelRequested ? 0 : 1;
                yield draft.image();
            }
            case Command.Checkpoint c -> {
                Job job = current(c.id(), c.token());
                if (job == null) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.marks =
                        job.status.marks().resumingFrom(new JobMarks.Checkpoint(c.ref(), c.bytes(), c.token(), now));
                yield draft.image();
            }
            case Command.Promote c -> {
                Job job = jobs.get(c.id());
                boolean due = job != null
                        && (job.status.state() == JobState.SCHEDULED || job.status.state() == JobState.RETRY_WAIT)
                        && job.status.dueAt() <= now;
                if (!due) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = JobState.QUEUED;
                draft.dueAt = 0;
                draft.queuedAt = now;
                yield draft.image();
            }
            case Command.ExpireLease c -> expired(c, now);
            case Command.PassNotAfter c -> {
                Job job = jobs.get(c.id());
                if (job == null || job.status.state().leased() || !job.pastNotAfter(now)) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = JobState.EXPIRED;
                yield draft.image();
            }
            case Command.GiveUp c -> {
                Job job = jobs.get(c.id());
                boolean waits = job != null
                        && (job.status.state() == JobState.QUEUED || job.status.state() == JobState.RETRY_WAIT);
                if (!waits || job.ageEnd(config) > now) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = JobState.DEAD;
                yield draft.image();
            }
            default -> throw new IllegalArgumentException(command.toString());
        };
    }

    private @Nullable Job changeable(JobId id, @Nullable TenantId scope) {
        Job job = jobs.get(id);
        boolean seen = job != null && (scope == null || scope.equals(job.spec.tenant()));
        return seen && job.status.state().waiting() ? job : null;
    }

    static JobChange timed(JobChange change, boolean otherTime) {
        return otherTime ? change : change.withRunAt(JobChange.KEEP);
    }

    private static @Nullable JobStatus revised(Job job, Command.Revise c, long now) {
        long asked = c.change().runAt();
        boolean otherTime =
                asked >= 0 && (job.status.state() == JobState.QUEUED ? asked > now : asked != job.status.dueAt());
        JobSpec becomes = timed(c.change(), otherTime).of(job.spec, now);
        boolean stale =
                c.ifRevision() >= 0 && c.ifRevision() != job.spec.terms().revision();
        if (stale || !otherTime && !c.change().withRunAt(JobChange.KEEP).matters(job.spec)) {
            return null;
        }
        Draft draft = new Draft(job.status, now);
        boolean otherLine = becomes.priority() != job.spec.priority()
                || !becomes.terms().lane().equals(job.spec.terms().lane());
        if (otherTime && becomes.runAt() > now) {
            draft.state = draft.state == JobState.RETRY_WAIT ? JobState.RETRY_WAIT : JobState.SCHEDULED;
            draft.dueAt = becomes.runAt();
            draft.queuedAt = 0;
        } else if (draft.state != JobState.QUEUED && otherTime) {
            draft.state = JobState.QUEUED;
            draft.dueAt = 0;
            draft.queuedAt = now;
        } else if (draft.state == JobState.QUEUED && otherLine) {
            draft.queuedAt = now;
        }
        return draft.image();
    }

    private @Nullable JobStatus expired(Command.ExpireLease c, long now) {
        Job job = current(c.id(), c.token());
        if (job == null) {
            return null;
        }
        return switch (c.reason()) {
            case SILENT_WORKER ->
                job.untilAt > now
                        ? null
                        : failed(
                                job,
                                FailureClass.WORKER_CRASH,
                                "the worker was silent for the length of its lease",
                                0,
                                now);
            case LOST_BY_WORKER ->
                failed(job, FailureClass.WORKER_CRASH, "the worker connected again without this execution", 0, now);
            case TIME_LIMIT, NO_PROGRESS ->
                job.limitAt > now
                        ? null
                        : failed(
                                job,
                                FailureClass.TIMEOUT,
                                "the execution ran over its time limit and was revoked by the server",
                                0,
                                now);
            case CANCEL_GRACE -> {
                if (job.cancelBy > now) {
                    yield null;
                }
                Draft draft = new Draft(job.status, now);
                draft.state = JobState.CANCELLED;
                yield draft.image();
            }
        };
    }

    private JobStatus failed(Job job, FailureClass why, String message, long retryAfter, long now) {
        JobStatus was = job.status;
        Draft draft = new Draft(was, now);
        JobMarks.Replay replay = was.marks().replay();
        boolean sameBefore = was.attempts().stream()
                .anyMatch(a -> a.failureClass() == why && (replay == null || a.leasedAt() >= replay.replayedAt()));
        draft.attempts.add(new Attempt(was.execution(), was.worker(), was.leasedAt(), now, why, message));
        boolean spent = was.attempt() >= job.spec.maxAttempts();
        if (was.cancelRequested()) {
            draft.state = JobState.CANCELLED;
            draft.crashes += why == FailureClass.WORKER_CRASH ? 1 : 0;
            return draft.image();
        }
        long delay = config.attempts()
                .retryDelaysMicros()
                .get(Math.min(
                                was.attempt(),
                                config.attempts().retryDelaysMicros().size())
                        - 1);
        switch (why) {
            case NON_RETRYABLE -> draft.state = JobState.DEAD;
            case WORKER_CRASH -> {
                draft.crashes++;
                if (draft.crashes > config.attempts().crashLimit() || now >= job.ageEnd(config)) {
                    draft.state = JobState.DEAD;
                } else {
                    draft.state = back(job, now);
                    draft.attempt--;
                }
            }
            case RATE_LIMITED -> {
                boolean dead = now + retryAfter > job.ageEnd(config);
                draft.state = dead ? JobState.DEAD : JobState.RETRY_WAIT;
                draft.attempt -= dead ? 0 : 1;
                draft.dueAt = dead ? 0 : now + retryAfter;
            }
            default -> {
                boolean once = why == FailureClass.TIMEOUT || why == FailureClass.RESOURCE_VIOLATION;
                boolean dead = spent
                        || once && sameBefore
                        || why == FailureClass.POISON && was.attempt() >= 2
                        || now + Math.max(delay, retryAfter) > job.ageEnd(config);
                draft.state = dead ? JobState.DEAD : JobState.RETRY_WAIT;
                draft.dueAt = dead ? 0 : now + Math.max(delay, retryAfter);
            }
        }
        return draft.image();
    }

    /** What a job becomes that would wait for another worker at once. */
    private static JobState back(Job job, long now) {
        return job.pastNotAfter(now) ? JobState.EXPIRED : JobState.QUEUED;
    }

    /** A dead job that was brought back by "ops": it begins anew and keeps its story. */
    static JobStatus replayed(JobStatus was, long now) {
        Draft draft = new Draft(was, now);
        JobMarks.Replay before = was.marks().replay();
        draft.state = JobState.QUEUED;
        draft.attempt = 0;
        draft.crashes = 0;
        draft.dueAt = 0;
        draft.queuedAt = now;
        draft.marks =
                was.marks().replayed(new JobMarks.Replay(now, "ops", "fixed", before == null ? 1 : before.count() + 1));
        return draft.image();
    }

    private @Nullable Job current(JobId id, long token) {
        Job job = jobs.get(id);
        return job != null && job.status.state().leased() && job.status.token() == token ? job : null;
    }

    void add(JobSpec spec, JobStatus status, PoolRules pool) {
        Job job = new Job(spec, pool, status);
        job.place = ++lastPlace;
        jobs.put(spec.id(), job);
    }

    /** Takes over a new image with what follows from it. */
    void set(Job job, JobStatus status) {
        JobStatus was = job.status;
        job.status = status;
        if (status.state().terminal()) {
            jobs.remove(job.spec.id());
            return;
        }
        if (status.state() == JobState.QUEUED
                && (was.state() != JobState.QUEUED || was.queuedAt() != status.queuedAt())) {
            job.place = was.state().leased() ? --firstPlace : ++lastPlace;
        }
        if (status.state().leased()) {
            if (!was.state().leased()) {
                job.untilAt = status.leasedAt() + job.pool.leaseMicros();
                job.limitAt = 0;
                job.cancelBy = Long.MAX_VALUE;
            }
            long begun = Math.max(status.leasedAt(), status.startedAt());
            job.limitAt = Math.max(
                    job.limitAt,
                    begun + job.spec.timeLimitMicros() + config.attempts().timeLimitGraceMicros());
            if (status.cancelRequested() && !was.cancelRequested()) {
                job.cancelBy = status.changedAt() + config.attempts().cancelGraceMicros();
            }
        } else {
            job.session = -1;
        }
    }

    /** The earliest time at which a timer has to do something about the job. */
    static long dueAt(Job job) {
        long notAfter = job.spec.notAfter() > 0 ? job.spec.notAfter() + 1 : Long.MAX_VALUE;
        return switch (job.status.state()) {
            case SCHEDULED, RETRY_WAIT -> Math.min(job.status.dueAt(), notAfter);
            case QUEUED -> Math.min(notAfter, job.ageEnd(RandomWalk.CONFIG));
            default -> Math.min(job.untilAt, Math.min(job.limitAt, job.cancelBy));
        };
    }

    /** An image in the making. */
    private static final class Draft {
        JobState state;
        int attempt;
        int crashes;
        long startedAt;
        long dueAt;
        long queuedAt;
        boolean cancelRequested;
        JobMarks marks;
        final List<Attempt> attempts;
        private final JobStatus was;
        private final long now;

        Draft(JobStatus was, long now) {
            this.was = was;
            this.now = now;
            state = was.state();
            attempt = was.attempt();
            crashes = was.crashes();
            startedAt = was.startedAt();
            dueAt = was.dueAt();
            queuedAt = was.queuedAt();
            cancelRequested = was.cancelRequested();
            marks = was.marks();
            attempts = new ArrayList<>(was.attempts());
        }

        JobStatus image() {
            return new JobStatus(
                    state,
                    attempt,
                    was.execution(),
                    crashes,
                    was.token(),
                    was.worker(),
                    was.leasedAt(),
                    startedAt,
                    dueAt,
                    queuedAt,
                    cancelRequested,
                    now,
                    attempts,
                    marks);
        }
    }
}
