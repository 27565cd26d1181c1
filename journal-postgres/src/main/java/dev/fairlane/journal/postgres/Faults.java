package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import java.sql.SQLException;
import java.util.Set;

/** What an error of PostgreSQL says about whether the work happened. */
final class Faults {
    static final String LOCK_NOT_AVAILABLE = "55P03";
    static final String UNIQUE_VIOLATION = "23505";
    static final String UNDEFINED_TABLE = "42P01";

    /**
     * Classes of errors raised inside a statement, never behind its commit: the transaction is gone for certain. Not here: 08 and 57 (the
     * connection or the backend ended, perhaps just after the commit), XX (anything).
     */
    private static final Set<String> ROLLED_BACK =
            Set.of("0A", "21", "22", "23", "25", "26", "28", "2B", "3D", "3F", "42", "44", "53", "54", "55", "P0");

    private static final Set<String> ROLLED_BACK_STATES = Set.of("40001", "40P01", "40000", "40002");

    private Faults() {}

    static boolean rolledBack(SQLException e) {
        String state = e.getSQLState();
        return state != null
                && state.length() == 5
                && (ROLLED_BACK.contains(state.substring(0, 2)) || ROLLED_BACK_STATES.contains(state));
    }

    /** What was sent can never be stored: sending it again is no use. */
    static boolean badData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23"));
    }

    static boolean is(SQLException e, String state) {
        return state.equals(e.getSQLState());
    }

    /** For a statement that commits by itself, once it may have reached the server. */
    static JournalFault ofCommit(String what, SQLException e) {
        return rolledBack(e)
                ? unavailable(what, e)
                : new JournalFault.UnknownOutcome(what + ": " + e.getMessage() + " (" + e.getSQLState() + ")", e);
    }

    /** For everything that certainly changed nothing. */
    static JournalFault unavailable(String what, SQLException e) {
        return new JournalFault.Unavailable(what + ": " + e.getMessage() + " (" + e.getSQLState() + ")", e);
    }
}
