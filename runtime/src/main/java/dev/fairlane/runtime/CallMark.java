package dev.fairlane.runtime;

import dev.fairlane.core.model.NewJob;
import java.util.List;

/**
 * What is written down with the id of a call: in which place of it the job stands that carries the id, and enough of the call to tell
 * it from another one. The digest need not stand against forgers, who would only deceive themselves.
 */
final class CallMark {
    private static final int PLACE_BITS = 16;
    private static final long PLACE = (1L << PLACE_BITS) - 1;

    private CallMark() {}

    static long digest(List<NewJob> jobs) {
        long digest = jobs.size();
        for (NewJob job : jobs) {
            digest = (digest ^ job.type().hashCode() ^ (long) job.payload().bytes().length << 32) * 0x9E3779B97F4A7C15L;
            digest ^= digest >>> 29;
        }
        return digest & ~PLACE;
    }

    static long make(long digest, int place) {
        return digest | place;
    }

    /** Whether the mark is of a call with this digest. */
    static boolean of(long mark, long digest) {
        return (mark & ~PLACE) == digest;
    }

    static int place(long mark) {
        return (int) (mark & PLACE);
    }
}
