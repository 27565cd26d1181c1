package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FactCodecTest {
    private static final long AT = 1_790_000_000_123_456L;
    private static final int JOBS = 500;

    private final FactCodec codec = new FactCodec();

    @Test
    void a_turn_of_usual_submits_takes_at_most_150_bytes_a_job() {
        List<Fact> facts = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            facts.add(new Fact.JobAdded(spec(i), status(JobState.QUEUED, 0, AT, 0, 0)));
        }
        assertThat(codec.encode(facts, AT).length / JOBS).isLessThanOrEqualTo(150);
    }

    @Test
    void a_turn_of_usual_leases_takes_at_most_40_bytes_a_job() {
        List<Fact> facts = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            facts.add(new Fact.JobChanged(id(i), status(JobState.LEASED, i, AT - 40_000, AT, 0)));
        }
        assertThat(codec.encode(facts, AT).length / JOBS).isLessThanOrEqualTo(40);
    }

    @Test
    void a_turn_of_usual_ends_takes_at_most_35_bytes_a_job() {
        List<Fact> facts = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            JobStatus status = status(JobState.SUCCEEDED, i, AT - 80_000, AT - 40_000, 0);
            facts.add(new Fact.JobEnded(id(i), status, Payload.EMPTY, null, null));
        }
        assertThat(codec.encode(facts, AT).length / JOBS).isLessThanOrEqualTo(35);
    }

    @Test
    void the_spec_of_an_ended_job_is_not_journaled() {
        Fact ended = new Fact.JobEnded(id(1), status(JobState.SUCCEEDED, 1, AT, AT, AT), null, null, spec(1));

        assertThat(FactCodec.decode(codec.encode(List.of(ended), AT)).facts())
                .containsExactly(new Fact.JobEnded(id(1), status(JobState.SUCCEEDED, 1, AT, AT, AT), null, null, null));
    }

    @Test
    void labels_are_written_in_one_order() {
        Map<String, String> one = Map.of("a", "1", "b", "2", "c", "3", "d", "4");
        JobSpec spec = spec(1);
        JobSpec tagged =
                new JobSpec(spec.id(), spec.tenant(), "t", "p", 0, Payload.EMPTY, 0, AT, AT, 0, 1, 1, "", 0, one, one);
        Fact fact = new Fact.JobAdded(tagged, status(JobState.QUEUED, 0, AT, 0, 0));

        Fact.JobAdded decoded = (Fact.JobAdded)
                FactCodec.decode(codec.encode(List.of(fact), AT)).facts().getFirst();

        assertThat(decoded.spec().tags().keySet()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void a_newer_level_is_refused_as_such() {
        byte[] bytes = codec.encode(List.of(), AT);
        assertThat(bytes[1]).isEqualTo((byte) FactCodec.LEVEL);
        bytes[1]++;

        assertThatThrownBy(() -> FactCodec.decode(bytes))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("newer format");
    }

    @Test
    void no_bytes_are_no_turn() {
        assertThatThrownBy(() -> FactCodec.decode(new byte[0]))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("no format level");
    }

    @Test
    void a_usual_row_is_small() {
        RowCodec rows = new RowCodec();
        assertThat(rows.encodeSpecExtras(spec(7))).hasSizeLessThanOrEqualTo(40);
        assertThat(rows.encodeStatus(status(JobState.SUCCEEDED, 1, AT - 80_000, AT - 40_000, AT - 39_000)))
                .hasSizeLessThanOrEqualTo(60);
        assertThat(rows.encodeEnding(null, null)).isEmpty();
    }

    private static JobId id(int i) {
        return JobId.of(AT / 1000 - i / 100, 0, i * 7 % 64, 3, 5_000_000 + i);
    }

    private static JobSpec spec(int i) {
        return new JobSpec(
                id(i),
                new TenantId(i % 1000),
                "send_email",
                "short",
                5,
                new Payload(new byte[100], Payload.JSON),
                0,
                AT,
                AT,
                0,
                6,
                30_000_000,
                "",
                i * 0x9E3779B97F4A7C15L,
                Map.of(),
                Map.of());
    }

    private static JobStatus status(JobState state, int i, long queuedAt, long leasedAt, long startedAt) {
        boolean leased = leasedAt != 0;
        return new JobStatus(
                state,
                leased ? 1 : 0,
                leased ? 1 : 0,
                0,
                leased ? Token.of(3, 1_000_000 + i) : Token.NONE,
                leased ? "worker-" + i % 4 : "",
                leasedAt,
                startedAt,
                0,
                queuedAt,
                false,
                AT,
                List.of());
    }
}
