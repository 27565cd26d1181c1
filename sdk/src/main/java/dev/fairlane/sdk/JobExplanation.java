package dev.fairlane.sdk;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Why a job waits. Of a job that runs or has ended only its state and the summary are told.
 *
 * @param summary all of it in one sentence
 * @param reasons what holds it back; first what somebody can do something about
 * @param ahead jobs before it in its queue; above 1,000 an estimate
 * @param laneWaiting jobs that wait in its lane
 * @param goesOnAt when it is due, or its rate key has starts again
 * @param eta about when it starts if nothing changes; empty where that depends on what somebody does
 * @param share how its tenant stands in its pool
 */
public record JobExplanation(
        String id,
        JobState state,
        String summary,
        List<Reason> reasons,
        String pool,
        String lane,
        int ahead,
        int laneWaiting,
        Optional<Instant> goesOnAt,
        Optional<Eta> eta,
        Optional<Share> share) {

    /**
     * One thing it waits for.
     *
     * @param code stable, like {@code no_worker} or {@code fair_share}
     * @param unblock what would let it go on
     */
    public record Reason(String code, String text, String unblock) {}

    /** From now on. */
    public record Eta(Duration earliest, Duration latest) {}

    /**
     * How a tenant stands in a pool.
     *
     * @param held slots its jobs take now
     * @param fair what it would hold if everybody who has work had exactly its share
     * @param deficit slot-seconds it is owed; negative: it had more than its share
     */
    public record Share(int weight, int waiting, int running, double held, double fair, double deficit) {}

    static JobExplanation of(dev.fairlane.protocol.v1.JobExplanation told) {
        return new JobExplanation(
                told.getId(),
                JobInfo.state(told.getState()),
                told.getSummary(),
                told.getReasonsList().stream()
                        .map(reason -> new Reason(reason.getCode(), reason.getText(), reason.getUnblock()))
                        .toList(),
                told.getPool(),
                told.getLane(),
                told.getAhead(),
                told.getLaneWaiting(),
                told.getGoesOnAtMicros() == 0
                        ? Optional.empty()
                        : Optional.of(Instant.EPOCH.plus(told.getGoesOnAtMicros(), ChronoUnit.MICROS)),
                told.hasEta()
                        ? Optional.of(new Eta(
                                Duration.ofMillis(told.getEta().getEarliestMs()),
                                Duration.ofMillis(told.getEta().getLatestMs())))
                        : Optional.empty(),
                told.hasShare() ? Optional.of(share(told.getShare())) : Optional.empty());
    }

    private static Share share(dev.fairlane.protocol.v1.TenantShare share) {
        return new Share(
                share.getWeight(),
                share.getWaiting(),
                share.getRunning(),
                share.getHeldSlots(),
                share.getFairSlots(),
                share.getDeficitSlotSeconds());
    }
}
