package dev.fairlane.server.config;

import static dev.fairlane.server.config.Form.DURATION;
import static dev.fairlane.server.config.Form.DURATIONS;
import static dev.fairlane.server.config.Form.SIZE;
import static dev.fairlane.server.config.Form.TEXT;
import static dev.fairlane.server.config.Form.YES_OR_NO;
import static dev.fairlane.server.config.Form.fraction;
import static dev.fairlane.server.config.Form.minutesAtMost;
import static dev.fairlane.server.config.Form.number;
import static dev.fairlane.server.config.Form.oneOf;

import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All settings. Defaults are the numbers of the contract. */
public final class Keys {
    public static final Key<String> HOME =
            Key.of("home", TEXT, "~/.fairlane", "Folder of the admin key and, without db.url, of the data");

    public static final Key<String> LISTEN_HOST =
            Key.of("listen.host", TEXT, "127.0.0.1", "Address to listen on; 0.0.0.0 for all");
    public static final Key<Integer> LISTEN_PORT =
            Key.of("listen.port", number(0, 65_535), "8080", "Port for gRPC and REST; 0 for any free one");
    public static final Key<Long> LISTEN_STOP_GRACE =
            Key.of("listen.stop_grace", DURATION, "5s", "How long calls under way may take when the server stops");

    public static final Key<String> NODE_NAME =
            Key.of("node.name", TEXT, "node-1", "Name of this node, as people see it");
    public static final Key<Integer> NODE_MAX_WAITING_CALLS = Key.of(
            "node.max_waiting_calls",
            number(1_000, 10_000_000),
            "100000",
            "Jobs and results waiting before the loop; over it calls are refused as OVERLOADED");
    public static final Key<Integer> NODE_MAX_CALLS_PER_TURN =
            Key.of("node.max_calls_per_turn", number(1, 1_000_000), "1000", "Calls decided in one turn of the loop");
    public static final Key<Long> NODE_MAX_RESIDENT = Key.of(
            "node.max_resident",
            SIZE,
            "24MiB",
            "Payloads of stored waiting jobs kept in memory; up to twice as much while they are run");
    public static final Key<Long> NODE_HEARTBEAT =
            Key.of("node.heartbeat", DURATION, "3s", "How often workers report what they hold");
    public static final Key<Long> NODE_STALL =
            Key.of("node.stall", DURATION, "1s", "A gap between turns that renews all live leases");
    public static final Key<Long> NODE_OWNER_LEASE = Key.of(
            "node.owner_lease",
            DURATION,
            "4s",
            "How long a node trusts its ownership after its last sign from the store");
    public static final Key<Long> NODE_HORIZON = Key.of(
            "node.horizon",
            DURATION,
            "10m",
            "Jobs due later than this from now are kept in the store alone, and loaded before they are due");

    public static final Key<Integer> COMMIT_MAX_FACTS = Key.of(
            "commit.max_facts",
            number(100, 1_000_000),
            "20000",
            "Facts gathered before calls wait for the commit under way");
    public static final Key<Integer> COMMIT_BUSY_FACTS = Key.of(
            "commit.busy_facts",
            number(1, 1_000_000),
            "400",
            "A commit of this many facts counts as full load, one of half as many as half");
    public static final Key<Long> COMMIT_SPACING = Key.of(
            "commit.spacing",
            DURATION,
            "2ms",
            "Under full load, and where nobody waits, least time from one commit to the next");
    public static final Key<Long> COMMIT_RETRY = Key.of(
            "commit.retry", DURATION, "20ms", "First wait before a failed commit is sent again; doubles up to 1s");
    public static final Key<Long> FLUSH_INTERVAL = Key.of(
            "flush.interval", DURATION, "1s", "Longest time between projections while there is something to project");
    public static final Key<Long> FLUSH_QUIET_INTERVAL = Key.of(
            "flush.quiet_interval", DURATION, "250ms", "The same while little changes, or waiting jobs are left out");
    public static final Key<Integer> FLUSH_QUIET_CHANGES = Key.of(
            "flush.quiet_changes", number(1, 10_000_000), "40000", "Changes below which the quiet interval holds");
    public static final Key<Integer> FLUSH_MAX_CHANGES =
            Key.of("flush.max_changes", number(1, 10_000_000), "200000", "Changes that start a projection at once");

    public static final Key<Long> FLUSH_LEAVE_OUT = Key.of(
            "flush.leave_out",
            minutesAtMost(2),
            "15s",
            "In a flood, how long after its submit a waiting job is left to the journal, which keeps all of that time, and to memory (an eighth of the heap at"
                    + " most), since most are run by then; 0s: all are stored with the next flush");

