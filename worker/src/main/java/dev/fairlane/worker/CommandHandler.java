package dev.fairlane.worker;

import dev.fairlane.sdk.Handler;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Payload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Runs one command per job. The contract of the command is in the package documentation. */
public final class CommandHandler implements Handler<Payload> {
    /** It is held in memory; the server takes more. */
    static final int RESULT_BYTES_MAX = 64 << 20;

    /** The command saved a checkpoint and wants another to go on. */
    static final int EXIT_HAND_OVER = 79;

    static final int STDERR_BYTES_KEPT = 8 * 1024;

    /** Not for the command: with it, a job could act as its worker. */
    private static final List<String> HIDDEN = List.of("FAIRLANE_KEY");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** How long the pipes of a command that has ended may stay open, held by something it left behind. */
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);

    private final List<String> command;
    private final Duration killGrace;
    private final String handOverSignal;
    private final ExitCodes exits;

    private CommandHandler(List<String> command, Duration killGrace, String handOverSignal, ExitCodes exits) {
        this.command = List.copyOf(command);
        this.killGrace = killGrace;
        this.handOverSignal = handOverSignal;
        this.exits = exits;
    }

    /**
     * A handler that gives the line to the shell.
     *
     * @param killGrace between SIGTERM and SIGKILL
     */
    public static CommandHandler ofShell(String line, Duration killGrace) {
        return ofShell(line, killGrace, "");
    }

    /** @param handOverSignal name of the signal that asks the command to hand over, e.g. USR1; empty for none */
    public static CommandHandler ofShell(String line, Duration killGrace, String handOverSignal) {
        return ofShell(line, killGrace, handOverSignal, ExitCodes.USUAL);
    }

    static CommandHandler ofShell(String line, Duration killGrace, String handOverSignal, ExitCodes exits) {
        return new CommandHandler(List.of("/bin/sh", "-c", line), killGrace, handOverSignal, exits);
    }

    @Override
    public @Nullable Object run(JobContext context, Payload payload) throws Exception {
        try (CheckpointFiles files = CheckpointFiles.prepare(context)) {
            return run(context, payload, files);
        }
    }

    private @Nullable Object run(JobContext context, Payload payload, CheckpointFiles files) throws Exception {
        Process process = start(context, payload, files);
        ProcessTree tree = new ProcessTree(process, killGrace);
        context.onCancel(tree::end);
        Capture stdout = Capture.beginning(process.getInputStream(), RESULT_BYTES_MAX, tree::end);
        Capture stderr = Capture.tail(process.getErrorStream(), STDERR_BYTES_KEPT);
        Thread stdin = Thread.startVirtualThread(() -> feed(process, payload));
        try {
            int exit = files.watch(process, () -> signalHandOver(process));
            if (exit == EXIT_HAND_OVER) {
                throw context.handOver();
            }
            stdout.await(LAST_OUTPUT);
            stderr.await(LAST_OUTPUT);
            return outcome(context, exit, stdout, stderr);
        } finally {
            // Interrupted: over its time limit, cancelled, or the lease is lost. Else there is nothing left to end.
            tree.endNow();
            stdin.interrupt();
        }
    }

    /** The command, not the shell's other children: it decides what to do. */
    private void signalHandOver(Process process) {
        if (handOverSignal.isEmpty()) {
            return;
        }
        try {
            Process kill = new ProcessBuilder("kill", "-" + handOverSignal, String.valueOf(process.pid())).start();
            kill.getOutputStream().close();
        } catch (IOException e) {
            System.getLogger("dev.fairlane.worker")
                    .log(System.Logger.Level.WARNING, "cannot send SIG{0}: {1}", handOverSignal, e.toString());
        }
    }

    private Process start(JobContext context, Payload payload, CheckpointFiles files) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        HIDDEN.forEach(environment::remove);
        files.describe(environment);
        environment.put("FAIRLANE_JOB_ID", context.id());
        environment.put("FAIRLANE_TYPE", context.type());
        environment.put("FAIRLANE_TENANT", context.tenant());
        environment.put("FAIRLANE_ATTEMPT", String.valueOf(context.attempt()));
        environment.put("FAIRLANE_MAX_ATTEMPTS", String.valueOf(context.maxAttempts()));
        environment.put("FAIRLANE_EXECUTION", String.valueOf(context.execution()));
        environment.put("FAIRLANE_TOKEN", String.valueOf(context.fencingToken()));
        environment.put("FAIRLANE_EFFECT_KEY", context.effectKey().value());
        environment.put("FAIRLANE_CONTENT_TYPE", payload.contentType());
        environment.put("FAIRLANE_HEADERS", JSON.writeValueAsString(context.headers()));
        String trace = context.headers().get("traceparent");
        if (trace != null && trace.indexOf('\0') < 0) {
            environment.put("TRACEPARENT", trace);
        }
        return builder.start();
    }

    private static void feed(Process process, Payload payload) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(payload.bytes());
        } catch (IOException notRead) {
            return; // a command need not read its payload
        }
    }

    private @Nullable Object outcome(JobContext context, int exit, Capture stdout, Capture stderr) {
        context.throwIfCancelled();
        if (stdout.overflowed()) {
            throw new NonRetryableException("expected a result of at most 64 MiB on stdout, but got more");
        }
        if (exit != 0) {
            throw exits.failure(exit, stderr.text());
        }
        return result(stdout.bytes());
    }

    static @Nullable Object result(byte[] output) {
        if (output.length == 0) {
            return null;
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(output))
                    .toString();
        } catch (CharacterCodingException notText) {
            return Payload.of(output, Payload.BYTES);
        }
        return isJson(text) ? Payload.json(text.strip()) : Payload.text(text);
    }

    private static boolean isJson(String text) {
        if (text.isBlank()) {
            return false;
        }
        try {
            JSON.readTree(text);
            return true;
        } catch (JacksonException notJson) {
            return false;
        }
    }
}
