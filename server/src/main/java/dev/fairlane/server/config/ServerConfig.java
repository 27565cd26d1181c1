package dev.fairlane.server.config;

import dev.fairlane.core.model.AdmissionRules;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.Usage;
import dev.fairlane.journal.Retention;
import dev.fairlane.objects.S3Config;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.objects.ObjectRules;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings by who needs them. */
public record ServerConfig(
        Path home,
        Listen listen,
        Database database,
        Log log,
        NodeConfig node,
        Webhooks webhooks,
        Objects objects,
        Billing billing) {

    /** @param stopGrace how long calls under way may take when the server stops; none with nothing, and the server is gone at once */
    public record Listen(String host, int port, Duration stopGrace) {}

    /**
     * @param url in the form of JDBC; empty for an embedded PostgreSQL
     * @param binaries where the embedded PostgreSQL is unpacked; null for inside the home
     */
    public record Database(
            String url,
            String user,
            String password,
            int readConnections,
            long maxRecentBytes,
            boolean allowUnsafe,
            @Nullable Path binaries) {
        public boolean embedded() {
            return url.isEmpty();
        }

        @Override
        public String toString() {
            return DatabaseUrl.shown(url) + " as " + user;
        }
    }

    /**
     * @param folder of the local store
     * @param s3 null for the local store
     */
    public record Objects(Path folder, @Nullable S3Config s3, ObjectRules rules) {}

    public record Log(String level, String format) {}

    /** Of a job that came to its end, and of a second of a slot. */
    public record Price(BigDecimal job, BigDecimal slotSecond) {
        private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);

        BigDecimal of(Usage used) {
            return job.multiply(BigDecimal.valueOf(used.jobs()))
                    .add(slotSecond.multiply(
                            BigDecimal.valueOf(used.slotMicros()).divide(MICROS)));
        }
    }

    /**
     * What is asked for what was used.
     *
     * @param usual of pools that are not there any more
     */
    public record Billing(String currency, Price usual, Map<String, Price> pools) {
        public static final Billing FREE = new Billing("", new Price(BigDecimal.ZERO, BigDecimal.ZERO), Map.of());

        public BigDecimal amount(String pool, Usage used) {
            return pools.getOrDefault(pool, usual).of(used);
        }
    }

    /**
     * @param allowPrivate whether webhooks may call addresses that are not on the open internet
     * @param concurrency deliveries under way at once
     */
    public record Webhooks(
            boolean enabled, boolean allowHttp, boolean allowPrivate, int concurrency, Duration timeout) {
        public static final Webhooks OFF = new Webhooks(false, false, false, 1, Duration.ofSeconds(10));
    }

    /** @throws CannotStart if values do not fit each other */
    public static ServerConfig of(Settings settings) {
        return new ServerConfig(
                Settings.homeOf(settings.get(Keys.HOME)),
                new Listen(
                        settings.get(Keys.LISTEN_HOST),
                        settings.get(Keys.LISTEN_PORT),
                        duration(settings.get(Keys.LISTEN_STOP_GRACE))),
                database(settings),
                new Log(settings.get(Keys.LOG_LEVEL), settings.get(Keys.LOG_FORMAT)),
                node(settings),
                new Webhooks(
                        settings.get(Keys.WEBHOOKS_ENABLED),
                        settings.get(Keys.WEBHOOKS_ALLOW_HTTP),
                        settings.get(Keys.WEBHOOKS_ALLOW_PRIVATE),
                        settings.get(Keys.WEBHOOKS_CONCURRENCY),
                        duration(settings.get(Keys.WEBHOOKS_TIMEOUT))),
                objects(settings),
                UsageKeys.billing(settings));
    }

    private static Objects objects(Settings settings) {
        Path home = Settings.homeOf(settings.get(Keys.HOME));
        String folder = settings.get(Keys.OBJECTS_FOLDER);
        boolean s3 = settings.get(Keys.OBJECTS_STORE).equals("s3");
        if (s3 && settings.get(Keys.OBJECTS_S3_BUCKET).isEmpty()) {
            throw new CannotStart("objects.store is s3: expected a bucket in objects.s3.bucket, but there is none");
        }
        if (settings.get(Keys.OBJECTS_UPLOAD_KEPT) < Duration.ofHours(2).toMillis() * 1_000) {
            throw new CannotStart("expected at least 2h for objects.upload_kept");
        }
        return new Objects(
                folder.isEmpty() ? home.resolve("objects") : Settings.homeOf(folder),
                s3
                        ? new S3Config(
                                settings.get(Keys.OBJECTS_S3_ENDPOINT),
                                settings.get(Keys.OBJECTS_S3_REGION),
                                settings.get(Keys.OBJECTS_S3_BUCKET),
                                settings.get(Keys.OBJECTS_S3_PREFIX),
                                settings.get(Keys.OBJECTS_S3_PATH_STYLE),
                                settings.get(Keys.OBJECTS_S3_ACCESS_KEY),
                                settings.get(Keys.OBJECTS_S3_SECRET_KEY),
                                S3Config.PART_BYTES)
                        : null,
                new ObjectRules(
                        settings.get(Keys.OBJECTS_CHECKPOINT_MAX),
                        settings.get(Keys.OBJECTS_RESULT_MAX),
                        settings.get(Keys.OBJECTS_PAYLOAD_MAX),
                        duration(settings.get(Keys.OBJECTS_UPLOAD_KEPT)),
                        settings.get(Keys.OBJECTS_CONCURRENT),
                        duration(settings.get(Keys.OBJECTS_SWEEP))));
    }

    private static Database database(Settings settings) {
        DatabaseUrl url = DatabaseUrl.parse(settings.get(Keys.DB_URL));
        String user = settings.get(Keys.DB_USER);
        String password = settings.get(Keys.DB_PASSWORD);
        if (url.jdbc().isEmpty() && !(user.isEmpty() && password.isEmpty())) {
            throw new CannotStart("db.user and db.password need db.url; without it an embedded PostgreSQL is used");
        }
        String binaries = settings.get(Keys.POSTGRES_BINARIES);
        return new Database(
                url.jdbc(),
                user.isEmpty() ? url.user() : user,
                password.isEmpty() ? url.password() : password,
                settings.get(Keys.DB_READ_CONNECTIONS),
                settings.get(Keys.DB_MAX_RECENT),
                settings.get(Keys.DB_ALLOW_UNSAFE),
                binaries.isEmpty() ? null : Settings.homeOf(binaries));
    }

    private static NodeConfig node(Settings settings) {
        return new NodeConfig(
                settings.get(Keys.NODE_NAME),
                engine(settings),
                settings.get(Keys.NODE_HEARTBEAT),
                new NodeConfig.Intake(
                        settings.get(Keys.NODE_MAX_WAITING_CALLS), settings.get(Keys.NODE_MAX_CALLS_PER_TURN)),
                new NodeConfig.Commits(
                        settings.get(Keys.COMMIT_MAX_FACTS),
                        settings.get(Keys.COMMIT_BUSY_FACTS),
                        settings.get(Keys.COMMIT_SPACING)),
                new NodeConfig.Flushes(
                        settings.get(Keys.FLUSH_INTERVAL),
                        settings.get(Keys.FLUSH_QUIET_INTERVAL),
                        settings.get(Keys.FLUSH_QUIET_CHANGES),
                        settings.get(Keys.FLUSH_MAX_CHANGES),
                        NodeConfig.LeavingOut.of(settings.get(Keys.FLUSH_LEAVE_OUT))),
                new NodeConfig.Memory(settings.get(Keys.NODE_MAX_RESIDENT), settings.get(Keys.NODE_HORIZON)),
                new NodeConfig.Patience(
                        settings.get(Keys.NODE_STALL),
                        settings.get(Keys.COMMIT_RETRY),
                        settings.get(Keys.NODE_OWNER_LEASE)),
                new Retention(
                        duration(settings.get(Keys.RETENTION_DONE)),
                        duration(settings.get(Keys.RETENTION_DEAD)),
                        duration(settings.get(Keys.RETENTION_KEYS)),
                        settings.get(Keys.RETENTION_BYTES),
                        settings.get(Keys.RETENTION_DEAD_PER_TENANT),
                        duration(settings.get(Keys.RETENTION_USAGE)),
                        duration(settings.get(Keys.RETENTION_AUDIT))),
                Set.of());
    }

    /** Parts of the retention of keys: two of them are in memory. */
    private static final int KEY_SPANS = 24;

    private static EngineConfig engine(Settings settings) {
        List<Long> aging = settings.get(Keys.ENGINE_AGING);
        if (aging.size() != 10) {
            throw new CannotStart("expected ten durations for engine.aging, one per priority, but got " + aging.size());
        }
        return new EngineConfig(
                settings.pools().stream()
                        .map(pool -> new PoolRules(
                                pool.pool(),
                                settings.get(pool.lease()),
                                settings.get(pool.slots()),
                                settings.get(pool.retries()),
                                settings.get(pool.timeLimit()),
                                settings.get(pool.bound()),
                                settings.get(pool.estimate()),
                                settings.get(pool.headroom()),
                                new Resources(
                                        settings.get(pool.cpuPerSlot()),
                                        (int) Math.min(Integer.MAX_VALUE, settings.get(pool.memoryPerSlot()) >> 20),
                                        settings.get(pool.gpusPerSlot()))))
                        .toList(),
                new EngineConfig.Share(
                        settings.get(Keys.ENGINE_HOLD),
                        settings.get(Keys.ENGINE_MIN_CHARGE),
                        settings.get(Keys.ENGINE_BURST),
                        aging,
                        settings.get(Keys.ENGINE_HAND_OVER_AFTER)),
                new EngineConfig.Attempts(
                        settings.get(Keys.ENGINE_RETRY_DELAYS),
                        settings.get(Keys.ENGINE_RETRY_JITTER),
                        settings.get(Keys.ENGINE_CRASH_LIMIT),
                        settings.get(Keys.ENGINE_CANCEL_GRACE),
                        settings.get(Keys.ENGINE_TIME_LIMIT_GRACE)),
                new EngineConfig.Keys(
                        settings.get(Keys.ENGINE_KEY_RETENTION),
                        Math.max(1, settings.get(Keys.ENGINE_KEY_RETENTION) / KEY_SPANS),
                        settings.get(Keys.ENGINE_MAX_KEYS)),
                new EngineConfig.Room(
                        settings.get(Keys.ENGINE_MAX_OPEN_JOBS),
                        settings.get(Keys.ENGINE_MAX_OPEN_JOBS_PER_TENANT),
                        settings.get(Keys.ENGINE_PROMOTIONS)),
                FailureKeys.rules(settings),
                admission(settings),
                MoveKeys.rules(settings));
    }

    private static AdmissionRules admission(Settings settings) {
        int degraded = settings.get(Keys.LIMITS_DEGRADED);
        int full = settings.get(Keys.LIMITS_FULL);
        if (degraded > full) {
            throw new CannotStart("expected limits.degraded_percent to be at most limits.full_percent, " + full
                    + ", but it is " + degraded);
        }
        return new AdmissionRules(
                List.of(
                        settings.get(Keys.SUBMIT_RATE_FREE),
                        settings.get(Keys.SUBMIT_RATE_STANDARD),
                        settings.get(Keys.SUBMIT_RATE_PRO),
                        settings.get(Keys.SUBMIT_RATE_ENTERPRISE)),
                settings.get(Keys.LIMITS_COMMIT_LAG),
                degraded,
                full);
    }

    private static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
