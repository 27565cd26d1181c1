package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IndexOrderTest {
    private static final long NOW = 1_800_000_000_000L;

    @Test
    void writesRowsAsTheIndexHasThem() {
        Random random = new Random(7);
        JobId[] ids = new JobId[5_000];
        int[] tenants = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = JobId.of(NOW + i / 500, 0, i % JobId.SHARDS, 3, 1_000 + i);
            tenants[i] = random.nextInt(Integer.MAX_VALUE - 2, Integer.MAX_VALUE);
        }
        int[] expected = IntStream.range(0, ids.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(i -> tenants[i]).thenComparing(i -> ids[i]))
                .mapToInt(Integer::intValue)
                .toArray();

        assertThat(IndexOrder.of(ids, tenants)).isEqualTo(expected);
    }

    @Test
    void writesEveryRowOnceWhateverItsAge() {
        JobId[] ids = {
            JobId.of(NOW, 0, 5, 1, 9), JobId.of(0, 0, 63, 1, 8), JobId.of(NOW - 86_400_000L, 0, 0, 1, 7),
        };

        assertThat(IndexOrder.of(ids, new int[] {2, 2, 2})).containsExactly(2, 1, 0);
        assertThat(IndexOrder.of(new JobId[0], new int[0])).isEmpty();
        assertThat(Arrays.stream(IndexOrder.of(ids, new int[] {2, 1, 2})).toArray())
                .containsExactly(1, 2, 0);
    }
}
