package dev.fairlane.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A REST server on loopback that answers what a test told it to, in order, and remembers what it was asked. */
final class FakeRest implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    final List<Request> requests = new CopyOnWriteArrayList<>();

    record Answer(int status, String type, String body) {}

    record Request(String line, Map<String, List<String>> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    FakeRest() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** The last answer to a request is given again and again. */
    FakeRest answer(String line, int status, String body) {
        return answer(line, status, status < 300 ? "application/json" : "application/problem+json", body);
    }

    FakeRest answer(String line, int status, String type, String body) {
        answers.computeIfAbsent(line, any -> new ArrayDeque<>()).add(new Answer(status, type, body));
        return this;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            requests.add(new Request(
                    line,
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            Deque<Answer> waiting = answers.get(line);
            Answer answer = waiting == null
                    ? new Answer(500, "application/json", "{\"detail\":\"no answer was given for " + line + "\"}")
                    : waiting.size() > 1 ? waiting.remove() : waiting.element();
            byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("content-type", answer.type);
            exchange.sendResponseHeaders(answer.status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
