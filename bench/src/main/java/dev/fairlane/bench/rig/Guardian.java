package dev.fairlane.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A small process that ends another one when this JVM is gone, however it went: it reads from a pipe whose other end only this JVM
 * holds. Closing it calmly ends the guardian and spares its ward.
 */
final class Guardian implements AutoCloseable {
    private static final String WATCH =
            "read -r spare && exit 0; kill -TERM \"$0\" 2>/dev/null || exit 0; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20;"
                    + " do sleep 1; kill -0 \"$0\" 2>/dev/null || exit 0; done; kill -KILL \"$0\"";

    private final Process process;

    private Guardian(Process process) {
        this.process = process;
    }

    static Guardian over(Process ward) {
        try {
            // A session of its own: an interrupt from the terminal ends this JVM and must not end the guardian first.
            return new Guardian(new ProcessBuilder(List.of("setsid", "sh", "-c", WATCH, Long.toString(ward.pid())))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot watch over process " + ward.pid(), e);
        }
    }

    @Override
    public void close() {
        try (var pipe = process.outputWriter()) {
            pipe.write("spare\n");
        } catch (IOException gone) {
            process.destroy();
        }
    }
}
