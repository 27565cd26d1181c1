package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.postgresql.ds.PGSimpleDataSource;

/** Brings the schema {@code fairlane} to what this code expects. */
final class Migrations {
    private static final int CONNECT_TRIES = 3;

    private Migrations() {}

    static void run(PostgresConfig config, Sessions sessions) {
        try {
            Flyway.configure(Migrations.class.getClassLoader())
                    .dataSource(dataSource(config, sessions))
                    .locations("classpath:dev/fairlane/journal/postgres/migrations")
                    .schemas("fairlane")
                    .createSchemas(true)
                    .table("migration")
                    .connectRetries(CONNECT_TRIES)
                    .failOnMissingLocations(true)
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new JournalFault.Unavailable("the schema could not be brought up to date: " + e.getMessage(), e);
        }
    }

    private static DataSource dataSource(PostgresConfig config, Sessions sessions) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(config.jdbcUrl());
        Properties properties = sessions.properties("migrations", Duration.ZERO);
        source.setUser(properties.getProperty("user"));
        source.setPassword(properties.getProperty("password"));
        source.setApplicationName(properties.getProperty("ApplicationName"));
        return source;
    }
}
