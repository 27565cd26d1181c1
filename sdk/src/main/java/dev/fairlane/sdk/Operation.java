package dev.fairlane.sdk;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something done to many jobs, as it stood when it was asked for. It runs on the server and ends with it; started again, it goes on with
 * what is left.
 *
 * @param kind what is done, e.g. {@code replay_dead}
 * @param tenant whose jobs; empty for those of all tenants
 * @param filter which jobs, in words
 * @param by name of the key that asked
 * @param state running, waiting_for_canaries, done, cancelled, stopped or failed
 * @param expected jobs it will treat; empty while nobody has counted
 * @param matched found so far
 * @param skipped found, but no longer in a state to be treated
 * @param failed refused one by one
 * @param note the last refusal, or why it stopped
 * @param endedAt empty while it goes on
 */
public record Operation(
        String id,
        String kind,
        String tenant,
        String filter,
        String by,
        String why,
        String state,
        OptionalLong expected,
        long matched,
        long done,
        long skipped,
        long failed,
        String note,
        Instant startedAt,
        Optional<Instant> endedAt) {

    /** Whether it is over, however it ended. */
    public boolean ended() {
        return endedAt.isPresent();
    }

    static Operation of(dev.fairlane.protocol.v1.Operation told) {
        return new Operation(
                told.getId(),
                told.getKind(),
                told.getTenant(),
                told.getFilter(),
                told.getBy(),
                told.getWhy(),
                told.getState(),
                told.hasExpected() ? OptionalLong.of(told.getExpected()) : OptionalLong.empty(),
                told.getMatched(),
                told.getDone(),
                told.getSkipped(),
                told.getFailed(),
                told.getNote(),
                time(told.getStartedAtMicros()),
                told.getEndedAtMicros() == 0 ? Optional.empty() : Optional.of(time(told.getEndedAtMicros())));
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
