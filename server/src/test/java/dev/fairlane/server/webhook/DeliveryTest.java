package dev.fairlane.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.WebhookSecretStore.Secret;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.fault.Faults;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names are looked up once, and the connection goes where the check looked. */
class DeliveryTest {
    private final Receiver receiver = new Receiver();

    @AfterEach
    void stop() {
        receiver.close();
    }

    private static Delivery delivery(boolean allowPrivate, Delivery.Names names) {
        ServerConfig.Webhooks config = new ServerConfig.Webhooks(true, true, allowPrivate, 1, Duration.ofSeconds(30));
        return new Delivery(new WebhookRules(config), config.timeout(), InstantSource.system(), names, Runnable::run);
    }

    private static JobSpec job(String url) {
        return new JobSpec(
                JobId.of(1, 0, 0, 1, 1),
                new TenantId(1),
                ReservedTypes.WEBHOOK,
                "short",
                5,
                new Payload("{}".getBytes(StandardCharsets.UTF_8), Payload.JSON),
                0,
                1,
                1,
                0,
                6,
                1,
                "",
                0,
                Map.of(),
                Map.of(ReservedTypes.URL_HEADER, url));
    }

    private static Failure failure(Delivery delivery, String url) {
        try {
            delivery.send(job(url), List.of(new Secret("s", 1))).join();
            throw new AssertionError("expected a failure");
        } catch (CompletionException e) {
            return ((Delivery.Undelivered) Faults.unwrap(e)).failure();
        } finally {
            delivery.close();
        }
    }

    @Test
    void theCallGoesToTheAddressThatWasFoundUnderTheNameThatWasAsked() {
        int port = URI.create(receiver.url("/")).getPort();
        Delivery delivery = delivery(true, host -> new InetAddress[] {InetAddress.getLoopbackAddress()});
        int status = delivery.send(job("http://hooks.example:" + port + "/x"), List.of(new Secret("s", 1)))
                .join()
                .status();
        delivery.close();
        assertThat(status).isEqualTo(200);
        assertThat(receiver.received.getFirst().headers()).containsEntry("Host", "hooks.example:" + port);
    }

    @Test
    void onePrivateAddressAmongManyIsEnoughToRefuse() throws UnknownHostException {
        InetAddress[] found = {InetAddress.getByName("8.8.8.8"), InetAddress.getByName("127.0.0.1")};
        Failure failure = failure(delivery(false, host -> found), "http://rebind.example/");
        assertThat(failure.failureClass()).isEqualTo(FailureClass.NON_RETRYABLE);
        assertThat(failure.message()).contains("private address");
        assertThat(receiver.received).isEmpty();
    }

    @Test
    void anUnknownHostMayBeKnownLater() {
        Failure failure = failure(
                delivery(false, host -> {
                    throw new UnknownHostException(host);
                }),
                "http://nowhere.example/");
        assertThat(failure.failureClass()).isEqualTo(FailureClass.DEPENDENCY);
        assertThat(failure.dependency()).isEqualTo("nowhere.example");
    }

    @Test
    void aSilentPortIsADependencyThatFailed() {
        String url = receiver.url("/");
        receiver.close();
        Failure failure = failure(delivery(true, InetAddress::getAllByName), url);
        assertThat(failure.failureClass()).isEqualTo(FailureClass.DEPENDENCY);
    }

    @Test
    void rulesThatBecameStricterHoldForWhatWaits() {
        ServerConfig.Webhooks strict = new ServerConfig.Webhooks(true, false, true, 1, Duration.ofSeconds(30));
        Delivery delivery = new Delivery(
                new WebhookRules(strict),
                strict.timeout(),
                InstantSource.system(),
                InetAddress::getAllByName,
                Runnable::run);
        assertThatThrownBy(
                        () -> delivery.send(job(receiver.url("/")), List.of()).join())
                .hasCauseInstanceOf(Delivery.Undelivered.class);
        delivery.close();
        assertThat(receiver.received).isEmpty();
    }
}
