package dev.fairlane.cli.demo;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A live sample, from nothing to a summary, and away again. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Starts a throw-away server and a worker, lets three tenants of different weight compete for it, and shows"
                        + " live who gets what. Ctrl-C ends it; nothing is left behind.")
public final class DemoCommand implements Callable<Integer> {
    private static final Duration SHOW = Duration.ofSeconds(15);
    private static final Duration REDRAW = Duration.ofMillis(250);
    private static final Duration LINE_EVERY = Duration.ofSeconds(2);

    /** Held here because the logging system forgets the level of a logger nobody holds. */
    private static final Logger SDK_LOG = Logger.getLogger("dev.fairlane.sdk");

    @Option(names = "--exit", description = "End by itself after some 20 seconds.")
    private boolean exit;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;
    private final DemoView view;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);

    /**
     * @param terminal whether {@code out} is one, and can be drawn over
     * @param colour whether it may be coloured
     */
    public DemoCommand(PrintStream out, PrintStream err, boolean terminal, boolean colour) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.view = new DemoView(colour, StandardCharsets.UTF_8.equals(out.charset()));
    }

    @Override
    public Integer call() throws InterruptedException {
        String launcher = System.getProperty("fairlane.launcher");
        if (launcher == null) {
            err.println("The demo starts a server and needs the launcher for it: ./fairlane demo");
            return 1;
        }
        // What the SDK logs would run through the picture; what it cannot do shows in the figures.
        SDK_LOG.setLevel(Level.OFF);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::stopAndWait));
        try {
            return run(Path.of(launcher));
        } catch (DemoServer.DidNotStart | FairlaneException e) {
            err.println("The demo failed: " + e.getMessage());
            return 1;
        } finally {
            finished.countDown();
        }
    }

    /** At Ctrl-C: the summary is part of the show, and the server has to be put away. */
    private void stopAndWait() {
        stop.countDown();
        try {
            finished.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int run(Path launcher) throws InterruptedException {
        long begin = System.nanoTime();
        out.println("Starting a server with a PostgreSQL of its own ...");
        try (DemoServer server = DemoServer.launch(launcher)) {
            String key = server.awaitReady(stop);
            if (key == null) {
                return 0;
            }
            out.printf("Ready after %.1f s.%n", (System.nanoTime() - begin) / 1e9);
            print(view.welcome(server.url(), server.home()));
            Snapshot end = show(server, key);
            print(view.summary(end));
            print(view.next());
            out.println();
            out.println("Putting the demo's server away ...");
            out.flush();
            return end.done() > 0 ? 0 : 1;
        }
    }

    private Snapshot show(DemoServer server, String key) throws InterruptedException {
        Meters meters = new Meters();
        try (Fairlane admin = Fairlane.connect(server.url(), key);
                DemoLoad load = DemoLoad.start(server.url(), admin, meters)) {
            long end = System.nanoTime() + SHOW.toNanos();
            long step = (terminal ? REDRAW : LINE_EVERY).toMillis();
            int drawn = 0;
            Snapshot now = meters.sample(admin.status());
            while (!stop.await(step, TimeUnit.MILLISECONDS) && !(exit && System.nanoTime() - end >= 0)) {
                now = meters.sample(admin.status());
                drawn = draw(now, server.url(), drawn);
            }
            return now;
        }
    }

    /** @return how many lines were drawn over each other so far */
    private int draw(Snapshot now, String url, int drawn) {
        if (!terminal) {
            out.println(view.line(now));
            return 0;
        }
        List<String> lines = view.picture(now, url);
        StringBuilder picture = new StringBuilder();
        if (drawn > 0) {
            picture.append("\u001b[").append(drawn).append('A');
        }
        lines.forEach(line -> picture.append(line).append("\u001b[K\n"));
        out.print(picture);
        out.flush();
        return lines.size();
    }

    private void print(List<String> lines) {
        lines.forEach(out::println);
    }
}
