package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a flood of jobs took of memory comes back when it has gone. */
class FloodsTest {
    private static final int FLOOD = 20 * SlotPages.SLOTS;
    private static final JobTerms HEARD_OF =
            new JobTerms(JobTerms.DEFAULT_LANE, 0, "", "", "https://acme.example/hook", false, 0, JobNeeds.NONE);

    private final Bed bed = new Bed();
    /** The same as the bed's, made from its facts. */
    private final ShardState state = new ShardState(EngineConfig.DEFAULT, Bed.EPOCH);

    private int applied;

    private void catchUp() {
        while (applied < bed.facts.size()) {
            state.apply(bed.facts.get(applied++));
        }
    }

    private static NewJob heardOf(long delay) {
        return new NewJob("mail", Payload.EMPTY, 0, -1, 0, delay, 0, 0, 0, "", 1, Map.of(), Map.of(), HEARD_OF);
    }

    private List<JobId> flood(NewJob job) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            ids.add(bed.submit(job));
        }
        catchUp();
        return ids;
    }

    private void assertSmall() {
        assertThat(state.jobs.pages()).as("jobs").isLessThanOrEqualTo(SlotPages.SPARE + 1);
        assertThat(state.queues.pages()).as("lines").isLessThanOrEqualTo(SlotPages.SPARE + 1);
        assertThat(state.wheel.pages()).as("timers").isLessThanOrEqualTo(SlotPages.SPARE + 1);
        assertThat(state.ties.pages()).as("ties").isLessThanOrEqualTo(SlotPages.SPARE + 1);
    }

    @Test
    void ofABacklogThatEndedButForItsLastJobOnePageStaysAndTheSpare() {
        List<JobId> ids = flood(Bed.job("mail"));
        assertThat(state.jobs.pages()).isEqualTo(20);
        assertThat(state.queues.pages()).isEqualTo(20);
        assertThat(state.wheel.pages()).isEqualTo(20);

        JobId last = ids.removeLast();
        ids.forEach(id -> bed.send(new Command.Cancel(bed.tenant, id)));
        catchUp();
        assertSmall();
        assertThat(state.jobs.find(last)).isEqualTo(FLOOD - 1);

        JobId next = bed.submit("mail");
        catchUp();
        assertThat(state.jobs.find(next)).as("a low slot").isZero();
        assertThat(new Census(state).hardState(bed.now).jobs())
                .extracting(HardState.Job::id)
                .containsExactly(last, next);
        assertThat(openJobs()).containsExactly(next, last);
    }

    /** As somebody finds them who looks through the slots. */
    private List<JobId> openJobs() {
        JobFilter all = new JobFilter(null, "", "", Set.of(), Map.of(), 0, 0);
        List<JobId> found = new ArrayList<>();
        OpenSearch search = new OpenSearch(state);
        for (int at = Matched.BEGIN; at != Matched.END; ) {
            Matched matched = search.match(all, at, 10);
            found.addAll(matched.ids());
            at = matched.next();
        }
        return found;
    }

    @Test
    void ofJobsThatLeftForTheStoreOnlyTheSparePagesStay() {
        flood(heardOf(24 * HOUR));
        assertThat(state.jobs.pages()).isEqualTo(20);
        assertThat(state.ties.pages()).isEqualTo(20);
        for (Fact fact : bed.facts) {
            if (fact instanceof Fact.JobAdded added) {
                assertThat(state.far.depart(added.spec(), added.status(), bed.now))
                        .isTrue();
            }
        }
        assertThat(state.jobs.size()).isZero();
        assertSmall();
        flood(heardOf(HOUR));
        assertThat(state.jobs.size()).isEqualTo(FLOOD);
        assertThat(state.wheel.size()).isEqualTo(FLOOD);
    }

    @Test
    void keysThatAreForgottenGiveTheirPagesBack() {
        KeyTable keys = new KeyTable(new KeyFilters(HOUR, 24 * HOUR));
        for (int i = 0; i < FLOOD; i++) {
            keys.put(1, "key-" + i, 1, i + 1, 0, i);
        }
        assertThat(keys.pages()).isEqualTo(20);
        keys.forget(FLOOD - 100, FLOOD);
        assertThat(keys.size()).isEqualTo(99);
        assertThat(keys.pages()).isLessThanOrEqualTo(SlotPages.SPARE + 1);
        assertThat(keys.find(1, "key-0")).isEqualTo(KeyTable.NONE);
        assertThat(keys.lo(keys.find(1, "key-" + (FLOOD - 1)))).isEqualTo(FLOOD);
        for (int i = 0; i < FLOOD; i++) {
            keys.put(1, "key-" + i, 1, i + 1, 0, FLOOD + i);
        }
        assertThat(keys.size()).isEqualTo(FLOOD);
    }

    @Test
    void heldBackJobsGiveTheirPagesBack() {
        Parking parking = new Parking();
        Parking.Lot lot = new Parking.Lot();
        int slot = 3 * SlotPages.SLOTS + 7;
        parking.park(slot, lot, 1);
        parking.park(2, lot, 2);
        parking.clear(slot);
        parking.forget(3 * SlotPages.SLOTS, SlotPages.SLOTS);
        assertThat(parking.pages()).isOne();
        assertThat(parking.parked(slot)).isFalse();
        parking.park(slot, lot, 3);
        assertThat(parking.poll(lot)).isEqualTo(2);
        assertThat(parking.poll(lot)).isEqualTo(slot);
    }
}
