package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainedTailTest {
    private static final LogId LOG = new LogId(7);
    private static final byte[] GENESIS = HashChain.genesis(LOG, new byte[HashChain.BYTES]);

    private final HashChain chain = new HashChain(GENESIS);
    private final Recovered recovered = new Recovered();
    private final ChainedTail tail = new ChainedTail(LOG, 0, GENESIS, recovered);

    private Batch batch(int sequence) {
        byte[] bytes = new FactCodec().encode(List.of(fact(sequence)), 1_000 - sequence);
        return new Batch(sequence, bytes, chain.extend(bytes));
    }

    private static Fact fact(int number) {
        return new Fact.TenantSet(new Tenant(new TenantId(number), "t" + number, 10, number));
    }

    @Test
    void sound_batches_are_handed_on_in_order() {
        tail.accept(batch(1));
        tail.accept(batch(2));

        assertThat(recovered.tail).containsExactly(fact(1), fact(2));
        assertThat(tail.sequence()).isEqualTo(2);
        assertThat(tail.head()).isEqualTo(chain.head());
        assertThat(tail.highWaterAt()).isEqualTo(999);
    }

    @Test
    void reading_may_begin_behind_a_flush_position() {
        batch(1);
        byte[] head = chain.head();
        ChainedTail behind = new ChainedTail(LOG, 1, head, recovered);
        behind.accept(batch(2));

        assertThat(recovered.tail).containsExactly(fact(2));
    }

    @Test
    void a_missing_batch_is_noticed() {
        tail.accept(batch(1));
        batch(2);

        assertThatThrownBy(() -> tail.accept(batch(3)))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessage("log 7 is broken at batch 3: expected batch 2, but found 3");
    }

    @Test
    void a_batch_renumbered_to_hide_a_gap_is_noticed() {
        tail.accept(batch(1));
        batch(2);
        Batch third = batch(3);

        assertThatThrownBy(() -> tail.accept(new Batch(2, third.bytes(), third.hash())))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("log 7 is broken at batch 2");
    }

    @Test
    void bytes_that_are_no_facts_are_named_with_their_batch_and_nothing_of_them_is_told() {
        byte[] bytes = {1, 2, 3};

        assertThatThrownBy(() -> tail.accept(new Batch(1, bytes, chain.extend(bytes))))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("log 7 is broken at batch 1");
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void a_log_of_another_epoch_begins_elsewhere() {
        assertThat(HashChain.genesis(new LogId(8), new byte[HashChain.BYTES])).isNotEqualTo(GENESIS);
        assertThat(HashChain.genesis(LOG, GENESIS)).isNotEqualTo(GENESIS);
    }
}
