package dev.fairlane.server.admit;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.PayloadRef;
import java.util.Map;
import java.util.TreeMap;

/**
 * A digest of what was asked, to tell a repeated submit from a reused key. It is stored with the key for a day, so what goes in and in
 * which order is fixed; a repeated call may be a new span of the same trace, so trace headers stay out.
 */
final class BodyHash {
    /** About what a job has beside its payload. */
    private static final int USUAL_REST = 192;

    private BodyHash() {}

    static long of(NewJob job) {
        BodyDigest digest = new BodyDigest(job.payload().bytes().length + USUAL_REST);
        digest.putText(job.type());
        PayloadRef ref = PayloadRef.of(job.payload()).orElse(null);
        if (ref != null) {
            // the bytes, wherever they lie: sent again they lie elsewhere
            digest.putText(ref.digest());
            digest.putLong(ref.size());
            digest.putText(ref.contentType());
        } else {
            digest.putInt(job.payload().bytes().length).putBytes(job.payload().bytes());
            digest.putText(job.payload().contentType());
        }
        digest.putInt(job.payloadVersion())
                .putInt(job.priority())
                .putLong(job.runAt())
                .putLong(job.delayMicros())
                .putLong(job.notAfter())
                .putInt(job.maxAttempts())
                .putLong(job.timeLimitMicros());
        put(digest, job.tags());
        put(digest, job.headers());
        put(digest, job.terms());
        return digest.digest();
    }

    /** Jobs that say nothing beyond the usual keep the digest they had before there was more to say. */
    private static void put(BodyDigest digest, JobTerms terms) {
        if (terms.equals(JobTerms.NONE)) {
            return;
        }
        digest.putText(terms.lane());
        digest.putText(terms.uniqueKey());
        digest.putLong(terms.maxAgeMicros()).putBoolean(terms.exact());
        if (!terms.group().isEmpty()) {
            digest.putText(terms.group());
        }
        if (!terms.webhook().isEmpty()) {
            digest.putText(terms.webhook());
        }
        put(digest, terms.needs());
    }

    private static void put(BodyDigest digest, JobNeeds needs) {
        if (needs.equals(JobNeeds.NONE)) {
            return;
        }
        digest.putText(needs.fairKey());
        digest.putText(needs.concurrencyKey());
        digest.putText(needs.rateKey());
        digest.putInt(Math.abs(needs.rateCost()))
                .putInt(needs.demand().cpuMillis())
                .putInt(needs.demand().memoryMib())
                .putInt(needs.demand().gpus());
        needs.tags().forEach(tag -> digest.putText(tag));
    }

    private static void put(BodyDigest digest, Map<String, String> entries) {
        if (!entries.isEmpty()) {
            new TreeMap<>(entries).forEach((name, value) -> {
                if (!name.equals("traceparent") && !name.equals("tracestate")) {
                    digest.putText(name);
                    digest.putText(value);
                }
            });
        }
        digest.putInt(-1);
    }
}
