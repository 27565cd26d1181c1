package dev.fairlane.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.bench.floor.RawWriting.Cut;
import dev.fairlane.core.model.Fact;
import dev.fairlane.journal.FactCodec;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutTest {
    @Test
    void aCutIsReadAsItIsWritten() {
        assertThat(Cut.parse("1000")).isEqualTo(new Cut(1000, 1)).hasToString("1000");
        assertThat(Cut.parse("500x3")).isEqualTo(new Cut(500, 3)).hasToString("500x3");
        for (String wrong : List.of("0", "x", "500x2", "1000000")) {
            assertThatThrownBy(() -> Cut.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theBytesAreTheThreeTurnsOfRealJobs() {
        List<byte[]> turns = new FloorFacts(7).turns(20, 1_700_000_000_000_000L);

        assertThat(turns)
                .allSatisfy(turn -> assertThat(FactCodec.decode(turn).facts()).hasSize(20));
        assertThat(FactCodec.decode(turns.get(0)).facts()).hasOnlyElementsOfType(Fact.JobAdded.class);
        assertThat(FactCodec.decode(turns.get(1)).facts()).hasOnlyElementsOfType(Fact.JobChanged.class);
        assertThat(FactCodec.decode(turns.get(2)).facts()).hasOnlyElementsOfType(Fact.JobEnded.class);
    }
}
