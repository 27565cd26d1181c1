package dev.fairlane.sdk.internal;

import com.google.protobuf.ByteString;
import dev.fairlane.sdk.Handler;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.NonRetryableException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** A handler with the class its payload is read as. */
public record BoundHandler<T>(Class<T> payloadClass, Handler<T> handler) {

    // A job without payload hands null to a handler that asked for a class: the handler knows its jobs.
    @SuppressWarnings("NullAway")
    @Nullable Object run(JobContext context, Codec codec, ByteString payload, String contentType) throws Exception {
        T read;
        try {
            read = codec.decode(payload, contentType, payloadClass);
        } catch (JacksonException unreadable) {
            throw new NonRetryableException(
                    "the payload cannot be read as " + payloadClass.getName() + ": " + unreadable.getOriginalMessage(),
                    unreadable);
        }
        return handler.run(context, read);
    }
}
