package dev.fairlane.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** On a kernel that knows no slices every one of them is 0, and stays so. */
class SlicesTest {
    private static final int THIS_THREAD = 0;

    private final Slices slices = Slices.ofThisMachine();
    private final long usual = slices.nanosOf(THIS_THREAD);
    private final long lengthened = usual == 0 ? 0 : Slices.LONG_NANOS;

    @Test
    void aThreadThatWorksInStretchesHasALongSliceAndWhoeverStartedItHasNot() {
        assertThat(onAThread(() -> {
                    slices.here();
                    return slices.nanosOf(THIS_THREAD);
                }))
                .isEqualTo(lengthened);
        assertThat(slices.nanosOf(THIS_THREAD)).isEqualTo(usual);
    }

    @Test
    void aThreadThatIsWaitedForHasTheUsualOneWhoeverStartedIt() {
        List<Long> inherited = onAThread(() -> {
            slices.here();
            return onAThread(() -> {
                long before = slices.nanosOf(THIS_THREAD);
                slices.awaitedHere();
                return List.of(before, slices.nanosOf(THIS_THREAD));
            });
        });
        assertThat(inherited).containsExactly(lengthened, usual);
    }

    @Test
    void theCompilersOfThisProgramHaveLongSlices() throws IOException {
        slices.lengthenOwn();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            List<Path> compilers = threads.filter(SlicesTest::compiles).toList();
            assertThat(compilers)
                    .isNotEmpty()
                    .allSatisfy(compiler -> assertThat(slices.nanosOf(
                                    Integer.parseInt(compiler.getFileName().toString())))
                            .isEqualTo(lengthened));
        }
    }

    private static boolean compiles(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith("C1 Compiler");
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void aProcessHasALongSliceWithAllItStartsUntilOneIsWaitedFor() throws IOException {
        Process shell =
                new ProcessBuilder("sh", "-c", "echo begun; read line; sh -c 'echo begun; read line'; true").start();
        try (var out = shell.inputReader();
                var in = shell.outputWriter()) {
            assertThat(out.readLine()).isEqualTo("begun");
            slices.lengthenAllOf(shell.pid());
            in.write("\n");
            in.flush();
            assertThat(out.readLine()).isEqualTo("begun");
            int child = (int) shell.children().findFirst().orElseThrow().pid();
            assertThat(slices.nanosOf((int) shell.pid())).isEqualTo(lengthened);
            assertThat(slices.nanosOf(child)).isEqualTo(lengthened);
            slices.awaited(child);
            assertThat(slices.nanosOf(child)).isEqualTo(usual);
        } finally {
            shell.destroy();
        }
    }

    @Test
    void aProcessThatIsGoneIsLeftAlone() throws InterruptedException, IOException {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        slices.lengthenAllOf(gone.pid());
        assertThat(slices.nanosOf((int) gone.pid())).isZero();
    }

    @Test
    void processesOfADatabaseElsewhereAreNotThoseOfTheSameNumberHere() {
        onAThread(() -> {
            slices.here();
            slices.ofThreadsOnly().awaited(THIS_THREAD);
            assertThat(slices.nanosOf(THIS_THREAD)).isEqualTo(lengthened);
            slices.ofThreadsOnly().awaitedHere();
            assertThat(slices.nanosOf(THIS_THREAD)).isEqualTo(usual);
            slices.ofThreadsOnly().here();
            return assertThat(slices.nanosOf(THIS_THREAD)).isEqualTo(lengthened);
        });
    }

    private static <T> T onAThread(Supplier<T> deed) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> result.completeAsync(deed, Runnable::run));
        return result.join();
    }
}
