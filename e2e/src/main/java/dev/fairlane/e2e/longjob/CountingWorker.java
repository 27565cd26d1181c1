package dev.fairlane.e2e.longjob;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Worker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Counts, one step after the other, with a checkpoint after each: whoever comes after it goes on where it was. */
public final class CountingWorker {
    /** What is to be counted. */
    public record Order(int steps, long stepMillis) {}

    /** How far it has come. */
    public record Reached(int done) {}

    /** @param worker who counted the last step */
    public record Counted(int steps, String worker) {}

    private final String name;
    private final Notes notes;

    private CountingWorker(String name, Notes notes) {
        this.name = name;
        this.notes = notes;
    }

    /** Arguments: address, key file, type, name, file for notes. Ends when its standard input does. */
    public static void main(String[] args) throws IOException {
        CountingWorker counting = new CountingWorker(args[3], new Notes(Path.of(args[4])));
        Fairlane fairlane =
                Fairlane.connect(args[0], Files.readString(Path.of(args[1])).strip());
        Worker.of(fairlane)
                .name(args[3])
                .pool(Pool.LONG)
                .slots(1)
                .handle(args[2], Order.class, counting::count)
                .start();
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    private Counted count(JobContext context, Order order) throws InterruptedException {
        int done = context.loadCheckpoint(Reached.class).map(Reached::done).orElse(0);
        notes.add("began " + done);
        while (done < order.steps()) {
            TimeUnit.MILLISECONDS.sleep(order.stepMillis());
            done++;
            context.checkpoint(new Reached(done));
            context.heartbeat((double) done / order.steps(), "step " + done);
            notes.add("step " + done);
            if (context.handOverRequested()) {
                notes.add("handed over " + done);
                throw context.handOver();
            }
        }
        notes.add("ended");
        return new Counted(order.steps(), name);
    }
}
