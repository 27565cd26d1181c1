package dev.fairlane.server.webhook;

import com.google.common.net.InetAddresses;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.journal.WebhookSecretStore.Secret;
import dev.fairlane.server.fault.Faults;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One call to a webhook's address, and what its answer means for the job. */
final class Delivery {
    private static final int MAX_ANSWER_BYTES = 64 << 10;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final WebhookRules rules;
    private final Duration timeout;
    private final InstantSource clock;
    private final Names names;
    private final Executor resolving;
    private final ClientFactory factory;

    /** Where a host is. */
    @FunctionalInterface
    interface Names {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    /** @param resolving may block: names are looked up there */
    Delivery(WebhookRules rules, Duration timeout, InstantSource clock, Names names, Executor resolving) {
        this.rules = rules;
        this.timeout = timeout;
        this.clock = clock;
        this.names = names;
        this.resolving = resolving;
        this.factory = ClientFactory.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .useHttp2Preface(false)
                .idleTimeout(Duration.ofSeconds(10))
                .build();
    }

    /** What the address answered. */
    record Answered(int status) {}

    /** An answer that lets the job fail, or none at all. */
    static final class Undelivered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Failure failure;

        Undelivered(Failure failure) {
            super(failure.message(), null, false, false);
            this.failure = failure;
        }

        Failure failure() {
            return failure;
        }
    }

    /** Fails with {@link Undelivered} only. */
    CompletableFuture<Answered> send(JobSpec job, List<Secret> secrets) {
        return CompletableFuture.supplyAsync(() -> target(job), resolving)
                .thenCompose(target -> call(job, target, secrets));
    }

    private record Target(URI address, Endpoint endpoint) {}

    /** The name resolved now, and the connection bound to what was found. */
    private Target target(JobSpec job) {
        URI address;
        try {
            address = WebhookRules.read(job.headers().getOrDefault(ReservedTypes.URL_HEADER, ""));
        } catch (URISyntaxException e) {
            throw never("expected an address to call, but " + e.getReason());
        }
        boolean https = address.getScheme().equals("https");
        if (!https && !rules.permitsHttp()) {
            throw never("plain http is no longer allowed on this server");
        }
        String host = WebhookRules.host(address);
        InetAddress[] found;
        try {
            found = names.of(host);
        } catch (UnknownHostException e) {
            throw again(host, "there is no host " + host, 0, "UnknownHost");
        }
        for (InetAddress one : found) {
            if (!rules.permits(one)) {
                throw never(host + " is at a private address, which webhooks may not call on this server");
            }
        }
        int port = address.getPort() > 0 ? address.getPort() : https ? 443 : 80;
        return new Target(address, Endpoint.of(host, port).withIpAddr(InetAddresses.toAddrString(found[0])));
    }

    private CompletableFuture<Answered> call(JobSpec job, Target target, List<Secret> secrets) {
        byte[] body = job.payload().bytes();
        long now = clock.millis() / 1_000;
        URI address = target.address;
        String path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.POST, path + query)
                .authority(address.getRawAuthority())
                .contentType(MediaType.JSON)
                .set("user-agent", "Fairlane-Webhook/1")
                .set("fairlane-delivery", job.id().toString())
                .set(Signature.HEADER, Signature.of(secrets, now, body))
                .build();
        SessionProtocol protocol = address.getScheme().equals("https") ? SessionProtocol.HTTPS : SessionProtocol.H1C;
        return WebClient.builder(protocol, target.endpoint)
                .factory(factory)
                .responseTimeout(timeout)
                .writeTimeout(timeout)
                .maxResponseLength(MAX_ANSWER_BYTES)
                .build()
                .execute(HttpRequest.of(headers, HttpData.wrap(body)))
                .aggregate()
                .handle((answer, fault) -> judge(WebhookRules.host(address), answer, fault));
    }

    private Answered judge(String host, @Nullable AggregatedHttpResponse answer, @Nullable Throwable fault) {
        if (answer == null) {
            Throwable cause =
                    fault == null ? new IllegalStateException("neither answer nor fault") : Faults.unwrap(fault);
            if (cause instanceof ContentTooLargeException) {
                throw again(host, "the answer is longer than " + MAX_ANSWER_BYTES + " bytes", 0, "TooLarge");
            }
            throw again(host, "no answer: " + cause, 0, cause.getClass().getSimpleName());
        }
        int status = answer.status().code();
        long wait = RetryAfter.micros(answer.headers().get("retry-after", ""), clock.millis());
        String error = "HTTP " + status;
        if (status >= 200 && status < 300) {
            return new Answered(status);
        }
        if (status == 429) {
            throw new Undelivered(new Failure(FailureClass.RATE_LIMITED, "answered 429", "", wait, host, error));
        }
        if (status >= 500 || status == 408 || status == 425) {
            throw again(host, "answered " + status, wait, error);
        }
        throw new Undelivered(new Failure(
                FailureClass.NON_RETRYABLE,
                "answered " + status + (status < 400 ? "; redirects are not followed" : ""),
                "",
                0,
                host,
                error));
    }

    private static Undelivered again(String host, String message, long waitMicros, String error) {
        return new Undelivered(new Failure(FailureClass.DEPENDENCY, message, "", waitMicros, host, error));
    }

    private static Undelivered never(String message) {
        return new Undelivered(Failure.of(FailureClass.NON_RETRYABLE, message));
    }

    void close() {
        factory.close();
    }
}
