package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.Problem;
import dev.fairlane.sdk.FairlaneException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Bytes that are too large for messages go over plain HTTP, to the same server. Every call here may be repeated. */
public final class ByteCalls {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Duration ONE_TRY = Duration.ofMinutes(10);
    private static final JsonMapper JSON = new JsonMapper();

    private final Rpc.Target target;
    private final HttpClient client;

    ByteCalls(Rpc.Target target, HttpClient client) {
        this.target = target;
        this.client = client;
    }

    /** Saves a checkpoint under a lease. */
    void saveCheckpoint(String job, long token, byte[] state) {
        call(request("/v1/jobs/" + job + "/checkpoint?token=" + token)
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofByteArray(state))
                .build());
    }

    /** The newest checkpoint. */
    byte[] loadCheckpoint(String job) {
        return call(request("/v1/jobs/" + job + "/checkpoint").GET().build()).body();
    }

    /** Saves a large result under a lease; returns the reference to report. */
    String saveResult(String job, long token, byte[] result) {
        HttpResponse<byte[]> answer = call(request("/v1/jobs/" + job + "/result?token=" + token)
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofByteArray(result))
                .build());
        return JSON.readTree(answer.body()).get("ref").asString();
    }

    /** Stores a large payload; returns the reference to submit. */
    public String savePayload(byte[] payload) {
        HttpResponse<byte[]> answer = call(request("/v1/objects?sha256=" + sha256(payload))
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(payload))
                .build());
        return JSON.readTree(answer.body()).get("ref").asString();
    }

    /** The payload of a job, however large. */
    public byte[] payload(String job) {
        return call(request("/v1/jobs/" + job + "/payload").GET().build()).body();
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The result of a job, however large. */
    public byte[] result(String job) {
        return call(request("/v1/jobs/" + job + "/result").GET().build()).body();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + path))
                .timeout(ONE_TRY)
                .header("Authorization", "Bearer " + target.key())
                .header("User-Agent", "fairlane-java/" + Version.CURRENT);
        return target.tenant() == null ? request : request.header("Fairlane-Tenant", target.tenant());
    }

    /** @throws FairlaneException if it was refused, or could not be done in time */
    private HttpResponse<byte[]> call(HttpRequest request) {
        long end = System.nanoTime() + WITHIN.toNanos();
        Backoff backoff = new Backoff(50, 2_000);
        while (true) {
            FairlaneException failure;
            try {
                HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
                if (answer.statusCode() / 100 == 2) {
                    return answer;
                }
                failure = problem(answer);
            } catch (IOException e) {
                failure = new FairlaneException.Unavailable(
                        "UNAVAILABLE", "cannot reach " + target + ": " + e.getMessage(), null, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FairlaneException.TimedOut("INTERRUPTED", "interrupted during a transfer", e);
            }
            boolean again = failure instanceof FairlaneException.Unavailable
                    || failure instanceof FairlaneException.LimitReached;
            long pause = Math.max(
                    backoff.nextNanos(),
                    failure.retryAfter().map(Duration::toNanos).orElse(0L));
            if (!again || System.nanoTime() + pause - end >= 0) {
                throw failure;
            }
            pause(pause);
        }
    }

    private static void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FairlaneException.TimedOut("INTERRUPTED", "interrupted between two tries", e);
        }
    }

    private static FairlaneException problem(HttpResponse<byte[]> answer) {
        JsonNode said = read(answer.body());
        if (said == null || !said.has("code")) {
            return answer.statusCode() >= 500
                    ? new FairlaneException.Unavailable(
                            "UNAVAILABLE", "the server answered " + answer.statusCode(), null, null)
                    : new FairlaneException.Invalid("HTTP_" + answer.statusCode(), "the server refused it", null);
        }
        return Errors.of(Problem.newBuilder()
                .setCode(said.get("code").asString())
                .setDetail(said.path("detail").asString(""))
                .setRetryAfterMs(said.path("retry_after").asLong(0) * 1_000)
                .build());
    }

    private static @Nullable JsonNode read(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException notJson) {
            return null;
        }
    }
}