    public static final Key<String> DB_URL = Key.of(
            "db.url",
            TEXT,
            "",
            "postgresql://user@host:5432/name or its jdbc: form; not set: an embedded PostgreSQL in home");
    public static final Key<String> DB_USER = Key.of("db.user", TEXT, "", "User of db.url");
    public static final Key<String> DB_PASSWORD = Key.secret("db.password", TEXT, "Password of db.user");

    public static final Key<Integer> DB_READ_CONNECTIONS =
            Key.of("db.read_connections", number(1, 1_000), "4", "Connections for queries");
    public static final Key<Long> DB_MAX_RECENT = Key.of(
            "db.max_recent",
            SIZE,
            "192MiB",
            "Jobs stored lately that are kept as bytes while a backlog moves, at most a 32nd of the heap; nothing at rest");
    public static final Key<Boolean> DB_ALLOW_UNSAFE = Key.of(
            "db.allow_unsafe",
            YES_OR_NO,
            "false",
            "Start on a PostgreSQL that can lose what it acknowledged (fsync off)");
    public static final Key<String> POSTGRES_BINARIES = Key.of(
            "postgres.binaries",
            TEXT,
            "",
            "Folder for the embedded PostgreSQL's binaries, may be shared; not set: in home");

    public static final Key<Long> ENGINE_HOLD =
            Key.of("engine.hold", DURATION, "30s", "Pace at which past use of slots is given back (H)");
    public static final Key<Long> ENGINE_MIN_CHARGE =
            Key.of("engine.min_charge", DURATION, "10ms", "Least slot-time a job is charged");
    public static final Key<Long> ENGINE_BURST =
            Key.of("engine.burst", DURATION, "10s", "Credit a tenant may bring from idling");
    public static final Key<List<Long>> ENGINE_AGING = Key.of(
            "engine.aging",
            DURATIONS,
            "[0s, 5m, 15m, 25m, 40m, 1h, 2h, 5h, 12h, 24h]",
            "Per priority, how long until a job counts as priority 0");
    public static final Key<Long> ENGINE_HAND_OVER_AFTER = Key.of(
            "engine.hand_over_after",
            DURATION,
            "1m",
            "How long a job of a preemptible type runs at least before it is asked to make room");
    public static final Key<List<Long>> ENGINE_RETRY_DELAYS = Key.of(
            "engine.retry_delays",
            DURATIONS,
            "[1s, 5s, 30s, 5m, 30m]",
            "Waits after counted failures; the last repeats");
    public static final Key<Double> ENGINE_RETRY_JITTER =
            Key.of("engine.retry_jitter", fraction(), "0.2", "Fraction by which a wait may be longer or shorter");
    public static final Key<Integer> ENGINE_CRASH_LIMIT =
            Key.of("engine.crash_limit", number(0, 1_000), "20", "Crashes of its worker a job survives");
    public static final Key<Long> ENGINE_CANCEL_GRACE =
            Key.of("engine.cancel_grace", DURATION, "5m", "From a cancel request to the revocation of the lease");
    public static final Key<Long> ENGINE_TIME_LIMIT_GRACE =
            Key.of("engine.time_limit_grace", DURATION, "10s", "From a time limit to the server's own revocation");
    public static final Key<Long> ENGINE_KEY_RETENTION =
            Key.of("engine.key_retention", DURATION, "24h", "How long an idempotency key is remembered");
    public static final Key<Integer> ENGINE_MAX_OPEN_JOBS = Key.of(
            "engine.max_open_jobs", number(1, 100_000_000), "20000000", "Open jobs of the node; over it NODE_FULL");
    public static final Key<Integer> ENGINE_MAX_OPEN_JOBS_PER_TENANT = Key.of(
            "engine.max_open_jobs_per_tenant",
            number(1, 100_000_000),
            "10000000",
            "The same for a tenant; over it DEPTH_LIMIT");
    public static final Key<Integer> ENGINE_MAX_KEYS = Key.of(
            "engine.max_keys",
            number(1, 100_000_000),
            "20000000",
            "Idempotency keys in memory, those of an hour or two; at most what a quarter of the heap holds; over it NODE_FULL for keyed jobs");
    public static final Key<Integer> ENGINE_PROMOTIONS = Key.of(
            "engine.promotions_per_second",
            number(1, 10_000_000),
            "20000",
            "Due jobs queued and ticks of schedules dealt with per second at most, together");

