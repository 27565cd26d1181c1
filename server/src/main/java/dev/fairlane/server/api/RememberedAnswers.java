package dev.fairlane.server.api;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.protobuf.Message;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers to calls that came with an {@code Idempotency-Key} and are no submits: the same key and body gets the first answer again,
 * also while the first is under way. Kept for a day in the memory of this node, at most {@link #BYTES} of them together, the oldest
 * leave first; a restart forgets them. What failed is not kept: asking again does it.
 */
public final class RememberedAnswers {
    private static final Duration KEPT = Duration.ofHours(24);
    private static final long BYTES = 64L << 20;
    /** What an entry costs beside its answer, roughly. */
    private static final int OVERHEAD = 512;

    private final Cache<Name, Kept> answered;
    private final Map<Name, Kept> underWay = new HashMap<>();

    private record Name(@Nullable TenantId scope, String rpc, String key) {}

    private record Kept(HashCode body, CompletableFuture<Message> answer) {
        int weight() {
            return OVERHEAD + answer.join().getSerializedSize();
        }
    }

    public RememberedAnswers(InstantSource clock) {
        this.answered = CacheBuilder.newBuilder()
                .maximumWeight(BYTES)
                .weigher((Name name, Kept kept) -> kept.weight())
                .expireAfterWrite(KEPT)
                .ticker(new Ticker() {
                    @Override
                    public long read() {
                        return clock.millis() * 1_000_000;
                    }
                })
                .build();
    }

    /** @throws Refused if the key came with another body before */
    CompletableFuture<Message> answer(
            Call call, String rpc, Message request, Supplier<CompletableFuture<? extends Message>> deed) {
        Name name = new Name(call.caller().scope(), rpc, call.idempotencyKey());
        Kept fresh = new Kept(RequestDigest.of(request, Hashing.murmur3_128()), new CompletableFuture<>());
        Kept known = known(name, fresh);
        if (known != null) {
            if (!known.body().equals(fresh.body())) {
                throw Refused.of(
                        ErrorCode.IDEMPOTENCY_KEY_REUSED,
                        "expected the body first sent with this Idempotency-Key, but got another; use a new key");
            }
            return known.answer().thenApplyAsync(answer -> answer, call.executor());
        }
        CompletableFuture<? extends Message> done;
        try {
            done = deed.get();
        } catch (RuntimeException e) {
            done = CompletableFuture.failedFuture(e);
        }
        return done.handle((answer, failure) -> {
            ended(name, fresh, answer, failure);
            if (failure != null) {
                throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
            }
            return answer;
        });
    }

    private synchronized @Nullable Kept known(Name name, Kept fresh) {
        Kept known = answered.getIfPresent(name);
        return known != null ? known : underWay.putIfAbsent(name, fresh);
    }

    private void ended(Name name, Kept kept, @Nullable Message answer, @Nullable Throwable failure) {
        if (answer != null) {
            kept.answer().complete(answer);
        }
        synchronized (this) {
            if (answer != null) {
                answered.put(name, kept);
            }
            underWay.remove(name);
        }
        if (answer == null) {
            kept.answer().completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
        }
    }
}
