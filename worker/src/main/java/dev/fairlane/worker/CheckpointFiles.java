package dev.fairlane.worker;

import dev.fairlane.sdk.JobContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checkpoints and progress of a command, through files in a folder of its own that goes with the execution.
 *
 * <ul>
 *   <li>{@code FAIRLANE_CHECKPOINT_IN}: a file with the last checkpoint; not set when there is none.
 *   <li>{@code FAIRLANE_CHECKPOINT_OUT}: a folder; a file that is moved into it is saved and removed. Names that begin with a dot are
 *       left alone, so that a file can be written there and renamed when it is whole.
 *   <li>{@code FAIRLANE_PROGRESS}: a file; its last line, {@code 0.25 some words}, is told as the progress.
 * </ul>
 */
final class CheckpointFiles implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.fairlane.worker");
    private static final long LOOK_EVERY_MILLIS = 250;

    private final JobContext context;
    private final Path folder;
    private final Path out;
    private final Path progress;
    private final Optional<Path> in;
    private FileTime told = FileTime.fromMillis(0);

    private CheckpointFiles(JobContext context, Path folder, Optional<Path> in) {
        this.context = context;
        this.folder = folder;
        this.out = folder.resolve("out");
        this.progress = folder.resolve("progress");
        this.in = in;
    }

    static CheckpointFiles prepare(JobContext context) throws IOException {
        Path folder = Files.createTempDirectory("fairlane-job");
        Files.createDirectory(folder.resolve("out"));
        Optional<Path> in = Optional.empty();
        Optional<byte[]> last = context.loadCheckpoint();
        if (last.isPresent()) {
            in = Optional.of(Files.write(folder.resolve("checkpoint"), last.get()));
        }
        return new CheckpointFiles(context, folder, in);
    }

    void describe(Map<String, String> environment) {
        environment.put("FAIRLANE_CHECKPOINT_OUT", out.toString());
        environment.put("FAIRLANE_PROGRESS", progress.toString());
        environment.remove("FAIRLANE_CHECKPOINT_IN");
        in.ifPresent(file -> environment.put("FAIRLANE_CHECKPOINT_IN", file.toString()));
    }

    /** Looks while the command runs; returns when it has ended. */
    int watch(Process process, Runnable onHandOver) throws InterruptedException {
        boolean asked = false;
        while (!process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
            look();
            if (!asked && context.handOverRequested()) {
                asked = true;
                onHandOver.run();
            }
        }
        look();
        return process.exitValue();
    }

    /** What cannot be saved now is tried at the next look. */
    private void look() {
        try {
            for (Path file : saved()) {
                context.checkpoint(Files.readAllBytes(file));
                Files.delete(file);
            }
            tellProgress();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "files of job {0}: {1}", context.id(), e.toString());
        }
    }

    private List<Path> saved() throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.filter(file -> !file.getFileName().toString().startsWith(".") && Files.isRegularFile(file))
                    .sorted(Comparator.comparing(CheckpointFiles::changedAt).thenComparing(Path::toString))
                    .toList();
        }
    }

    private static FileTime changedAt(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tellProgress() throws IOException {
        try {
            FileTime changed = Files.getLastModifiedTime(progress);
            if (changed.equals(told)) {
                return;
            }
            told = changed;
            List<String> lines = Files.readAllLines(progress);
            if (!lines.isEmpty()) {
                tell(lines.getLast().strip());
            }
        } catch (NoSuchFileException silent) {
            return; // a command need not tell
        }
    }

    private void tell(String line) {
        int space = line.indexOf(' ');
        String first = space < 0 ? line : line.substring(0, space);
        try {
            double fraction = Double.parseDouble(first);
            if (fraction >= 0 && fraction <= 1) {
                context.heartbeat(fraction, space < 0 ? "" : line.substring(space + 1));
                return;
            }
        } catch (NumberFormatException words) {
            context.heartbeat(Double.NaN, line);
            return;
        }
        context.heartbeat(Double.NaN, line);
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "{0} stays: {1}", folder, e.toString());
        }
    }
}
