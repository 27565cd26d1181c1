package dev.fairlane.peers;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Client or worker, or both: takes orders. Arguments: library, address, user and password of the database, file of the tally. */
public final class PeerMain {
    private static final long HIGHEST_NANOS = 300_000_000_000L;
    private static final long AWAIT_NANOS = 1_000_000;

    /** As Fairlane's worker does it: see WorkerMain. */
    private static final long TALLY_NANOS = 4_000_000;

    private final Library library;
    private final LongBuffer tally;
    private final Submitting submitting;
    private final LongAdder done = new LongAdder();
    private final Histogram pickup = new ConcurrentHistogram(HIGHEST_NANOS, 3);
    private volatile boolean timing;
    private volatile boolean working;

    private PeerMain(Library library, LongBuffer tally) {
        this.library = library;
        this.tally = tally;
        this.submitting = new Submitting(library, () -> tally.get(0));
    }

    public static void main(String[] args) throws Exception {
        Database database = new Database(args[1], args[2], args[3]);
        Library library =
                switch (args[0]) {
                    case "db-scheduler" -> new DbScheduler(database);
                    case "jobrunr" -> new JobRunrLibrary(database);
                    case "quartz" -> new Quartz(database);
                    default -> throw new IllegalArgumentException("no such library: " + args[0]);
                };
        try (FileChannel file = FileChannel.open(
                Path.of(args[4]), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            LongBuffer tally = file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asLongBuffer();
            PeerMain main = new PeerMain(library, tally);
            Thread.ofPlatform().daemon().name("tally").start(main::publish);
            main.takeOrders();
        }
        System.exit(0);
    }

    private void takeOrders() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String verb = line.strip().split("\\s+")[0];
            Map<String, Object> answer = new LinkedHashMap<>();
            try {
                answer.putAll(obey(verb, values(line)));
            } catch (Exception e) {
                e.printStackTrace();
                answer.put("error", e.toString());
            }
            System.out.println(json(verb, answer));
            System.out.flush();
        }
    }

    private Map<String, Object> obey(String verb, Map<String, Long> of) throws Exception {
        return switch (verb) {
            case "prepare" -> {
                library.prepare();
                yield Map.of();
            }
            case "start" -> {
                working = true;
                library.start(this::handled);
                yield Map.of();
            }
            case "stop" -> {
                library.stop();
                yield counts();
            }
            case "counts" -> counts();
            case "await" -> await(of.get("acked"), of.get("seconds"));
            case "time" -> time(of.get("pickup") == 1);
            case "flood" -> submitting.flood(of.get("bound"), of.get("batch").intValue(), of.get("threads").intValue());
            case "pause" -> submitting.pause();
            case "fill" -> submitting.fill(of.get("jobs"), of.get("batch").intValue(), of.get("threads").intValue());
            case "offer" -> submitting.offer(of.get("rate"), of.get("seconds"));
            case "single" -> submitting.single(of.get("clients").intValue(), of.get("seconds"));
            default -> throw new IllegalArgumentException("no such order: " + verb);
        };
    }

    private void handled(long stamp) {
        if (timing) {
            pickup.recordValue(Math.clamp(System.nanoTime() - stamp, 0, HIGHEST_NANOS));
        }
        done.increment();
    }

    private Map<String, Object> counts() {
        return Map.of("acked", done.sum(), "at", System.nanoTime());
    }

    /** Returns when so many are finished or the time is up; who asked has to look which. */
    private Map<String, Object> await(long jobs, long seconds) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (done.sum() < jobs && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(AWAIT_NANOS);
        }
        return counts();
    }

    private Map<String, Object> time(boolean on) {
        timing = on;
        Map<String, Object> figures = Submitting.percentiles("pickup", pickup);
        pickup.reset();
        return figures;
    }

    private void publish() {
        while (true) {
            if (working) {
                tally.put(0, done.sum());
            }
            LockSupport.parkNanos(TALLY_NANOS);
        }
    }

    private static Map<String, Long> values(String line) {
        Map<String, Long> values = new HashMap<>();
        String[] words = line.strip().split("\\s+");
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            values.put(words[i].substring(0, equals), Long.parseLong(words[i].substring(equals + 1)));
        }
        return values;
    }

    private static String json(String verb, Map<String, Object> answer) {
        StringBuilder text = new StringBuilder("{\"answer\":\"" + verb + "\"");
        answer.forEach((name, value) -> text.append(",\"")
                .append(name)
                .append("\":")
                .append(value instanceof Number ? value.toString() : quoted(value.toString())));
        return text.append('}').toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "/").replace('"', '\'').replaceAll("\\p{Cntrl}", " ") + '"';
    }
}
