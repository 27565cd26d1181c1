package dev.fairlane.journal.postgres;

import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import org.flywaydb.core.Flyway;

/** Databases as a first start leaves them. They are copied from one that was migrated: that takes longer than most tests. */
final class MigratedDatabase {
    private MigratedDatabase() {}

    static TestDatabase fresh() {
        return TestPostgres.copyOf(Holder.TEMPLATE);
    }

    /** As a version left it whose newest migration was this one. */
    static TestDatabase older(String migration) {
        TestDatabase database = TestPostgres.freshDatabase();
        Flyway.configure()
                .dataSource(database.jdbcUrl(), database.user(), database.password())
                .locations("classpath:dev/fairlane/journal/postgres/migrations")
                .schemas("fairlane")
                .createSchemas(true)
                .table("migration")
                .target(migration)
                .load()
                .migrate();
        return database;
    }

    /** Left to the next run, which drops it. */
    private static final class Holder {
        static final TestDatabase TEMPLATE = migrated(TestPostgres.freshDatabase());

        private static TestDatabase migrated(TestDatabase database) {
            PostgresConfig config = PostgresConfig.of(database.jdbcUrl(), database.user(), database.password());
            Migrations.run(config, new Sessions(config));
            return database;
        }
    }
}
