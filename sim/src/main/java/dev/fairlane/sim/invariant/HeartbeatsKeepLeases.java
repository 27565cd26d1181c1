package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/**
 * A lease whose heartbeat reached its node in time does not run out: not while the heartbeat waits in the inbox, and not for a full
 * length after. The evidence is an attempt that ended because its worker was "silent", shown before that length is over.
 */
public final class HeartbeatsKeepLeases implements Invariant {
    /** A node that follows the store's clock by less than 100 ms at a time renews nothing for it. */
    private static final long TOLERANCE_MICROS = 200_000;

    private final Agenda agenda;
    private final Map<LeaseRef, Life> lives = new HashMap<>();
    private final Map<Execution, Life> byExecution = new HashMap<>();

    private record Execution(JobId id, int number) {}

    private static final class Life {
        final long lengthMicros;
        long until;

        Life(long lengthMicros, long until) {
            this.lengthMicros = lengthMicros;
            this.until = until;
        }

        /** Something gave it its full length again, if it was still alive then. */
        void renew(long now) {
            if (now < until) {
                until = Math.max(until, now + lengthMicros);
            }
        }
    }

    public HeartbeatsKeepLeases(Agenda agenda) {
        this.agenda = agenda;
    }

    @Override
    public void saw(Sighting sighting) {
        sighting.shown().forEach(this::judge);
        switch (sighting) {
            case Sighting.LeaseHeard heard -> {
                Life life = new Life(heard.lease().leaseMicros(), heard.validUntil());
                lives.put(heard.ref(), life);
                byExecution.put(
                        new Execution(heard.ref().id(), heard.lease().status().execution()), life);
            }
            case Sighting.BeatArrived beat
            when beat.owner() ->
                beat.held().forEach(lease -> {
                    Life life = lives.get(lease);
                    if (life != null) {
                        life.renew(agenda.now());
                    }
                });
            case Sighting.Opened opened -> lives.values().forEach(life -> life.renew(agenda.now()));
            default -> {}
        }
    }

    private void judge(JobView job) {
        for (Attempt attempt : job.status().attempts()) {
            if (attempt.failureClass() == FailureClass.WORKER_CRASH
                    && attempt.message().contains("silent")) {
                Life life = byExecution.get(new Execution(job.spec().id(), attempt.execution()));
                require(
                        life == null || agenda.now() >= life.until - TOLERANCE_MICROS,
                        "execution " + attempt.execution() + " of job "
                                + job.spec().id() + " ran out for the silence of " + attempt.worker()
                                + ", whose heartbeat had come in time");
            }
        }
    }
}
