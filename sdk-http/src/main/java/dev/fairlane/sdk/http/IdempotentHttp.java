package dev.fairlane.sdk.http;

import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.JobContext;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;

/**
 * The JDK's HTTP client for jobs: checks the lease, sends the effect key, and lets no call outlive the job.
 *
 * <pre>{@code
 * IdempotentHttp http = IdempotentHttp.with(HttpClient.newHttpClient());
 * …
 * .handle("charge", Charge.class, (ctx, charge) -> {
 *     HttpResponse<String> answer = http.send(ctx, request(charge), BodyHandlers.ofString());
 *     return HttpAnswers.wellOrThrow("payments", answer).body();
 * })
 * }</pre>
 *
 * <p>Every attempt must send the same request under the same key: most systems refuse a known key with another body. Thread-safe.
 */
public final class IdempotentHttp {
    /** Where the key goes unless told otherwise. */
    public static final String HEADER = "Idempotency-Key";

    private final HttpClient client;
    private final String header;

    private IdempotentHttp(HttpClient client, String header) {
        this.client = Objects.requireNonNull(client, "client");
        this.header = Objects.requireNonNull(header, "header");
    }

    public static IdempotentHttp with(HttpClient client) {
        return new IdempotentHttp(client, HEADER);
    }

    /** The same with another header, for systems that call it otherwise. */
    public IdempotentHttp header(String name) {
        return new IdempotentHttp(client, name);
    }

    /**
     * Sends the request with the job's effect key. For a job that makes one call; one that makes several names each of them.
     *
     * @throws dev.fairlane.sdk.LeaseLostException if the lease is lost; nothing was sent
     */
    public <T> HttpResponse<T> send(JobContext context, HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        return send(context, context.effectKey(), request, body);
    }

    /**
     * Sends the request with the key of one of several effects of the job.
     *
     * @param key from {@link EffectKey#of}, so that every attempt names it alike
     * @throws dev.fairlane.sdk.LeaseLostException if the lease is lost; nothing was sent
     */
    public <T> HttpResponse<T> send(
            JobContext context, EffectKey key, HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        HttpRequest keyed = keyed(context, key, request);
        context.checkLease();
        return client.send(keyed, body);
    }

    private HttpRequest keyed(JobContext context, EffectKey key, HttpRequest request) {
        if (request.headers().firstValue(header).isPresent()) {
            throw new IllegalArgumentException(
                    "expected a request without " + header + ", but it has one; the job's effect key goes there");
        }
        HttpRequest.Builder keyed =
                HttpRequest.newBuilder(request, (name, value) -> true).header(header, key.value());
        Duration left = context.timeLeft();
        if (left.isPositive()
                && request.timeout().filter(own -> own.compareTo(left) <= 0).isEmpty()) {
            keyed.timeout(left.compareTo(LONGEST) < 0 ? left : LONGEST);
        }
        return keyed.build();
    }

    /** A job without limit must not make a timeout that the JDK cannot count in milliseconds. */
    private static final Duration LONGEST = Duration.ofDays(1);
}
