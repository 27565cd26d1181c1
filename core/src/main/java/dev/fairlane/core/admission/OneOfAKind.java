package dev.fairlane.core.admission;

import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What makes a job one of a kind under its type's rule: its unique key, or what stands for its payload. */
final class OneOfAKind {
    private static final int DIGEST_BYTES = 16;

    private OneOfAKind() {}

    /** The job's terms with the key of its kind: payloads are not in memory after a restart, their digests are. */
    static JobTerms terms(NewJob job, @Nullable UniqueRule rule) {
        JobTerms terms = job.terms();
        if (rule == null || rule.by() != By.ARGS) {
            return terms;
        }
        return new JobTerms(
                terms.lane(),
                terms.maxAgeMicros(),
                "args-" + digest(job),
                terms.group(),
                terms.webhook(),
                terms.exact(),
                terms.revision());
    }

    private static String digest(NewJob job) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(job.payload().contentType().getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            return HexFormat.of()
                    .formatHex(Arrays.copyOf(sha.digest(job.payload().bytes()), DIGEST_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
