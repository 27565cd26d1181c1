package dev.fairlane.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Where a library keeps its jobs. */
record Database(String url, String user, String password) {
    /** Big enough for 32 threads that each hold a connection, and for a poller and a heartbeat beside them. */
    private static final int CONNECTIONS = 36;

    HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url + "&reWriteBatchedInserts=true");
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(2);
        return new HikariDataSource(config);
    }

    static void execute(HikariDataSource pool, String script) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : script.split(";")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        }
    }
}
