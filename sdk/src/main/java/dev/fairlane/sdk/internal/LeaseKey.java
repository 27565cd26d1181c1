package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.LeaseRef;

/** One lease of one job. */
record LeaseKey(long idHigh, long idLow, long token) {
    static LeaseKey of(LeaseRef ref) {
        return new LeaseKey(ref.getIdHi(), ref.getIdLo(), ref.getToken());
    }

    // Tokens do not repeat and end in a counter: they spread by themselves.
    @Override
    public int hashCode() {
        return Long.hashCode(token * 0x9E3779B97F4A7C15L);
    }
}
