package dev.fairlane.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wheel against a plain map: never early, at most a tick late, in the order of ticks. */
class TimingWheelProperty {
    private static final long TICK = 1024;
    private static final long DAY = 86_400_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithASortedModel(long seed) {
        Random random = new Random(seed);
        TimingWheel wheel = new TimingWheel();
        Map<Integer, Long> model = new HashMap<>();
        long now = seed % 2 == 0 ? 0 : 1_700_000_000_000_000L;
        wheel.advance(now);
        for (int step = 0; step < 4_000; step++) {
            int slot = random.nextInt(9_000);
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3, 4 -> {
                    long deadline = now + ahead(random);
                    wheel.set(slot, deadline);
                    model.put(slot, deadline);
                }
                case 5, 6 -> {
                    wheel.cancel(slot);
                    model.remove(slot);
                }
                default -> {
                    now = Math.max(now, next(random, now, wheel));
                    wheel.advance(now);
                    drain(wheel, model, now);
                }
            }
            assertThat(wheel.size()).isEqualTo(model.size());
        }
    }

    private static long next(Random random, long now, TimingWheel wheel) {
        long at = wheel.nextAt();
        return random.nextBoolean() && at != Long.MAX_VALUE ? at : now + ahead(random) / 4;
    }

    private static long ahead(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(3_000);
            case 1 -> random.nextInt(1_000_000);
            case 2 -> random.nextLong(DAY);
            case 3 -> random.nextLong(40 * DAY);
            default -> -random.nextInt(10_000);
        };
    }

    private static void drain(TimingWheel wheel, Map<Integer, Long> model, long now) {
        List<Integer> expected = new ArrayList<>();
        model.forEach((slot, deadline) -> {
            if (ceilTick(deadline) <= now / TICK) {
                expected.add(slot);
            }
        });
        List<Integer> due = new ArrayList<>();
        for (int slot = wheel.poll(); slot != TimingWheel.NONE; slot = wheel.poll()) {
            due.add(slot);
            assertThat(model.remove(slot)).as("deadline of slot %s", slot).isLessThanOrEqualTo(now);
        }
        assertThat(due).containsExactlyInAnyOrderElementsOf(expected);
        long earliest = model.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        if (earliest == Long.MAX_VALUE) {
            assertThat(wheel.nextAt()).isEqualTo(Long.MAX_VALUE);
        } else {
            assertThat(wheel.nextAt()).isGreaterThan(now - TICK).isLessThanOrEqualTo(ceilTick(earliest) * TICK);
        }
    }

    private static long ceilTick(long deadline) {
        return (Math.max(0, deadline) + TICK - 1) / TICK;
    }
}
