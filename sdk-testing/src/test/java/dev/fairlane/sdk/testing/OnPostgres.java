package dev.fairlane.sdk.testing;

import dev.fairlane.journal.Journal;
import dev.fairlane.journal.OpenedLog;
import dev.fairlane.journal.postgres.PostgresConfig;
import dev.fairlane.journal.postgres.PostgresJournal;
import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** The server of a test on a real PostgreSQL, and still with a clock that the test moves. */
public final class OnPostgres {
    private OnPostgres() {}

    /** What is in the database goes on from there: a second start is a restart of the server. */
    public static TestFairlane start(TestDatabase database, Instant at) {
        return TestFairlane.builder()
                .startAt(at)
                .journal(micros -> following(
                        micros,
                        PostgresJournal.connect(
                                PostgresConfig.of(database.jdbcUrl(), database.user(), database.password()))))
                .start();
    }

    /** Nodes follow the clock of their store: here the store follows the test's. */
    private static Journal following(LongSupplier micros, Journal journal) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("now")) {
                        return CompletableFuture.completedFuture(micros.getAsLong());
                    }
                    try {
                        Object answer = method.invoke(journal, arguments);
                        return method.getName().equals("open") && answer instanceof CompletableFuture<?> opening
                                ? opening.thenApply(OpenedLog.class::cast).thenApply(log -> at(micros, log))
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static OpenedLog at(LongSupplier micros, OpenedLog log) {
        return new OpenedLog(log.log(), log.genesis(), micros.getAsLong(), log.highWaterAt());
    }
}
