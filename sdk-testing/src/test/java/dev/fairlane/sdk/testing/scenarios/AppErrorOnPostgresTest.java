package dev.fairlane.sdk.testing.scenarios;

import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import dev.fairlane.sdk.testing.OnPostgres;
import java.time.Instant;

/** The same on a real PostgreSQL. */
class AppErrorOnPostgresTest extends AppErrorScenarios {
    AppErrorOnPostgresTest() {
        super(OnPostgres.start(TestPostgres.freshDatabase(), Instant.now()));
    }
}