    public static final Key<Integer> SUBMIT_RATE_FREE = submitRate(Tier.FREE);
    public static final Key<Integer> SUBMIT_RATE_STANDARD = submitRate(Tier.STANDARD);
    public static final Key<Integer> SUBMIT_RATE_PRO = submitRate(Tier.PRO);
    public static final Key<Integer> SUBMIT_RATE_ENTERPRISE = submitRate(Tier.ENTERPRISE);
    public static final Key<Long> LIMITS_COMMIT_LAG =
            Key.of("limits.commit_lag", DURATION, "5s", "How long a commit may take before the node counts as full");
    public static final Key<Integer> LIMITS_DEGRADED = Key.of(
            "limits.degraded_percent",
            number(1, 100),
            "80",
            "Of the node's bounds (open jobs, heap, commit lag): from here on jobs of priority 7 to 9 are marked degraded");
    public static final Key<Integer> LIMITS_FULL = Key.of(
            "limits.full_percent", number(1, 100), "90", "Of the same bounds: from here on submits get NODE_FULL");

    private static Key<Integer> submitRate(Tier tier) {
        String name = tier.name().toLowerCase(Locale.ROOT);
        return Key.of(
                "limits.submit_rate." + name,
                number(0, 1_000_000),
                Integer.toString(tier.submitRate()),
                "Jobs a second that a tenant of the tier " + name
                        + " may submit unless it has a rate of its own; 0: no bound");
    }

    /** The settings of one pool. */
    public record PoolKeys(
            String pool,
            Key<Long> lease,
            Key<Integer> slots,
            Key<Integer> retries,
            Key<Long> timeLimit,
            Key<Long> bound,
            Key<Long> estimate,
            Key<Integer> headroom,
            Key<Integer> cpuPerSlot,
            Key<Long> memoryPerSlot,
            Key<Integer> gpusPerSlot,
            UsageKeys.Prices prices) {
        /** All but the prices, which stand elsewhere. */
        List<Key<?>> all() {
            return List.of(
                    lease,
                    slots,
                    retries,
                    timeLimit,
                    bound,
                    estimate,
                    headroom,
                    cpuPerSlot,
                    memoryPerSlot,
                    gpusPerSlot);
        }
    }

    public static final Key<List<String>> MORE_POOLS = Key.of(
            "pools.more",
            Form.POOL_NAMES,
            "[]",
            "Further pools; each has the settings of the others under pools.NAME, which are those of medium without a"
                    + " bound unless given, and prices under usage.price");

    public static final List<PoolKeys> POOLS = List.of(
            pool(PoolRules.SHORT, "10s", "50", "5", "30s", "1s", "10s", "0"),
            pool(PoolRules.MEDIUM, "60s", "8", "3", "10m", "1m", "60s", "0"),
            pool(PoolRules.LONG, "90s", "2", "2", "24h", "0s", "10m", "10"));

    public static final Key<Long> RETENTION_USAGE =
            Key.of("retention.usage", DURATION, "400d", "How long the hours of the ledger are kept");
    public static final Key<Long> RETENTION_AUDIT =
            Key.of("retention.audit", DURATION, "2557d", "How long entries of the audit are kept");
    public static final Key<Long> RETENTION_DONE =
            Key.of("retention.done", DURATION, "90d", "How long finished jobs are kept");
    public static final Key<Long> RETENTION_DEAD =
            Key.of("retention.dead", DURATION, "7d", "How long dead jobs are kept");
    public static final Key<Integer> RETENTION_DEAD_PER_TENANT = Key.of(
            "retention.dead_per_tenant",
            number(1, 100_000_000),
            "100000",
            "Dead jobs a tenant may have; beyond, its oldest go");
    public static final Key<Long> RETENTION_KEYS =
            Key.of("retention.keys", DURATION, "25h", "How long idempotency keys are kept in the store");
    public static final Key<Long> RETENTION_BYTES =
            Key.of("retention.history_bytes", SIZE, "0", "Bound on all history together; 0 for none");

    public static final Key<Boolean> WEBHOOKS_ENABLED = Key.of(
            "webhooks.enabled", YES_OR_NO, "true", "Take jobs with a webhook, and deliver webhooks from this server");
    public static final Key<Boolean> WEBHOOKS_ALLOW_HTTP =
            Key.of("webhooks.allow_http", YES_OR_NO, "false", "Webhooks may go to http:// addresses too");
    public static final Key<Boolean> WEBHOOKS_ALLOW_PRIVATE = Key.of(
            "webhooks.allow_private",
            YES_OR_NO,
            "false",
            "Webhooks may call loopback and private addresses: only where everybody who submits is trusted");
    public static final Key<Integer> WEBHOOKS_CONCURRENCY =
            Key.of("webhooks.concurrency", number(1, 10_000), "32", "Webhooks delivered at once");
    public static final Key<Long> WEBHOOKS_TIMEOUT =
            Key.of("webhooks.timeout", DURATION, "10s", "How long a webhook's receiver may take to answer");

