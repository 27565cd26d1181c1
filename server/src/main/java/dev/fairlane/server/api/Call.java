package dev.fairlane.server.api;

import com.google.common.hash.Hashing;
import com.google.protobuf.Message;
import dev.fairlane.core.model.Author;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.auth.Caller;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A call under way.
 *
 * @param executor where its answer is made: one thread at a time, never the node's loop
 * @param idempotencyKey what the header Idempotency-Key said, in gRPC the metadata of that name; empty when it is not there
 */
public record Call(Caller caller, Executor executor, String traceId, String idempotencyKey) {
    public static final String IDEMPOTENCY_KEY = "idempotency-key";

    /** Who asks for this, for the audit. */
    public Author author(Message request) {
        return new Author(
                caller.keyId(),
                caller.keyName(),
                caller.role().text(),
                idempotencyKey,
                traceId,
                RequestDigest.of(request, Hashing.sha256()).toString());
    }

    /** @throws dev.fairlane.server.fault.Refused if the header cannot be a key */
    public static Call of(Caller caller, Executor executor, String traceId, @Nullable String header) {
        return new Call(
                caller,
                executor,
                traceId,
                header == null ? "" : Text.line("Idempotency-Key", header, Limits.IDEMPOTENCY_KEY_LENGTH));
    }
}
