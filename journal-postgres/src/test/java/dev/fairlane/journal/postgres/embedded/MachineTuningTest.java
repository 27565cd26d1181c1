package dev.fairlane.journal.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTuningTest {

    private static final long GIB = 1L << 30;

    @Test
    void sharedBuffersAreAnEighthOfMemoryWithinBounds() {
        assertThat(new MachineTuning(GIB / 2, 100 * GIB).settings(false)).containsEntry("shared_buffers", "128MB");
        assertThat(new MachineTuning(4 * GIB, 100 * GIB).settings(false)).containsEntry("shared_buffers", "512MB");
        assertThat(new MachineTuning(64 * GIB, 100 * GIB).settings(false)).containsEntry("shared_buffers", "2048MB");
    }

    @Test
    void theWalTakesAQuarterOfTheFreeDiskWithinBounds() {
        assertThat(new MachineTuning(GIB, 100 * GIB).settings(false))
                .containsEntry("max_wal_size", "1024MB")
                .containsEntry("min_wal_size", "512MB");
        assertThat(new MachineTuning(GIB, 3 * GIB).settings(false)).containsEntry("max_wal_size", "512MB");
        assertThat(new MachineTuning(GIB, 0).settings(false))
                .containsEntry("max_wal_size", "256MB")
                .containsEntry("min_wal_size", "128MB");
    }

    @Test
    void aFewFilesMoreOnTheDiskChangeNothing() {
        assertThat(new MachineTuning(GIB, 7 * GIB).settings(false))
                .isEqualTo(new MachineTuning(GIB, 7 * GIB - 123_456_789).settings(false));
    }

    @Test
    void walIsCompressedOnlyWhereItIsCheap() {
        assertThat(new MachineTuning(GIB, GIB).settings(true)).containsEntry("wal_compression", "lz4");
        assertThat(new MachineTuning(GIB, GIB).settings(false)).containsEntry("wal_compression", "off");
    }
}
