package dev.fairlane.runtime;

import static dev.fairlane.runtime.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.outcome.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LeftOutTest {
    private static final long ALL_FIT = 1L << 40;

    private final LeftOut leftOut = new LeftOut();

    private static LeftOut.Bounds since(long addedAfter, long maxBytes) {
        return new LeftOut.Bounds(true, addedAfter, maxBytes, Integer.MAX_VALUE);
    }

    private boolean take(JobSpec spec) {
        return leftOut.take(spec, Images.queued(spec.submittedAt(), spec.submittedAt()));
    }

    private void takeAll(long from, long until) {
        LongStream.range(from, until)
                .forEach(number -> assertThat(take(spec(number))).isTrue());
    }

    private List<Long> leaving(LeftOut.Bounds bounds) {
        List<Long> left = new ArrayList<>();
        leftOut.leave(bounds, spec -> left.add(spec.id().sequence()));
        return left;
    }

    @Test
    void nobodyIsTakenBeforeTheFirstFlushAllowsIt() {
        assertThat(take(spec(1))).isFalse();
        leftOut.begin(1, LeftOut.NOBODY);
        assertThat(take(spec(1))).isFalse();
    }

    @Test
    void theJournalIsKeptFromTheOldestOn() {
        leftOut.begin(10, since(0, ALL_FIT));
        takeAll(1, 3);
        leftOut.begin(20, since(0, ALL_FIT));
        takeAll(100_000, 100_002);
        assertThat(leftOut.keptFrom(30)).isEqualTo(10);
        leftOut.take(id(1).lo());
        assertThat(leftOut.keptFrom(30)).isEqualTo(10);
        assertThat(leftOut.take(id(2).lo())).isEqualTo(spec(2));
        assertThat(leftOut.take(id(2).lo())).as("once").isNull();
        assertThat(leftOut.keptFrom(30)).isEqualTo(20);
        leftOut.take(id(100_000).lo());
        leftOut.take(id(100_001).lo());
        assertThat(leftOut.keptFrom(30)).isEqualTo(30);
        assertThat(leftOut.bytes()).isZero();
    }

    @Test
    void aPageThatWasEmptyTakesJobsAgain() {
        leftOut.begin(10, since(0, ALL_FIT));
        takeAll(1, 2);
        leftOut.take(id(1).lo());
        leftOut.begin(20, since(0, ALL_FIT));
        takeAll(2, 3);
        assertThat(leftOut.keptFrom(30)).isLessThanOrEqualTo(20);
        assertThat(leftOut.take(id(2).lo())).isEqualTo(spec(2));
        assertThat(leftOut.keptFrom(30)).isEqualTo(30);
        leftOut.begin(30, since(0, ALL_FIT));
        takeAll(3, 4);
        assertThat(leftOut.keptFrom(40)).isEqualTo(30);
    }

    /** In cohorts of a thousand. */
    private void takeCohorts(int count, LeftOut.Bounds bounds) {
        for (int i = 0; i < count; i++) {
            leftOut.begin(10L * (i + 1), bounds);
            takeAll(1_000L * i, 1_000L * (i + 1));
        }
    }

    @Test
    void theOldestLeaveFirstAndOnlyAboutAsManyAsMay() {
        takeCohorts(20, since(0, ALL_FIT));
        long submitted = spec(1).submittedAt();
        assertThat(leaving(since(submitted - 1, ALL_FIT))).isEmpty();
        List<Long> first = leaving(new LeftOut.Bounds(false, submitted, ALL_FIT, 4_500));
        assertThat(first).hasSizeBetween(4_500, 5_600).isSorted().startsWith(0L);
        assertThat(leaving(since(submitted, ALL_FIT)))
                .hasSize(20_000 - first.size())
                .isSorted();
        assertThat(leftOut.size()).isZero();
    }

    @Test
    void whoeverLeavesMovesTheFirstBatchThatIsNeeded() {
        takeCohorts(20, since(0, ALL_FIT));
        long submitted = spec(1).submittedAt();
        long keptFrom = leftOut.keptFrom(1_000);
        while (leftOut.size() > 0) {
            assertThat(leaving(new LeftOut.Bounds(false, submitted, ALL_FIT, 1)))
                    .isNotEmpty();
            assertThat(leftOut.keptFrom(1_000)).isGreaterThan(keptFrom);
            keptFrom = leftOut.keptFrom(1_000);
        }
    }

    @Test
    void whenTheOldestWasAddedIsKnown() {
        assertThat(leftOut.addedFrom()).isEqualTo(Long.MAX_VALUE);
        leftOut.begin(10, since(0, ALL_FIT));
        takeAll(1, 2);
        assertThat(leftOut.addedFrom()).isEqualTo(spec(1).submittedAt());
        leftOut.take(id(1).lo());
        assertThat(leftOut.addedFrom()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void nobodyIsTakenForWhomThereIsNoRoom() {
        LeftOut.Bounds bounds = since(0, 10L * spec(1).weight());
        leftOut.begin(10, bounds);
        takeAll(0, 10);
        assertThat(take(spec(10))).isFalse();
        assertThat(leaving(bounds)).isEmpty();
        leftOut.take(id(3).lo());
        assertThat(take(spec(10))).isTrue();
        assertThat(take(spec(11))).isFalse();
    }

    @Test
    void onlyThoseThatWaitAsTheyWereAddedAreTaken() {
        leftOut.begin(10, since(0, ALL_FIT));
        JobSpec spec = spec(1);
        assertThat(leftOut.take(spec, Samples.status(JobState.LEASED, 7))).isFalse();
        assertThat(leftOut.take(spec, Images.scheduled(spec.submittedAt() + 9, spec.submittedAt())))
                .isFalse();
        assertThat(leftOut.take(spec, Images.queued(spec.submittedAt(), spec.submittedAt() + 1)))
                .isFalse();
        assertThat(leftOut.take(spec, LeftOut.status(spec))).isTrue();
    }

    private static JobId id(long number) {
        return Samples.id(number);
    }
}
