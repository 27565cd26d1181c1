package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** {@code fairlane submit}. */
@Command(
        name = "submit",
        description = "Hand in a job, or a file of them. Prints the id; with --wait the result.",
        footer = {
            "",
            "Examples:",
            "  fairlane submit send_email '{\"to\":\"a@example.com\"}' --priority 1 --wait",
            "  fairlane submit resize @image.json --delay 10m --tag team=media",
            "  fairlane submit transcode --payload-file film.mp4 --content-type video/mp4",
            "  fairlane submit resize --concurrency-key user-7 --demand cpu=2,memory=4GiB --requires gpu-a100",
            "  fairlane submit --batch jobs.ndjson     # one {\"type\":…,\"payload\":…} a line; - for stdin"
        })
final class SubmitCommand implements Callable<Integer> {
    private static final long PAYLOAD_BYTES_MAX = 256 << 10;

    @Mixin
    private final ServerOptions server;

    @Mixin
    private final NeedsOptions needs = new NeedsOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "TYPE", description = "Name of the handler")
    private @Nullable String type;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PAYLOAD",
            description = "JSON, @FILE, or - for stdin. Default: none")
    private @Nullable String payload;

    @Option(
            names = "--payload-file",
            paramLabel = "FILE",
            description =
                    "The payload, of any size; above 256 KiB it is stored apart. Bytes, unless it is named .json or --content-type says")
    private @Nullable String payloadFile;

    @Option(names = "--priority", paramLabel = "N", description = "0 (most urgent) to 9. Default: 5")
    private @Nullable Integer priority;

    @Option(names = "--delay", paramLabel = "SPAN", description = "Not before this long from now, e.g. 10m")
    private @Nullable String delay;

    @Option(names = "--run-at", paramLabel = "TIME", description = "Not before this time, e.g. 2026-11-15T08:30:00Z")
    private @Nullable String runAt;

    @Option(names = "--not-after", paramLabel = "TIME", description = "Not worth starting after this time")
    private @Nullable String notAfter;

    @Option(names = "--key", paramLabel = "KEY", description = "Idempotency key: the same key is the same job")
    private @Nullable String idempotencyKey;

    @Option(names = "--unique-key", paramLabel = "KEY", description = "One of a kind, where its type has a rule by key")
    private @Nullable String uniqueKey;

    @Option(names = "--lane", paramLabel = "NAME", description = "Stream of work inside the tenant. Default: default")
    private @Nullable String lane;

    @Option(
            names = "--max-age",
            paramLabel = "SPAN",
            description = "From submit to its end. Default: what the type says")
    private @Nullable String maxAge;

    @Option(names = "--exact", description = "Due at exactly its time: no jitter for a job due far ahead")
    private boolean exact;

    @Option(names = "--group", paramLabel = "ID", description = "Join this open group")
    private @Nullable String group;

    @Option(names = "--webhook", paramLabel = "URL", description = "Called when the job is at its end")
    private @Nullable String webhook;

    @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "To find it by. Repeatable")
    private Map<String, String> tags = new LinkedHashMap<>();

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "Travels to the handler. Repeatable")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--max-attempts", paramLabel = "N", description = "Default: what the type says")
    private @Nullable Integer maxAttempts;

    @Option(names = "--time-limit", paramLabel = "SPAN", description = "Of one attempt. Default: what the type says")
    private @Nullable String timeLimit;

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            description = "Of a payload that is not JSON, e.g. text/plain. Default: application/json")
    private @Nullable String contentType;

    @Option(names = "--tenant", paramLabel = "NAME", description = "For keys that see all tenants. Default: default")
    private @Nullable String tenant;

    @Option(names = "--wait", description = "Wait for the job's end; the exit code is 0 if it succeeded, else 1")
    private boolean wait;

    @Option(names = "--timeout", paramLabel = "SPAN", description = "How long --wait waits; then exit code 124")
    private @Nullable String timeout;

    @Option(names = "--batch", paramLabel = "FILE", description = "Submit every line of an NDJSON file; - for stdin")
    private @Nullable String batch;

    SubmitCommand(Session session) {
        this.server = new ServerOptions(session);
    }

    @Override
    public Integer call() throws IOException {
        if (batch != null) {
            if (type != null || wait) {
                throw Failed.usage("--batch takes neither TYPE nor --wait: the file says it all");
            }
            return new BatchSubmit(server.api(tenant), server).run(batch);
        }
        if (type == null) {
            throw Failed.usage("expected TYPE [PAYLOAD] or --batch FILE");
        }
        Duration patience = timeout == null ? null : Spans.span("--timeout", timeout);
        Api api = server.api(tenant);
        Map<String, @Nullable Object> job = job(type, api);
        Map<String, @Nullable Object> answer = Json.object(api.send("POST", "/v1/jobs", job));
        String id = Json.text(answer, "id");
        if (!wait) {
            server.printer()
                    .print(answer, "id", submitted -> server.session().out().println(id));
            if (Boolean.TRUE.equals(answer.get("existing"))) {
                server.session().err().println("The idempotency key belongs to this job already.");
            }
            return ExitCode.OK;
        }
        return await(api, id, patience);
    }

    private int await(Api api, String id, @Nullable Duration patience) {
        Printer printer = server.printer();
        if (printer.format() == Format.table) {
            server.session().err().println("Submitted " + id);
        }
        Map<String, @Nullable Object> ended = new JobCalls(api, id).await(patience);
        String state = Json.text(ended, "state");
        printer.print(ended, "id", job -> {
            String result = JobText.content(job, "result", "result_content_type");
            if (!result.isEmpty()) {
                printer.out().println(result);
            }
        });
        if (state.equals("SUCCEEDED")) {
            return ExitCode.OK;
        }
        String failure = JobText.failure(Json.object(ended.get("failure")));
        throw new Failed(
                ExitCode.FAILED, "", "job " + id + " ended " + state + (failure.isEmpty() ? "" : ": " + failure));
    }

    private Map<String, @Nullable Object> job(String ofType, Api api) throws IOException {
        Map<String, @Nullable Object> job = new LinkedHashMap<>();
        job.put("type", ofType);
        if (payload != null && payloadFile != null) {
            throw Failed.usage("expected PAYLOAD or --payload-file, but there are both");
        }
        if (payloadFile != null) {
            putFile(job, Path.of(payloadFile), api);
        } else if (payload != null) {
            putPayload(job, read(payload, server.session()));
        }
        put(job, "priority", priority);
        put(job, "delay_ms", delay == null ? null : Spans.span("--delay", delay).toMillis());
        put(job, "run_at", runAt == null ? null : Spans.time("--run-at", runAt));
        put(job, "not_after", notAfter == null ? null : Spans.time("--not-after", notAfter));
        put(job, "idempotency_key", idempotencyKey);
        put(job, "unique_key", uniqueKey);
        put(job, "lane", lane);
        put(
                job,
                "max_age_ms",
                maxAge == null ? null : Spans.span("--max-age", maxAge).toMillis());
        put(job, "exact", exact ? true : null);
        put(job, "group", group);
        put(job, "webhook", webhook);
        needs.addTo(job);
        put(job, "tags", tags.isEmpty() ? null : tags);
        put(job, "headers", headers.isEmpty() ? null : headers);
        put(job, "max_attempts", maxAttempts);
        put(
                job,
                "time_limit_ms",
                timeLimit == null ? null : Spans.span("--time-limit", timeLimit).toMillis());
        return job;
    }

    /** What is too large for the call is stored first. */
    private void putFile(Map<String, @Nullable Object> job, Path file, Api api) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw Failed.usage("there is no file " + file);
        }
        if (contentType == null && !file.toString().endsWith(".json")) {
            contentType = "application/octet-stream";
        }
        if (Files.size(file) <= PAYLOAD_BYTES_MAX) {
            putPayload(job, Files.readAllBytes(file));
            return;
        }
        job.put("payload_ref", Json.text(Json.object(api.upload("/v1/objects", file)), "ref"));
        put(job, "content_type", contentType);
    }

    private void putPayload(Map<String, @Nullable Object> job, byte[] bytes) {
        if (contentType != null && !contentType.equals(Api.JSON)) {
            job.put("payload_base64", Base64.getEncoder().encodeToString(bytes));
            job.put("content_type", contentType);
            return;
        }
        try {
            job.put("payload", Json.parse(bytes));
        } catch (JacksonException e) {
            throw Failed.usage("the payload is not JSON (" + e.getOriginalMessage()
                    + "); for something else say --content-type, e.g. text/plain");
        }
    }

    /** {@code -} is stdin, {@code @FILE} a file, anything else itself. */
    static byte[] read(String from, Session session) throws IOException {
        if (from.equals("-")) {
            return session.in().readAllBytes();
        }
        if (!from.startsWith("@")) {
            return from.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Files.readAllBytes(Path.of(from.substring(1)));
        } catch (NoSuchFileException e) {
            throw Failed.usage("there is no file " + from.substring(1));
        }
    }

    private static void put(Map<String, @Nullable Object> job, String name, @Nullable Object value) {
        if (value != null) {
            job.put(name, value);
        }
    }
}
