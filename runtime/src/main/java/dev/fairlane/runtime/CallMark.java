package dev.fairlane.runtime;

import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What is written down with the id of a call: in which place of it the job stands that carries the id, and enough of the call to tell
 * it from another one. The digest need not stand against forgers, who would only deceive themselves.
 */
final class CallMark {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int PLACE_BITS = 16;
    private static final long PLACE = (1L << PLACE_BITS) - 1;

    private CallMark() {}

    /** Of everything that is asked, but for headers: a trace may differ from one sending to the next. */
    static long digest(List<NewJob> jobs) {
        long digest = jobs.size();
        for (NewJob job : jobs) {
            digest = mix(digest, job.type().hashCode());
            digest = bytes(digest, job.payload().bytes());
            digest = mix(digest, job.payload().contentType().hashCode());
            digest = mix(
                    digest, (long) job.payloadVersion() << 32 | job.priority() & 0xFF | (long) job.maxAttempts() << 8);
            digest = mix(digest, job.runAt());
            digest = mix(digest, job.delayMicros());
            digest = mix(digest, job.notAfter());
            digest = mix(digest, job.timeLimitMicros());
            digest = mix(digest, job.idempotencyKey().hashCode());
            digest = mix(digest, job.tags().hashCode());
            digest = job.terms() == JobTerms.NONE
                    ? digest
                    : mix(digest, job.terms().hashCode());
        }
        return digest & ~PLACE;
    }

    private static long bytes(long digest, byte[] bytes) {
        long mixed = mix(digest, bytes.length);
        int i = 0;
        for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
            mixed = mix(mixed, (long) WORDS.get(bytes, i));
        }
        for (; i < bytes.length; i++) {
            mixed = mix(mixed, bytes[i]);
        }
        return mixed;
    }

    private static long mix(long digest, long value) {
        long mixed = (digest ^ value) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 29;
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
