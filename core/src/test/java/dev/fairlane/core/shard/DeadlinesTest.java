package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private final Deadlines deadlines = new Deadlines();
    private final List<Alarm> fired = new ArrayList<>();

    private final class Alarm extends Deadlines.Timed {
        @Override
        void fire(long now, Consumer<Command> sink) {
            fired.add(this);
        }
    }

    @Test
    void oneThatIsSetAgainAndAgainLeavesNothingBehind() {
        Alarm alarm = new Alarm();
        for (int at = 1; at <= 10_000; at++) {
            deadlines.set(alarm, at);
        }
        assertThat(deadlines.size()).isEqualTo(1);
        deadlines.fire(9_999, command -> {});
        assertThat(fired).isEmpty();
        deadlines.cancel(alarm);
        assertThat(deadlines.size()).isZero();
        assertThat(deadlines.nextAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCrowdThatFiredOrWasGivenUpLeavesASmallHeap() {
        List<Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            Alarm alarm = new Alarm();
            alarms.add(alarm);
            deadlines.set(alarm, 1 + i);
        }
        assertThat(deadlines.capacity()).isGreaterThanOrEqualTo(100_000);
        for (int i = 1; i < alarms.size(); i += 2) {
            deadlines.cancel(alarms.get(i));
        }
        deadlines.fire(99_000, command -> {});
        assertThat(deadlines.size()).isEqualTo(500);
        assertThat(deadlines.capacity()).isLessThanOrEqualTo(8 * 500);
        deadlines.fire(100_000, command -> {});
        assertThat(fired).hasSize(50_000);
    }

    @Test
    void theyFireInOrderWhateverWasSetAndGivenUpBefore() {
        Random random = new Random(7);
        List<Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            alarms.add(new Alarm());
        }
        long now = 0;
        for (int step = 0; step < 20_000; step++) {
            Alarm alarm = alarms.get(random.nextInt(alarms.size()));
            if (random.nextInt(4) == 0) {
                deadlines.cancel(alarm);
            } else {
                deadlines.set(alarm, now + 1 + random.nextInt(100));
            }
            if (random.nextInt(10) == 0) {
                now += random.nextInt(30);
                long until = now;
                List<Long> due = alarms.stream()
                        .map(Deadlines.Timed::dueAt)
                        .filter(at -> at <= until)
                        .sorted(Comparator.naturalOrder())
                        .toList();
                List<Long> times = new ArrayList<>();
                fired.clear();
                long earliest = deadlines.nextAt();
                assertThat(earliest)
                        .isEqualTo(alarms.stream()
                                .mapToLong(Deadlines.Timed::dueAt)
                                .min()
                                .orElseThrow());
                while (deadlines.nextAt() <= now) {
                    long at = deadlines.nextAt();
                    int before = fired.size();
                    deadlines.fire(at, command -> {});
                    for (int i = before; i < fired.size(); i++) {
                        times.add(at);
                    }
                }
                assertThat(times).isEqualTo(due);
            }
        }
    }
}
