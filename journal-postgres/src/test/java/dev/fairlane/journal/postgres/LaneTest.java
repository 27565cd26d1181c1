package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.journal.JournalFault;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class LaneTest {
    @Test
    void whoeverIsOnTheOnlyThreadNeedsNotWaitForIt() {
        try (Lane lane = new Lane("test", 1)) {
            CompletableFuture<Boolean> doneWhenItReturned = new CompletableFuture<>();
            lane.execute(() ->
                    doneWhenItReturned.complete(lane.run("test", () -> true).isDone()));
            assertThat(doneWhenItReturned.join()).isTrue();
        }
    }

    @Test
    void eachThreadBeginsWithWhatItIsToldTo() {
        Set<String> begun = ConcurrentHashMap.newKeySet();
        try (Lane lane =
                new Lane("test", 2, () -> begun.add(Thread.currentThread().getName()))) {
            String worked = lane.run("test", () -> {
                        assertThat(begun).contains(Thread.currentThread().getName());
                        return Thread.currentThread().getName();
                    })
                    .join();
            assertThat(worked).startsWith("fairlane-test-");
        }
    }

    @Test
    void onceItIsClosedWorkFindsThatOutByItself() {
        Lane lane = new Lane("test", 1);
        lane.close();
        CompletableFuture<CompletableFuture<Boolean>> asked = new CompletableFuture<>();
        lane.execute(() -> asked.complete(lane.run("test", () -> true)));
        assertThat(asked.join())
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(JournalFault.Unavailable.class);
    }
}
