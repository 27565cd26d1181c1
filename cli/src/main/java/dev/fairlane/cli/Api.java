package dev.fairlane.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Calls of the REST API. */
final class Api {
    static final String JSON = "application/json";
    static final String NDJSON = "application/x-ndjson";
    private static final String PAGE = "1000";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TRANSFER = Duration.ofMinutes(10);

    private final String url;
    private final String key;
    private final @Nullable String tenant;

    Api(String url, String key, @Nullable String tenant) {
        // A POST that may have arrived must not be sent again behind our back.
        System.setProperty("sun.net.http.retryPost", "false");
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.key = key;
        this.tenant = tenant;
    }

    @Nullable Object get(String path, Duration within) {
        return Json.parse(call("GET", path, null, JSON, within));
    }

    @Nullable Object get(String path) {
        return get(path, Duration.ofSeconds(30));
    }

    /** All pages of a list, one after the other. */
    void pages(String path, List<Entry<String, String>> which, Consumer<Map<String, @Nullable Object>> sink) {
        String cursor = "";
        do {
            List<Entry<String, String>> parameters = new ArrayList<>(which);
            parameters.add(Map.entry("page_size", PAGE));
            if (!cursor.isEmpty()) {
                parameters.add(Map.entry("cursor", cursor));
            }
            Map<String, @Nullable Object> page = Json.object(get(path + query(parameters)));
            sink.accept(page);
            cursor = Json.text(page, "next_cursor");
        } while (!cursor.isEmpty());
    }

    @Nullable Object send(String method, String path, @Nullable Object body) {
        byte[] bytes = body == null ? new byte[0] : Json.compact(body).getBytes(StandardCharsets.UTF_8);
        return Json.parse(call(method, path, bytes, JSON, Duration.ofSeconds(30)));
    }

    /** @return the body of the answer */
    byte[] call(String method, String path, byte @Nullable [] body, String contentType, Duration within) {
        try {
            HttpURLConnection connection = open(method, path, within);
            if (body != null && !method.equals("DELETE")) {
                connection.setDoOutput(true);
                connection.setRequestProperty("content-type", contentType);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body);
                }
            }
            check(connection);
            try (InputStream in = connection.getInputStream()) {
                return in.readAllBytes();
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Sends a file as it is. */
    @Nullable Object upload(String path, Path file) {
        try {
            HttpURLConnection connection = open("POST", path, TRANSFER);
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(Files.size(file));
            connection.setRequestProperty("content-type", "application/octet-stream");
            try (OutputStream out = connection.getOutputStream()) {
                Files.copy(file, out);
            }
            check(connection);
            try (InputStream in = connection.getInputStream()) {
                return Json.parse(in.readAllBytes());
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** The lines of an answer that goes on. Close it. */
    InputStream stream(String path, String accept, @Nullable String lastEvent) throws IOException {
        HttpURLConnection connection = open("GET", path, Duration.ofSeconds(60));
        connection.setRequestProperty("accept", accept);
        if (lastEvent != null) {
            connection.setRequestProperty("last-event-id", lastEvent);
        }
        check(connection);
        return connection.getInputStream();
    }

    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static String query(List<Entry<String, String>> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.stream()
                        .map(parameter -> segment(parameter.getKey()) + "=" + segment(parameter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    Failed unreachable(IOException e) {
        String why = switch (e) {
            case ConnectException refused -> "nobody listens there";
            case UnknownHostException unknown -> "there is no such host";
            case NoRouteToHostException none -> "there is no route to it";
            default -> String.valueOf(e.getMessage());
        };
        return new Failed(
                ExitCode.UNREACHABLE,
                "",
                "cannot reach the server at " + url + ": " + why + ". Is it running? (fairlane up)");
    }

    private HttpURLConnection open(String method, String path, Duration within) throws IOException {
        HttpURLConnection connection;
        try {
            connection = (HttpURLConnection) URI.create(url + path).toURL().openConnection();
        } catch (IllegalArgumentException | ClassCastException e) {
            throw Failed.usage("expected an address like http://localhost:8080, but got '" + url + "'");
        }
        connection.setRequestMethod(method);
        connection.setConnectTimeout((int) CONNECT.toMillis());
        connection.setReadTimeout((int) within.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("authorization", "Bearer " + key);
        connection.setRequestProperty("accept", JSON);
        connection.setRequestProperty("user-agent", "fairlane-cli");
        if (tenant != null) {
            connection.setRequestProperty("fairlane-tenant", tenant);
        }
        return connection;
    }

    private static void check(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status / 100 == 2) {
            return;
        }
        byte[] body = new byte[0];
        try (InputStream error = connection.getErrorStream()) {
            if (error != null) {
                body = error.readAllBytes();
            }
        }
        throw problem(status, body);
    }

    private static Failed problem(int status, byte[] body) {
        Map<String, @Nullable Object> problem;
        try {
            problem = Json.object(Json.parse(body));
        } catch (JacksonException notOurs) {
            problem = Map.of();
        }
        String code = Json.text(problem, "code");
        String detail = Json.text(problem, "detail");
        String field = Json.text(problem, "field");
        String message = detail.isEmpty() ? Json.text(problem, "title") : detail;
        if (message.isEmpty()) {
            message = "the server answered " + status;
        }
        return new Failed(exitCode(status), code, field.isEmpty() ? message : field + ": " + message);
    }

    private static int exitCode(int status) {
        return switch (status) {
            case 400, 413, 415 -> ExitCode.USAGE;
            case 401, 403 -> ExitCode.AUTH;
            case 404 -> ExitCode.NOT_FOUND;
            case 409, 412 -> ExitCode.CONFLICT;
            case 502, 503, 504 -> ExitCode.UNREACHABLE;
            default -> ExitCode.FAILED;
        };
    }
}
