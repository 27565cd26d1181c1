package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.WebhookSecretStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/** Webhook secrets as plain rows, one a tenant. */
final class PostgresWebhookSecrets implements WebhookSecretStore {
    private final Lane lane;
    private final DataSource pool;

    PostgresWebhookSecrets(Lane lane, DataSource pool) {
        this.lane = lane;
        this.pool = pool;
    }

    @Override
    public CompletableFuture<List<Secret>> of(TenantId tenant) {
        return lane.run("read webhook secrets", () -> {
            try (Connection connection = pool.getConnection()) {
                return read(connection, tenant);
            }
        });
    }

    @Override
    public CompletableFuture<List<Secret>> ensure(TenantId tenant, Secret secret) {
        return lane.run("ensure a webhook secret", () -> write("ensure_webhook_secret", tenant, secret));
    }

    @Override
    public CompletableFuture<List<Secret>> rotate(TenantId tenant, Secret secret) {
        return lane.run("rotate a webhook secret", () -> write("rotate_webhook_secret", tenant, secret));
    }

    private List<Secret> write(String deed, TenantId tenant, Secret secret) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
                statement.setInt(1, tenant.number());
                statement.setString(2, secret.text());
                statement.setLong(3, secret.madeAt());
                statement.executeUpdate();
            }
            return read(connection, tenant);
        }
    }

    private static List<Secret> read(Connection connection, TenantId tenant) throws SQLException {
        List<Secret> secrets = new ArrayList<>(2);
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("find_webhook_secrets"))) {
            statement.setInt(1, tenant.number());
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    secrets.add(new Secret(rows.getString(1), rows.getLong(2)));
                    String before = rows.getString(3);
                    if (before != null) {
                        secrets.add(new Secret(before, rows.getLong(4)));
                    }
                }
            }
        }
        return secrets;
    }
}
