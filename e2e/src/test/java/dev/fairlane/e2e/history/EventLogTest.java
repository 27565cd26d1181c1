package dev.fairlane.e2e.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {
    private static final List<Event> ONE_OF_EACH = List.of(
            new Event.Submitting(1, 7, "acme/k", "quick"),
            new Event.Acked(2, 7, "a"),
            new Event.Refused(3, 8, "INVALID_PAYLOAD"),
            new Event.Unknown(4, 9, "UNAVAILABLE"),
            new Event.Cancelling(5, "a"),
            new Event.CancelAnswered(6, "a", "CANCELLED"),
            new Event.Read(7, 6, Event.NONE, "a", "SUCCEEDED", Long.MAX_VALUE, 7, "acme/k"),
            new Event.Listed(8, "drained", "a", "DEAD"),
            new Event.Started(9, "w", "a", 5, 1),
            new Event.Ended(10, "w", "a", 5, true),
            new Event.CancelHeard(11, "w", "a", 5),
            new Event.Answered(12, "w", "a", 5, false),
            new Event.Contact(13, "w", true),
            new Event.Struck(14, "kill_server", "server"),
            new Event.Healed(15, "server"),
            new Event.ChainRead(16, "drained", Event.NONE, true),
            new Event.Audited(17, "drained", "acme", 1, "job.cancel", "job/a"),
            new Event.AuditRead(18, "drained"),
            new Event.Scheduled(19, "acme/s", 1_000_000, 500_000),
            new Event.Ticked(20, "w", "b", "acme/s", 1_500_000, 1_600_000),
            new Event.Unscheduled(21, "acme/s", 1_500_000),
            new Event.Capped(22, "in_flight/acme", 4, 3_000_000),
            new Event.Allowed(23, "quick", 20),
            new Event.Held(24, "w", "a", 5, "in_flight/acme"));

    @TempDir
    private Path folder;

    @Test
    void everyEventIsReadAsItWasWritten() {
        try (EventLog log = EventLog.create(folder.resolve("client.history"))) {
            log.record(ONE_OF_EACH);
        }
        assertThat(History.read(folder).events()).isEqualTo(ONE_OF_EACH);
        assertThat(ONE_OF_EACH).extracting(Object::getClass).hasSize(Event.class.getPermittedSubclasses().length);
    }

    @Test
    void filesAreReadTogetherInTheOrderOfTime() {
        try (EventLog one = EventLog.create(folder.resolve("one.history"));
                EventLog two = EventLog.create(folder.resolve("two.history"))) {
            one.record(new Event.Acked(3, 1, "a"));
            two.record(new Event.Started(4, "w", "a", 5, 1));
            one.record(new Event.Submitting(1, 1, Event.NONE, "quick"));
        }
        assertThat(History.read(folder).events()).extracting(Event::at).containsExactly(1L, 3L, 4L);
    }

    @Test
    void halfALineOfAKilledProcessIsLeftOut() throws IOException {
        Path file = folder.resolve("worker.history");
        try (EventLog log = EventLog.create(file)) {
            log.record(new Event.Started(4, "w", "a", 5, 1));
        }
        Files.writeString(file, "5 ended w a", StandardOpenOption.APPEND);
        assertThat(History.read(folder).events()).hasSize(1);
    }

    @Test
    void aLineThatIsNoEventIsRefused() throws IOException {
        Files.writeString(folder.resolve("worker.history"), "5 dreamt w a\n");
        assertThatThrownBy(() -> History.read(folder)).hasMessageContaining("5 dreamt w a");
    }
}
