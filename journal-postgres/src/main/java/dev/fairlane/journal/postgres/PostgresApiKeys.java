package dev.fairlane.journal.postgres;

import dev.fairlane.journal.ApiKeyStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/** Credentials as plain rows. */
final class PostgresApiKeys implements ApiKeyStore {
    private final Lane lane;
    private final DataSource pool;

    PostgresApiKeys(Lane lane, DataSource pool) {
        this.lane = lane;
        this.pool = pool;
    }

    @Override
    public CompletableFuture<Boolean> add(ApiKey key) {
        return lane.run("add a key", () -> {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(Sql.of("add_api_key"))) {
                statement.setString(1, key.id());
                statement.setBytes(2, key.hash());
                statement.setString(3, key.name());
                statement.setString(4, key.tenant());
                statement.setString(5, key.role());
                statement.setLong(6, key.createdAt());
                statement.setLong(7, key.revokedAt());
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public CompletableFuture<List<ApiKey>> all() {
        return lane.run("list the keys", this::list);
    }

    private List<ApiKey> list() throws SQLException {
        List<ApiKey> keys = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(Sql.of("list_api_keys"));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                keys.add(new ApiKey(
                        rows.getString(1),
                        rows.getBytes(2),
                        rows.getString(3),
                        rows.getString(4),
                        rows.getString(5),
                        rows.getLong(6),
                        rows.getLong(7)));
            }
        }
        return keys;
    }

    @Override
    public CompletableFuture<Boolean> revoke(String id, long at) {
        return lane.run("revoke a key", () -> {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(Sql.of("revoke_api_key"))) {
                statement.setLong(1, at);
                statement.setString(2, id);
                return statement.executeUpdate() == 1;
            }
        });
    }
}
