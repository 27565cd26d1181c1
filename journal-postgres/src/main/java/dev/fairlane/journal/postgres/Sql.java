package dev.fairlane.journal.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;

/** The statements, each a file named by what it does. */
final class Sql {
    private static final ConcurrentHashMap<String, String> TEXTS = new ConcurrentHashMap<>();

    private Sql() {}

    static String of(String deed) {
        return TEXTS.computeIfAbsent(deed, Sql::load);
    }

    /** For statements on a table that is one of many; the name is made of our own words and numbers only. */
    static String on(String deed, String table) {
        if (!table.matches("[a-z_0-9]+")) {
            throw new IllegalArgumentException("expected a table's name, but got " + table);
        }
        return of(deed).replace("{table}", table);
    }

    private static String load(String deed) {
        try (InputStream in = Sql.class.getResourceAsStream("sql/" + deed + ".sql")) {
            if (in == null) {
                throw new IllegalArgumentException("no statement " + deed);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
