package dev.fairlane.bench.load;

import dev.fairlane.bench.load.Orders.Order;
import dev.fairlane.sdk.Fairlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The client process. Arguments: address, key, file of the {@link Tally}. */
public final class ClientMain {
    private final String url;
    private final String key;
    private final Tally tally;
    /** For jobs that are offered one by one: kept, as a program keeps its client. */
    private final Fairlane kept;

    private @Nullable Flood flood;

    private ClientMain(String url, String key, Tally tally) {
        this.url = url;
        this.key = key;
        this.tally = tally;
        this.kept = Fairlane.connect(url, key);
    }

    public static void main(String[] args) throws Exception {
        ClientMain client = new ClientMain(args[0], args[1], Tally.in(Path.of(args[2])));
        Orders.take(client::obey);
        System.exit(0);
    }

    private Map<String, Object> obey(Order order) throws Exception {
        return switch (order.verb()) {
            case "flood" -> flood(order);
            case "pause" -> pause();
            case "submitted" -> Map.of("submitted", running().submitted());
            case "fill" ->
                Filling.fill(
                        url,
                        keys(order),
                        order.number("jobs"),
                        order.count("batch"),
                        Duration.ofSeconds(order.numberOr("delay_s", 0)));
            case "later" ->
                LaterJobs.submit(
                        url,
                        order.text("key"),
                        order.number("jobs"),
                        order.count("batch"),
                        order.number("from"),
                        order.number("over"),
                        order.number("numbered"));
            case "offer" -> OpenLoop.offer(kept, order.count("rate"), order.count("seconds"));
            case "single" ->
                SingleCalls.run(
                        url, key, order.count("clients"), order.numberOr("shared", 0) > 0, order.count("seconds"));
            default -> throw new IllegalArgumentException("no such order: " + order.verb());
        };
    }

    private Map<String, Object> flood(Order order) throws Exception {
        if (flood != null) {
            throw new IllegalStateException("there is a flood already");
        }
        flood = new Flood(
                url,
                keys(order),
                order.numberOr("shared", 0) > 0,
                supply(order),
                tally,
                order.number("bound"),
                order.count("batch"),
                order.count("window"),
                order.numberOr("rate", 0));
        return Map.of();
    }

    private static Supply supply(Order order) {
        return order.values().containsKey("duplicates")
                ? new Supply.Keyed("order-" + System.nanoTime() + "-", order.count("duplicates"))
                : new Supply.Plain((int) order.numberOr("lanes", 0), order.numberOr("rate", 0) > 0);
    }

    private Map<String, Object> pause() throws InterruptedException {
        Flood running = running();
        flood = null;
        return running.end();
    }

    private Flood running() {
        Flood running = flood;
        if (running == null) {
            throw new IllegalStateException("there is no flood");
        }
        return running;
    }

    /** The keys of the tenants in the file named by the order, or the one of this process. */
    private List<String> keys(Order order) throws Exception {
        return order.values().containsKey("keys") ? Files.readAllLines(Path.of(order.text("keys"))) : List.of(key);
    }
}
