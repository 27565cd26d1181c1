package dev.fairlane.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A server of a rig, from its start to its end. */
public final class RunningServer {
    private static final Duration POLL = Duration.ofMillis(20);

    private final Child child;
    private final String url;
    private final Path home;

    RunningServer(Child child, String url, Path home) {
        this.child = child;
        this.url = url;
        this.home = home;
    }

    public Child child() {
        return child;
    }

    public String url() {
        return url;
    }

    /** The key the server made at its first start. */
    public String adminKey() {
        try {
            return Files.readString(home.resolve("admin.key")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the server has left no readable admin key", e);
        }
    }

    /** A look into its database. */
    public PostgresProbe database() {
        return PostgresProbe.of(home);
    }

    void awaitReady(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/readyz"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!ready(http, request)) {
                if (!child.alive()) {
                    throw new RigException("the server ended while it was starting; " + child.lastWords());
                }
                if (System.nanoTime() - end > 0) {
                    throw new RigException("the server was not ready after " + patience + "; " + child.lastWords());
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    private static boolean ready(HttpClient http, HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted while the server was starting", e);
        }
    }
}
