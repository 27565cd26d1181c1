package dev.fairlane.sdk.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.RetryAfterException;
import dev.fairlane.sdk.Worker;
import dev.fairlane.sdk.testing.TestFairlane;
import dev.fairlane.sdk.testing.TestJobContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdempotentHttpTest {
    private static final Payments PAYMENTS = new Payments();
    private static final WireMockServer SERVER = start();

    private final IdempotentHttp http = IdempotentHttp.with(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());

    @AfterAll
    static void stop() {
        SERVER.stop();
    }

    @BeforeEach
    void forget() {
        SERVER.resetAll();
        PAYMENTS.charged.clear();
        SERVER.stubFor(post(urlEqualTo("/charges")).willReturn(aResponse().withTransformers("payments")));
    }

    @Test
    void aJobThatFailsAfterItsCallChargesOnce() {
        AtomicInteger runs = new AtomicInteger();
        // A first call on a busy machine may take a second: its job must not run out of time over it.
        try (TestFairlane test =
                TestFairlane.builder().patience(Duration.ofSeconds(20)).start()) {
            test.worker("charge", Integer.class, (ctx, amount) -> {
                HttpResponse<String> answer = http.send(ctx, charge(amount), BodyHandlers.ofString());
                if (runs.incrementAndGet() == 1) {
                    throw new IllegalStateException("after the call");
                }
                return HttpAnswers.wellOrThrow("payments", answer).body();
            });
            JobInfo job = test.run(Job.of("charge", 42));
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.result(String.class)).isEqualTo("charge 1");
            SERVER.verify(2, postRequestedFor(urlEqualTo("/charges")).withHeader("Idempotency-Key", equalTo(job.id())));
        }
        assertThat(PAYMENTS.charged).hasSize(1);
    }

    @Test
    void aJobWhoseWorkerDiesAfterItsCallChargesOnce() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        try (TestFairlane test = TestFairlane.start()) {
            Worker dying = test.worker("charge", Integer.class, (ctx, amount) -> {
                http.send(ctx, charge(amount), BodyHandlers.ofString());
                called.countDown();
                new CountDownLatch(1).await();
                return null;
            });
            JobHandle job = test.client().submit(Job.of("charge", 42));
            called.await();
            dying.kill();
            test.worker(
                    "charge",
                    Integer.class,
                    (ctx, amount) -> http.send(ctx, charge(amount), BodyHandlers.ofString())
                            .body());
            assertThat(test.finish(job).result(String.class)).isEqualTo("charge 1");
        }
        assertThat(PAYMENTS.charged).hasSize(1);
    }

    @Test
    void severalCallsOfAJobHaveKeysOfTheirOwn() throws Exception {
        TestJobContext context = TestJobContext.of("charge");
        http.send(context, context.effectKey().of("deposit"), charge(1), BodyHandlers.ofString());
        http.send(context, context.effectKey().of("rest"), charge(2), BodyHandlers.ofString());
        http.send(context.next(), context.effectKey().of("rest"), charge(2), BodyHandlers.ofString());
        assertThat(PAYMENTS.charged).containsOnlyKeys(context.id() + "/deposit", context.id() + "/rest");
    }

    @Test
    void nothingIsSentWithoutTheLease() {
        TestJobContext lost = TestJobContext.of("charge");
        lost.loseLease();
        assertThatThrownBy(() -> http.send(lost, charge(1), BodyHandlers.ofString()))
                .isInstanceOf(LeaseLostException.class);
        assertThat(PAYMENTS.charged).isEmpty();
    }

    @Test
    void theHeaderHasTheNameTheOtherSideWants() throws Exception {
        TestJobContext context = TestJobContext.of("charge");
        http.header("X-Request-Id").send(context, charge(1), BodyHandlers.discarding());
        SERVER.verify(postRequestedFor(anyUrl()).withHeader("X-Request-Id", equalTo(context.id())));
        assertThatThrownBy(() -> http.send(
                        context,
                        HttpRequest.newBuilder(charge(1), (name, value) -> true)
                                .header("idempotency-key", "mine")
                                .build(),
                        BodyHandlers.discarding()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noCallOutlivesItsJob() {
        SERVER.stubFor(post(urlEqualTo("/charges")).willReturn(aResponse().withFixedDelay(20_000)));
        TestJobContext context = TestJobContext.of("charge").timeLeft(Duration.ofMillis(200));
        assertThatThrownBy(() -> http.send(context, charge(1), BodyHandlers.discarding()))
                .isInstanceOf(java.net.http.HttpTimeoutException.class);
    }

    @Test
    void badAnswersBecomeWhatFitsThem() throws Exception {
        assertThat(answer(204, "").statusCode()).isEqualTo(204);
        assertThatThrownBy(() -> answer(429, "17"))
                .isInstanceOfSatisfying(
                        RetryAfterException.class,
                        told -> assertThat(told.retryAfter()).isEqualTo(Duration.ofSeconds(17)));
        assertThatThrownBy(() -> answer(503, "Fri, 31 Dec 1999 23:59:59 GMT")).isInstanceOf(RetryAfterException.class);
        assertThatThrownBy(() -> answer(429, "soon")).isInstanceOf(RetryAfterException.class);
        assertThatThrownBy(() -> answer(409, "")).isInstanceOf(RetryAfterException.class);
        assertThatThrownBy(() -> answer(503, ""))
                .isInstanceOfSatisfying(
                        DependencyFailedException.class,
                        failed -> assertThat(failed.dependency()).isEqualTo("payments"));
        assertThatThrownBy(() -> answer(422, "")).isInstanceOf(NonRetryableException.class);
    }

    private static HttpResponse<Void> answer(int status, String retryAfter) throws Exception {
        var response = aResponse().withStatus(status);
        SERVER.stubFor(any(urlEqualTo("/any"))
                .willReturn(retryAfter.isEmpty() ? response : response.withHeader("Retry-After", retryAfter)));
        return HttpAnswers.wellOrThrow(
                "payments",
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(SERVER.baseUrl() + "/any"))
                                        .build(),
                                BodyHandlers.discarding()));
    }

    private static HttpRequest charge(int amount) {
        // each on a connection of its own: the JDK's pool now and then loses an answer (JDK-8357639)
        return HttpRequest.newBuilder(URI.create(SERVER.baseUrl() + "/charges"))
                .header("Connection", "close")
                .POST(BodyPublishers.ofString("{\"amount\":" + amount + "}"))
                .build();
    }

    private static WireMockServer start() {
        WireMockServer server = new WireMockServer(
                wireMockConfig().dynamicPort().bindAddress("127.0.0.1").extensions(PAYMENTS));
        server.start();
        return server;
    }

    /** A payment provider as they are: a key it knows gets the first answer again. */
    private static final class Payments implements ResponseTransformerV2 {
        private final Map<String, String> charged = new ConcurrentHashMap<>();

        @Override
        public Response transform(Response response, ServeEvent event) {
            String key = event.getRequest().getHeader("Idempotency-Key");
            String answer = charged.computeIfAbsent(
                    key == null ? "none " + event.getId() : key, _ -> "charge " + (charged.size() + 1));
            return Response.Builder.like(response).but().body(answer).build();
        }

        @Override
        public boolean applyGlobally() {
            return false;
        }

        @Override
        public String getName() {
            return "payments";
        }
    }
}
