package dev.fairlane.core.share;

import dev.fairlane.core.model.EngineConfig;

/**
 * The numbers of fair share.
 *
 * @param holdMicros H: what a held slot weighs against past use
 * @param minChargeMicros least slot-time a job is charged
 * @param burstMicros credit a child may bring from idling, in time of its fair share of the slots
 * @param idleHalfLifeMicros how fast what an idle child is above V melts
 */
public record ShareRules(
        double holdMicros, long minChargeMicros, double burstMicros, double idleHalfLifeMicros, Aging aging) {
    private static final double TEN_MINUTES = 600e6;

    public static ShareRules of(EngineConfig config) {
        EngineConfig.Share share = config.share();
        return new ShareRules(
                share.holdMicros(),
                share.minChargeMicros(),
                share.burstMicros(),
                TEN_MINUTES,
                new Aging(share.agingMicros()));
    }
}
