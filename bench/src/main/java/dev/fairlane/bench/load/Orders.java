package dev.fairlane.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;

/** One line in is an order, {@code verb name=value …}; one line of JSON out is its answer. */
final class Orders {
    private static final JsonMapper JSON = new JsonMapper();

    /** What an order asks. */
    record Order(String verb, Map<String, String> values) {
        static Order parse(String line) {
            String[] words = line.strip().split("\\s+");
            Map<String, String> values = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("expected name=value, but got '" + words[i] + "'");
                }
                values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
            }
            return new Order(words[0], values);
        }

        String text(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("expected " + name + "=… with " + verb);
            }
            return value;
        }

        long number(String name) {
            return Long.parseLong(text(name));
        }

        long numberOr(String name, long otherwise) {
            return values.containsKey(name) ? number(name) : otherwise;
        }

        int count(String name) {
            return Math.toIntExact(number(name));
        }
    }

    interface Obey {
        /** @return the figures of the answer */
        Map<String, Object> obey(Order order) throws Exception;
    }

    private Orders() {}

    /** Takes orders until there are no more. */
    static void take(Obey obey) throws IOException {
        PrintStream out = System.out;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            try {
                Order order = Order.parse(line);
                answer.put("answer", order.verb());
                answer.putAll(obey.obey(order));
            } catch (Exception e) {
                // The one who gave the order has to hear of it; the log has the rest.
                e.printStackTrace();
                answer.putIfAbsent("answer", "?");
                answer.put("error", e.toString());
            }
            answer.put("nanos", System.nanoTime());
            out.println(JSON.writeValueAsString(answer));
            out.flush();
        }
    }

    /** Percentiles in milliseconds of a histogram of nanoseconds. */
    static Map<String, Object> percentiles(String prefix, Histogram nanos) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put(prefix + "_count", nanos.getTotalCount());
        figures.put(prefix + "_p50_ms", millis(nanos.getValueAtPercentile(50)));
        figures.put(prefix + "_p90_ms", millis(nanos.getValueAtPercentile(90)));
        figures.put(prefix + "_p99_ms", millis(nanos.getValueAtPercentile(99)));
        figures.put(prefix + "_p999_ms", millis(nanos.getValueAtPercentile(99.9)));
        figures.put(prefix + "_max_ms", millis(nanos.getMaxValue()));
        return figures;
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }
}
