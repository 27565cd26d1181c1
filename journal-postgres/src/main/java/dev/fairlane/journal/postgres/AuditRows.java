package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries of the audit, and both ends of each chain. */
final class AuditRows {
    private static final HexFormat HEX = HexFormat.of();
    private static final long PURGE_EVERY_NANOS = 3_600_000_000_000L;

    // of the upkeep thread
    private long purgeNotBefore = System.nanoTime();

    static void add(Connection connection, List<AuditEntry> entries) throws SQLException {
        if (entries.isEmpty()) {
            return;
        }
        Map<Integer, AuditEntry> newest = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("add_audit"))) {
            for (AuditEntry entry : entries) {
                newest.put(entry.chain().number(), entry);
                statement.setInt(1, entry.chain().number());
                statement.setLong(2, entry.sequence());
                statement.setLong(3, entry.at());
                statement.setString(4, entry.by().keyId());
                statement.setString(5, entry.by().keyName());
                statement.setString(6, entry.by().role());
                statement.setString(7, entry.by().request());
                statement.setString(8, entry.by().trace());
                statement.setBytes(9, HEX.parseHex(entry.by().digest()));
                statement.setString(10, entry.deed().action());
                statement.setString(11, entry.deed().target());
                statement.setString(12, entry.deed().summary());
                statement.setString(13, entry.deed().reason());
                statement.setBytes(14, HEX.parseHex(entry.deed().before()));
                statement.setBytes(15, HEX.parseHex(entry.deed().after()));
                statement.setBytes(16, HEX.parseHex(entry.hash()));
                statement.setBytes(17, HEX.parseHex(entry.reasonDigest()));
                statement.addBatch();
            }
            statement.executeBatch();
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("extend_audit_chain"))) {
            for (AuditEntry entry : newest.values()) {
                statement.setInt(1, entry.chain().number());
                statement.setLong(2, entry.sequence());
                statement.setBytes(3, HEX.parseHex(entry.hash()));
                statement.setLong(4, entry.at());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** @param before entries made earlier need not be kept */
    void maintain(Connection connection, LogId log, long before) throws SQLException {
        long now = System.nanoTime();
        if (now - purgeNotBefore < 0) {
            return;
        }
        purgeNotBefore = now + PURGE_EVERY_NANOS;
        int[] moved = {1};
        while (moved[0] > 0) {
            Transactions.fenced(connection, log, "purge the audit", () -> {
                try (PreparedStatement statement = connection.prepareStatement(Sql.of("purge_audit"))) {
                    statement.setLong(1, before);
                    moved[0] = statement.executeUpdate();
                }
            });
        }
    }

    static boolean eraseReason(Connection connection, TenantId chain, long sequence) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("erase_reason"))) {
            statement.setInt(1, chain.number());
            statement.setLong(2, sequence);
            return statement.executeUpdate() > 0;
        }
    }

    // ---- reads

    static void tell(Connection connection, RecoverySink sink) throws SQLException {
        for (AuditHead head : heads(connection, null, -1, Integer.MAX_VALUE)) {
            sink.audit(head);
        }
    }

    static List<AuditHead> heads(Connection connection, @Nullable TenantId chain, int after, int limit)
            throws SQLException {
        List<AuditHead> heads = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_audit_chains"))) {
            statement.setBoolean(1, chain == null);
            statement.setInt(2, chain == null ? 0 : chain.number());
            statement.setInt(3, after);
            statement.setInt(4, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    heads.add(new AuditHead(
                            new TenantId(rows.getInt(1)),
                            rows.getLong(2),
                            HEX.formatHex(rows.getBytes(3)),
                            rows.getLong(4),
                            HEX.formatHex(rows.getBytes(5)),
                            rows.getLong(6)));
                }
            }
        }
        return heads;
    }

    static List<AuditEntry> find(Connection connection, AuditQuery query) throws SQLException {
        TenantId chain = query.chain();
        AuditQuery.Place after = query.after() != null ? query.after() : begin(query.oldestFirst());
        String order = query.oldestFirst() ? "oldest" : "newest";
        String deed = (chain == null ? "page_audit_" : "page_audit_chain_") + order;
        List<AuditEntry> entries = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
            statement.setLong(1, query.fromAt());
            statement.setLong(2, query.until());
            if (chain == null) {
                statement.setLong(3, after.at());
                statement.setInt(4, after.chain());
                statement.setLong(5, after.sequence());
                statement.setInt(6, query.limit());
            } else {
                statement.setInt(3, chain.number());
                statement.setLong(4, after.sequence());
                statement.setInt(5, query.limit());
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    entries.add(entry(rows));
                }
            }
        }
        return entries;
    }

    private static AuditQuery.Place begin(boolean oldestFirst) {
        return oldestFirst
                ? new AuditQuery.Place(Long.MIN_VALUE, 0, 0)
                : new AuditQuery.Place(Long.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    private static AuditEntry entry(ResultSet rows) throws SQLException {
        return new AuditEntry(
                new TenantId(rows.getInt(1)),
                rows.getLong(2),
                rows.getLong(3),
                new Author(
                        rows.getString(4),
                        rows.getString(5),
                        rows.getString(6),
                        rows.getString(7),
                        rows.getString(8),
                        HEX.formatHex(rows.getBytes(9))),
                new AuditDeed(
                        rows.getString(10),
                        rows.getString(11),
                        rows.getString(12),
                        rows.getString(13),
                        HEX.formatHex(rows.getBytes(14)),
                        HEX.formatHex(rows.getBytes(15))),
                HEX.formatHex(rows.getBytes(17)),
                HEX.formatHex(rows.getBytes(16)));
    }
}
