package dev.fairlane.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.FailureDetail;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.ResourceViolationException;
import dev.fairlane.sdk.RetryAfterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandHandlerTest {
    private static final Payload PAYLOAD = Payload.json("{\"n\":1}");

    private final GivenContext context = new GivenContext();

    @TempDir
    private Path folder;

    private Object run(String line) throws Exception {
        return handler(line).run(context, PAYLOAD);
    }

    private static CommandHandler handler(String line) {
        return CommandHandler.ofShell(line, Duration.ofMillis(200));
    }

    @Test
    void thePayloadComesOnStdinAndTheResultGoesOutOnStdout() throws Exception {
        assertThat(run("cat")).isEqualTo(PAYLOAD);
    }

    @Test
    void outputIsJsonIfItCanBeElseTextElseBytes() throws Exception {
        assertThat(run("echo ' [1, 2] '")).isEqualTo(Payload.json("[1, 2]"));
        assertThat(run("echo hello")).isEqualTo(Payload.text("hello\n"));
        assertThat(run("echo '{} {}'")).isEqualTo(Payload.text("{} {}\n"));
        assertThat(run("printf '\\377\\376'")).isEqualTo(Payload.of(new byte[] {-1, -2}, Payload.BYTES));
        assertThat(run("true")).isNull();
    }

    @Test
    void theCommandKnowsItsJob() throws Exception {
        assertThat(run(
                        "echo \"$FAIRLANE_JOB_ID $FAIRLANE_TYPE $FAIRLANE_TENANT $FAIRLANE_ATTEMPT $FAIRLANE_MAX_ATTEMPTS"
                                + " $FAIRLANE_EXECUTION $FAIRLANE_TOKEN $FAIRLANE_EFFECT_KEY $FAIRLANE_CONTENT_TYPE"
                                + " $FAIRLANE_HEADERS $TRACEPARENT\""))
                .isEqualTo(Payload.text("0199c0de-0000-7000-8000-000000000001 resize acme 2 5 3 42"
                        + " 0199c0de-0000-7000-8000-000000000001 application/json {\"traceparent\":\"00-aa-bb-01\"}"
                        + " 00-aa-bb-01\n"));
    }

    @Test
    void theExitCodeDecidesTheFailure() {
        assertThat(catchThrowable(() -> run("echo one >&2; echo two >&2; exit 3")))
                .isInstanceOf(CommandFailed.class)
                .hasMessage("exit 3: two")
                .isInstanceOfSatisfying(
                        FailureDetail.class, f -> assertThat(f.failureDetail()).isEqualTo("one\ntwo\n"));
        assertThat(catchThrowable(() -> run("exit 75")))
                .isInstanceOf(RetryAfterException.class)
                .hasMessage("exit 75");
        assertThat(catchThrowable(() -> run("exit 65"))).isInstanceOf(NonRetryableException.class);
        assertThat(catchThrowable(() -> run("exit 64"))).isInstanceOf(NonRetryableException.class);
        assertThat(catchThrowable(() -> run("exit 69")))
                .isInstanceOfSatisfying(
                        DependencyFailedException.class,
                        failed -> assertThat(failed.dependency()).isEqualTo("service"));
        assertThat(catchThrowable(() -> run("kill -9 $$"))).isInstanceOf(ResourceViolationException.class);
        assertThat(catchThrowable(() -> run("echo bad >&2; exit 78")))
                .isInstanceOf(NonRetryableException.class)
                .hasMessage("exit 78: bad");
        assertThat(catchThrowable(() -> run("kill -9 $$"))).hasMessage("ended by signal 9");
    }

    @Test
    void onlyTheTailOfStderrIsKept() {
        var failure = catchThrowable(() -> run("yes 0123456789 | head -c 100000 >&2; echo >&2; echo last >&2; exit 1"));

        assertThat(failure).hasMessage("exit 1: last");
        assertThat(((FailureDetail) failure).failureDetail())
                .hasSizeLessThan(CommandHandler.STDERR_BYTES_KEPT + 10)
                .endsWith("last\n");
    }

    @Test
    void aCommandThatWritesTooMuchIsStopped() {
        assertThatThrownBy(() -> run("yes"))
                .isInstanceOf(NonRetryableException.class)
                .hasMessageContaining("64 MiB");
    }

    @Test
    void aCommandNeedNotReadItsPayload() throws Exception {
        assertThat(handler("exec <&-; echo 1").run(context, Payload.of(new byte[200_000], Payload.BYTES)))
                .isEqualTo(Payload.json("1"));
    }

    @Test
    void anInterruptEndsTheWholeTreeEvenIfItDoesNotListen() throws Exception {
        Path pids = folder.resolve("pids");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread job = Thread.ofVirtual()
                .start(() -> thrown.set(
                        catchThrowable(() -> run("trap '' TERM; sleep 600 & echo $$ $! > " + pids + "; wait; wait"))));
        await().until(() -> lines(pids).contains(" "));
        job.interrupt();

        assertThat(job.join(Duration.ofSeconds(60))).isTrue();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        for (String pid : lines(pids).strip().split(" ")) {
            await().until(() -> ProcessHandle.of(Long.parseLong(pid))
                    .map(process -> !process.isAlive())
                    .orElse(true));
        }
    }

    @Test
    void aCancelEndsTheCommand() throws Exception {
        Path ready = folder.resolve("ready");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread job = Thread.ofVirtual()
                .start(() -> thrown.set(catchThrowable(() -> run("echo x > " + ready + "; exec sleep 600"))));
        await().until(() -> lines(ready).contains("x"));
        context.cancel();

        assertThat(job.join(Duration.ofSeconds(60))).isTrue();
        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    }

    private static String lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
