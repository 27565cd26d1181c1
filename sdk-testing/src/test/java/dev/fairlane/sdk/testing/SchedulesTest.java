package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Schedule;
import dev.fairlane.sdk.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Schedules as a user of the SDK meets them, with a clock that skips time. */
class SchedulesTest {

    @Test
    void manyAreDeclaredWithFewCalls() {
        try (TestFairlane test = TestFairlane.builder().start()) {
            Schedules schedules = test.client().schedules();
            List<Schedule> many = IntStream.range(0, 1_100)
                    .mapToObj(i -> Schedule.every("s-" + i, Duration.ofHours(1))
                            .job(Job.of("report"))
                            .build())
                    .toList();
            assertThat(schedules.putAll(many))
                    .hasSize(1_100)
                    .allSatisfy(result -> assertThat(result.orThrow()).isEqualTo(Schedules.Outcome.CREATED));
            assertThat(schedules.list()).hasSize(1_100);
            Schedule bad = Schedule.every("not a name", Duration.ofHours(1))
                    .job(Job.of("report"))
                    .build();
            List<Schedules.PutResult> again = schedules.putAll(List.of(many.getFirst(), bad));
            assertThat(again.getFirst().outcome()).isEqualTo(Schedules.Outcome.UNCHANGED);
            assertThatThrownBy(again.getLast()::orThrow).isInstanceOf(FairlaneException.class);
            assertThat(schedules.putAll(List.of())).isEmpty();
        }
    }

    @Test
    void aDailyRunHappensOnceADayAlsoWhenTheClocksChange() {
        try (TestFairlane test = TestFairlane.builder()
                .startAt(Instant.parse("2027-03-26T12:00:00Z"))
                .start()) {
            List<String> ticks = new CopyOnWriteArrayList<>();
            test.worker("report", Payload.class, (ctx, none) -> {
                ticks.add(ctx.headers().get("fairlane-scheduled-at"));
                return null;
            });
            Schedules schedules = test.client().schedules();
            Schedule nightly = Schedule.cron("nightly", "30 2 * * *", ZoneId.of("Europe/Berlin"))
                    .job(Job.of("report"))
                    .gap(Schedule.Gap.SHIFT)
                    .jitter(Duration.ZERO)
                    .build();
            assertThat(schedules.put(nightly)).isEqualTo(Schedules.Outcome.CREATED);
            assertThat(schedules.put(nightly)).isEqualTo(Schedules.Outcome.UNCHANGED);
            assertThat(schedules.preview("nightly", 3))
                    .containsExactly(
                            Instant.parse("2027-03-27T01:30:00Z"),
                            Instant.parse("2027-03-28T01:30:00Z"),
                            Instant.parse("2027-03-29T00:30:00Z"));
            for (int i = 0; i < 4 * 24; i++) {
                test.clock().advance(Duration.ofHours(1));
                test.awaitIdle();
            }
            assertThat(ticks)
                    .containsExactly(
                            "2027-03-27T01:30:00Z",
                            "2027-03-28T01:30:00Z",
                            "2027-03-29T00:30:00Z",
                            "2027-03-30T00:30:00Z");
            Schedules.Info info = schedules.get("nightly");
            assertThat(info.fired()).isEqualTo(4);
            assertThat(info.skipped() + info.missed() + info.refused()).isZero();
            assertThat(info.next()).contains(Instant.parse("2027-03-31T00:30:00Z"));
        }
    }

    @Test
    void aScheduleIsSteered() {
        try (TestFairlane test = TestFairlane.start()) {
            Schedules schedules = test.client().schedules();
            schedules.put(Schedule.every("poll", Duration.ofMinutes(1))
                    .job(Job.of("poll"))
                    .jitter(Duration.ZERO)
                    .overlap(Schedule.Overlap.ALLOW)
                    .build());
            schedules.pause("poll", "the partner is down");
            test.clock().advance(Duration.ofMinutes(5));
            assertThat(schedules.get("poll").state()).isEqualTo(Schedules.State.PAUSED);
            assertThat(schedules.get("poll").fired()).isZero();
            assertThat(schedules.trigger("poll").get().type()).isEqualTo("poll");
            schedules.resume("poll");
            test.clock().advance(Duration.ofSeconds(61));
            test.awaitIdle();
            assertThat(schedules.get("poll").fired()).isEqualTo(1);
            assertThat(schedules.list().map(Schedules.Info::name)).containsExactly("poll");
            schedules.delete("poll");
            assertThatThrownBy(() -> schedules.get("poll")).isInstanceOf(FairlaneException.NotFound.class);
        }
    }
}
