package dev.fairlane.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs the everyday commands against answers of its own, for the JVM to watch: what it loads and links here is kept in the AOT cache
 * the launcher makes when it builds (see docs/adr/0006-cli-transport.md). Not a command.
 */
public final class Training {
    private static final int ROUNDS = 20;
    private static final String ID = "00000000-0000-7000-8000-000000000000";
    private static final String JOB = """
            {"id":"%s","tenant":"default","type":"t","pool":"short","priority":5,"state":"SUCCEEDED","payload":{"a":[1,2.5,"x"]},
             "submitted_at":"2026-01-01T00:00:00Z","attempt":1,"max_attempts":5,"execution":1,"cancel_requested":false,
             "result":true,"attempts":[{"execution":1,"worker":"w"}],"tags":{"a":"b"}}""".formatted(ID);
    private static final String STATUS = """
            {"version":"1","node":"n","state":"serving","uptime_ms":1,"pools":[{"pool":"short","waiting":1,"slots":50}],
             "tenants":[{"tenant":"default","weight":10,"slot_seconds":1.5}],
             "workers":[{"worker":"w","types":["t"],"offers":[{"pool":"short","slots":50}]}]}""";

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/status", exchange -> answer(exchange, STATUS));
        server.createContext(
                "/v1/jobs", exchange -> answer(exchange, list(exchange) ? "{\"jobs\":[" + JOB + "]}" : JOB));
        server.start();
        try {
            String url = "http://localhost:" + server.getAddress().getPort();
            for (int i = 0; i < ROUNDS; i++) {
                run("job", "get", ID, "--url", url);
                run("job", "get", ID, "--url", url, "-o", "json");
                run("job", "list", "--url", url);
                run("submit", "t", "{\"a\":1}", "--priority", "1", "--tag", "a=b", "--wait", "--url", url);
                run("status", "--url", url);
            }
            run("job", "get", ID, "--url", url, "-o", "yaml");
            run("job", "cancel", ID, "--url", url);
            run("--help");
        } finally {
            server.stop(0);
        }
        System.exit(0);
    }

    private static void run(String... command) {
        // The process's own streams first, for what is loaded with them.
        Session process = Session.ofProcess();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Main.run(
                new Session(
                        new ByteArrayInputStream(new byte[0]),
                        nowhere,
                        nowhere,
                        Map.of("FAIRLANE_KEY", "training"),
                        Path.of("."),
                        process.outTerminal(),
                        process.errTerminal()),
                command);
    }

    private static boolean list(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("GET")
                && exchange.getRequestURI().getPath().equals("/v1/jobs");
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("content-type", Api.JSON);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
