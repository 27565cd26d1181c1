package dev.fairlane.runtime;

import static dev.fairlane.runtime.Samples.added;
import static dev.fairlane.runtime.Samples.id;
import static dev.fairlane.runtime.Samples.leased;
import static dev.fairlane.runtime.Samples.spec;
import static dev.fairlane.runtime.Samples.succeeded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.journal.Flush;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class ProjectionTest {
    private static final IntFunction<UsageAccount> NO_ACCOUNTS = number -> {
        throw new IllegalStateException("nothing was used");
    };

    private final Projection projection = new Projection();

    @Test
    void aJobThatCameAndWentBetweenTwoFlushesIsOneRowOfHistory() {
        projection.observe(1, List.of(added(1), leased(1, 7)));
        projection.observe(2, List.of(succeeded(1, 7, null)));
        Flush flush = projection.cut(50, NO_ACCOUNTS);
        assertThat(flush.upTo()).isEqualTo(2);
        assertThat(flush.added()).isEmpty();
        assertThat(flush.changed()).isEmpty();
        assertThat(flush.ended()).singleElement().satisfies(ended -> {
            assertThat(ended.spec()).as("known from the window").isNotNull();
            assertThat(ended.segment()).isEqualTo(Flush.Ended.NOT_STORED);
        });
    }

    @Test
    void aJobThatEndsWhileItsFirstRowIsOnItsWayIsKnownWithItsSpec() {
        projection.observe(1, List.of(added(1)));
        projection.cut(50, NO_ACCOUNTS);
        projection.observe(2, List.of(leased(1, 7)));
        projection.observe(3, List.of(succeeded(1, 7, spec(1))));
        assertThat(projection.ended(id(1)))
                .satisfies(change -> assertThat(change.spec).isEqualTo(spec(1)));
    }

    @Test
    void anOpenJobIsAddedOnceWithItsNewestImageAndThenOnlyChanged() {
        projection.observe(1, List.of(added(1), leased(1, 7)));
        Flush first = projection.cut(50, NO_ACCOUNTS);
        assertThat(first.added())
                .singleElement()
                .satisfies(job -> assertThat(job.status().state()).isEqualTo(JobState.LEASED));
        projection.flushed(first, 3);
        projection.observe(2, List.of(leased(1, 8)));
        Flush second = projection.cut(60, NO_ACCOUNTS);
        assertThat(second.added()).isEmpty();
        assertThat(second.changed())
                .singleElement()
                .satisfies(job -> assertThat(job.status().token()).isEqualTo(8));
    }

    @Test
    void onlyThoseThatWereAddedAndNothingElseAreLeftOut() {
        LeftOut.Bounds bounds = new LeftOut.Bounds(true, 0, 1 << 20, 10);
        projection.observe(1, List.of(added(1), added(2), leased(2, 7), added(3)));
        projection.observe(2, List.of(new Fact.JobReplayed(spec(4), Samples.status(JobState.QUEUED, 0))));
        projection.observeLeftOut(spec(5), Samples.status(JobState.QUEUED, 0));
        Flush first = projection.cut(50, Long.MAX_VALUE, bounds, NO_ACCOUNTS);
        assertThat(first.added()).extracting(job -> job.spec().id()).containsExactly(id(2), id(4), id(5));
        assertThat(first.keptFrom()).isEqualTo(1);
        projection.flushed(first, 3);

        projection.observe(3, List.of(succeeded(1, 7, null), leased(3, 8)));
        Flush second = projection.cut(60, Long.MAX_VALUE, bounds, NO_ACCOUNTS);
        assertThat(second.ended()).singleElement().satisfies(ended -> {
            assertThat(ended.spec()).isEqualTo(spec(1));
            assertThat(ended.segment()).isEqualTo(Flush.Ended.NOT_STORED);
        });
        assertThat(second.added())
                .singleElement()
                .satisfies(job -> assertThat(job.status().state()).isEqualTo(JobState.LEASED));
        assertThat(second.keptFrom()).isEqualTo(4);
    }

    @Test
    void anEndOfAStoredJobNamesItsSegment() {
        projection.observe(1, List.of(added(1)));
        Flush first = projection.cut(50, NO_ACCOUNTS);
        // It ends while the flush that stores it is still under way.
        projection.observe(2, List.of(succeeded(1, 7, null)));
        projection.flushed(first, 3);
        Flush second = projection.cut(60, NO_ACCOUNTS);
        assertThat(second.ended())
                .singleElement()
                .satisfies(ended -> assertThat(ended.segment()).isEqualTo(3));
        projection.flushed(second, 3);
        assertThat(projection.stored().size()).isZero();
    }

    @Test
    void anEndedJobStaysVisibleUntilItsRowIsInTheStore() {
        projection.observe(1, List.of(added(1), succeeded(1, 7, null)));
        assertThat(projection.ended(id(1))).isNotNull();
        Flush flush = projection.cut(50, NO_ACCOUNTS);
        assertThat(projection.ended(id(1))).as("while the flush is under way").isNotNull();
        projection.flushed(flush, 0);
        assertThat(projection.ended(id(1))).isNull();
    }

    @Test
    void anOpenJobIsNoEndedOne() {
        projection.observe(1, List.of(added(1)));
        assertThat(projection.ended(id(1))).isNull();
        assertThat(projection.ended(id(2))).isNull();
    }
}
