package dev.fairlane.server.webhook;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody else's server: answers as told, with 200 when nothing was said, and remembers what it got. */
final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final Deque<Answer> answers = new ConcurrentLinkedDeque<>();
    final List<Received> received = new CopyOnWriteArrayList<>();

    record Answer(int status, Map<String, String> headers) {}

    record Received(String path, Map<String, String> headers, byte[] body) {}

    Receiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
            byte[] body = exchange.getRequestBody().readAllBytes();
            received.add(new Received(exchange.getRequestURI().toString(), headers, body));
            Answer answer = answers.isEmpty() ? new Answer(200, Map.of()) : answers.removeFirst();
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            exchange.sendResponseHeaders(answer.status(), -1);
            exchange.close();
        });
        server.start();
    }

    void answerNext(int status, Map<String, String> headers) {
        answers.addLast(new Answer(status, headers));
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
