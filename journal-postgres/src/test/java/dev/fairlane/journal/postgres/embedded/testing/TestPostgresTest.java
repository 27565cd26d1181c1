package dev.fairlane.journal.postgres.embedded.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class TestPostgresTest {

    @Test
    void everyTestHasADatabaseOfItsOwn() throws SQLException {
        try (TestDatabase one = TestPostgres.freshDatabase();
                TestDatabase two = TestPostgres.freshDatabase();
                Connection inOne = one.connect();
                Connection inTwo = two.dataSource().getConnection();
                Statement statementInOne = inOne.createStatement();
                Statement statementInTwo = inTwo.createStatement()) {
            statementInOne.execute("CREATE TABLE t (n int)");
            statementInTwo.execute("CREATE TABLE t (n int)");
            assertThat(one.name()).isNotEqualTo(two.name());
        }
    }

    @Test
    void aClosedDatabaseIsGoneEvenWithAnOpenConnection() throws SQLException {
        TestDatabase database = TestPostgres.freshDatabase();
        Connection left = database.connect();
        database.close();
        assertThatThrownBy(database::connect).hasMessageContaining("does not exist");
        assertThat(left.isValid(5)).isFalse();
        left.close();
    }
}
