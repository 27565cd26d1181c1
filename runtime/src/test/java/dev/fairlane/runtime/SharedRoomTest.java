package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedRoomTest {
    private final SharedRoom room = new SharedRoom(60);

    @ParameterizedTest
    @CsvSource({"1, 30", "2, 20", "3, 15", "5, 10"})
    void so_many_that_want_everything_get_equal_parts_and_leave_as_much(int flooding, int each) {
        int[] own = new int[flooding];
        int all = 0;
        boolean taken = true;
        while (taken) {
            taken = false;
            for (int one = 0; one < flooding; one++) {
                if (room.refusal(all, own[one], 1) == null) {
                    own[one]++;
                    all++;
                    taken = true;
                }
            }
        }
        assertThat(own).containsOnly(each);
        assertThat(60 - all).isEqualTo(each);
        assertThat(room.refusal(all, 0, 1)).as("somebody new").isNull();
        assertThat(room.refusal(all, each, 1)).isEqualTo(new SharedRoom.Full(each, each, true));
    }

    @Test
    void a_full_room_says_so_by_everybodys_numbers() {
        assertThat(room.refusal(60, 0, 1)).isEqualTo(new SharedRoom.Full(60, 60, false));
        assertThat(room.refusal(75, 1, 1)).isEqualTo(new SharedRoom.Full(60, 75, false));
    }

    @Test
    void who_has_nothing_gets_anything_while_it_is_not_full() {
        assertThat(room.refusal(59, 0, 1_000)).isNull();
    }
}
