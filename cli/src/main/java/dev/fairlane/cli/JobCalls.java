package dev.fairlane.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waiting for one job, over servers that come and go. */
final class JobCalls {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final Api api;
    private final String path;

    JobCalls(Api api, String id) {
        this.api = api;
        this.path = "/v1/jobs/" + Api.segment(id);
    }

    Map<String, @Nullable Object> get() {
        return Json.object(api.get(path));
    }

    Map<String, @Nullable Object> cancel() {
        return Json.object(api.send("POST", path + ":cancel", null));
    }

    /**
     * The job at its end.
     *
     * @param timeout null: as long as it takes
     * @throws Failed with exit code 124 if it has not ended in time
     */
    Map<String, @Nullable Object> await(@Nullable Duration timeout) {
        long end = System.nanoTime() + (timeout == null ? Long.MAX_VALUE / 2 : timeout.toNanos());
        while (true) {
            long left = Math.max(0, end - System.nanoTime());
            long step = Math.max(1, Math.min(STEP.toMillis(), TimeUnit.NANOSECONDS.toMillis(left)));
            try {
                Map<String, @Nullable Object> job = Json.object(api.get(
                        path + ":await?timeout_ms=" + step,
                        Duration.ofMillis(step).plusSeconds(10)));
                if (JobText.ended(Json.text(job, "state"))) {
                    return job;
                }
            } catch (Failed failed) {
                // A server that restarts comes back; the job is not lost meanwhile.
                if (failed.exitCode() != ExitCode.UNREACHABLE) {
                    throw failed;
                }
                pause();
            }
            if (System.nanoTime() - end >= 0) {
                throw new Failed(
                        ExitCode.WAIT_TIMED_OUT, "", "the job has not ended within " + timeout + "; it goes on");
            }
        }
    }

    /** Hands over the job now and after every change, and returns it at its end. */
    Map<String, @Nullable Object> watch(Consumer<Map<String, @Nullable Object>> onChange) {
        Events events = new Events(onChange);
        while (true) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                    api.stream(path + ":watch", "text/event-stream", events.lastId), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    events.line(line);
                    if (JobText.ended(Json.text(events.last, "state"))) {
                        return events.last;
                    }
                }
            } catch (IOException lost) {
                if (events.lastId == null) {
                    throw api.unreachable(lost);
                }
            } catch (Failed failed) {
                if (failed.exitCode() != ExitCode.UNREACHABLE || events.lastId == null) {
                    throw failed;
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed(ExitCode.FAILED, "", "interrupted");
        }
    }

    /** The little of server-sent events that is used here: id, data and the empty line that ends an event. */
    private static final class Events {
        private final Consumer<Map<String, @Nullable Object>> onChange;
        private final StringBuilder data = new StringBuilder();
        private @Nullable String lastId;
        private Map<String, @Nullable Object> last = Map.of();

        Events(Consumer<Map<String, @Nullable Object>> onChange) {
            this.onChange = onChange;
        }

        void line(String line) {
            if (line.startsWith("id:")) {
                lastId = line.substring(3).strip();
            } else if (line.startsWith("data:")) {
                data.append(line.substring(5).strip());
            } else if (line.isEmpty() && !data.isEmpty()) {
                last = Json.object(Json.parse(data.toString().getBytes(StandardCharsets.UTF_8)));
                data.setLength(0);
                onChange.accept(last);
            }
        }
    }
}
