package dev.fairlane.server.admit;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PayloadRef;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A digest of what was asked, to tell a repeated submit from a reused key. It is stored with the key for a day, so what goes in and in
 * which order is fixed; a repeated call may be a new span of the same trace, so trace headers stay out.
 */
final class BodyHash {
    private BodyHash() {}

    static long of(NewJob job) {
        Hasher hasher = Hashing.murmur3_128().newHasher();
        put(hasher, job.type());
        PayloadRef ref = PayloadRef.of(job.payload()).orElse(null);
        if (ref != null) {
            // the bytes, wherever they lie: sent again they lie elsewhere
            put(hasher, ref.digest());
            hasher.putLong(ref.size());
            put(hasher, ref.contentType());
        } else {
            hasher.putInt(job.payload().bytes().length).putBytes(job.payload().bytes());
            put(hasher, job.payload().contentType());
        }
        hasher.putInt(job.payloadVersion())
                .putInt(job.priority())
                .putLong(job.runAt())
                .putLong(job.delayMicros())
                .putLong(job.notAfter())
                .putInt(job.maxAttempts())
                .putLong(job.timeLimitMicros());
        put(hasher, job.tags());
        put(hasher, job.headers());
        put(hasher, job.terms());
        return hasher.hash().asLong();
    }

    /** Jobs that say nothing beyond the usual keep the digest they had before there was more to say. */
    private static void put(Hasher hasher, JobTerms terms) {
        if (terms.equals(JobTerms.NONE)) {
            return;
        }
        put(hasher, terms.lane());
        put(hasher, terms.uniqueKey());
        hasher.putLong(terms.maxAgeMicros()).putBoolean(terms.exact());
        if (!terms.group().isEmpty()) {
            put(hasher, terms.group());
        }
        if (!terms.webhook().isEmpty()) {
            put(hasher, terms.webhook());
        }
        put(hasher, terms.needs());
    }

    private static void put(Hasher hasher, JobNeeds needs) {
        if (needs.equals(JobNeeds.NONE)) {
            return;
        }
        put(hasher, needs.fairKey());
        put(hasher, needs.concurrencyKey());
        put(hasher, needs.rateKey());
        hasher.putInt(Math.abs(needs.rateCost()))
                .putInt(needs.demand().cpuMillis())
                .putInt(needs.demand().memoryMib())
                .putInt(needs.demand().gpus());
        needs.tags().forEach(tag -> put(hasher, tag));
    }

    private static void put(Hasher hasher, Map<String, String> entries) {
        if (!entries.isEmpty()) {
            new TreeMap<>(entries).forEach((name, value) -> {
                if (!name.equals("traceparent") && !name.equals("tracestate")) {
                    put(hasher, name);
                    put(hasher, value);
                }
            });
        }
        hasher.putInt(-1);
    }

    private static void put(Hasher hasher, String text) {
        hasher.putInt(text.length()).putString(text, StandardCharsets.UTF_8);
    }
}
