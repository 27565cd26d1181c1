package dev.fairlane.core.share;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Resources;
import java.util.List;

/**
 * What tells queues of one type apart.
 *
 * @param mixed its jobs have keys of their own, which it does not tell
 */
record QueueKey(
        String part,
        String lane,
        String concurrencyKey,
        String rateKey,
        int rateCost,
        Resources demand,
        List<String> tags,
        boolean mixed) {

    static QueueKey of(String lane, String part, JobNeeds needs) {
        boolean rated = !needs.rateKey().isEmpty();
        return new QueueKey(
                part,
                lane,
                needs.concurrencyKey(),
                needs.rateKey(),
                rated ? Math.max(1, needs.rateCost()) : 1,
                needs.demand(),
                needs.tags(),
                false);
    }

    /** The same without keys of its own. */
    QueueKey forMany() {
        return new QueueKey(part, lane, "", "", 1, demand, tags, true);
    }

    /** The same charged to no part of the tenant. */
    QueueKey ofTheWhole() {
        return new QueueKey("", lane, concurrencyKey, rateKey, rateCost, demand, tags, mixed);
    }

    boolean hasKeys() {
        return !concurrencyKey.isEmpty() || !rateKey.isEmpty();
    }
}
