package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.RecoverySink;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Loading a deep backlog. */
class RecoveryTest extends JournalOnPostgres {
    private static final int JOBS = 300_000;
    private static final int PER_FLUSH = 10_000;

    /** Counts only: what it costs is the journal's. */
    private static final class Count implements RecoverySink {
        private long open;
        private long leased;
        private final List<Integer> segments = new ArrayList<>();

        @Override
        public void begin(LogId log) {}

        @Override
        public void tenant(Tenant tenant) {}

        @Override
        public void type(JobType type) {}

        @Override
        public void group(JobGroup group) {}

        @Override
        public void gate(Gate gate) {}

        @Override
        public void sealedKey(TenantId tenant, String key, long submittedAt) {}

        @Override
        public void deadKey(TenantId tenant, String key, long endedAt) {}

        @Override
        public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {}

        @Override
        public void open(JobSpec spec, JobStatus status, int segment) {
            open++;
            leased += status.state() == JobState.LEASED ? 1 : 0;
        }

        @Override
        public boolean knows(JobId id) {
            return false;
        }

        @Override
        public void leftOut(JobSpec spec, JobStatus status) {}

        @Override
        public void tail(Fact fact) {}

        @Override
        public void segment(int segment, long rows, boolean sealed) {
            segments.add(segment);
        }
    }

    @Test
    void three_hundred_thousand_open_jobs_are_loaded_in_seconds() throws SQLException {
        ContractNode node = start("a");
        List<JobSpec> some = new ArrayList<>();
        int segment = 0;
        for (int done = 0; done < JOBS; done += PER_FLUSH) {
            FlushDraft draft = new FlushDraft();
            for (int i = 0; i < PER_FLUSH; i++) {
                JobSpec spec = jobs.spec();
                draft.added(spec, jobs.queued());
                if (done == 0 && some.size() < 100) {
                    some.add(spec);
                }
            }
            node.append();
            int now = node.flush(draft);
            segment = segment == 0 ? now : segment;
        }
        FlushDraft last = new FlushDraft();
        int first = segment;
        some.subList(0, 50).forEach(spec -> last.changed(spec.id(), jobs.leased(1)));
        some.subList(50, 100).forEach(spec -> last.ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, first));
        node.append();
        node.flush(last);

        PostgresJournal next = connect(config());
        Count count = new Count();
        long begun = System.nanoTime();
        Outcome.of(next.open("b", count));
        Duration taken = Duration.ofNanos(System.nanoTime() - begun);

        assertThat(count.open).isEqualTo(JOBS - 50);
        assertThat(count.leased).isEqualTo(50);
        assertThat(count.segments).hasSizeGreaterThan(3).isSorted();
        assertThat(taken).isLessThan(Duration.ofSeconds(60));
        Connection watch = connection();
        assertThat(number(watch, "SELECT count(*) FROM fairlane.open_slot WHERE segment IS NOT NULL"))
                .isEqualTo(count.segments.size());
    }
}
