package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.RowCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds stored keys: in the partition of the hour they may be of, and among dead jobs. One question for many keys. */
final class KeyReads {
    private static final byte[] NO_PAYLOAD = {};

    private final DataSource pool;

    KeyReads(DataSource pool) {
        this.pool = pool;
    }

    List<Optional<StoredKey>> find(List<KeyProbe> probes) throws SQLException {
        List<@Nullable StoredKey> found = new ArrayList<>(Collections.nCopies(probes.size(), null));
        try (Connection connection = pool.getConnection()) {
            if (inHours(probes).findAny().isPresent()) {
                byHour(connection, probes, found);
            }
            if (probes.stream().anyMatch(KeyProbe::dead)) {
                amongDead(connection, probes, found);
            }
        }
        return found.stream().map(Optional::ofNullable).toList();
    }

    private static void byHour(Connection connection, List<KeyProbe> probes, List<@Nullable StoredKey> found)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("find_keys"))) {
            array(
                    statement,
                    1,
                    "int4",
                    probes.stream().map(probe -> probe.tenant().number()).toArray());
            array(statement, 2, "text", probes.stream().map(KeyProbe::key).toArray());
            array(statement, 3, "int8", probes.stream().map(KeyProbe::from).toArray());
            array(statement, 4, "int8", probes.stream().map(KeyProbe::to).toArray());
            // So that hours nobody asks for are not even planned.
            statement.setLong(5, inHours(probes).mapToLong(KeyProbe::from).min().orElse(0));
            statement.setLong(6, inHours(probes).mapToLong(KeyProbe::to).max().orElse(0));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keepLater(
                            found,
                            rows.getInt(1) - 1,
                            new StoredKey(Ids.of(rows, 2), rows.getLong(3), rows.getLong(4), end(rows)));
                }
            }
        }
    }

    private static void amongDead(Connection connection, List<KeyProbe> probes, List<@Nullable StoredKey> found)
            throws SQLException {
        List<Integer> places = IntStream.range(0, probes.size())
                .filter(place -> probes.get(place).dead())
                .boxed()
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("find_dead_keys"))) {
            array(
                    statement,
                    1,
                    "int4",
                    places.stream()
                            .map(place -> probes.get(place).tenant().number())
                            .toArray());
            array(
                    statement,
                    2,
                    "text",
                    places.stream().map(place -> probes.get(place).key()).toArray());
            array(statement, 3, "int8", places.stream().map(Integer::longValue).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    JobSpec spec = RowCodec.decodeSpec(
                            Ids.of(rows, 2),
                            new TenantId(rows.getInt(3)),
                            rows.getString(4),
                            NO_PAYLOAD,
                            rows.getBytes(5));
                    StoredKey other = found.get(rows.getInt(1));
                    if (other == null || other.submittedAt() <= spec.submittedAt()) {
                        found.set(
                                rows.getInt(1),
                                new StoredKey(spec.id(), spec.bodyHash(), spec.submittedAt(), JobState.DEAD));
                    }
                }
            }
        }
    }

    private static Stream<KeyProbe> inHours(List<KeyProbe> probes) {
        return probes.stream().filter(probe -> probe.from() < probe.to());
    }

    private static @Nullable JobState end(ResultSet rows) throws SQLException {
        int state = rows.getInt(5);
        return rows.wasNull() ? null : JobState.of(state);
    }

    private static void keepLater(List<@Nullable StoredKey> found, int place, StoredKey one) {
        StoredKey other = found.get(place);
        if (other == null
                || other.submittedAt() < one.submittedAt()
                || other.submittedAt() == one.submittedAt()
                        && (one.dead() || other.id().compareTo(one.id()) < 0)) {
            found.set(place, one);
        }
    }

    private static void array(PreparedStatement statement, int at, String type, Object[] values) throws SQLException {
        statement.setArray(at, statement.getConnection().createArrayOf(type, values));
    }
}
