package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobState;
import org.junit.jupiter.api.Test;

/** In which order keys leave memory, when the ends of their jobs come soon and late. */
class KeyTableTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final int TENANT = 1;

    private final KeyTable keys = new KeyTable(new KeyFilters(HOUR, 24 * HOUR));

    private int put(String key, long at) {
        return keys.put(TENANT, key, at, at, 7, at);
    }

    @Test
    void aKeyWhoseJobEndsSoonGoesByTheTimeOfItsSubmit() {
        int first = put("first", SECOND);
        put("second", 2 * SECOND);
        keys.ended(first, JobState.SUCCEEDED, 3 * SECOND);
        assertThat(keys.end(first)).isEqualTo(JobState.SUCCEEDED);

        keys.forget(SECOND, 10);
        assertThat(keys.find(TENANT, "first")).isEqualTo(KeyTable.NONE);
        assertThat(keys.find(TENANT, "second")).isNotEqualTo(KeyTable.NONE);
    }

    @Test
    void aKeyWhoseJobEndsLateGoesByTheTimeOfItsEnd() {
        int first = put("first", SECOND);
        put("second", 2 * SECOND);
        keys.ended(first, JobState.SUCCEEDED, 3 * SECOND + 1);

        keys.forget(2 * SECOND, 10);
        assertThat(keys.find(TENANT, "first")).isEqualTo(first);
        assertThat(keys.find(TENANT, "second")).isEqualTo(KeyTable.NONE);
        keys.forget(3 * SECOND + 1, 10);
        assertThat(keys.size()).isZero();
    }

    @Test
    void theKeyOfADeadJobGoesByTheTimeOfItsDeathHoweverSoonThatCame() {
        int first = put("first", SECOND);
        keys.ended(first, JobState.DEAD, SECOND + 1);
        keys.forget(SECOND, 10);
        assertThat(keys.find(TENANT, "first")).isEqualTo(first);
        keys.forget(SECOND + 1, 10);
        assertThat(keys.find(TENANT, "first")).isEqualTo(KeyTable.NONE);
    }
}
