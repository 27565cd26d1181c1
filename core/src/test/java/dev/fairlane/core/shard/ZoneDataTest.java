package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.ScheduleRules.Catchup;
import dev.fairlane.core.model.ScheduleRules.Overlap;
import dev.fairlane.core.model.TimeRule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A zone whose data change between two starts: ticks that are past stay as they were, ticks to come follow the new data. */
class ZoneDataTest {
    private static final String ZONE = "Test/Moving";
    private static final long HOUR = 60 * Bed.MINUTE;

    private static ZoneRules rules = ZoneOffset.ofHours(1).getRules();

    static {
        ZoneRulesProvider.registerProvider(new ZoneRulesProvider() {
            @Override
            protected Set<String> provideZoneIds() {
                return Set.of(ZONE);
            }

            @Override
            protected @Nullable ZoneRules provideRules(String zone, boolean forCaching) {
                return forCaching ? null : rules;
            }

            @Override
            protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
                return new TreeMap<>(Map.of("now", rules));
            }
        });
    }

    private final Bed bed = new Bed();
    private final ScheduleName id = new ScheduleName(bed.tenant, "s");

    @AfterEach
    void restore() {
        rules = ZoneOffset.ofHours(1).getRules();
    }

    private static ScheduleRules dailyAtTen() {
        Cron cron = new Cron(1, 1, 1 << 10, Cron.ALL_DAYS, Cron.ALL_MONTHS, 0, 0, 0, 0);
        return ScheduleRules.at(
                        new TimeRule.InZone(cron, "0 10 * * *", ZONE, CronTicks.Gap.SKIP, CronTicks.Overlap.FIRST))
                .catching(Catchup.ALL, ScheduleRules.MAX_CATCHUP_PER_MINUTE)
                .overlapping(Overlap.ALLOW)
                .jittered(0);
    }

    private static Schedule of(Engine engine, ScheduleName id) {
        return Objects.requireNonNull(engine.schedule(id));
    }

    @ParameterizedTest
    @ValueSource(ints = {-11, -2, 0, 3, 9, 13})
    void pastTicksStayAndTicksToComeFollow(int offset) {
        bed.send(new Command.PutSchedule(id, dailyAtTen(), Bed.job("tick"), false));
        for (int hours = 0; hours < 5 * 24; hours++) {
            bed.pass(HOUR);
        }
        ScheduleProgress before = of(bed.engine, id).progress();
        assertThat(before.fired()).isEqualTo(5);

        rules = ZoneOffset.ofHours(offset).getRules();
        Engine again = new Engine(bed.config, Bed.EPOCH + 1);
        bed.facts.forEach(again::apply);
        assertThat(of(again, id).progress()).isEqualTo(before);
        long next = of(again, id).nextTick();
        assertThat(next).isGreaterThan(before.lastTick()).isLessThanOrEqualTo(before.lastTick() + 24 * HOUR);
        assertThat(Instant.ofEpochSecond(next / 1_000_000)
                        .atOffset(ZoneOffset.ofHours(offset))
                        .getHour())
                .isEqualTo(10);
        long at = Math.max(bed.now, next) + Bed.MILLI;
        Decision decision = again.decide(new Command.Tick(id), at);
        assertThat(decision.facts()).hasAtLeastOneElementOfType(Fact.JobAdded.class);
        decision.facts().forEach(again::apply);
        assertThat(of(again, id).progress().lastTick()).isEqualTo(next);
    }

    @Test
    void aZoneThatIsGoneHasNoTicksAndHarmsNothing() {
        Schedule gone = Schedule.made(
                id,
                ScheduleRules.at(new TimeRule.InZone(
                        new Cron(1, 1, 1, Cron.ALL_DAYS, Cron.ALL_MONTHS, 0, 0, 0, 0),
                        "",
                        "Test/Gone",
                        CronTicks.Gap.SKIP,
                        CronTicks.Overlap.FIRST)),
                Bed.job("tick"),
                bed.now);
        bed.apply(new Fact.ScheduleSet(gone));
        bed.pass(HOUR);
        assertThat(of(bed.engine, id).nextTick()).isEqualTo(Schedule.NEVER);
        assertThat(bed.engine.oldestDueTickMicros(bed.now)).isZero();
    }
}
