package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.journal.stored.Turn;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FactCodecProperty {
    private final FactCodec codec = new FactCodec();

    @Test
    void what_was_encoded_is_decoded() {
        for (int seed = 0; seed < 2_000; seed++) {
            GeneratedFacts generated = new GeneratedFacts(seed);
            List<Fact> facts = generated.facts(seed % 40);

            FactCodec.Decoded decoded = FactCodec.decode(codec.encode(facts, generated.at));

            assertThat(decoded.at()).as("seed %d", seed).isEqualTo(generated.at);
            assertThat(decoded.facts()).as("seed %d", seed).isEqualTo(facts);
        }
    }

    @Test
    void the_same_facts_give_the_same_bytes_with_a_fresh_or_a_used_codec() {
        for (int seed = 0; seed < 200; seed++) {
            GeneratedFacts generated = new GeneratedFacts(seed);
            List<Fact> facts = generated.facts(20);

            assertThat(codec.encode(facts, generated.at))
                    .as("seed %d", seed)
                    .isEqualTo(new FactCodec().encode(facts, generated.at));
        }
    }

    @Test
    void the_documented_format_reads_and_writes_the_same_facts() throws InvalidProtocolBufferException {
        for (int seed = 0; seed < 500; seed++) {
            GeneratedFacts generated = new GeneratedFacts(seed);
            List<Fact> facts = generated.facts(20);

            Turn turn = Turn.parseFrom(codec.encode(facts, generated.at));

            assertThat(turn.getUnknownFields().asMap()).as("seed %d", seed).isEmpty();
            assertThat(FactCodec.decode(turn.toByteArray()).facts())
                    .as("seed %d", seed)
                    .isEqualTo(facts);
        }
    }

    /** Anything but a clean answer or Corrupt fails the test by escaping from it. */
    @Test
    void damaged_bytes_are_corrupt_and_nothing_else() {
        int refused = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            GeneratedFacts generated = new GeneratedFacts(seed % 300);
            byte[] bytes = damage(codec.encode(generated.facts(6), generated.at), new Random(seed));
            try {
                FactCodec.decode(bytes);
            } catch (JournalFault.Corrupt e) {
                refused++;
                assertThat(e).hasMessageContaining("expected");
            }
        }
        assertThat(refused).isGreaterThan(5_000);
    }

    @Test
    void random_bytes_are_corrupt_and_nothing_else() {
        for (int seed = 0; seed < 50_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            try {
                FactCodec.decode(bytes);
            } catch (JournalFault.Corrupt e) {
                assertThat(e).hasMessageContaining("expected");
            }
        }
    }

    @Test
    void rows_come_back_as_they_were() {
        RowCodec rows = new RowCodec();
        for (int seed = 0; seed < 2_000; seed++) {
            GeneratedFacts generated = new GeneratedFacts(seed);
            JobSpec spec = generated.spec();
            JobStatus status = generated.status();
            RowCodec.Ending ending =
                    new RowCodec.Ending(generated.maybe(generated.payload()), generated.maybe(generated.failure()));

            byte[] extras = rows.encodeSpecExtras(spec);

            assertThat(RowCodec.decodeSpec(
                            spec.id(),
                            spec.tenant(),
                            spec.type(),
                            spec.payload().bytes(),
                            extras))
                    .as("seed %d", seed)
                    .isEqualTo(spec);
            assertThat(RowCodec.decodeStatus(rows.encodeStatus(status)))
                    .as("seed %d", seed)
                    .isEqualTo(status);
            assertThat(RowCodec.decodeEnding(rows.encodeEnding(ending.result(), ending.failure())))
                    .as("seed %d", seed)
                    .isEqualTo(ending);
        }
    }

    @Test
    void damaged_rows_are_corrupt_and_nothing_else() {
        RowCodec rows = new RowCodec();
        for (int seed = 0; seed < 20_000; seed++) {
            GeneratedFacts generated = new GeneratedFacts(seed % 300);
            Random random = new Random(seed);
            JobSpec spec = generated.spec();
            try {
                RowCodec.decodeStatus(damage(rows.encodeStatus(generated.status()), random));
                RowCodec.decodeEnding(damage(rows.encodeEnding(generated.payload(), generated.failure()), random));
                RowCodec.decodeSpec(
                        spec.id(), spec.tenant(), "", new byte[0], damage(rows.encodeSpecExtras(spec), random));
            } catch (JournalFault.Corrupt e) {
                assertThat(e).hasMessageContaining("expected");
            }
        }
    }

    private static byte[] damage(byte[] bytes, Random random) {
        byte[] damaged = random.nextInt(3) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
        for (int i = random.nextInt(4); i < 4 && damaged.length > 0; i++) {
            damaged[random.nextInt(Math.min(damaged.length, 200))] = (byte) random.nextInt();
        }
        return damaged;
    }
}
