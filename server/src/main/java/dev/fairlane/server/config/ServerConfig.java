package dev.fairlane.server.config;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.journal.Retention;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The settings by who needs them. */
public record ServerConfig(
        Path home, Listen listen, Database database, Log log, EngineConfig engine, Retention retention) {

    public record Listen(String host, int port) {}

    /** @param url empty for an embedded PostgreSQL */
    public record Database(String url, String user, String password) {
        public boolean embedded() {
            return url.isEmpty();
        }

        @Override
        public String toString() {
            return "Database[" + url + ", " + user + "]";
        }
    }

    public record Log(String level, String format) {}

    /** @throws CannotStart if values do not fit each other */
    public static ServerConfig of(Settings settings) {
        Database database =
                new Database(settings.get(Keys.DB_URL), settings.get(Keys.DB_USER), settings.get(Keys.DB_PASSWORD));
        if (database.embedded()
                && !(database.user().isEmpty() && database.password().isEmpty())) {
            throw new CannotStart("db.user and db.password need db.url; without it an embedded PostgreSQL is used");
        }
        if (!database.embedded() && !database.url().startsWith("jdbc:postgresql:")) {
            throw new CannotStart("expected db.url to start with jdbc:postgresql:, but it does not");
        }
        return new ServerConfig(
                Settings.homeOf(settings.get(Keys.HOME)),
                new Listen(settings.get(Keys.LISTEN_HOST), settings.get(Keys.LISTEN_PORT)),
                database,
                new Log(settings.get(Keys.LOG_LEVEL), settings.get(Keys.LOG_FORMAT)),
                engine(settings),
                new Retention(
                        duration(settings.get(Keys.RETENTION_DONE)),
                        duration(settings.get(Keys.RETENTION_DEAD)),
                        duration(settings.get(Keys.RETENTION_KEYS)),
                        settings.get(Keys.RETENTION_BYTES)));
    }

    private static EngineConfig engine(Settings settings) {
        List<Long> aging = settings.get(Keys.ENGINE_AGING);
        if (aging.size() != 10) {
            throw new CannotStart("expected ten durations for engine.aging, one per priority, but got " + aging.size());
        }
        return new EngineConfig(
                Keys.POOLS.stream()
                        .map(pool -> new PoolRules(
                                pool.pool(),
                                settings.get(pool.lease()),
                                settings.get(pool.slots()),
                                settings.get(pool.retries()),
                                settings.get(pool.timeLimit())))
                        .toList(),
                settings.get(Keys.ENGINE_HOLD),
                settings.get(Keys.ENGINE_MIN_CHARGE),
                settings.get(Keys.ENGINE_BURST),
                aging,
                settings.get(Keys.ENGINE_RETRY_DELAYS),
                settings.get(Keys.ENGINE_RETRY_JITTER),
                settings.get(Keys.ENGINE_CRASH_LIMIT),
                settings.get(Keys.ENGINE_CANCEL_GRACE),
                settings.get(Keys.ENGINE_TIME_LIMIT_GRACE),
                settings.get(Keys.ENGINE_KEY_RETENTION),
                settings.get(Keys.ENGINE_MAX_OPEN_JOBS),
                settings.get(Keys.ENGINE_MAX_OPEN_JOBS_PER_TENANT),
                settings.get(Keys.ENGINE_MAX_KEYS),
                settings.get(Keys.ENGINE_PROMOTIONS));
    }

    private static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
