package dev.fairlane.journal.postgres;

import java.time.Duration;

/**
 * How to reach PostgreSQL, and the bounds of the journal on it.
 *
 * @param jdbcUrl a direct connection: a pooler that hands out transactions breaks the fence
 * @param readConnections for queries; appends and flushes have one connection each besides
 * @param segmentRows open rows after which a segment takes no more; a bundle counts as its jobs
 * @param segmentBytes the same in bytes
 * @param bundleFrom so many jobs that a flush stores of one tenant share a row
 * @param recentBytes bundles stored lately that are kept in memory while jobs move
 * @param ringBytes journal bytes after which the next table of the ring is used
 * @param writeTimeout how long a write may be silent before its outcome counts as unknown
 * @param takeoverPatience how long a takeover waits for an owner in the middle of a commit before it ends its connection
 */
public record PostgresConfig(
        String jdbcUrl,
        String user,
        String password,
        int readConnections,
        int segmentRows,
        long segmentBytes,
        int bundleFrom,
        long recentBytes,
        long ringBytes,
        Duration writeTimeout,
        Duration takeoverPatience) {

    public static PostgresConfig of(String jdbcUrl, String user, String password) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                4,
                64 * 1024,
                64L << 20,
                4,
                0,
                64L << 20,
                Duration.ofSeconds(30),
                Duration.ofSeconds(1));
    }

    public PostgresConfig withReadConnections(int count) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                count,
                segmentRows,
                segmentBytes,
                bundleFrom,
                recentBytes,
                ringBytes,
                writeTimeout,
                takeoverPatience);
    }

    public PostgresConfig withSegmentRows(int rows) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                readConnections,
                rows,
                segmentBytes,
                bundleFrom,
                recentBytes,
                ringBytes,
                writeTimeout,
                takeoverPatience);
    }

    public PostgresConfig withBundleFrom(int jobs) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                readConnections,
                segmentRows,
                segmentBytes,
                jobs,
                recentBytes,
                ringBytes,
                writeTimeout,
                takeoverPatience);
    }

    public PostgresConfig withRecentBytes(long bytes) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                readConnections,
                segmentRows,
                segmentBytes,
                bundleFrom,
                bytes,
                ringBytes,
                writeTimeout,
                takeoverPatience);
    }

    public PostgresConfig withRingBytes(long bytes) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                readConnections,
                segmentRows,
                segmentBytes,
                bundleFrom,
                recentBytes,
                bytes,
                writeTimeout,
                takeoverPatience);
    }

    public PostgresConfig withWriteTimeout(Duration timeout) {
        return new PostgresConfig(
                jdbcUrl,
                user,
                password,
                readConnections,
                segmentRows,
                segmentBytes,
                bundleFrom,
                recentBytes,
                ringBytes,
                timeout,
                takeoverPatience);
    }

    /** Never shows the password. */
    @Override
    public String toString() {
        return "PostgresConfig[" + jdbcUrl + " as " + user + "]";
    }
}
