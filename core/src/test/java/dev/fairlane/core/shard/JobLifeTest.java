package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import org.junit.jupiter.api.Test;

/** Semantics §2. */
class JobLifeTest {
    private final Bed bed = new Bed();

    @Test
    void aJobGoesInRunsAndSucceeds() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        Picked picked = bed.mustPick();
        assertThat(picked.lease().id()).isEqualTo(id);
        assertThat(bed.state(id)).isEqualTo(JobState.LEASED);
        assertThat(bed.start(picked)).isInstanceOf(Answer.Applied.class);
        assertThat(bed.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(bed.complete(picked)).isInstanceOf(Answer.Applied.class);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(bed.engine.openJobs()).isZero();
    }
}
