package dev.fairlane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcStatTest {
    private static final String LINE =
            "4711 (post (gres) x) S 99 4711 4711 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 1 0 12345 99999 256 18446744073709551615 1";

    @Test
    void aNameMayHoldBlanksAndParentheses() {
        assertThat(ProcStat.parse(LINE))
                .isEqualTo(new ProcStat(4711, "post (gres) x", 99, 2_000_000, 500_000, 256 * 4096));
    }

    @Test
    void whatIsNoStatLineIsRefused() {
        assertThatThrownBy(() -> ProcStat.parse("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProcStat.parse("1 (a) S 2")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timeTakenByTheHostIsTheEighthNumberOfAllProcessors() {
        assertThat(Proc.parseStolen("cpu  10 20 30 40 50 60 70 81 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n"))
                .isEqualTo(810_000);
        assertThat(Proc.parseStolen("")).isZero();
        assertThat(Proc.stolenMicros()).isNotNegative();
    }

    @Test
    void thisProcessIsFoundWithItsTimeItsMemoryAndItsFolder() {
        long pid = ProcessHandle.current().pid();

        assertThat(Proc.stat(pid)).hasValueSatisfying(stat -> {
            assertThat(stat.pid()).isEqualTo(pid);
            assertThat(stat.cpuMicros()).isPositive();
            assertThat(stat.rssBytes()).isPositive();
        });
        assertThat(Proc.proportionalBytes(pid)).isPositive();
        assertThat(Proc.workingIn(Path.of("").toAbsolutePath())).contains(pid);
        assertThat(Proc.threadMicros(pid)).isNotEmpty();
    }

    @Test
    void aProcessThatIsGoneCountsForNothing() {
        long nobody = Long.MAX_VALUE;
        assertThat(Proc.stat(nobody)).isEmpty();
        assertThat(Use.cpuMicros(List.of(nobody))).isZero();
    }

    @Test
    void threadsOfAPoolAreOne() {
        assertThat(Proc.poolOf("armeria-worker-3")).isEqualTo("armeria-worker");
        assertThat(Proc.poolOf("GC Thread#1")).isEqualTo("GC Thread");
        assertThat(Proc.poolOf("node-loop")).isEqualTo("node-loop");
    }

    @Test
    void sharedPagesAreReadFromTheRollup() {
        assertThat(Proc.parsePss("Rss:  900 kB\nPss:                 512 kB\nPss_Dirty: 1 kB\n"))
                .isEqualTo(512 << 10);
    }

    @Test
    void whatWasUsedIsTheDifferenceByPart() {
        Use before = new Use(Map.of("server", 100L), Map.of());
        Use after = new Use(Map.of("server", 350L, "client", 40L), Map.of());

        assertThat(after.cpuMicrosSince(before)).containsOnly(Map.entry("server", 250L), Map.entry("client", 40L));
    }
}