    public static final Key<String> LOG_LEVEL =
            Key.of("log.level", oneOf("error", "warn", "info", "debug", "trace"), "info", "Least level that is logged");
    public static final Key<String> LOG_FORMAT =
            Key.of("log.format", oneOf("text", "json"), "text", "Lines for people, or one JSON object a line");

    public static final Key<String> OBJECTS_STORE =
            Key.of("objects.store", oneOf("local", "s3"), "local", "Where checkpoints and other large things lie");
    public static final Key<String> OBJECTS_FOLDER =
            Key.of("objects.folder", TEXT, "", "Folder of the local store; not set: objects in home");
    public static final Key<String> OBJECTS_S3_ENDPOINT =
            Key.of("objects.s3.endpoint", TEXT, "", "Address of an S3-compatible server; not set: Amazon's");
    public static final Key<String> OBJECTS_S3_REGION =
            Key.of("objects.s3.region", TEXT, "us-east-1", "Region of the bucket");
    public static final Key<String> OBJECTS_S3_BUCKET =
            Key.of("objects.s3.bucket", TEXT, "", "Bucket; it must be there");
    public static final Key<String> OBJECTS_S3_PREFIX =
            Key.of("objects.s3.prefix", TEXT, "", "Put before every name, so that a bucket can be shared");
    public static final Key<Boolean> OBJECTS_S3_PATH_STYLE = Key.of(
            "objects.s3.path_style",
            YES_OR_NO,
            "false",
            "Bucket in the path instead of the host name; most servers other than Amazon's want it");
    public static final Key<String> OBJECTS_S3_ACCESS_KEY =
            Key.of("objects.s3.access_key", TEXT, "", "Access key; not set: what the environment offers, e.g. a role");
    public static final Key<String> OBJECTS_S3_SECRET_KEY =
            Key.secret("objects.s3.secret_key", TEXT, "Secret of the access key");
    public static final Key<Long> OBJECTS_CHECKPOINT_MAX =
            Key.of("objects.checkpoint_max", SIZE, "64MiB", "Largest checkpoint of a job");
    public static final Key<Long> OBJECTS_RESULT_MAX =
            Key.of("objects.result_max", SIZE, "256MiB", "Largest result of a job");
    public static final Key<Long> OBJECTS_PAYLOAD_MAX =
            Key.of("objects.payload_max", SIZE, "256MiB", "Largest payload that is stored apart from its job");
    public static final Key<Long> OBJECTS_UPLOAD_KEPT =
            Key.of("objects.upload_kept", DURATION, "24h", "How long a stored payload waits for its job; at least 2h");
    public static final Key<Integer> OBJECTS_CONCURRENT = Key.of(
            "objects.concurrent", number(1, 10_000), "64", "Transfers at once; further ones are refused as OVERLOADED");
    public static final Key<Long> OBJECTS_SWEEP =
            Key.of("objects.sweep", DURATION, "1h", "How often what nobody points to is removed");

    public static final List<Key<?>> ALL = all();

    private Keys() {}

    private static PoolKeys pool(
            String pool,
            String lease,
            String slots,
            String retries,
            String timeLimit,
            String bound,
            String estimate,
            String headroom) {
        String name = "pools." + pool + ".";
        return new PoolKeys(
                pool,
                Key.of(name + "lease", DURATION, lease, "How long a silent worker keeps a job of this pool"),
                Key.of(
                        name + "slots_per_worker",
                        number(1, 100_000),
                        slots,
                        "Slots a worker offers unless it says otherwise"),
                Key.of(name + "retries", number(0, 100), retries, "Retries unless the job or its type says otherwise"),
                Key.of(
                        name + "time_limit",
                        DURATION,
                        timeLimit,
                        "Longest attempt unless the job or its type says otherwise"),
                Key.of(
                        name + "bound",
                        DURATION,
                        bound,
                        "A type whose jobs often take longer is moved to a larger pool; 0s: none is"),
                Key.of(
                        name + "estimate",
                        DURATION,
                        estimate,
                        "What a job is thought to take before one of its type was measured"),
                Key.of(
                        name + "headroom_percent",
                        number(0, 100),
                        headroom,
                        "Slots kept for tenants that hold less than their share"),
                Key.of(
                        name + "cpu_millis_per_slot",
                        number(0, 10_000_000),
                        "1000",
                        "A job that demands more CPU counts as several slots; 0: CPU does not count"),
                Key.of(
                        name + "memory_per_slot",
                        SIZE,
                        "1GiB",
                        "A job that demands more memory counts as several slots; 0: memory does not count"),
                Key.of(
                        name + "gpus_per_slot",
                        number(0, 10_000),
                        "1",
                        "A job that demands more GPUs counts as several slots; 0: GPUs do not count"),
                UsageKeys.prices(pool));
    }

