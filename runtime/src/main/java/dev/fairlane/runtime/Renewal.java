package dev.fairlane.runtime;

import java.util.List;

/**
 * What became of the leases a worker listed, those that were renewed aside.
 *
 * @param revoked held by another token now, or by nobody
 * @param ended their job is no longer in memory: it has come to its end, by this lease or without it
 */
record Renewal(List<LeaseRef> revoked, List<LeaseRef> ended) {
    static final Renewal NOTHING = new Renewal(List.of(), List.of());
}
