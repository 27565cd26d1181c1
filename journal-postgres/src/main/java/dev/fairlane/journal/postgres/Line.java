package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.postgres.Sessions.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One dedicated connection for one thread, made again after it failed. Before the new one is used, the server process of the old one is
 * ended: what was sent over it and not yet read there can then never happen.
 */
final class Line {
    private final Sessions sessions;
    private final String role;
    private final Duration silence;
    private final IntConsumer connected;
    private @Nullable Session session;
    private @Nullable Session lost;

    /** @param connected hears of each server process behind it */
    Line(Sessions sessions, String role, Duration silence, IntConsumer connected) {
        this.sessions = sessions;
        this.role = role;
        this.silence = silence;
        this.connected = connected;
    }

    /** One for work that nobody waits for. */
    static Line givingWay(Sessions sessions, String role, Duration silence, Background background) {
        return new Line(sessions, role, silence, backend -> background.givesWay(backend, true));
    }

    Connection connection() throws SQLException {
        Session present = session;
        if (present == null) {
            present = sessions.connect(role, silence);
            try {
                Session.end(present.connection(), lost);
            } catch (SQLException | JournalFault e) {
                present.close();
                throw e;
            }
            lost = null;
            session = present;
            connected.accept(present.pid());
        }
        return present.connection();
    }

    void lose() {
        Session present = session;
        if (present != null) {
            present.close();
            lost = present;
            session = null;
        }
    }
}
