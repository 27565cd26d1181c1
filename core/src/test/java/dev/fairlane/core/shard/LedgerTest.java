package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What executions cost is booked when they end, whole and once. */
class LedgerTest {
    private final Bed bed = new Bed();

    private record Booked(long hourAt, UsageAccount account, JobState became, long seconds) {}

    private List<Booked> take() {
        Bookings taken = bed.engine.takeBookings();
        List<Booked> booked = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) {
            booked.add(new Booked(
                    taken.hourAt(i),
                    bed.engine.usageAccount(taken.account(i)),
                    taken.became(i),
                    taken.execution(i) ? taken.slotMicros(i) / SECOND : -1));
        }
        return booked;
    }

    private Booked booked(JobState became, long seconds) {
        return new Booked(
                bed.now - bed.now % UsageRow.HOUR_MICROS,
                new UsageAccount(bed.tenant, "short", "default", "mail"),
                became,
                seconds);
    }

    @Test
    void everyExecutionIsBookedWhenItEnds() {
        bed.worker(1, 2, "mail");
        bed.submit("mail");
        Picked first = bed.mustPick();
        assertThat(take()).isEmpty();
        bed.pass(3 * SECOND);
        bed.fail(first, FailureClass.APP_ERROR);
        assertThat(take()).containsExactly(booked(JobState.RETRY_WAIT, 3));
        bed.pass(MINUTE);
        Picked second = bed.mustPick();
        bed.pass(5 * SECOND);
        bed.complete(second);
        assertThat(take()).containsExactly(booked(JobState.SUCCEEDED, 5));
        assertThat(take()).isEmpty();
    }

    @Test
    void aJobThatEndsWhileItWaitsCountsIfItRan() {
        bed.worker(1, 1, "mail");
        JobId ran = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.pass(SECOND);
        bed.fail(picked, FailureClass.APP_ERROR);
        JobId never = bed.submit(Bed.later("mail", HOUR));
        take();
        bed.send(new Command.Cancel(null, ran));
        bed.send(new Command.Cancel(null, never));
        assertThat(take()).containsExactly(booked(JobState.CANCELLED, -1));
    }

    @Test
    void anExecutionIsBookedWholeInTheHourItEnds() {
        bed.now += HOUR - bed.now % HOUR - 2 * SECOND;
        bed.worker(1, 1, "mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        long begun = bed.now - bed.now % HOUR;
        bed.pass(5 * SECOND);
        bed.complete(picked);
        assertThat(take())
                .containsExactly(booked(JobState.SUCCEEDED, 5))
                .allSatisfy(one -> assertThat(one.hourAt()).isEqualTo(begun + HOUR));
    }

    @Test
    void anExecutionCountsAsManySlotsAsItsDominantResource() {
        bed.worker(1, 3, "mail");
        for (Resources demand : List.of(
                new Resources(2_500, 1_024, 0), // 2.5 slots of CPU, one of memory
                new Resources(100, 4_096, 1), // four of memory, one GPU
                new Resources(1, 1, 0))) { // no less than the slot it sits on
            bed.submit(Bed.needing("mail", new JobNeeds("", "", "", 1, demand, List.of())));
        }
        List<Picked> running = List.of(bed.mustPick(), bed.mustPick(), bed.mustPick());
        bed.pass(4 * SECOND);
        running.forEach(bed::complete);
        assertThat(take()).extracting(Booked::seconds).containsExactlyInAnyOrder(10L, 16L, 4L);
        assertThat(bed.engine.stats(bed.now).tenants().getFirst().slotSeconds())
                .as("what fair share counted")
                .isEqualTo(30);
    }

    @Test
    void tinyJobsAreBookedAsTheyRan() {
        bed.worker(1, 1, "mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.pass(Bed.MILLI);
        bed.complete(picked);
        Bookings booked = bed.engine.takeBookings();
        assertThat(booked.slotMicros(0)).as("without fair share's least charge").isEqualTo(Bed.MILLI);
    }

    @Test
    void aCrashIsBookedToo() {
        bed.worker(1, 1, "mail");
        bed.submit("mail");
        bed.mustPick();
        bed.pass(11 * SECOND);
        assertThat(take()).containsExactly(booked(JobState.QUEUED, 11));
    }
}
