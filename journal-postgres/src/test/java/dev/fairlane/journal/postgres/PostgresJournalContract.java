package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.ContractStore;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalContract;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The journal on a real PostgreSQL keeps the contract of the port. */
class PostgresJournalContract extends JournalContract {

    @Override
    protected ContractStore newStore(int segmentRows) {
        return new Store(MigratedDatabase.fresh(), segmentRows, bundleFrom(), recentBytes());
    }

    /** So that single jobs have rows of their own. */
    int bundleFrom() {
        return 2;
    }

    /** So that jobs are looked for in the tables. */
    long recentBytes() {
        return 0;
    }

    private record Store(TestDatabase database, int segmentRows, int bundleFrom, long recentBytes)
            implements ContractStore {

        @Override
        public Journal connect(String node) {
            return PostgresJournal.connect(PostgresConfig.of(database.jdbcUrl(), database.user(), database.password())
                    .withSegmentRows(segmentRows)
                    .withBundleFrom(bundleFrom)
                    .withRecentBytes(recentBytes));
        }

        @Override
        public void damage(LogId log, long sequence) {
            try (Connection connection = database.connect();
                    PreparedStatement statement = connection.prepareStatement(
                            "UPDATE fairlane.journal_0 SET bytes = set_byte(bytes, length(bytes) - 1, get_byte(bytes, length(bytes) - 1) # 1)"
                                    + " WHERE log = ? AND seq = ? AND part = 0")) {
                statement.setInt(1, (int) log.epoch());
                statement.setLong(2, sequence);
                if (statement.executeUpdate() != 1) {
                    throw new AssertionError("no such batch");
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void falsifyAudit(TenantId chain, long sequence, Forgery how) {
            String row = " WHERE chain = " + chain.number() + " AND sequence = ";
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                switch (how) {
                    case ALTER ->
                        statement.execute("UPDATE fairlane.audit SET target = 'tenant/other'" + row + sequence);
                    case ALTER_REASON ->
                        statement.execute("UPDATE fairlane.audit SET reason = 'ticket 6'" + row + sequence);
                    case ERASE_REASON -> statement.execute("UPDATE fairlane.audit SET reason = ''" + row + sequence);
                    case REMOVE -> statement.execute("DELETE FROM fairlane.audit" + row + sequence);
                    case SWAP -> {
                        statement.execute("UPDATE fairlane.audit SET sequence = 1000000" + row + sequence);
                        statement.execute("UPDATE fairlane.audit SET sequence = " + sequence + row + (sequence + 1));
                        statement.execute("UPDATE fairlane.audit SET sequence = " + (sequence + 1) + row + 1_000_000);
                    }
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            database.close();
        }
    }
}
