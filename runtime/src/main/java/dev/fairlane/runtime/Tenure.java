package dev.fairlane.runtime;

import java.util.function.LongSupplier;

/**
 * How sure the node may be that it still owns its log. Every operation that the store let through under the log's fence proves that it
 * did when the operation was sent; for the length of the owner's lease after that nobody else takes the log over. A node that was
 * paused or cut off for longer says nothing until it has proved itself again: what it remembers may be old.
 *
 * <p>Soft: a new start has proved itself by opening the log, before it loaded what is in it.
 */
final class Tenure {
    private final LongSupplier tickerNanos;
    private final long leaseNanos;
    private final boolean ignored;
    private long provenNanos;

    Tenure(LongSupplier tickerNanos, NodeConfig config) {
        this.tickerNanos = tickerNanos;
        this.leaseNanos = config.patience().ownerLeaseMicros() * 1_000;
        this.ignored = config.sabotage().contains(Sabotage.ANSWER_WITHOUT_TENURE);
        this.provenNanos = tickerNanos.getAsLong() - leaseNanos;
    }

    /** @param sentNanos ticker when the operation was sent that went through */
    void proven(long sentNanos) {
        if (sentNanos - provenNanos > 0) {
            provenNanos = sentNanos;
        }
    }

    boolean certain() {
        return ignored || tickerNanos.getAsLong() - provenNanos < leaseNanos;
    }
}