    /** The keys of pools that the settings add. */
    static List<PoolKeys> poolsNamed(List<String> names) {
        return names.stream()
                .map(name -> pool(name, "60s", "8", "3", "10m", "0s", "60s", "0"))
                .toList();
    }

    private static List<Key<?>> all() {
        List<Key<?>> keys = new ArrayList<>(List.of(
                HOME,
                LISTEN_HOST,
                LISTEN_PORT,
                LISTEN_STOP_GRACE,
                DB_URL,
                DB_USER,
                DB_PASSWORD,
                DB_READ_CONNECTIONS,
                DB_MAX_RECENT,
                DB_ALLOW_UNSAFE,
                POSTGRES_BINARIES,
                NODE_NAME,
                NODE_MAX_WAITING_CALLS,
                NODE_MAX_CALLS_PER_TURN,
                NODE_MAX_RESIDENT,
                NODE_HEARTBEAT,
                NODE_STALL,
                NODE_OWNER_LEASE,
                NODE_HORIZON,
                COMMIT_MAX_FACTS,
                COMMIT_BUSY_FACTS,
                COMMIT_SPACING,
                COMMIT_RETRY,
                FLUSH_INTERVAL,
                FLUSH_QUIET_INTERVAL,
                FLUSH_QUIET_CHANGES,
                FLUSH_MAX_CHANGES,
                FLUSH_LEAVE_OUT,
                ENGINE_HOLD,
                ENGINE_MIN_CHARGE,
                ENGINE_BURST,
                ENGINE_AGING,
                ENGINE_HAND_OVER_AFTER,
                ENGINE_RETRY_DELAYS,
                ENGINE_RETRY_JITTER,
                ENGINE_CRASH_LIMIT,
                ENGINE_CANCEL_GRACE,
                ENGINE_TIME_LIMIT_GRACE,
                ENGINE_KEY_RETENTION,
                ENGINE_MAX_OPEN_JOBS,
                ENGINE_MAX_OPEN_JOBS_PER_TENANT,
                ENGINE_MAX_KEYS,
                ENGINE_PROMOTIONS));
        POOLS.forEach(pool -> keys.addAll(pool.all()));
        keys.add(MORE_POOLS);
        keys.addAll(List.of(
                SUBMIT_RATE_FREE,
                SUBMIT_RATE_STANDARD,
                SUBMIT_RATE_PRO,
                SUBMIT_RATE_ENTERPRISE,
                LIMITS_COMMIT_LAG,
                LIMITS_DEGRADED,
                LIMITS_FULL));
        keys.addAll(MoveKeys.ALL);
        keys.addAll(FailureKeys.ALL);
        keys.addAll(List.of(
                RETENTION_DONE,
                RETENTION_DEAD,
                RETENTION_DEAD_PER_TENANT,
                RETENTION_KEYS,
                RETENTION_BYTES,
                RETENTION_USAGE,
                RETENTION_AUDIT));
        keys.addAll(UsageKeys.ALL);
        POOLS.forEach(pool -> keys.addAll(pool.prices().all()));
        keys.addAll(List.of(
                WEBHOOKS_ENABLED, WEBHOOKS_ALLOW_HTTP, WEBHOOKS_ALLOW_PRIVATE, WEBHOOKS_CONCURRENCY, WEBHOOKS_TIMEOUT));
        keys.addAll(List.of(LOG_LEVEL, LOG_FORMAT));
        keys.addAll(List.of(
                OBJECTS_STORE,
                OBJECTS_FOLDER,
                OBJECTS_S3_ENDPOINT,
                OBJECTS_S3_REGION,
                OBJECTS_S3_BUCKET,
                OBJECTS_S3_PREFIX,
                OBJECTS_S3_PATH_STYLE,
                OBJECTS_S3_ACCESS_KEY,
                OBJECTS_S3_SECRET_KEY,
                OBJECTS_CHECKPOINT_MAX,
                OBJECTS_RESULT_MAX,
                OBJECTS_PAYLOAD_MAX,
                OBJECTS_UPLOAD_KEPT,
                OBJECTS_CONCURRENT,
                OBJECTS_SWEEP));
        return List.copyOf(keys);
    }
}
