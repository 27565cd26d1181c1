package dev.fairlane.core.admission;

import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What makes a job one of a kind under its type's rule: its unique key, or what stands for its payload. */
final class OneOfAKind {
    private OneOfAKind() {}

    /** The job's terms with the key of its kind: payloads are not in memory after a restart, their digests are. */
    static JobTerms terms(NewJob job, @Nullable UniqueRule rule) {
        JobTerms terms = job.terms();
        if (rule == null || rule.by() != By.ARGS) {
            return terms;
        }
        return terms.withUniqueKey("args-" + digest(job));
    }

    /**
     * 128 bits, as keys are kept: two payloads of a type meeting by chance is beyond imagining, and a tenant that forges two only
     * deceives itself. It is stored with the job, so it must not change.
     */
    private static String digest(NewJob job) {
        Payload payload = PayloadRef.of(job.payload())
                .map(ref -> new Payload(ref.digest().getBytes(StandardCharsets.UTF_8), ref.contentType()))
                .orElse(job.payload());
        String contentType = payload.contentType();
        byte[] bytes = payload.bytes();
        long a = 0x243F6A8885A308D3L;
        long b = 0x13198A2E03707344L + bytes.length;
        for (int i = 0; i < contentType.length() + bytes.length; i++) {
            int at = i - contentType.length();
            long c = (at < 0 ? contentType.charAt(i) + 256 : bytes[at] & 0xFF) + 1;
            a = Long.rotateLeft((a ^ c) * 0xC2B2AE3D27D4EB4FL, 29);
            b = (Long.rotateLeft(b, 31) + c * 0x165667B19E3779F9L) * 0x9FB21C651E98DF25L;
        }
        long first = mix(a + Long.rotateLeft(b, 17));
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(first) + hex.toHexDigits(mix(b ^ first * 0xD6E8FEB86659FD93L));
    }

    private static long mix(long value) {
        long v = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        v = (v ^ v >>> 33) * 0xC4CEB9FE1A85EC53L;
        return v ^ v >>> 33;
    }
}
