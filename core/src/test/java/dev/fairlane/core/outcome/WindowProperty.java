package dev.fairlane.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A window counts what happened in its buckets and nothing else, however few of them it keeps. */
class WindowProperty {
    private static final int BUCKETS = 5;
    private static final long BUCKET = 100;

    private record Event(long bucket, boolean good) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void countsWhatIsInIt(long seed) {
        Random random = new Random(seed);
        Window window = new Window(Window.Span.of(BUCKETS, BUCKETS * BUCKET));
        List<Event> events = new ArrayList<>();
        long now = 1_000_000;
        long newest = 0;
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(20) == 0 ? random.nextInt(1_000) : random.nextInt(30);
            // some come late
            long at = random.nextInt(10) == 0 ? now - random.nextInt(800) : now;
            newest = Math.max(newest, at / BUCKET);
            boolean good = random.nextBoolean();
            if (good) {
                window.addGood(at);
            } else {
                window.addBad(at);
            }
            if (at / BUCKET > newest - BUCKETS) {
                events.add(new Event(at / BUCKET, good));
            }
            newest = Math.max(newest, now / BUCKET);
            long oldest = newest - BUCKETS;
            events.removeIf(event -> event.bucket <= oldest);
            assertThat(window.good(now))
                    .isEqualTo((int) events.stream().filter(Event::good).count());
            assertThat(window.bad(now))
                    .isEqualTo((int) events.stream().filter(e -> !e.good).count());
            assertThat(window.isEmpty(now)).isEqualTo(events.isEmpty());
            if (random.nextInt(500) == 0) {
                window.clear();
                events.clear();
            }
        }
    }
}
