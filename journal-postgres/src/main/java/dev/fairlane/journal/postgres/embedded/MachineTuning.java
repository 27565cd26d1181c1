package dev.fairlane.journal.postgres.embedded;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * PostgreSQL's settings for this machine.
 *
 * @param memoryBytes of the machine, or of the container around us
 * @param diskBytes still free where the data live
 */
record MachineTuning(long memoryBytes, long diskBytes) {

    private static final long MIB = 1L << 20;

    static MachineTuning of(Path home) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new MachineTuning(
                system.getTotalMemorySize(), Files.getFileStore(home).getUsableSpace());
    }

    /** In the order they are written; same machine, same text. */
    Map<String, String> settings(boolean lz4) {
        Map<String, String> s = new LinkedHashMap<>();
        durability(s, lz4);
        sizes(s);
        manners(s);
        return s;
    }

    private void durability(Map<String, String> s, boolean lz4) {
        s.put("fsync", "on");
        s.put("full_page_writes", "on");
        s.put("synchronous_commit", "on");
        // Not minimal: our hot path copies into existing tables, where minimal saves nothing, and base backups and
        // standbys stay possible without a restart.
        s.put("wal_level", "replica");
        // Full page images of index pages; pglz would cost more processor time than the bytes are worth.
        s.put("wal_compression", lz4 ? "lz4" : "off");
        s.put("wal_buffers", "32MB");
        s.put("checkpoint_timeout", "15min");
        s.put("checkpoint_completion_target", "0.9");
    }

    private void sizes(Map<String, String> s) {
        long walMib = walMib();
        s.put("max_wal_size", walMib + "MB");
        // Segments kept are segments that need not be made and zeroed again.
        s.put("min_wal_size", Math.max(80, walMib / 2) + "MB");
        s.put("shared_buffers", bounded(memoryBytes / 8 / MIB, 128, 2048) + "MB");
        s.put("effective_cache_size", bounded(memoryBytes / 2 / MIB, 256, 1 << 20) + "MB");
        s.put("maintenance_work_mem", bounded(memoryBytes / 32 / MIB, 64, 512) + "MB");
        s.put("work_mem", "16MB");
        s.put("max_connections", "50");
        s.put("max_wal_senders", "4");
        s.put("max_replication_slots", "4");
    }

    /**
     * A quarter of the free disk as a power of two: a text that changes with every file would forbid adoption. A gigabyte at most: its segments are written
     * again and again and so stay in memory, where four gigabytes of them are always new to it, and a new cluster has them all after some seconds of a flood.
     * What more checkpoints cost is little: rows are appended, and few pages are touched again.
     */
    private long walMib() {
        return bounded(Long.highestOneBit(Math.max(1, diskBytes / 4 / MIB)), 256, 1024);
    }

    private static void manners(Map<String, String> s) {
        s.put("jit", "off");
        s.put("autovacuum", "on");
        s.put("track_io_timing", "off");
        s.put("random_page_cost", "1.1");
        s.put("timezone", "UTC");
        s.put("log_timezone", "UTC");
        s.put("lc_messages", "C");
        s.put("password_encryption", "scram-sha-256");
        s.put("cluster_name", "fairlane");
        // One file per weekday, overwritten a week later: bounded, and it outlives the JVM, which a pipe would not.
        s.put("logging_collector", "on");
        s.put("log_directory", "log");
        s.put("log_filename", "postgresql-%a.log");
        s.put("log_rotation_age", "1d");
        s.put("log_rotation_size", "0");
        s.put("log_truncate_on_rotation", "on");
        s.put("log_line_prefix", "%m [%p] %q%a ");
    }

    private static long bounded(long value, long least, long most) {
        return Math.clamp(value, least, most);
    }
}
