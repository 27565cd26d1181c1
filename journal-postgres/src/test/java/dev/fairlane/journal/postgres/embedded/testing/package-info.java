/**
 * A real PostgreSQL for the tests of every module: {@link dev.fairlane.journal.postgres.embedded.testing.TestPostgres} gives
 * each test a database of its own.
 */
@NullMarked
package dev.fairlane.journal.postgres.embedded.testing;

import org.jspecify.annotations.NullMarked;
