package dev.fairlane.bench.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls over REST with one key; everything but success is thrown. A call without any answer is made once more. */
public final class Rest implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String key;

    public Rest(String url, String key) {
        this.url = url;
        this.key = key;
    }

    /** @param body empty for none */
    public JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
        return JSON.readTree(call(method, path, body));
    }

    /** What is not JSON. */
    public String text(String path) throws IOException, InterruptedException {
        return call("GET", path, "");
    }

    private String call(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .timeout(PATIENCE)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = answer(request);
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException("expected an answer to " + method + " " + path + ", but got "
                    + response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    /** The JDK's pool sometimes hands out a connection that is already gone, and repeats nothing but GET by itself. */
    private HttpResponse<String> answer(HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (HttpTimeoutException e) {
            throw e;
        } catch (IOException unanswered) {
            return client.send(request, BodyHandlers.ofString());
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
