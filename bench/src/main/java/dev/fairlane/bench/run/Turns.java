package dev.fairlane.bench.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Who follows whom, by round. With an even number of contenders and as many rounds everybody has every place once and follows everybody
 * once (Williams' design for effects that carry over): no one always comes after an idle machine, no one always after the one that leaves it
 * busy. Fewer rounds are the first rows of that.
 */
final class Turns {
    private Turns() {}

    static <T> List<T> of(List<T> contenders, int round) {
        int count = contenders.size();
        List<T> order = new ArrayList<>(count);
        for (int place = 0; place < count; place++) {
            // 0, 1, n-1, 2, n-2, 3 …: neighbours differ by every distance once.
            int zigzag = place % 2 == 1 ? (place + 1) / 2 : (count - place / 2) % count;
            order.add(contenders.get((zigzag + round) % count));
        }
        return order;
    }
}
