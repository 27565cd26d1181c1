package dev.fairlane.server.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.server.fault.Refused;
import org.junit.jupiter.api.Test;

class TransferRoomTest {
    private static final TenantId SLOW = new TenantId(1);

    private final TransferRoom room = new TransferRoom(8);

    @Test
    void one_tenant_gets_half_and_others_still_find_room() {
        assertThat(fill(SLOW)).isEqualTo(4);
        assertThat(fill(new TenantId(2))).isEqualTo(2);
        assertThat(fill(null)).isEqualTo(1);
        assertThat(fill(new TenantId(3))).isEqualTo(1);
        assertThatThrownBy(() -> room.enter(new TenantId(4)))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("at most 8 transfers at once, and 8 are under way");
    }

    @Test
    void what_is_over_makes_room() {
        fill(SLOW);
        assertThatThrownBy(() -> room.enter(SLOW)).hasMessageContaining("at most 4 transfers of one tenant");
        room.leave(SLOW);
        room.enter(SLOW);
    }

    private int fill(TenantId tenant) {
        for (int taken = 0; ; taken++) {
            try {
                room.enter(tenant);
            } catch (Refused _) {
                return taken;
            }
        }
    }
}
