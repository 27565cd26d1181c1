package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.seen.Sighting;
import dev.fairlane.sim.seen.StreamRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I4, second half: once a cancel was asked for and acked, the worker that runs the job hears of it within a second of contact. Judged
 * when the answer comes to a heartbeat that lists the job as one of its worker's own.
 */
public final class CancelReachesTheWorker implements Invariant {
    private static final long WITHIN_MICROS = 1_000_000;

    private final Agenda agenda;
    private final long graceMicros;
    private final Map<JobId, Long> asked = new HashMap<>();
    private final Map<StreamRef, Long> contactSince = new HashMap<>();
    private final Set<Told> told = new HashSet<>();
    private final Map<JobId, LeaseRef> newest = new HashMap<>();
    private final Set<LeaseRef> heard = new HashSet<>();
    private final Set<LeaseRef> reported = new HashSet<>();

    private record Told(String worker, int life, LeaseRef lease) {}

    /** @param graceMicros after this the lease is over and there is nobody to tell */
    public CancelReachesTheWorker(Agenda agenda, long graceMicros) {
        this.agenda = agenda;
        this.graceMicros = graceMicros;
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.CancelAnswered cancel
            when cancel.answer() instanceof Answer.Cancelled cancelled
                    && cancelled.outcome() == Answer.CancelOutcome.CANCEL_REQUESTED ->
                asked.putIfAbsent(cancel.id(), agenda.now());
            case Sighting.LeaseHeard lease -> {
                heard.add(lease.ref());
                newest.put(lease.ref().id(), lease.ref());
            }
            case Sighting.CancelHeard cancel
            when heard.contains(cancel.lease()) -> told.add(told(cancel.stream(), cancel.lease()));
            case Sighting.ResultArrived result -> reported.add(result.lease());
            case Sighting.ResultAnswered result
            when result.revoked() -> told.add(told(result.stream(), result.lease()));
            case Sighting.BeatAckHeard beat -> {
                contactSince.putIfAbsent(beat.stream(), beat.leftAt());
                beat.held().stream()
                        .filter(lease -> !beat.revoked().contains(lease))
                        .forEach(lease -> judge(beat.stream(), lease, beat.leftAt()));
            }
            default -> {}
        }
    }

    private void judge(StreamRef stream, LeaseRef lease, long leftAt) {
        Long askedAt = asked.get(lease.id());
        if (askedAt == null
                || !lease.equals(newest.get(lease.id()))
                || reported.contains(lease)
                || agenda.now() >= askedAt + graceMicros) {
            return;
        }
        long since = Math.max(askedAt, contactSince.getOrDefault(stream, Long.MAX_VALUE - WITHIN_MICROS));
        require(
                leftAt <= since + WITHIN_MICROS || told.contains(told(stream, lease)),
                "a cancel of " + lease + " was acked, and its worker on " + stream
                        + " was not told within a second of contact");
    }

    private static Told told(StreamRef stream, LeaseRef lease) {
        return new Told(stream.worker(), stream.life(), lease);
    }
}
