package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredJobsTest {
    private final StoredJobs stored = new StoredJobs();

    @Test
    void theOldestSegmentIsEmptiedWhenNothingInItIsOpen() {
        store(1, 10, 11);
        store(2, 12);
        assertThat(stored.toCompact(2, 0)).isNull();
        stored.remove(Samples.id(10).lo());
        stored.remove(Samples.id(11).lo());
        StoredJobs.Segment old = stored.toCompact(2, 0);
        assertThat(old).isNotNull();
        assertThat(old.number).isEqualTo(1);
        assertThat(old.live()).isZero();
    }

    @Test
    void theCurrentSegmentIsNeverEmptied() {
        store(1, 10);
        stored.remove(Samples.id(10).lo());
        assertThat(stored.toCompact(1, 0)).isNull();
    }

    @Test
    void aSegmentWithOpenJobsIsEmptiedWhenMostRowsAreGarbage() {
        store(1, 10, 11);
        store(2, 12, 13, 14);
        stored.rowsAppended(2, 6);
        StoredJobs.Segment old = stored.toCompact(2, 0);
        assertThat(old).isNotNull();
        assertThat(old.live()).isEqualTo(2);
        assertThat(stored.toCompact(2, 100)).as("not worth it for few rows").isNull();
    }

    @Test
    void aMovedJobBelongsToItsNewSegment() {
        store(1, 10, 11);
        store(2, 12);
        stored.put(Samples.id(10), 2);
        stored.remove(Samples.id(11).lo());
        StoredJobs.Segment old = stored.toCompact(2, 0);
        assertThat(old).isNotNull();
        stored.emptied(old, 2);
        assertThat(stored.segmentOf(Samples.id(10).lo())).isEqualTo(2);
        assertThat(stored.segmentOf(Samples.id(11).lo())).isEqualTo(StoredJobs.NONE);
        assertThat(stored.size()).isEqualTo(2);
    }

    @Test
    void allJobsOfAnEmptiedSegmentAreAtHomeWhereItWentTo() {
        store(1, 10, 11);
        store(2, 12);
        stored.rowsAppended(2, 6);
        stored.emptied(stored.toCompact(2, 0), 2);
        assertThat(stored.segmentOf(Samples.id(10).lo())).isEqualTo(2);
        assertThat(stored.segmentOf(Samples.id(11).lo())).isEqualTo(2);

        store(3, 13);
        stored.rowsAppended(3, 20);
        StoredJobs.Segment old = stored.toCompact(3, 0);
        assertThat(old.number).isEqualTo(2);
        assertThat(old.live()).isEqualTo(3);
        stored.remove(Samples.id(10).lo());
        stored.put(Samples.id(12), 3);
        assertThat(old.live())
                .as("those that went, one of them from the segment before")
                .isEqualTo(1);
        stored.emptied(old, 3);
        assertThat(stored.segmentOf(Samples.id(11).lo())).isEqualTo(3);
        assertThat(stored.size()).isEqualTo(3);
    }

    @Test
    void aJobIsFoundHoweverManySegmentsItOutlives() {
        store(1, 10);
        for (int segment = 1; segment < 200; segment++) {
            store(segment + 1, 1_000 + segment);
            stored.rowsAppended(segment + 1, 1_000);
            StoredJobs.Segment old = stored.toCompact(segment + 1, 0);
            assertThat(old.number).isEqualTo(segment);
            stored.emptied(old, segment + 1);
            if (segment % 7 == 0) {
                assertThat(stored.segmentOf(Samples.id(10).lo())).isEqualTo(segment + 1);
            }
        }
        assertThat(stored.segmentOf(Samples.id(10).lo())).isEqualTo(200);
        assertThat(stored.segmentOf(Samples.id(1_001).lo())).isEqualTo(200);
        stored.remove(Samples.id(10).lo());
        assertThat(stored.size()).isEqualTo(199);
    }

    private void store(int segment, long... jobs) {
        for (long job : jobs) {
            stored.put(Samples.id(job), segment);
        }
        stored.rowsAppended(segment, jobs.length);
    }
}
